"""Custom games drawn as text: by their layout with the numbers of their cells, else as a list."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, pairwise
from math import floor
from typing import TYPE_CHECKING

from noughts.games.rendering.canvas import Canvas, Place
from noughts.games.rendering.layout import Spots, corners, spots
from noughts.games.rendering.marks import Marks

if TYPE_CHECKING:
    from noughts.games.game import Game

__all__ = ["compose_custom"]

Points = dict[int, tuple[int, int]]
MAX_LAYOUT_LINES = 40
"""A custom game whose layout takes more lines is drawn as a list of cells."""
MAX_COLUMNS_APART = 20
"""On a screen, the nearest cells of a layout are closer than this."""
LARGE_COLUMNS = 8
"""Cells that are this far apart are drawn large."""


def compose_custom(marks: Marks, width: int, height: int | None = None) -> Canvas:
    """Return a custom game on a canvas: its levels by layout if the numbers of the cells fit, else a list of its cells.

    With a ``height``, the layout fills a screen of that size, and a game without a layout gets one.
    """
    game, canvas = marks.position.game, Canvas()
    levels, digits = spots(game, invent=height is not None), len(str(game.cells - 1))
    places = _fit(levels, digits, width) if height is None else _fill(game, width, height)
    if places is None:
        _draw_list(canvas, marks, digits, width)
    else:
        _draw_levels(canvas, marks, levels, places, width, has_edges=height is not None)
    return canvas


def _draw_levels(
    canvas: Canvas, marks: Marks, levels: list[Spots], places: Points, width: int, has_edges: bool = False
) -> None:
    titled = len(levels) > 1
    is_large = has_edges and _are_apart(levels, places, LARGE_COLUMNS)
    # Large cells need room at the edges.
    right, down = (LARGE_COLUMNS // 2 - 1, 1) if is_large else (0, 0)
    sizes = _level_size(levels, places, is_large)
    for level, (left, top) in zip(levels, corners(*sizes, width, len(levels)), strict=True):
        if titled:
            canvas.put(left + 1, top, level.title, "title")
        placed = [(cell, *places[cell]) for cell in level.points]
        at = {cell: (left + right + x, top + titled + down + y) for cell, x, y in placed}
        if has_edges:
            _draw_edges(canvas, marks, at)
        for cell, (x, y) in at.items():
            _put_numbered(canvas, marks, cell, x, y, is_large)


def _level_size(levels: list[Spots], places: Points, is_large: bool) -> tuple[int, tuple[int, int]]:
    """The number of levels, and the width and height of each."""
    margin = LARGE_COLUMNS - 2 if is_large else 0
    wide = max(max(x for x, _ in places.values()) + 2 + margin, len(levels[-1].title) + 1)
    return len(levels), (wide, max(y for _, y in places.values()) + 1 + (len(levels) > 1) + margin // 3)


def _draw_edges(canvas: Canvas, marks: Marks, at: Points) -> None:
    """Draw dots between neighbouring cells of lines."""
    edges = {pair for line in marks.position.game.lines for pair in pairwise(line)}
    for a, b in sorted(edges):
        if a in at and b in at:
            (x0, y0), (x1, y1) = at[a], at[b]
            steps = max(abs(x1 - x0) // 2, abs(y1 - y0))
            for step in range(1, steps):
                x, y = x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * step / steps
                canvas.put(floor(x + 0.5), floor(y + 0.5), marks.style.dot, "rule")


def _put_numbered(canvas: Canvas, marks: Marks, cell: int, x: int, y: int, is_large: bool) -> None:
    """Draw a cell: its mark at x, y, or its number with the last digit there."""
    number = str(cell)
    place = Place(x, y, LARGE_COLUMNS // 2 - 1, 1) if is_large else Place(x, y, max(1, len(number) - 1), 0)
    if is_large:
        for row in place.rows:
            canvas.put(place.columns[0], row, " " * len(place.columns), "empty")
    marks.put(canvas, place, cell, number, at=x + 1 - len(number))


@lru_cache(maxsize=8)
def _fill(game: Game, width: int, height: int) -> Points | None:
    """The places of all cells in the largest picture for a screen; if none fits, in the smallest one."""
    levels, digits = spots(game, invent=True), len(str(game.cells - 1))
    for size in range(max(width, 2 * height), 0, -1):
        places = _places(levels, digits, size)
        if places is None:
            return None
        count, (wide, high) = _level_size(levels, places, _are_apart(levels, places, LARGE_COLUMNS))
        placed = list(corners(count, (wide, high), width, count))
        if max(x for x, _ in placed) + wide > width or placed[-1][1] + high > height:
            continue
        if not _are_apart(levels, places, MAX_COLUMNS_APART) and _stand_apart_on_all(levels, places, digits):
            return places
    return _fit(levels, digits, width)


def _are_apart(levels: list[Spots], places: Points, columns: int) -> bool:
    """Whether any two cells of a level are this many columns, or half as many rows, from each other."""
    return all(
        abs(ax - bx) >= columns or abs(ay - by) >= columns // 2
        for level in levels
        for (ax, ay), (bx, by) in combinations([places[cell] for cell in level.points], 2)
    )


def _stand_apart_on_all(levels: list[Spots], places: Points, digits: int) -> bool:
    return all(_stand_apart([places[cell] for cell in level.points], digits) for level in levels)


def _places(levels: list[Spots], digits: int, size: int) -> Points | None:
    """The places of all cells in a picture of about this many columns; None without a layout."""
    points = {cell: point for level in levels for cell, point in level.points.items()}
    if not points:
        return None
    xs, ys = [x for x, _ in points.values()], [y for _, y in points.values()]
    span = max(max(xs) - min(xs), max(ys) - min(ys)) or 1
    # Characters are about twice as high as wide.
    columns, rows = _ticks(xs, size / span), _ticks(ys, size / span / 2)
    return {cell: (digits + columns[x], rows[y]) for cell, (x, y) in points.items()}


def _fit(levels: list[Spots], digits: int, width: int) -> Points | None:
    """The places of all cells on the canvas, in the smallest picture in which they do not touch.

    None without a layout, or if the picture would be too wide or high.
    """
    for size in range(width):
        places = _places(levels, digits, size)
        if places is None:
            break
        if 2 + max(x for x, _ in places.values()) > width or max(y for _, y in places.values()) >= MAX_LAYOUT_LINES:
            break
        if _stand_apart_on_all(levels, places, digits):
            return places
    return None


def _ticks(values: list[float], scale: float) -> dict[float, int]:
    """Whole numbers for coordinates at about the given scale; equal steps of a regular layout stay equal."""
    distinct = sorted(set(values))
    step = min((b - a for a, b in pairwise(distinct) if b - a > 1e-6), default=1)
    whole = floor(step * scale + 0.5)
    fitted = whole / step if whole else scale
    return {value: floor((value - distinct[0]) * fitted + 0.5) for value in distinct}


def _stand_apart(places: list[tuple[int, int]], digits: int) -> bool:
    """Whether cells in a row are far enough apart. The distance is even, since rows are half as far apart."""
    distance = (digits + 3) // 2 * 2
    in_rows = sorted((y, x) for x, y in places)
    return all(a[0] != b[0] or b[1] - a[1] >= distance for a, b in pairwise(in_rows))


def _draw_list(canvas: Canvas, marks: Marks, digits: int, width: int) -> None:
    """Draw every cell as its number and its mark, in rows."""
    per_row = max(1, width // (digits + 5))
    for cell in range(len(marks.cells)):
        row, column = divmod(cell, per_row)
        x = column * (digits + 5)
        canvas.put(x, row, str(cell).rjust(digits), "coordinate")
        marks.put(canvas, Place(x + digits + 1, row, 1, 0), cell, marks.style.dot)
