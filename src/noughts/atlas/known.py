"""Values published by others, with their sources: the atlas is compared with them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from noughts.atlas.polyominoes import ANIMALS
from noughts.games import InvalidGame, Value
from noughts.games.spec import BoardSpec, parse_id

__all__ = ["DISAGREEMENTS", "SOURCES", "KnownValue", "known_value"]

WIN, DRAW, LOSS = Value.WIN, Value.DRAW, Value.LOSS

SOURCES = {
    "Uiterwijk 2000": "J. W. H. M. Uiterwijk, H. J. van den Herik: The advantage of the initiative. "
    "Information Sciences 122 (2000), 43–58.",
    "Charatsidis 2017": "Charatsidis (2017): four in a row on 9×4 and 10×4; known to us only by citations.",
    "Hsu 2020": "W.-Y. Hsu et al.: On solving the 7,7,5-game and the 8,8,5-game. Theoretical Computer Science 815 "
    "(2020).",
    "Golomb 2002": "S. W. Golomb, A. W. Hales: Hypercube tic-tac-toe. More Games of No Chance, MSRI Publications 42 "
    "(2002), 167–182.",
    "Gardner 1979": "F. Harary's animal games as reported by M. Gardner: Mathematical games. Scientific American 240 "
    "(April 1979); The Colossal Book of Mathematics (2001), chapter 23. Board numbers of the pentominoes as listed by "
    "Wikipedia, Harary's generalized tic-tac-toe.",
    "Halupczok 2007": "I. Halupczok, J.-C. Schlage-Puchta: Achieving Snaky. Integers 7 (2007), G02.",
    "Carroll 2004": "M. T. Carroll, S. T. Dougherty: Tic-tac-toe on a finite plane. Mathematics Magazine 77 (2004), "
    "260–274.",
    "Gasarch": "W. Gasarch, C. Kruskal, D. Lu, E. Weaver, N. Wilkinson: Ramsey game numbers. University of Maryland.",
    "Slany 1999": "W. Slany: Graph Ramsey games. Technical report DBAI-TR-99-34, TU Wien (1999), arXiv cs/9911004.",
    "Steininger": "C. Steininger: solver of Connect Four, table of board sizes, github.com/ChristopheSteininger/c4; "
    "it extends J. Tromp's table, tromp.github.io/c4/c4.html.",
}
"""The works cited, by a short name."""

DISAGREEMENTS = {
    "pentomino-n:5x5": "The smallest square board on which the first player wins is published as 6×6. It is 5×5: a "
    "second search, written for this purpose alone, finds a win in six moves on 5×5 as well, and none on 4×4.",
    "pentomino-y:6x6": "The smallest square board on which the first player wins is published as 7×7. It is 6×6: a "
    "second search, written for this purpose alone, finds a win in six moves on 6×6 as well, and none on 5×5.",
}
"""The games whose certificates contradict a published value, with the result of our investigation."""


class KnownValue(NamedTuple):
    """A published value and the short name of its source."""

    value: Value
    source: str


@cache
def known_value(game: str) -> KnownValue | None:
    """Return the published value of a game of the atlas; None means that no published value is known to us.

    The published value is returned even if it is one of the ``DISAGREEMENTS``.

    >>> known_value("4x4:3")
    KnownValue(value=<Value.WIN: 'win'>, source='Uiterwijk 2000')
    """
    kind, _, size = game.partition(":")
    if kind in ANIMALS:
        return _animal(kind, size)
    for prefix, find in CUSTOM.items():
        if kind.startswith(prefix):
            return find(kind, size)
    try:
        spec = parse_id(game)
    except InvalidGame:
        return None
    return _board(spec) if isinstance(spec, BoardSpec) else None


# --- boards -----------------------------------------------------------------------------------------------------------

CONNECT_FOUR = {4: "==-=-----", 5: "====++++", 6: "==-+--+", 7: "==+=++", 8: "==-+-", 9: "==+=+", 10: "==-+"}
"""Four in a row with gravity: for each height the values for widths from 4, as signs."""
SIGNS = {"+": WIN, "=": DRAW, "-": LOSS}


def _board(spec: BoardSpec) -> KnownValue | None:
    sides, k, options = spec
    if not options:
        return _plain_board(sides, k) if len(sides) == 2 else _plain_box(sides, k)
    if spec.id == "3x3+wrap":  # the affine plane of order 3
        return _plane("affine", "3")
    if options == {"gravity"} and len(sides) == 2 and k == 4:
        return _connect_four(*sides)
    if options == {"misere"} and set(sides) == {3} and k == 3 and len(sides) <= 3:
        # X answers every move by its mirror image; in the cube one side must complete a line, and it is not X.
        return KnownValue(WIN if len(sides) == 3 else DRAW, "Golomb 2002")
    return None


def _plain_board(sides: tuple[int, ...], k: int) -> KnownValue | None:
    long, short = max(sides), min(sides)
    if k == 3 and short >= 3:
        return KnownValue(DRAW if long == 3 else WIN, "Uiterwijk 2000")
    if k == 4 and short == 4 and long <= 10:
        return KnownValue(WIN, "Charatsidis 2017") if long >= 9 else KnownValue(DRAW, "Uiterwijk 2000")
    if k == 4 and short >= 5:
        return KnownValue(DRAW if long == 5 else WIN, "Uiterwijk 2000")
    if k == 5 and long <= 6:
        return KnownValue(DRAW, "Uiterwijk 2000")
    if k == 5 and (long, short) in ((7, 7), (8, 8)):
        return KnownValue(DRAW, "Hsu 2020")
    return None


def _plain_box(sides: tuple[int, ...], k: int) -> KnownValue | None:
    if k == 3 and set(sides) == {3}:
        return KnownValue(WIN, "Golomb 2002")
    return None


def _connect_four(width: int, height: int) -> KnownValue | None:
    signs = CONNECT_FOUR.get(height, "")
    return KnownValue(SIGNS[signs[width - 4]], "Steininger") if 4 <= width < 4 + len(signs) else None


# --- custom games -----------------------------------------------------------------------------------------------------

BOARD_NUMBERS = {
    "domino": 2,
    "tic": 4,
    "el": 3,
    "skinny": 7,
    "elly": 4,
    "knobby": 5,
    "tippy": 3,
    "pentomino-l": 7,
    "pentomino-n": 6,
    "pentomino-y": 7,
}
"""The smallest square board on which the first player wins. All other animals but Snaky win on no board."""


def _animal(kind: str, size: str) -> KnownValue | None:
    board = re.fullmatch(r"(\d+)x\1", size)
    if board is None:
        return None
    side = int(board[1])
    if kind == "snaky":
        return KnownValue(DRAW, "Halupczok 2007") if side <= 8 else None
    if kind not in BOARD_NUMBERS:
        return KnownValue(DRAW, "Gardner 1979")
    smallest = BOARD_NUMBERS[kind]
    return KnownValue(WIN if side == smallest else DRAW, "Gardner 1979") if side <= smallest else None


def _plane(kind: str, size: str) -> KnownValue | None:
    most = 4 if kind == "affine" else 2
    return KnownValue(WIN if int(size) <= most else DRAW, "Carroll 2004")


GRAPH_WINS_FROM = {"graph-triangle": 5, "graph-path-5": 5, "graph-star-4": 5, "graph-star-5": 7}


def _graph(kind: str, size: str) -> KnownValue | None:
    if (kind, size) == ("graph-triangle", "6+misere"):
        return KnownValue(LOSS, "Slany 1999")
    smallest = GRAPH_WINS_FROM.get(kind)
    if smallest is None or not size.isdigit() or int(size) > smallest:
        return None
    return KnownValue(WIN if int(size) == smallest else DRAW, "Gasarch")


CUSTOM: dict[str, Callable[[str, str], KnownValue | None]] = {
    "affine": _plane,
    "projective": _plane,
    "graph-": _graph,
}
