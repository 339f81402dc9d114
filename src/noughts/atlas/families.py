"""The families of the atlas: generators of games by name, and the games that are not given by an id.

A game of the atlas is named by its id or, for a custom game, by ``KIND:SIZE[:LENGTH][+wrap][+misere]``: ``el:5x4``,
``graph-triangle:6+misere``. Of games that differ only by a symmetry, such as ``3x5:3`` and ``5x3:3``, one is listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations_with_replacement
from math import prod
from typing import NamedTuple

from noughts.atlas import designs
from noughts.atlas.polyominoes import ANIMALS, Shape, copies
from noughts.games import Game, InvalidGame
from noughts.games.quoting import nearest, quote
from noughts.games.spec import BoardSpec
from noughts.invocation import command_line

__all__ = ["FAMILIES", "GameFamily", "find_families", "make_game"]

MIN_LENGTH, MAX_LENGTH = 3, 6
"""Two in a row is won at once, and on such small boards longer lines are easily blocked."""
CUSTOM = re.compile(r"([a-z0-9-]+):([0-9x]+)(?::([0-9]+))?((?:\+wrap)?)((?:\+misere)?)")


class GameFamily(NamedTuple):
    """Games of one kind; ``games`` yields their names, smallest first."""

    name: str
    about: str
    games: Callable[[], Iterable[str]]


# --- games by id ------------------------------------------------------------------------------------------------------


def _boards(dimensions: int, cells: int, options: str = "", narrowest: int = 2) -> Callable[[], list[str]]:
    """The boards of at most this many cells, without the narrowest, with all lengths of lines."""

    def games() -> list[str]:
        named = frozenset(options.split())
        boards = sorted(_sides(dimensions, cells, "gravity" in named), key=lambda sides: (prod(sides), sides))
        found = [
            BoardSpec(sides, k, named)
            for sides in boards
            for k in range(MIN_LENGTH, min(_longest_line(sides, named), MAX_LENGTH) + 1)
            if min(sides) >= narrowest
        ]
        return [spec.id for spec in found if _is_distinct(spec)]

    return games


def _longest_line(sides: tuple[int, ...], options: frozenset[str]) -> int:
    """The longest side or, if lines along one side only would be too easy to block, the second longest."""
    return sorted(sides)[-1 if options & {"gravity", "misere"} else -2]


def _sides(dimensions: int, cells: int, has_gravity: bool) -> Iterator[tuple[int, ...]]:
    """The boards up to turns, the longest side first; with gravity, the height, which is last, is special."""
    flat = dimensions - 1 if has_gravity else dimensions
    for base in combinations_with_replacement(range(cells // 2, 1, -1), flat):
        heights = range(2, cells // prod(base) + 1) if has_gravity else [None]
        for height in heights:
            sides = base if height is None else (*base, height)
            if prod(sides) <= cells:
                yield sides


def _is_distinct(spec: BoardSpec) -> bool:
    """Whether the game has lines, and its option ``exact`` makes a difference."""
    try:
        game = Game(spec.id)
    except InvalidGame:
        return False
    return "exact" not in spec.options or any(game.guards)


def _join(*parts: Callable[[], list[str]]) -> Callable[[], list[str]]:
    return lambda: [name for part in parts for name in part()]


def _ultimate() -> list[str]:
    options = ["", "+misere", "+count", "+open", "+misere+count", "+misere+open", "+count+open", "+misere+count+open"]
    return [f"ultimate:2{each}" for each in options]


# --- custom games -----------------------------------------------------------------------------------------------------


def make_game(name: str) -> Game:
    """Return a game of the atlas by its name; raises InvalidGame.

    >>> make_game("5x4:4").id, len(make_game("el:3x3").lines)
    ('5x4', 16)
    """
    parts = CUSTOM.fullmatch(name)
    if parts is None or parts[1] == "ultimate" or parts[1][0].isdigit():
        return Game(name)
    kind, size, length, wrap, misere = parts.groups()
    maker = _find_maker(kind)
    try:
        lines, cells, layout = maker(kind, size, int(length or 0), bool(wrap))
    except (ValueError, KeyError):
        raise InvalidGame(f"expected a game of the atlas such as {EXAMPLES[maker]}, got {quote(name)}") from None
    return Game.from_lines(name, cells, lines, layout=layout, misere=bool(misere))


Made = tuple[designs.Lines, int, designs.Layout | None]
Maker = Callable[[str, str, int, bool], Made]
MAX_BOARD = 100
"""Cells of a board for polyominoes, numbers or edges: larger games do not belong in an atlas of small ones."""


def _animal(kind: str, size: str, length: int, is_torus: bool) -> Made:
    width, height = map(int, size.split("x"))
    _check(not length and 1 <= width * height <= MAX_BOARD)
    lines = copies(ANIMALS[kind], width, height, is_torus)
    return lines, width * height, [(x, y) for y in range(height) for x in range(width)]


def _plane(kind: str, size: str, length: int, is_torus: bool) -> Made:
    _check(not length and not is_torus)
    if kind == "affine":
        lines, layout = designs.affine_plane(int(size))
        return lines, len(layout), layout
    lines = designs.projective_plane(int(size))
    return lines, len(lines), None


def _progression(kind: str, size: str, length: int, is_torus: bool) -> Made:
    _check(not is_torus and length >= 2 and int(size) <= MAX_BOARD)
    return designs.progressions(int(size), length), int(size), [(x, 0) for x in range(int(size))]


def _graph(kind: str, size: str, length: int, is_torus: bool) -> Made:
    vertices = int(size)
    _check(not length and not is_torus and vertices * (vertices - 1) // 2 <= MAX_BOARD)
    return designs.copies_of_graph(kind.removeprefix("graph-"), vertices), vertices * (vertices - 1) // 2, None


def _grid(kind: str, size: str, length: int, is_torus: bool) -> Made:
    side = int(size)
    _check(not is_torus and length >= 2 and side <= MAX_BOARD)
    lines, layout = designs.grid(_triangle(side) if kind == "triangle" else _hexagon(side), length)
    _check(len(layout) <= MAX_BOARD)
    return lines, len(layout), layout


def _triangle(side: int) -> list[tuple[int, int]]:
    return [(x, y) for y in range(side) for x in range(side - y)]


def _hexagon(side: int) -> list[tuple[int, int]]:
    reach = range(1 - side, side)
    return [(x, y) for y in reach for x in reach if abs(x + y) < side]


def _check(is_valid: bool) -> None:
    if not is_valid:
        raise ValueError


EXAMPLES: dict[Maker, str] = {
    _animal: "el:5x4, el:5x4+wrap or el:5x4+misere",
    _plane: "affine:3 or projective:2",
    _progression: "progression:9:3 or progression:9:3+misere",
    _graph: "graph-triangle:6 or graph-triangle:6+misere",
    _grid: "hexagon:3:3 or triangle:5:3",
}
MAKERS: dict[str, Maker] = {
    **dict.fromkeys(ANIMALS, _animal),
    **dict.fromkeys(("affine", "projective"), _plane),
    **dict.fromkeys((f"graph-{name}" for name in designs.GRAPHS), _graph),
    **dict.fromkeys(("hexagon", "triangle"), _grid),
    "progression": _progression,
}


def _find_maker(kind: str) -> Maker:
    if kind in MAKERS:
        return MAKERS[kind]
    near = nearest(kind, MAKERS)
    hint = f"did you mean {near}?" if near else f"{command_line('atlas', 'families')} lists the games"
    raise InvalidGame(f"no such kind of game {quote(kind)}; {hint}")


def _with_lines(names: Iterable[str]) -> list[str]:
    """The names of games that have several lines; a single one is never completed."""
    return [name for name in names if _count_lines(name) > 1]


def _count_lines(name: str) -> int:
    try:
        return len(make_game(name).lines)
    except InvalidGame:
        return 0


def _animals(cells: int, options: str = "", *, largest: int = 5, has_room: bool = False) -> Callable[[], list[str]]:
    """The boards on which polyominoes of at most ``largest`` cells are played.

    With ``has_room`` they are larger than the polyomino in both directions, as a torus must be for it to be itself.
    """

    def games() -> list[str]:
        boards = sorted(_sides(2, cells, has_gravity=False), key=prod)
        some = sorted(
            ((name, shape) for name, shape in ANIMALS.items() if MIN_LENGTH <= len(shape) <= largest), key=_animal_order
        )
        return _with_lines(
            f"{name}:{width}x{height}{options}"
            for name, shape in some
            for width, height in boards
            if width <= 2 * height and height >= _least_height(shape, has_room)
        )

    return games


def _hexominoes() -> list[str]:
    boards = ("5x5", "6x6", "7x7")
    return _with_lines(f"{name}:{board}" for name, shape in ANIMALS.items() if len(shape) == 6 for board in boards)


def _animal_order(item: tuple[str, Shape]) -> tuple[int, str]:
    return len(item[1]), item[0]


def _least_height(shape: Shape, has_room: bool) -> int:
    """On a lower board, a straight polyomino fits in one direction only, which makes it K in a row."""
    longest = 1 + max(max(cell) for cell in shape)
    return longest + 1 if has_room else longest if longest == len(shape) else 1


def _planes() -> list[str]:
    """The planes; that of order 3 which is affine is the torus ``3x3+wrap``."""
    return [*(f"affine:{order}" for order in (2, 4, 5, 7)), *(f"projective:{order}" for order in (2, 3, 4, 5, 7))]


def _sized(names: Iterable[str], sizes: Iterable[int], suffix: str = "") -> Callable[[], list[str]]:
    return lambda: _with_lines(f"{name}:{size}{suffix}" for name in names for size in sizes)


def _progressions(sizes: dict[int, int], options: str = "") -> Callable[[], list[str]]:
    """Games with progressions of each length up to a size."""
    return lambda: [
        f"progression:{size}:{length}{options}"
        for length, most in sizes.items()
        for size in range(length + 1, most + 1)
    ]


def _grids(kind: str, sides: Iterable[int], options: str = "") -> Callable[[], list[str]]:
    return lambda: _with_lines(
        f"{kind}:{side}:{length}{options}" for side in sides for length in range(MIN_LENGTH, MAX_LENGTH + 1)
    )


GRAPH_NAMES = [f"graph-{name}" for name in designs.GRAPHS]

FAMILIES: dict[str, GameFamily] = {
    family.name: family
    for family in (
        GameFamily("boards", "K in a row on a board.", _boards(2, 64)),
        GameFamily("exact", "Exactly K in a row: longer rows do not count.", _boards(2, 56, "exact")),
        GameFamily("torus", "K in a row on a board without edges.", _boards(2, 49, "wrap")),
        GameFamily("torus-exact", "Exactly K in a row on a torus.", _boards(2, 49, "exact wrap")),
        GameFamily("misere", "K in a row loses.", _boards(2, 18, "misere")),
        GameFamily("torus-misere", "K in a row on a torus loses.", _boards(2, 16, "misere wrap")),
        GameFamily("gravity", "K in a row; marks fall to the bottom.", _boards(2, 30, "gravity", narrowest=3)),
        GameFamily("gravity-exact", "Exactly K in a row; marks fall.", _boards(2, 25, "gravity exact", narrowest=3)),
        GameFamily(
            "gravity-torus",
            "K in a row; marks fall, and lines wrap around.",
            _boards(2, 25, "gravity wrap", narrowest=3),
        ),
        GameFamily("gravity-misere", "K in a row loses; marks fall.", _boards(2, 20, "gravity misere", narrowest=3)),
        GameFamily("boxes", "K in a row in a box of three or four dimensions.", _join(_boards(3, 64), _boards(4, 54))),
        GameFamily("boxes-exact", "Exactly K in a row in a box.", _boards(3, 48, "exact")),
        GameFamily("boxes-torus", "K in a row in a box without walls.", _boards(3, 40, "wrap")),
        GameFamily("boxes-misere", "K in a row in a box loses.", _boards(3, 27, "misere")),
        GameFamily("boxes-gravity", "K in a row in a box; marks fall.", _boards(3, 27, "gravity")),
        GameFamily("ultimate", "Ultimate on 2×2 of 2×2, with all options.", _ultimate),
        GameFamily("animals", "Harary's achievement games: the first to occupy a polyomino wins.", _animals(49)),
        GameFamily(
            "animals-torus", "Achievement games for polyominoes on a torus.", _animals(36, "+wrap", has_room=True)
        ),
        GameFamily("animals-misere", "Avoidance games: occupying the polyomino loses.", _animals(16, "+misere")),
        GameFamily("hexominoes", "Achievement games for polyominoes of six cells.", _hexominoes),
        GameFamily("planes", "A line of a finite affine or projective plane.", _planes),
        GameFamily(
            "progressions", "An arithmetic progression of the length given.", _progressions({3: 30, 4: 36, 5: 40})
        ),
        GameFamily("progressions-misere", "An arithmetic progression loses.", _progressions({3: 18, 4: 16}, "+misere")),
        GameFamily("graphs", "The edges of a graph within a complete graph.", _sized(GRAPH_NAMES, range(3, 8))),
        GameFamily(
            "graphs-misere", "To complete the graph loses, as in Sim.", _sized(GRAPH_NAMES, range(3, 7), "+misere")
        ),
        GameFamily("hexagons", "K in a row on a hexagon of hexagons.", _grids("hexagon", range(2, 6))),
        GameFamily("triangles", "K in a row on a triangle of hexagons.", _grids("triangle", range(2, 9))),
        GameFamily("hexagons-misere", "K in a row on a hexagon loses.", _grids("hexagon", range(2, 4), "+misere")),
        GameFamily("triangles-misere", "K in a row on a triangle loses.", _grids("triangle", range(2, 6), "+misere")),
    )
}


def find_families(names: Iterable[str] = ()) -> list[GameFamily]:
    """Return the families with these names, or all; raises ValueError for an unknown name."""
    wanted = list(names)
    for name in wanted:
        if name not in FAMILIES:
            near = nearest(name, FAMILIES)
            hint = f"did you mean {near}?" if near else f"{command_line('atlas', 'families')} lists them"
            raise ValueError(f"no such family {quote(name)}; {hint}")
    return [family for family in FAMILIES.values() if not wanted or family.name in wanted]
