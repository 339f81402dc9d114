"""Custom games drawn as text: by their layout with the numbers of their cells, else as a list."""

from __future__ import annotations

from itertools import pairwise
from math import floor

from noughts.games.rendering.canvas import Canvas, Place
from noughts.games.rendering.layout import Spots, corners, spots
from noughts.games.rendering.marks import Marks

__all__ = ["compose_custom"]

Points = dict[int, tuple[int, int]]
MAX_LAYOUT_LINES = 40
"""A custom game whose layout takes more lines is drawn as a list of cells."""
MAX_STRETCH = 3
"""On a screen, a layout is drawn up to this many times larger than necessary."""


def compose_custom(marks: Marks, width: int, height: int | None = None) -> Canvas:
    """Return a custom game on a canvas: its levels by layout if the numbers of the cells fit, else a list of its cells.

    With a ``height``, the layout fills a screen of that size, and a game without a layout gets one.
    """
    game, canvas = marks.position.game, Canvas()
    levels, digits = spots(game, invent=height is not None), len(str(game.cells - 1))
    places = _fit(levels, digits, width) if height is None else _fill(levels, digits, width, height)
    if places is None:
        _draw_list(canvas, marks, digits, width)
    else:
        _draw_levels(canvas, marks, levels, places, width, has_edges=height is not None)
    return canvas


def _draw_levels(
    canvas: Canvas, marks: Marks, levels: list[Spots], places: Points, width: int, has_edges: bool = False
) -> None:
    titled = len(levels) > 1
    for level, (left, top) in zip(levels, corners(*_level_size(levels, places), width, len(levels)), strict=True):
        if titled:
            canvas.put(left + 1, top, level.title, "title")
        at = {cell: (left + places[cell][0], top + titled + places[cell][1]) for cell in level.points}
        if has_edges:
            _draw_edges(canvas, marks, at)
        for cell, (x, y) in at.items():
            _put_numbered(canvas, marks, cell, x, y)


def _level_size(levels: list[Spots], places: Points) -> tuple[int, tuple[int, int]]:
    """The number of levels, and the width and height of each."""
    wide = max(max(x for x, _ in places.values()) + 2, len(levels[-1].title) + 1)
    return len(levels), (wide, max(y for _, y in places.values()) + 1 + (len(levels) > 1))


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


def _put_numbered(canvas: Canvas, marks: Marks, cell: int, x: int, y: int) -> None:
    """Draw a cell: its mark at x, y, or its number with the last digit there."""
    number = str(cell)
    marks.put(canvas, Place(x, y, max(1, len(number) - 1), 0), cell, number, at=x + 1 - len(number))


def _fill(levels: list[Spots], digits: int, width: int, height: int) -> Points | None:
    """The places of all cells in the largest picture for a screen; if none fits, in the smallest one."""
    smallest = best = _fit(levels, digits, width)
    for distance in range(2, 2 * MAX_STRETCH + 1):
        found = _fit(levels, digits * distance, width)
        if smallest is None or found is None:
            break
        count, (wide, high) = _level_size(levels, found)
        placed = list(corners(count, (wide, high), width, count))
        if max(x for x, _ in placed) + wide <= width and placed[-1][1] + high <= height:
            best = found
    return best


def _fit(levels: list[Spots], digits: int, width: int) -> Points | None:
    """The places of all cells on the canvas, in the smallest picture in which they do not touch.

    None without a layout, or if the picture would be too wide or high.
    """
    points = {cell: point for level in levels for cell, point in level.points.items()}
    if not points:
        return None
    xs, ys = [x for x, _ in points.values()], [y for _, y in points.values()]
    span = max(max(xs) - min(xs), max(ys) - min(ys)) or 1
    for size in range(width):
        # Characters are about twice as high as wide.
        columns, rows = _ticks(xs, size / span), _ticks(ys, size / span / 2)
        if digits + 2 + max(columns.values()) > width or max(rows.values()) >= MAX_LAYOUT_LINES:
            break
        places = {cell: (digits + columns[x], rows[y]) for cell, (x, y) in points.items()}
        if all(_stand_apart([places[cell] for cell in level.points], digits) for level in levels):
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
