"""Position strings: one line with the marks on the board and the side to move.

``3/1x1/o2 x`` is 3×3 with X in the centre, O in the bottom left corner, and X to move. The canonical
string of a position is shared by all positions that are symmetric to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from noughts.games.cache import once_per_game
from noughts.games.errors import InvalidPosition
from noughts.games.outcome import Side
from noughts.games.quoting import quote
from noughts.games.rendering.layout import panels

if TYPE_CHECKING:
    from noughts.games.game import Game
    from noughts.games.position import Position

__all__ = ["Canonical", "PositionContents", "canonical", "format_fields", "format_position", "read_position"]

EMPTY, MARKS = -1, {"x": 0, "o": 1}
LETTERS = {None: ".", Side.X: "x", Side.O: "o"}
MAX_REPLACED_RUN = 64
"""Longest row whose runs of empty cells are replaced length by length, which is faster than one by one."""
DIGITS = frozenset("0123456789")
MAX_RUN_DIGITS = 6
MAX_TEXT = 20_000
"""Longest position string, in characters: more than twice what the largest board needs."""
SIDES = (Side.X, Side.O, None)
"""By the core's numbers; -1 is an empty cell."""


def format_position(position: Position) -> str:
    return format_fields(position.game, position.cells, position.turn, position.block_to_play, position.blocks)


def format_fields(
    game: Game,
    cells: Sequence[Side | None],
    turn: Side | None,
    block_to_play: int | None,
    owners: Sequence[Side | None],
) -> str:
    """Return the position string for these marks; the block to play and the owners are used only in Ultimate."""
    fields = [_format_board(game, cells), "-" if turn is None else turn.lower()]
    if game.is_ultimate:
        fields.append("-" if block_to_play is None else str(block_to_play + 1))
    if game.keeps_won_blocks_open:
        fields.append("".join("." if owner is None else owner.lower() for owner in owners))
    return " ".join(fields)


class PositionContents(NamedTuple):
    """The contents of a position string: a mark for each cell (-1 empty, 0 X, 1 O), the side to move and, in Ultimate,
    the block to play and, if the string names them, the owners of the blocks."""

    cells: list[int]
    turn: Side
    block_to_play: int | None
    owners: list[int] | None
    says_over: bool

    def check_over(self, is_over: bool) -> None:
        """Raise InvalidPosition if the string is wrong about whether the game is over."""
        if is_over and not self.says_over:
            raise InvalidPosition(f"expected - as the side to move, since the game is over, got {self.turn.lower()}")
        if not is_over and self.says_over:
            raise InvalidPosition("expected x or o to move, since the game is not over, got -")


def read_position(game: Game, text: str) -> PositionContents:
    """Return the contents of a position string, not checked against the rules; raises InvalidPosition."""
    if not isinstance(text, str):
        raise TypeError(f"expected a position string, got {type(text).__name__}")
    if len(text) > MAX_TEXT:
        raise InvalidPosition(f"expected a position of at most {MAX_TEXT} characters, got {len(text)}")
    fields = text.strip().lower().split()
    wanted = ["the board", "the side to move"]
    wanted += ["the block to play"] * game.is_ultimate + ["the owners of the blocks"] * game.keeps_won_blocks_open
    if len(fields) != len(wanted):
        raise InvalidPosition(f"expected {len(wanted)} fields ({', '.join(wanted)}), got {len(fields)}")
    cells = _parse_board(game, fields[0])
    turn = _parse_turn(fields[1], cells)
    block = _parse_block(fields[2], game) if game.is_ultimate else None
    owners = _parse_owners(fields[3], game) if game.keeps_won_blocks_open else None
    return PositionContents(cells, turn, block, owners, fields[1] == "-")


@once_per_game
def _rows(game: Game) -> list[Sequence[int]]:
    """The cells of each row as drawn, top row first, slice by slice; a custom game is one row. Most are ranges."""
    rows = [row for panel in panels(game) for row in panel.cells] or [range(game.cells)]
    return [_as_range(row) for row in rows]


def _as_range(row: Sequence[int]) -> Sequence[int]:
    """Return a row of consecutive cells as a range, any other as it is."""
    cells = range(row[0], row[-1] + 1)
    return cells if list(row) == list(cells) else row


def _rows_per_slice(game: Game) -> int:
    return len(panels(game)[0].rows) if not game.is_custom else 1


def _format_board(game: Game, cells: Sequence[Side | None]) -> str:
    """Return the rows with their separators and the lengths of runs of empty cells."""
    text = "".join([LETTERS[mark] for mark in cells])
    rows, per_slice = _rows(game), _rows_per_slice(game)
    lines = [
        text[row.start : row.stop] if isinstance(row, range) else "".join([text[cell] for cell in row]) for row in rows
    ]
    slices = ["/".join(lines[i : i + per_slice]) for i in range(0, len(lines), per_slice)]
    text = "|".join(slices)
    longest = max(map(len, rows))
    if longest > MAX_REPLACED_RUN:
        return re.sub(r"\.+", lambda run: str(len(run[0])), text)
    for length in range(longest, 0, -1):  # no run is longer than those replaced before it
        text = text.replace("." * length, str(length))
    return text


def _parse_board(game: Game, text: str) -> list[int]:
    slices = [part.split("/") for part in text.split("|")]
    layout, per_slice = _rows(game), _rows_per_slice(game)
    expected = len(layout) // per_slice
    if len(slices) != expected:
        raise InvalidPosition(f"expected {expected} slices separated by |, got {len(slices)}")
    cells = [EMPTY] * game.cells
    for number, rows in enumerate(slices):
        if len(rows) != per_slice:
            raise InvalidPosition(f"expected {per_slice} rows separated by /, got {len(rows)}")
        for i, row in enumerate(rows):
            places = layout[number * per_slice + i]
            for cell, mark in zip(places, _parse_row(row, len(places)), strict=True):
                cells[cell] = mark
    return cells


def _parse_row(text: str, width: int) -> list[int]:
    row: list[int] = []
    run = ""
    for letter in text:
        if letter in DIGITS:
            run += letter
            if len(run) > MAX_RUN_DIGITS:
                raise InvalidPosition(f"expected rows of {width} cells, got {quote(text)}")
            continue
        if letter not in MARKS:
            raise InvalidPosition(f"expected rows of x, o and numbers of empty cells, got {quote(text)}")
        row += [EMPTY] * _run(run, width) + [MARKS[letter]]
        run = ""
    row += [EMPTY] * _run(run, width)
    if len(row) != width:
        raise InvalidPosition(f"expected rows of {width} cells, got {quote(text)}")
    return row


def _run(digits: str, width: int) -> int:
    """The length of a run of empty cells, or one more than the row holds if it is longer."""
    return min(int(digits), width + 1) if digits else 0


def _parse_turn(field: str, cells: list[int]) -> Side:
    x, o = cells.count(MARKS["x"]), cells.count(MARKS["o"])
    if x not in (o, o + 1):
        raise InvalidPosition(f"expected as many X as O, or one more, got {x} and {o}")
    turn = Side.X if x == o else Side.O
    if field not in ("x", "o", "-"):
        raise InvalidPosition(f"expected x, o or - as the side to move, got {quote(field)}")
    if field not in ("-", turn.lower()):
        raise InvalidPosition(f"expected {turn.lower()} to move with {x} X and {o} O, got {field}")
    return turn


def _parse_block(field: str, game: Game) -> int | None:
    if field == "-":
        return None
    if not re.fullmatch(r"[0-9]{1,3}", field, re.ASCII) or not 1 <= int(field) <= game.blocks:
        raise InvalidPosition(f"expected a block to play from 1 to {game.blocks}, or -, got {quote(field)}")
    return int(field) - 1


def _parse_owners(field: str, game: Game) -> list[int]:
    if not re.fullmatch(r"[xo.]*", field) or len(field) != game.blocks:
        raise InvalidPosition(f"expected {game.blocks} owners of blocks as x, o or ., got {quote(field)}")
    return [MARKS.get(owner, EMPTY) for owner in field]


class Canonical(NamedTuple):
    """The canonical image of a position, and the symmetry that leads back to the position."""

    game: Game
    turn: Side | None
    marks: Sequence[int]
    """The mark on each cell: 0 for X, 1 for O, -1 for none."""
    block: int
    """The block to play, or -1."""
    owners: Sequence[int]
    """The owner of each block, numbered as marks are; empty in games of one block."""
    cells: Sequence[int]
    """For each cell of the image, the cell of the position itself."""

    @property
    def text(self) -> str:
        """The position string of the image."""
        block = None if self.block < 0 else self.block
        marks, owners = ([SIDES[number] for number in numbers] for numbers in (self.marks, self.owners))
        return format_fields(self.game, marks, self.turn, block, owners)

    def move_here(self, move: int) -> int:
        """Return the move in the position that corresponds to a move in the image."""
        return self.cells[move]

    def move_there(self, move: int) -> int:
        """Return the move in the image that corresponds to a move in the position."""
        return self.cells.index(move)


def canonical(position: Position) -> Canonical:
    """Return the canonical image: the least of the images under the symmetries that the game uses.

    Images are compared cell by cell, an empty cell before X and X before O; in Ultimate then by the block to play and
    by the owners of the blocks.
    """
    return Canonical(position.game, position.turn, *position.game.symmetry.least_image(position))
