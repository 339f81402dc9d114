"""The marks of a position on a canvas: letters, or large crosses and rings of half blocks."""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from typing import TYPE_CHECKING

from noughts.games.outcome import Side
from noughts.games.rendering.canvas import Canvas, Ink, Place, Style

if TYPE_CHECKING:
    from noughts.games.position import Position

__all__ = ["Marks", "large_mark"]

HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
"""Characters by their upper and lower half."""
TALL_BRACKETS = ("┌│└", "┐│┘")


class Marks:
    """The marks of a position as characters and inks."""

    def __init__(self, position: Position, style: Style) -> None:
        self.position = position
        self.style = style
        self.cells = position.cells
        self.last = position.last_move
        line = position.winning_line or ()
        self.winning_blocks = set(line) if position.game.is_ultimate else set()
        self.winning_cells = set() if position.game.is_ultimate else set(line)
        target = position.block_to_play
        self.target_cells = range(0) if target is None else _cells_of(target, position.game.blocks)

    def put(self, canvas: Canvas, place: Place, cell: int, empty: str, at: int | None = None) -> None:
        """Draw a cell at its place; an ``empty`` text may begin in another column."""
        canvas.places[cell] = place
        mark = self.cells[cell]
        if mark is None:
            ink = "target" if cell in self.target_cells else "empty"
            canvas.put(place.x if at is None else at, place.y, empty, ink)
        else:
            self.put_mark(canvas, place, mark, cell in self.winning_cells, cell == self.last)

    def put_mark(self, canvas: Canvas, place: Place, mark: Side, winning: bool, last: bool = False) -> None:
        """Draw a mark, with brackets around the last move and stars around a winning one."""
        ink: Ink = (mark.lower(), *(["winning"] if winning else []), *(["last"] if last else []))
        if place.high and self.style.has_large_marks:
            _put_large(canvas, place, mark, winning, last, ink)
            return
        around = self.style.around_last if last else self.style.around_winning if winning else ""
        canvas.put(place.x - len(around) // 2, place.y, mark.join(around) if around else mark, *ink)


def _cells_of(block: int, size: int) -> range:
    return range(block * size, (block + 1) * size)


def _put_large(canvas: Canvas, place: Place, mark: Side, winning: bool, last: bool, ink: Ink) -> None:
    rows = large_mark(mark, 2 * place.high + 1)
    left = place.x - len(rows[0]) // 2
    for y, row in zip(place.rows, rows, strict=True):
        canvas.put(place.columns[0], y, " " * len(place.columns), *ink)
        canvas.put(left, y, row, *ink)
    if last:
        for x, bracket in zip((place.columns[0], place.columns[-1]), TALL_BRACKETS, strict=True):
            canvas.put_down(x, place.rows[0], bracket[0] + bracket[1] * (len(rows) - 2) + bracket[2], *ink)
    elif winning:
        for x in (place.columns[0], place.columns[-1]):
            for y in (place.rows[0], place.rows[-1]):
                canvas.put(x, y, "*", *ink)


@lru_cache(maxsize=64)
def large_mark(side: Side, rows: int) -> tuple[str, ...]:
    """Return a cross or a ring of half blocks with this number of rows, from 3 on.

    >>> print("\\n".join(large_mark(Side.O, 3)))
    ▄▀▀▀▄
    █   █
    ▀▄▄▄▀
    """
    wide, high = 2 * rows - 1, 2 * rows
    is_filled = _is_on_cross if side is Side.X else _is_on_ring
    filled = {
        (y, x)
        for y in range(high)
        for x in range(wide)
        if is_filled(y * (wide - 1) / (high - 1) - rows + 1, x - rows + 1, wide)
    }
    pairs = ((2 * row, 2 * row + 1) for row in range(rows))
    return tuple("".join(HALVES[(up, x) in filled, (down, x) in filled] for x in range(wide)) for up, down in pairs)


def _is_on_cross(y: float, x: float, size: int) -> bool:
    return min(abs(y - x), abs(y + x)) < max(0.5, size / 9)


def _is_on_ring(y: float, x: float, size: int) -> bool:
    return size * 0.44 - max(0.6, size / 9) <= hypot(y, x) <= size / 2
