"""Boards drawn as text, with coordinates, the last move in brackets and a complete line between stars.

Small boards are drawn with rules between the cells (*roomy*), others with two characters to a cell::

    3    |   |           5 . . . . .
      ---+---+---        4 . . O . .
    2    |[X]|           3 . .[X]. .
      ---+---+---        2 . O X . .
    1  O |   |           1 . . . . .
       a   b   c           a b c d e
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from noughts.games.rendering.canvas import BOXES, LARGE, PLAIN, Canvas, Paint, Place, Style
from noughts.games.rendering.custom_text import compose_custom
from noughts.games.rendering.layout import GAP, Panel, big_mark, block_range, corners, panels, panels_together
from noughts.games.rendering.marks import Marks

if TYPE_CHECKING:
    from noughts.games.outcome import Side
    from noughts.games.position import Position

__all__ = ["BOXES", "LARGE", "PLAIN", "Grid", "Paint", "Style", "compose", "draw", "where_to_play"]

SCREEN_LINES = 24
"""Height of a usual terminal, in lines: a roomy board must fit."""


def draw(
    position: Position, width: int = 80, style: Style = PLAIN, first: int | None = None, notes: bool = True
) -> str:
    """Return the board drawn in text, at most ``width`` columns wide (but at least one cell).

    Levels and slices are side by side if they fit, else stacked; a board that is too wide is cut into strips of
    columns. A custom game shows the numbers of its empty cells, placed by its layout if it has one. With ``first``,
    rows and columns have numbers from that one at the top left instead of the game's notation. With ``notes``, a line
    below an Ultimate board says where to play.
    """
    canvas = compose(position, width, style=style, first=first)
    for note in where_to_play(position, first) if notes else []:
        canvas.put(0, canvas.height, note, "note")
    return canvas.render(style)


def compose(
    position: Position, width: int, height: int | None = None, *, style: Style = PLAIN, first: int | None = None
) -> Canvas:
    """Return the board on a canvas, with the places of its cells; see ``draw``.

    With a ``height``, the cells are as large as the style allows on a screen of that size; a board that does not fit
    is not cut into strips.
    """
    marks = Marks(position, style)
    if position.game.is_custom:
        return compose_custom(marks, width, height)
    found = [panel if first is None else panel.numbered(first) for panel in panels(position.game)]
    grid = _grid_for(position, found, width, height, style)
    if height is None:
        columns = grid.columns_in(found[0], width)
        strips = [strip for panel in found for strip in panel.strips(columns, grid.block or 1)]
    else:
        strips = found
    together = panels_together(position.game) if len(strips) == len(found) else 1
    canvas = Canvas()
    for panel, (x, y) in zip(strips, corners(len(strips), grid.size(strips[0]), width, together), strict=True):
        _draw_panel(canvas, panel, grid, marks, x, y)
    return canvas


@dataclass(frozen=True)
class Grid:
    """The places of a panel's cells on the canvas, relative to its top left corner below the title."""

    label: int
    """Width of the row names."""
    pitch: int
    """Columns from cell to cell: 2, or a multiple of 4 with rules between the cells. Rows are half of that apart, so
    that cells look square."""
    block: int = 0
    """Side of a block in cells; 0 for a flat board. Blocks have frames around them."""

    @property
    def is_roomy(self) -> bool:
        """Whether there are rules between the cells."""
        return self.pitch >= 4

    def x(self, column: int) -> int:
        """The canvas column for the marks of a board column."""
        frames = 0 if not self.block else 1 if self.is_roomy else 2 * (column // self.block) + 1
        return self.label + max(2, self.pitch // 2) + column * self.pitch + frames

    def y(self, row: int) -> int:
        """The canvas row for the marks of a board row."""
        frames = 0 if not self.block else 1 if self.is_roomy else row // self.block + 1
        return row * self.pitch // 2 + self.high + frames

    @property
    def wide(self) -> int:
        """How far a cell reaches to the left and right of its mark."""
        return max(1, self.pitch // 2 - 1)

    @property
    def high(self) -> int:
        """How far a cell reaches above and below its mark."""
        return max(0, self.pitch // 4 - 1)

    def place(self, row: int, column: int, left: int = 0, top: int = 0) -> Place:
        """The place of a cell, on a panel with this corner."""
        return Place(left + self.x(column), top + self.y(row), self.wide, self.high)

    @property
    def frame_size(self) -> tuple[int, int]:
        """Columns and rows from one frame of a block to the next."""
        n = self.block
        return (n * self.pitch, n * self.pitch // 2) if self.is_roomy else (2 * n + 2, n + 1)

    def size(self, panel: Panel) -> tuple[int, int]:
        """The width and height of a panel, with its title and coordinates."""
        right = self.x(len(panel.columns) - 1) + self.wide + bool(self.block)
        bottom = self.y(len(panel.rows) - 1) + self.high + bool(self.block)
        wide = max(right + 1, self.label + 2 + len(panel.title))
        return wide, bottom + 1 + self.names_height(panel) + bool(panel.title)

    def names_height(self, panel: Panel) -> int:
        """The number of rows for column names: long names over narrow cells are written downwards."""
        longest = max(map(len, panel.columns))
        return 1 if longest < self.pitch else longest

    def columns_in(self, panel: Panel, width: int) -> int:
        """The number of columns of a panel that fit in a width: at least one, and whole blocks."""
        step = self.block or 1
        ends = range(step, len(panel.columns) + 1, step)
        margin = 3 if self.block else 2
        return max((end for end in ends if self.x(end - 1) + margin <= width), default=step)


def _grid_for(position: Position, found: Sequence[Panel], width: int, height: int | None, style: Style) -> Grid:
    """The roomiest grid in which the panels fit: side by side in lines of text, in any order on a screen."""
    label, block = max(len(name) for name in found[0].rows), position.game.block_size or 0
    *roomy, narrow = style.pitches
    for grid in (Grid(label, pitch, block) for pitch in roomy):
        wide, high = grid.size(found[0])
        if height is None:
            fits = not block and wide * len(found) + GAP * (len(found) - 1) <= width and high <= SCREEN_LINES
        else:
            last = list(corners(len(found), (wide, high), width, panels_together(position.game)))
            fits = max(x for x, _ in last) + wide <= width and last[-1][1] + high <= height
        if fits:
            return grid
    return Grid(label, narrow, block)


def _draw_panel(canvas: Canvas, panel: Panel, grid: Grid, marks: Marks, left: int, top: int) -> None:
    if panel.title:
        canvas.put(left + grid.label + 2, top, panel.title, "title")
        top += 1
    if grid.is_roomy:
        _draw_rules(canvas, panel, grid, marks.style.rules, left, top)
    if grid.block:
        _draw_blocks(canvas, panel, grid, marks, left, top)
    else:
        _draw_cells(canvas, panel, grid, marks, left, top)
    for row, name in enumerate(panel.rows):
        canvas.put(left, top + grid.y(row), name.rjust(grid.label), "coordinate")
    below = top + grid.size(panel)[1] - grid.names_height(panel) - bool(panel.title)
    for column, name in enumerate(panel.columns):
        write = canvas.put if len(name) < grid.pitch else canvas.put_down
        write(left + grid.x(column), below, name, "coordinate")


def _places(panel: Panel, grid: Grid, left: int, top: int) -> Iterator[tuple[int, Place]]:
    """The cells of a panel with their places."""
    for row, cells in enumerate(panel.cells):
        for column, cell in enumerate(cells):
            yield cell, grid.place(row, column, left, top)


def _draw_cells(canvas: Canvas, panel: Panel, grid: Grid, marks: Marks, left: int, top: int) -> None:
    empty = " " if grid.is_roomy else marks.style.dot
    for cell, place in _places(panel, grid, left, top):
        marks.put(canvas, place, cell, empty)
    _draw_last_again(canvas, panel, grid, marks, left, top)


def _draw_last_again(canvas: Canvas, panel: Panel, grid: Grid, marks: Marks, left: int, top: int) -> None:
    """Draw the last move again, since the stars of its neighbours may cover its brackets."""
    for cell, place in _places(panel, grid, left, top):
        if cell == marks.last:
            marks.put(canvas, place, cell, "")


def _draw_rules(canvas: Canvas, panel: Panel, grid: Grid, rules: str, left: int, top: int) -> None:
    """Draw the rules between the cells of a roomy board."""
    stroke, bar, cross = rules[0], rules[1], rules[6]
    columns, inside = len(panel.columns), 2 * grid.wide + 1
    start = left + grid.x(0) - grid.wide
    for row in range(len(panel.rows)):
        rows = grid.place(row, 0, left, top).rows
        for y in rows:
            canvas.put(start, y, bar.join([" " * inside] * columns), "rule")
        if row:
            canvas.put(start, rows[0] - 1, cross.join([stroke * inside] * columns), "rule")


def _draw_blocks(canvas: Canvas, panel: Panel, grid: Grid, marks: Marks, left: int, top: int) -> None:
    """Draw Ultimate: frames, cells, won blocks as large marks, and the frame of the block to play on top."""
    _draw_frames(canvas, panel, grid, marks.style, left, top)
    _draw_cells(canvas, panel, grid, marks, left, top)
    wide, high = grid.frame_size
    for row in range(0, len(panel.rows), grid.block):
        for column in range(0, len(panel.columns), grid.block):
            block = marks.position.game.block_of(panel.cells[row][column])
            x, y = left + grid.label + 1 + column // grid.block * wide, top + row // grid.block * high
            if block == marks.position.block_to_play:
                _draw_frame(canvas, grid.frame_size, marks.style.target_rules, x, y)
            owner = marks.position.blocks[block]
            if owner is not None:
                _draw_owner(canvas, grid, marks, block, owner, x, y)
    _draw_last_again(canvas, panel, grid, marks, left, top)


def _draw_owner(canvas: Canvas, grid: Grid, marks: Marks, block: int, owner: Side, x: int, y: int) -> None:
    """Draw the owner of a block whose frame begins at x, y: over its cells, or on the frame while it is open."""
    (wide, high), wins = grid.frame_size, block in marks.winning_blocks
    if block in marks.position.open_blocks:
        marks.put_mark(canvas, Place(x + wide // 2, y, 0, 0), owner, wins)
        return
    for row in range(y + 1, y + high):
        canvas.put(x + 1, row, " " * (wide - 1))
    if marks.style.has_large_marks and high > 3:
        marks.put_mark(canvas, Place(x + wide // 2, y + high // 2, wide // 2 - 1, (high - 2) // 2), owner, wins)
        return
    first = Grid(0, grid.pitch, grid.block).place
    for row, column in sorted(big_mark(owner, grid.block)):
        marks.put_mark(canvas, first(row, column, x - 1, y)._replace(high=0), owner, wins)


def _draw_frames(canvas: Canvas, panel: Panel, grid: Grid, style: Style, left: int, top: int) -> None:
    rules = style.frames if grid.is_roomy else style.rules
    (wide, high), n = grid.frame_size, grid.block
    across, down, x = len(panel.columns) // n, len(panel.rows) // n, left + grid.label + 1
    for number in range(down + 1):
        joints = rules[2:5] if number == 0 else rules[8:11] if number == down else rules[5:8]
        strokes = joints[1].join([rules[0] * (wide - 1)] * across)
        canvas.put(x, top + number * high, joints[0] + strokes + joints[2], "rule", "frame")
    for y in range(top, top + down * high):
        if (y - top) % high:
            canvas.put_over(x, y, (" " * (wide - 1)).join(rules[1] * (across + 1)), "rule", "frame")


def _draw_frame(canvas: Canvas, size: tuple[int, int], rules: str, x: int, y: int) -> None:
    """Draw the frame of a block whose top left corner is at x, y."""
    wide, high = size
    stroke, bar = rules[0] * (wide - 1), rules[1] * (high - 1)
    canvas.put(x, y, rules[2] + stroke + rules[4], "target")
    canvas.put(x, y + high, rules[8] + stroke + rules[10], "target")
    canvas.put_down(x, y + 1, bar, "target")
    canvas.put_down(x + wide, y + 1, bar, "target")


def where_to_play(position: Position, first: int | None = None) -> list[str]:
    """Return the line below an Ultimate board that says where to play; none for other games."""
    game, block = position.game, position.block_to_play
    if not game.is_ultimate or position.is_over:
        return []
    if block is not None:
        return [f"play in board {block + 1} ({block_range(game, block, first)})"]
    return ["play anywhere" if len(position.open_blocks) == game.blocks else "play in any open board"]
