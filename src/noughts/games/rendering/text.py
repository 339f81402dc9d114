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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import floor
from typing import TYPE_CHECKING

from noughts.games.outcome import Side
from noughts.games.rendering.layout import Panel, Spots, big_mark, block_range, panels, panels_together, per_row, spots

if TYPE_CHECKING:
    from noughts.games.position import Position

__all__ = ["BOXES", "PLAIN", "Style", "draw"]

Paint = Callable[[str], str]
Ink = tuple[str, ...]
"""The names of the paints applied to a character, innermost first: ``("x", "last")``."""


@dataclass(frozen=True)
class Style:
    """The look of a drawn board: a paint (a function from text to text, such as one that adds colour codes) for each
    kind of element, and the characters for rules and marks.

    Paints never carry information of their own, so a board without colours is complete. A mark gets the paint of its
    side, then that of a winning line, then that of the last move. ``rules`` are a horizontal and a vertical stroke,
    then the nine corners and joints of a frame row by row.
    """

    x: Paint = str
    o: Paint = str
    last: Paint = str
    winning: Paint = str
    empty: Paint = str
    coordinate: Paint = str
    title: Paint = str
    rule: Paint = str
    target: Paint = str
    note: Paint = str
    dot: str = "."
    around_last: str = "[]"
    around_winning: str = "**"
    rules: str = "-|+++++++++"
    target_rules: str = "###########"

    def paint(self, ink: Ink, text: str) -> str:
        """Return the text with the paints of an ink applied in turn."""
        for name in ink:
            paint: Paint = getattr(self, name)
            text = paint(text)
        return text


PLAIN = Style()
"""Letters, digits and punctuation only: safe to print anywhere, and quiet in a screen reader."""
BOXES = Style(dot="·", rules="─│┌┬┐├┼┤└┴┘", target_rules="═║╔═╗║ ║╚═╝")
"""Light box drawing, for terminals with UTF-8."""


class Canvas:
    """A grid of characters that grows to the right and down as text is put on it."""

    def __init__(self) -> None:
        self._rows: list[list[str]] = []
        self._inks: list[list[Ink]] = []

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def put(self, x: int, y: int, text: str, *ink: str) -> None:
        """Write a text to the right, replacing the old contents."""
        while len(self._rows) <= y:
            self._rows.append([])
            self._inks.append([])
        row, inks = self._rows[y], self._inks[y]
        end = x + len(text)
        if (missing := end - len(row)) > 0:
            row += " " * missing
            inks += [()] * missing
        row[x:end] = text
        inks[x:end] = [ink] * len(text)

    def put_down(self, x: int, y: int, text: str, *ink: str) -> None:
        """Write a text downwards."""
        for at, character in enumerate(text, y):
            self.put(x, at, character, *ink)

    def render(self, style: Style) -> str:
        """Return the canvas as text, without spaces at the ends of lines."""
        return "\n".join(_render(row, inks, style) for row, inks in zip(self._rows, self._inks, strict=True))


def _render(row: list[str], inks: list[Ink], style: Style) -> str:
    text = "".join(row).rstrip()
    parts, at = [], 0
    for ink, run in groupby(inks[: len(text)]):
        end = at + sum(1 for _ in run)
        parts.append(style.paint(ink, text[at:end]))
        at = end
    return "".join(parts)


GAP = 2
"""Blank columns between panels side by side."""
SCREEN_LINES = 24
"""Height of a usual terminal, in lines: a roomy board must fit."""
MAX_LAYOUT_LINES = 40
"""A custom game whose layout takes more lines is drawn as a list of cells."""


def draw(position: Position, width: int = 80, style: Style = PLAIN, numbered: bool = False, notes: bool = True) -> str:
    """Return the board drawn in text, at most ``width`` columns wide (but at least one cell).

    Levels and slices are side by side if they fit, else stacked; a board that is too wide is cut into strips of
    columns. A custom game shows the numbers of its empty cells, placed by its layout if it has one. With ``numbered``,
    rows and columns have numbers from 0 at the top left instead of the game's notation. With ``notes``, a line below an
    Ultimate board says where to play.
    """
    marks = _Marks(position, style)
    if position.game.is_custom:
        return _draw_custom(marks, width)
    found = [_numbered(panel) if numbered else panel for panel in panels(position.game)]
    grid = _grid_for(position, found, width)
    columns = grid.columns_in(found[0], width)
    strips = [strip for panel in found for strip in panel.strips(columns, grid.block or 1)]
    together = panels_together(position.game) if len(strips) == len(found) else 1
    corners = _corners(len(strips), grid.size(strips[0]), width, together)
    canvas = Canvas()
    for panel, (x, y) in zip(strips, corners, strict=True):
        _draw_panel(canvas, panel, grid, marks, x, y)
    for note in _notes(position, numbered) if notes else []:
        canvas.put(0, canvas.height, note, "note")
    return canvas.render(style)


class _Marks:
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

    def put(self, canvas: Canvas, x: int, y: int, cell: int, empty: str) -> None:
        """Draw a cell centred at x, y."""
        mark = self.cells[cell]
        if mark is None:
            canvas.put(x, y, empty, "target" if cell in self.target_cells else "empty")
        else:
            self.put_mark(canvas, x, y, mark, cell in self.winning_cells, cell == self.last)

    def put_mark(self, canvas: Canvas, x: int, y: int, mark: Side, winning: bool, last: bool = False) -> None:
        """Draw a mark, with brackets around the last move and stars around a winning one."""
        ink: Ink = (mark.lower(), *(["winning"] if winning else []), *(["last"] if last else []))
        around = self.style.around_last if last else self.style.around_winning if winning else ""
        canvas.put(x - len(around) // 2, y, mark.join(around) if around else mark, *ink)


def _cells_of(block: int, size: int) -> range:
    return range(block * size, (block + 1) * size)


@dataclass(frozen=True)
class _Grid:
    """The places of a panel's cells on the canvas, relative to its top left corner below the title."""

    label: int
    """Width of the row names."""
    pitch: int
    """Columns from cell to cell: 4 if roomy, else 2. Rows are half of that apart, so that cells look square."""
    block: int = 0
    """Side of a block in cells; 0 for a flat board. Blocks have frames around them."""

    @property
    def is_roomy(self) -> bool:
        return self.pitch == 4

    def x(self, column: int) -> int:
        """The canvas column for the marks of a board column."""
        frames = 2 * (column // self.block) + 1 if self.block else 0
        return self.label + 2 + column * self.pitch + frames

    def y(self, row: int) -> int:
        """The canvas row for a board row."""
        return row * self.pitch // 2 + (row // self.block + 1 if self.block else 0)

    def size(self, panel: Panel) -> tuple[int, int]:
        """The width and height of a panel, with its title and coordinates."""
        right = self.x(len(panel.columns) - 1) + (2 if self.block else 1)
        bottom = self.y(len(panel.rows) - 1) + (1 if self.block else 0)
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


def _grid_for(position: Position, found: Sequence[Panel], width: int) -> _Grid:
    """A roomy grid if all panels fit side by side and on a screen, else a narrow one."""
    label = max(len(name) for name in found[0].rows)
    if position.game.block_size:
        return _Grid(label, 2, position.game.block_size)
    roomy = _Grid(label, 4)
    wide, high = roomy.size(found[0])
    fits = wide * len(found) + GAP * (len(found) - 1) <= width and high <= SCREEN_LINES
    return roomy if fits else _Grid(label, 2)


def _corners(count: int, size: tuple[int, int], width: int, together: int) -> Iterator[tuple[int, int]]:
    """The top left corners of panels of the same size, row by row."""
    wide, high = size
    in_a_row = per_row(count, (width + GAP) // (wide + GAP), together)
    for number in range(count):
        row, column = divmod(number, in_a_row)
        yield column * (wide + GAP), row * (high + 1)


def _draw_panel(canvas: Canvas, panel: Panel, grid: _Grid, marks: _Marks, left: int, top: int) -> None:
    if panel.title:
        canvas.put(left + grid.label + 2, top, panel.title, "title")
        top += 1
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


def _places(panel: Panel, grid: _Grid, left: int, top: int) -> Iterator[tuple[int, int, int]]:
    """The cells of a panel with the places of their marks."""
    for row, cells in enumerate(panel.cells):
        y = top + grid.y(row)
        for column, cell in enumerate(cells):
            yield cell, left + grid.x(column), y


def _draw_cells(canvas: Canvas, panel: Panel, grid: _Grid, marks: _Marks, left: int, top: int) -> None:
    if grid.is_roomy:
        _draw_rules(canvas, panel, grid, marks.style.rules, left, top)
    empty = " " if grid.is_roomy else marks.style.dot
    for cell, x, y in _places(panel, grid, left, top):
        marks.put(canvas, x, y, cell, empty)
    _draw_last_again(canvas, panel, grid, marks, left, top)


def _draw_last_again(canvas: Canvas, panel: Panel, grid: _Grid, marks: _Marks, left: int, top: int) -> None:
    """Draw the last move again, since the stars of its neighbours may cover its brackets."""
    for cell, x, y in _places(panel, grid, left, top):
        if cell == marks.last:
            marks.put(canvas, x, y, cell, "")


def _draw_rules(canvas: Canvas, panel: Panel, grid: _Grid, rules: str, left: int, top: int) -> None:
    """Draw the rules between the cells of a roomy board."""
    stroke, bar, cross = rules[0], rules[1], rules[6]
    columns = len(panel.columns)
    start = left + grid.x(0) - 1
    for row in range(len(panel.rows)):
        y = top + grid.y(row)
        canvas.put(start, y, bar.join(["   "] * columns), "rule")
        if row:
            canvas.put(start, y - 1, cross.join([stroke * 3] * columns), "rule")


def _draw_blocks(canvas: Canvas, panel: Panel, grid: _Grid, marks: _Marks, left: int, top: int) -> None:
    """Draw Ultimate: frames, cells, won blocks as large marks, and the frame of the block to play on top."""
    _draw_frames(canvas, panel, grid, marks.style.rules, left, top)
    _draw_cells(canvas, panel, grid, marks, left, top)
    for row in range(0, len(panel.rows), grid.block):
        for column in range(0, len(panel.columns), grid.block):
            block = marks.position.game.block_of(panel.cells[row][column])
            _draw_block(canvas, marks, block, grid.block, left + grid.x(column), top + grid.y(row))
    _draw_last_again(canvas, panel, grid, marks, left, top)


def _draw_block(canvas: Canvas, marks: _Marks, block: int, n: int, x: int, y: int) -> None:
    """Draw the target frame or the owner of a block whose first cell is at x, y."""
    if block == marks.position.block_to_play:
        _draw_frame(canvas, n, marks.style.target_rules, x - 2, y - 1)
    owner = marks.position.blocks[block]
    if owner is None:
        return
    if block in marks.position.open_blocks:
        marks.put_mark(canvas, x + n - 1, y - 1, owner, block in marks.winning_blocks)
        return
    for row in range(n):
        canvas.put(x - 1, y + row, " " * (2 * n + 1))
    for row, column in sorted(big_mark(owner, n)):
        marks.put_mark(canvas, x + 2 * column, y + row, owner, block in marks.winning_blocks)


def _draw_frames(canvas: Canvas, panel: Panel, grid: _Grid, rules: str, left: int, top: int) -> None:
    n, across = grid.block, len(panel.columns) // grid.block
    x, down = left + grid.x(0) - 2, len(panel.rows) // n
    for number in range(down + 1):
        joints = rules[2:5] if number == 0 else rules[8:11] if number == down else rules[5:8]
        strokes = joints[1].join([rules[0] * (2 * n + 1)] * across)
        canvas.put(x, top + number * (n + 1), joints[0] + strokes + joints[2], "rule")
    for row in range(len(panel.rows)):
        canvas.put(x, top + grid.y(row), (" " * (2 * n + 1)).join(rules[1] * (across + 1)), "rule")


def _draw_frame(canvas: Canvas, n: int, rules: str, x: int, y: int) -> None:
    """Draw the frame of a block whose top left corner is at x, y."""
    stroke, bar, right = rules[0] * (2 * n + 1), rules[1], x + 2 * n + 2
    canvas.put(x, y, rules[2] + stroke + rules[4], "target")
    canvas.put(x, y + n + 1, rules[8] + stroke + rules[10], "target")
    canvas.put_down(x, y + 1, bar * n, "target")
    canvas.put_down(right, y + 1, bar * n, "target")


def _numbered(panel: Panel) -> Panel:
    names = [[str(number) for number in range(len(axis))] for axis in (panel.columns, panel.rows)]
    return panel._replace(columns=names[0], rows=names[1])


def _notes(position: Position, numbered: bool = False) -> list[str]:
    """The line below an Ultimate board that says where to play."""
    game, block = position.game, position.block_to_play
    if not game.is_ultimate or position.is_over:
        return []
    if block is not None:
        return [f"play in block {block + 1} ({block_range(game, block, numbered)})"]
    return ["play anywhere" if len(position.open_blocks) == game.blocks else "play in any open block"]


def _draw_custom(marks: _Marks, width: int) -> str:
    """Draw a custom game: its levels by layout if the numbers of the cells fit, else a list of its cells."""
    game, canvas = marks.position.game, Canvas()
    levels, digits = spots(game), len(str(game.cells - 1))
    places = _fit(levels, digits, width)
    if places is None:
        _draw_list(canvas, marks, digits, width)
    else:
        _draw_levels(canvas, marks, levels, places, width)
    return canvas.render(marks.style)


def _draw_levels(
    canvas: Canvas, marks: _Marks, levels: list[Spots], places: dict[int, tuple[int, int]], width: int
) -> None:
    titled = len(levels) > 1
    wide = max(max(x for x, _ in places.values()) + 2, len(levels[-1].title) + 1)
    high = max(y for _, y in places.values()) + 1 + titled
    corners = _corners(len(levels), (wide, high), width, len(levels))
    for level, (left, top) in zip(levels, corners, strict=True):
        if titled:
            canvas.put(left + 1, top, level.title, "title")
        for cell in level.points:
            x, y = places[cell]
            _put_numbered(canvas, marks, cell, left + x, top + titled + y)


def _put_numbered(canvas: Canvas, marks: _Marks, cell: int, x: int, y: int) -> None:
    """Draw a cell: its mark at x, y, or its number with the last digit there."""
    number = str(cell)
    marks.put(canvas, x if marks.cells[cell] is not None else x + 1 - len(number), y, cell, number)


def _fit(levels: list[Spots], digits: int, width: int) -> dict[int, tuple[int, int]] | None:
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


def _draw_list(canvas: Canvas, marks: _Marks, digits: int, width: int) -> None:
    """Draw every cell as its number and its mark, in rows."""
    per_row = max(1, width // (digits + 5))
    for cell in range(len(marks.cells)):
        row, column = divmod(cell, per_row)
        x = column * (digits + 5)
        canvas.put(x, row, str(cell).rjust(digits), "coordinate")
        marks.put(canvas, x + digits + 1, row, cell, marks.style.dot)
