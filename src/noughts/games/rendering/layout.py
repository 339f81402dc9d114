"""The layout of boards, shared by pictures in text and in SVG: panels of a board, spots of a custom game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil, cos, pi, prod, sin, sqrt
from typing import TYPE_CHECKING, NamedTuple

from noughts.games.cache import once_per_game
from noughts.games.notation import column_name

if TYPE_CHECKING:
    from noughts.games.game import Game
    from noughts.games.outcome import Side

__all__ = [
    "GAP",
    "Panel",
    "Spots",
    "big_mark",
    "block_range",
    "corners",
    "panels",
    "panels_together",
    "per_row",
    "spots",
]

MAX_ON_CIRCLE = 16
GAP = 2
"""Blank columns between panels side by side, in text."""


class Panel(NamedTuple):
    """A flat part of a board, top row first: a 2D board, a level of a 3D board, or a slice in higher dimensions."""

    title: str
    columns: Sequence[str]
    rows: Sequence[str]
    cells: Sequence[Sequence[int]]

    def numbered(self, first: int) -> Panel:
        """Return the panel with numbers for rows and columns, the first at the top left."""
        names = [[str(first + number) for number in range(len(axis))] for axis in (self.columns, self.rows)]
        return self._replace(columns=names[0], rows=names[1])

    def strips(self, columns: int, step: int = 1) -> list[Panel]:
        """Return the panel cut into equal strips of at most ``columns`` columns, in multiples of ``step``."""
        count = ceil(len(self.columns) / columns)
        if count == 1:
            return [self]
        even = step * ceil(len(self.columns) / count / step)
        return [self._strip(slice(at, at + even)) for at in range(0, len(self.columns), even)]

    def _strip(self, part: slice) -> Panel:
        names = self.columns[part]
        shown = f"columns {names[0]} to {names[-1]}" if len(names) > 1 else f"column {names[0]}"
        title = f"{self.title}, {shown}" if self.title else shown
        return Panel(title, names, self.rows, [row[part] for row in self.cells])


class Spots(NamedTuple):
    """A level of a custom game: the coordinates of its cells, x and y from the top left."""

    title: str
    points: dict[int, tuple[float, float]]


@once_per_game
def panels(game: Game) -> tuple[Panel, ...]:
    """Return the panels of a board or of Ultimate, in order of index; none for a custom game."""
    if game.is_ultimate:
        return (_ultimate_panel(game),)
    sides = game.dimensions
    if sides is None:
        return ()
    area = sides[0] * sides[1]
    return tuple(_slice(game, sides, number * area) for number in range(game.cells // area))


def _ultimate_panel(game: Game) -> Panel:
    side = game.blocks
    cell_at = {point: cell for cell, point in enumerate(game.coordinates)}
    cells = [[cell_at[x, y] for x in range(side)] for y in range(side)]
    return Panel("", _letters(side), _from_the_bottom(side), cells)


def _slice(game: Game, sides: tuple[int, ...], first: int) -> Panel:
    width, height = sides[:2]
    cells = [range(first + y * width, first + (y + 1) * width) for y in range(height)]
    beyond = [str(int(at)) for at in game.coordinates[first][2:]]
    if len(beyond) > 1:
        # The name of a cell is the numbers of its board, its row and its column.
        title = f"board {','.join(reversed(beyond))}"
        return Panel(title, [str(x) for x in range(width)], [str(y) for y in range(height)], cells)
    title = f"level {int(beyond[0]) + 1}" if beyond else ""
    return Panel(title, _letters(width), _from_the_bottom(height), cells)


def _letters(count: int) -> list[str]:
    return [column_name(x) for x in range(count)]


def _from_the_bottom(count: int) -> list[str]:
    return [str(count - y) for y in range(count)]


def panels_together(game: Game) -> int:
    """Return the number of panels that belong side by side: all levels in 3D; above, those along half of the axes."""
    others = (game.dimensions or ())[2:]
    return prod(others[: ceil(len(others) / 2)])


def per_row(count: int, fitting: int, together: int) -> int:
    """Return the number of panels per row: those that belong together if they fit, else rows of equal length."""
    if together <= fitting:
        return together
    rows = ceil(count / max(1, fitting))
    return ceil(count / rows)


def corners(count: int, size: tuple[int, int], width: int, together: int) -> Iterator[tuple[int, int]]:
    """Return the top left corners of panels of the same size in a text of this width, row by row."""
    wide, high = size
    in_a_row = per_row(count, (width + GAP) // (wide + GAP), together)
    for number in range(count):
        row, column = divmod(number, in_a_row)
        yield column * (wide + GAP), row * (high + 1)


def big_mark(side: Side, n: int) -> set[tuple[int, int]]:
    """Return the rows and columns of an n×n block that form one large X or O.

    >>> from noughts import Side
    >>> sorted(big_mark(Side.X, 3))
    [(0, 0), (0, 2), (1, 1), (2, 0), (2, 2)]
    """
    places = set(product(range(n), repeat=2))
    if side == "X":
        return {(y, x) for y, x in places if x in (y, n - 1 - y)}
    rim = {(y, x) for y, x in places if {y, x} & {0, n - 1}}
    corners = set(product((0, n - 1), repeat=2))
    return rim - corners if n > 3 else rim


def block_range(game: Game, block: int, first: int | None = None) -> str:
    """Return the corners of a block on the whole board, such as ``d4 to f6``.

    With ``first``, its rows and columns are numbered from that one.
    """
    size, n = game.blocks, game.block_size or 1
    if first is not None:
        row, column = (first + n * index for index in divmod(block, n))
        return f"rows {row} to {row + n - 1}, columns {column} to {column + n - 1}"
    bottom_left, top_right = block * size + size - n, block * size + n - 1
    return f"{game.format_cell(bottom_left)} to {game.format_cell(top_right)}"


def spots(game: Game, invent: bool = False) -> list[Spots]:
    """Return the levels of a custom game by its layout.

    Without a layout the list is empty, unless ``invent`` is set: then small games are laid out on a circle, others in
    rows.
    """
    points: Sequence[Sequence[float]] = game.coordinates
    if not points:
        points = _invented(game.cells) if invent else []
    heights = sorted({point[2] for point in points if len(point) > 2})
    if not heights:
        return [_spots("", points, None)] if points else []
    return [_spots(f"level {number}", points, height) for number, height in enumerate(heights, 1)]


def _spots(title: str, points: Sequence[Sequence[float]], height: float | None) -> Spots:
    chosen = [c for c, point in enumerate(points) if height is None or point[2] == height]
    return Spots(title, {cell: (points[cell][0], points[cell][1]) for cell in chosen})


def _invented(count: int) -> list[tuple[float, float]]:
    if count <= MAX_ON_CIRCLE:
        angles = [2 * pi * cell / count for cell in range(count)]
        return [(sin(angle), -cos(angle)) for angle in angles]
    width = ceil(sqrt(count))
    return [(cell % width, cell // width) for cell in range(count)]
