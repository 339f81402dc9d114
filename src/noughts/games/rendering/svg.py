"""Boards as self-contained SVG pictures, for notebooks, reports and the README.

The picture has its own background, so it is readable on light and dark pages. X is drawn as crosses and O as circles,
in two colours that colour-blind people can distinguish. It uses no ids and no style sheet, which could clash on a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import combinations, pairwise
from math import ceil, hypot
from typing import TYPE_CHECKING, NamedTuple

from noughts.games.outcome import Side
from noughts.games.rendering.layout import Panel, Spots, block_range, panels, panels_together, per_row, spots

if TYPE_CHECKING:
    from noughts.games.game import Game
    from noughts.games.position import Position

__all__ = ["PAPER", "Point", "SvgCanvas", "Template", "draw_board", "svg", "template"]

Point = tuple[float, float]

XMLNS = "http://www.w3.org/2000/svg"
CELL = 40
MARK = 11
"""Distance from the middle of a cell to the end of its mark."""
COLOURS = {Side.X: "#0072B2", Side.O: "#D55E00"}
TINTS = {Side.X: "#DCEBF5", Side.O: "#FBE6D8"}
PAPER, EDGE = "#F7F4EE", "#DDD7CB"
BOARD, DIMMED, RULE, FRAME = "#FFFFFF", "#F1EDE5", "#D9D3C7", "#A79F90"
NAMES, INK = "#665F52", "#2B2822"
GLOW, GLOW_EDGE = "#FFE08A", "#C79A1B"
TARGET = "#009E73"


class SvgCanvas:
    """Collects the shapes of an SVG picture; later ones are drawn on top."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.centres: dict[int, Point] = {}
        """The middle of each cell that was drawn."""
        self.blocks: dict[int, tuple[Point, float]] = {}
        """The middle and the size of each block that was drawn."""

    @property
    def shapes(self) -> str:
        """The shapes drawn so far, without the background."""
        return "".join(self._parts)

    def finish(self, width: float, height: float, scale: float, title: str, description: str) -> str:
        """Return the picture on its background, with a title and a description."""
        box = f'viewBox="0 0 {_number(width)} {_number(height)}"'
        shown = f'width="{_number(width * scale)}" height="{_number(height * scale)}"'
        paper = f'x="0.5" y="0.5" width="{_number(width - 1)}" height="{_number(height - 1)}" rx="12"'
        return "\n".join(
            [
                f'<svg xmlns="{XMLNS}" role="img" {box} {shown} style="max-width:100%;height:auto">',
                f"<title>{escape(title)}</title>",
                f"<desc>{escape(description)}</desc>",
                f'<rect {paper} fill="{PAPER}" stroke="{EDGE}"/>',
                *self._parts,
                "</svg>",
            ]
        )

    def text(self, x: float, y: float, text: str, size: int = 12, anchor: str = "middle") -> None:
        """Write a text at a place: its middle, or its end."""
        place = f'x="{_number(x)}" y="{_number(y)}" text-anchor="{anchor}" dominant-baseline="central"'
        font = f'font-family="system-ui, sans-serif" font-size="{size}" fill="{NAMES}"'
        self._parts.append(f"<text {place} {font}>{escape(text)}</text>")

    def board(self, x: float, y: float, columns: int, rows: int, fill: str = BOARD, edge: str = FRAME) -> None:
        """Draw a board of cells."""
        wide, high = columns * CELL, rows * CELL
        self.add("rect", x=x, y=y, width=wide, height=high, rx=6, fill=fill, stroke=edge, stroke_width=1.5)
        bars = [f"M{_number(x + at * CELL)} {_number(y + 4)}v{high - 8}" for at in range(1, columns)]
        rules = [f"M{_number(x + 4)} {_number(y + at * CELL)}h{wide - 8}" for at in range(1, rows)]
        if bars or rules:
            self.add("path", d="".join(bars + rules), stroke=RULE, stroke_width=1.5, stroke_linecap="round")

    def target(self, centre: Point, size: float) -> None:
        """Outline the block to play."""
        self._square("target", centre, size + 6, 9, stroke=TARGET, stroke_width=4)

    def mark(self, side: Side, centre: Point, under: bool = False) -> None:
        """Draw a cross or a circle in a cell, faint if it lies under a large mark."""
        kind = f"under-{side.lower()}" if under else side.lower()
        self._draw_mark(kind, side, centre, MARK, 4.5, 0.3 if under else 1)

    def big_mark(self, side: Side, centre: Point, size: float, faint: bool) -> None:
        """Cover a block with its owner's mark, faint while the block can still be played in."""
        self._draw_mark(f"block-{side.lower()}", side, centre, size * 0.32, size / 10, 0.22 if faint else 1)

    def _draw_mark(self, kind: str, side: Side, centre: Point, reach: float, thickness: float, opacity: float) -> None:
        paint: dict[str, object] = {"fill": "none", "stroke": COLOURS[side], "stroke_width": thickness}
        if opacity < 1:
            paint["opacity"] = opacity
        x, y = centre
        if side is Side.O:
            self.add("circle", kind, cx=x, cy=y, r=reach, **paint)
            return
        reach *= 0.92  # a cross looks larger than a circle of the same size
        left, top, far = _number(x - reach), _number(y - reach), _number(2 * reach)
        path = f"M{left} {top}l{far} {far}m0 -{far}l-{far} {far}"
        self.add("path", kind, d=path, stroke_linecap="round", **paint)

    def last(self, centre: Point, size: float) -> None:
        """Outline the last move with a rounded square, which cannot be mistaken for a circle."""
        self._square("last", centre, size, 8, stroke=INK, stroke_width=2)

    def stroke(self, points: list[Point]) -> None:
        """Highlight a complete line in one stroke."""
        for colour, width in ((GLOW_EDGE, 37), (GLOW, 34)):
            self._line("winning", points, stroke=colour, stroke_width=width)

    def glow(self, centre: Point) -> None:
        """Highlight one cell of a complete line."""
        x, y = centre
        self.add("circle", "winning", cx=x, cy=y, r=17, fill=GLOW, stroke=GLOW_EDGE, stroke_width=1.5)

    def spot(self, centre: Point, name: str) -> None:
        """Draw an empty cell of a custom game, with its name."""
        x, y = centre
        self.add("circle", cx=x, cy=y, r=15, fill=BOARD, stroke=FRAME, stroke_width=1.5)
        self.text(x, y, name)

    def cover(self, centre: Point, is_winning: bool) -> None:
        """Clear the background of a cell of a custom game, so that lines do not run through its mark."""
        self.add("circle", cx=centre[0], cy=centre[1], r=15, fill=GLOW if is_winning else PAPER)

    def faint_line(self, points: list[Point]) -> None:
        """Draw a line of a game behind its cells."""
        if len(points) > 1:
            self._line("line", points, stroke=RULE, stroke_width=2.5)

    def _square(self, kind: str, centre: Point, size: float, rx: int, **paint: object) -> None:
        x, y = centre[0] - size / 2, centre[1] - size / 2
        self.add("rect", kind, x=x, y=y, width=size, height=size, rx=rx, fill="none", **paint)

    def _line(self, kind: str, points: list[Point], **paint: object) -> None:
        path = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        ends = {"stroke_linecap": "round", "stroke_linejoin": "round"}
        self.add("polyline", kind, points=path, fill="none", **ends, **paint)

    def add(self, tag: str, kind: str = "", /, **attributes: object) -> None:
        """Add an element; its kind becomes its class, so that pages and tests can find it."""
        named = [f'class="noughts-{kind}"'] if kind else []
        written = [f'{name.replace("_", "-")}="{_value(value)}"' for name, value in attributes.items()]
        self._parts.append(f"<{' '.join([tag, *named, *written])}/>")


def _value(value: object) -> str:
    return _number(value) if isinstance(value, float) else str(value)


def _number(value: float) -> str:
    """A number with at most two decimals and no trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


MARGIN, LABEL, TITLE = 14, 22, 26
"""Space around everything, beside and below a panel for coordinates, and above it for its title."""
PANEL_GAP, BLOCK_GAP = 16, 10
MAX_COLUMNS = 32
"""Wider panels are cut into strips."""
MAX_ROW_WIDTH = 1400
"""Largest width of a row of panels."""
SHOWN_WIDTH, SHOWN_HEIGHT = 760, 520
"""Largest size of a picture in pixels, unless a width is given."""
SPOT_GAP = 60
"""Distance of the nearest cells of a custom game."""
MAX_LAYOUT_SIZE = 1600
MAX_LINES_DRAWN = 300


def svg(position: Position, width: int | None = None, first: int | None = None) -> str:
    """Return the board as SVG, ``width`` pixels wide; by default in a size that suits a notebook.

    With ``first``, rows and columns have numbers from that one at the top left instead of the game's notation.
    """
    return _finish(SvgCanvas(), position, width, first)


def _finish(canvas: SvgCanvas, position: Position, width: int | None, first: int | None = None) -> str:
    across, down, scale = draw_board(canvas, position, first)
    scale = width / across if width else scale
    return canvas.finish(across, down, scale, _title(position), _description(position))


def draw_board(canvas: SvgCanvas, position: Position, first: int | None = None) -> tuple[int, int, float]:
    """Draw a board on a canvas; returns the width and height of the picture, and the scale that suits a notebook."""
    size = _draw_custom(canvas, position) if position.game.is_custom else _draw_panels(canvas, position, first)
    across, down = ceil(size[0] + 2 * MARGIN), ceil(size[1] + 2 * MARGIN)
    return across, down, min(1, SHOWN_WIDTH / across, SHOWN_HEIGHT / down)


class Template(NamedTuple):
    """An empty board, the middle of each cell, and the middle and size of each block."""

    svg: str
    centres: dict[int, Point]
    blocks: dict[int, tuple[Point, float]]


def template(game: Game) -> Template:
    """Return the empty board of a game, for pages that draw the marks themselves."""
    canvas, position = SvgCanvas(), game.start()
    return Template(_finish(canvas, position, None), canvas.centres, canvas.blocks)


def _title(position: Position) -> str:
    outcome = position.outcome
    if outcome is None:
        return f"{position.game.name}, {position.turn} to move"
    return f"{position.game.name}, " + ("a draw" if outcome.winner is None else f"{outcome.winner} wins")


def _description(position: Position) -> str:
    """The position in words, for readers who cannot see the picture."""
    game, cells = position.game, position.cells
    said = []
    for side in Side:
        names = [game.format_cell(cell) for cell, mark in enumerate(cells) if mark is side]
        said.append(f"{side}: {', '.join(names) or 'none'}.")
    if position.last_move is not None:
        said.append(f"Last move: {game.format_cell(position.last_move)}.")
    if line := position.winning_line:
        names = [f"board {at + 1}" if game.is_ultimate else game.format_cell(at) for at in line]
        said.append(f"Complete line: {', '.join(names)}.")
    if position.block_to_play is not None:
        block = position.block_to_play
        said.append(f"Play in board {block + 1} ({block_range(game, block)}).")
    return " ".join(said)


def _draw_panels(canvas: SvgCanvas, position: Position, first: int | None) -> tuple[float, float]:
    """Draw the panels in rows and return their total width and height."""
    whole = [panel if first is None else panel.numbered(first) for panel in panels(position.game)]
    strips = [strip for panel in whole for strip in panel.strips(MAX_COLUMNS, position.game.block_size or 1)]
    together = panels_together(position.game) if len(strips) == len(whole) else 1
    wide, high = _panel_size(position.game, strips[0])
    columns = per_row(len(strips), int(MAX_ROW_WIDTH // (wide + PANEL_GAP)), together)
    for number, panel in enumerate(strips):
        row, column = divmod(number, columns)
        corner = MARGIN + column * (wide + PANEL_GAP), MARGIN + row * (high + PANEL_GAP)
        _draw_panel(canvas, position, panel, corner)
    rows = ceil(len(strips) / columns)
    return columns * (wide + PANEL_GAP) - PANEL_GAP, rows * (high + PANEL_GAP) - PANEL_GAP


def _panel_size(game: Game, panel: Panel) -> tuple[float, float]:
    wide, high = _board_size(game, panel)
    if panel.title:
        return wide + LABEL, high + LABEL + TITLE
    # The space for row names on the left is repeated on the right, so that a single board is centred.
    return wide + 2 * LABEL, high + LABEL + LABEL / 2


def _board_size(game: Game, panel: Panel) -> tuple[float, float]:
    x, y = _corner_of(game, len(panel.columns) - 1, len(panel.rows) - 1)
    return x + CELL, y + CELL


def _corner_of(game: Game, column: int, row: int) -> Point:
    """The top left corner of a cell on its board; blocks stand apart."""
    n = game.block_size
    gaps = (column // n * BLOCK_GAP, row // n * BLOCK_GAP) if n else (0, 0)
    return column * CELL + gaps[0], row * CELL + gaps[1]


def _draw_panel(canvas: SvgCanvas, position: Position, panel: Panel, corner: Point) -> None:
    left, top = corner[0] + LABEL, corner[1] + (TITLE if panel.title else LABEL / 2)
    centres = _centres(position.game, panel, left, top)
    canvas.centres |= centres
    wide, high = _board_size(position.game, panel)
    if panel.title:
        canvas.text(left + wide / 2, top - 11, panel.title, size=14)
    _draw_names(canvas, panel, centres, left - 8, top + high + 14)
    if position.game.block_size:
        _draw_blocks(canvas, position, panel, centres)
    else:
        canvas.board(left, top, len(panel.columns), len(panel.rows))
        _highlight(canvas, position.winning_line or (), centres, CELL)
        _draw_marks(canvas, position, centres)
    if position.last_move in centres:
        canvas.last(centres[position.last_move], CELL - 8)


def _centres(game: Game, panel: Panel, left: float, top: float) -> dict[int, Point]:
    """The middle of each cell of a panel."""
    centres = {}
    for row, cells in enumerate(panel.cells):
        for column, cell in enumerate(cells):
            x, y = _corner_of(game, column, row)
            centres[cell] = (left + x + CELL / 2, top + y + CELL / 2)
    return centres


def _draw_names(canvas: SvgCanvas, panel: Panel, centres: dict[int, Point], x: float, y: float) -> None:
    for name, cells in zip(panel.rows, panel.cells, strict=True):
        canvas.text(x, centres[cells[0]][1], name, anchor="end")
    for name, cell in zip(panel.columns, panel.cells[0], strict=True):
        canvas.text(centres[cell][0], y, name)


def _highlight(canvas: SvgCanvas, line: Sequence[int], centres: dict[int, Point], step: float | None) -> None:
    """Highlight a complete line: in one stroke if its cells are neighbours in this panel, else cell by cell.

    Without a step, as in custom games, all cells of a line count as neighbours.
    """
    points = [centres[cell] for cell in line if cell in centres]
    neighbours = step is None or _is_straight(points, step)
    if len(points) == len(line) > 1 and neighbours:
        canvas.stroke(points)
    else:
        for point in points:
            canvas.glow(point)


def _is_straight(points: list[Point], step: float) -> bool:
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)}
    return len(steps) == 1 and all(abs(at) <= step for at in steps.pop())


def _draw_marks(canvas: SvgCanvas, position: Position, centres: dict[int, Point]) -> None:
    """Draw the marks, faint in closed blocks that are covered by a large mark."""
    cells, block_of = position.cells, position.game.block_of
    covered = _covered_blocks(position)
    for cell, centre in centres.items():
        mark = cells[cell]
        if mark is not None:
            canvas.mark(mark, centre, under=block_of(cell) in covered)


def _covered_blocks(position: Position) -> set[int]:
    if not position.game.is_ultimate:
        return set()
    open_blocks = position.open_blocks
    return {b for b, owner in enumerate(position.blocks) if owner is not None and b not in open_blocks}


def _draw_blocks(canvas: SvgCanvas, position: Position, panel: Panel, centres: dict[int, Point]) -> None:
    """Draw Ultimate: a board for each block, bright if it may be played in; won blocks get a large mark."""
    n = position.game.block_size or 1
    corners = {}
    for row in range(0, len(panel.rows), n):
        for column in range(0, len(panel.columns), n):
            x, y = centres[panel.cells[row][column]]
            corners[position.game.block_of(panel.cells[row][column])] = (x - CELL / 2, y - CELL / 2)
    for block, corner in corners.items():
        canvas.board(*corner, n, n, *_block_colours(position, block))
    _draw_marks(canvas, position, centres)
    for block, (x, y) in corners.items():
        centre, size = (x + n * CELL / 2, y + n * CELL / 2), n * CELL
        canvas.blocks[block] = centre, size
        _draw_customer(canvas, position, block, centre, size)


def _block_colours(position: Position, block: int) -> tuple[str, str]:
    """The colours of a block and of its edge."""
    owner, target = position.blocks[block], position.block_to_play
    if block in (position.winning_line or ()):
        return GLOW, GLOW_EDGE
    if owner is not None:
        return TINTS[owner], FRAME
    is_playable = not position.is_over and block in position.open_blocks and target in (None, block)
    return BOARD if is_playable else DIMMED, FRAME


def _draw_customer(canvas: SvgCanvas, position: Position, block: int, centre: Point, size: float) -> None:
    owner = position.blocks[block]
    if owner is not None:
        canvas.big_mark(owner, centre, size, faint=block in position.open_blocks)
    if block == position.block_to_play:
        canvas.target(centre, size)


def _draw_custom(canvas: SvgCanvas, position: Position) -> tuple[float, float]:
    """Draw the levels of a custom game side by side and return their total width and height."""
    levels = spots(position.game, invent=True)
    scale = _layout_scale(levels)
    points = [point for level in levels for point in level.points.values()]
    x, y = min(x for x, _ in points), min(y for _, y in points)
    wide = (max(at for at, _ in points) - x) * scale + 2 * CELL
    high = (max(at for _, at in points) - y) * scale + 2 * CELL
    title = TITLE if len(levels) > 1 else 0
    for number, level in enumerate(levels):
        left, top = MARGIN + number * wide + CELL, MARGIN + title + CELL
        centres = {cell: (left + (at[0] - x) * scale, top + (at[1] - y) * scale) for cell, at in level.points.items()}
        if title:
            canvas.text(left + wide / 2 - CELL, MARGIN + 10, level.title, size=14)
        _draw_level(canvas, position, centres)
    return len(levels) * wide, high + title


def _layout_scale(levels: list[Spots]) -> float:
    """The scale from the layout to the picture that keeps the nearest cells apart."""
    nearest, span = float("inf"), 0.0
    for level in levels:
        for a, b in combinations(level.points.values(), 2):
            distance = hypot(b[0] - a[0], b[1] - a[1])
            nearest, span = min(nearest, distance), max(span, distance)
    return min(SPOT_GAP / nearest, MAX_LAYOUT_SIZE / span) if span else 1


def _draw_level(canvas: SvgCanvas, position: Position, centres: dict[int, Point]) -> None:
    game, cells, line = position.game, position.cells, position.winning_line or ()
    canvas.centres |= centres
    if len(game.lines) <= MAX_LINES_DRAWN:
        for each in game.lines:
            canvas.faint_line([centres[cell] for cell in each if cell in centres])
    _highlight(canvas, line, centres, None)
    for cell, centre in centres.items():
        if cells[cell] is None:
            canvas.spot(centre, game.format_cell(cell))
        else:
            canvas.cover(centre, cell in line)
    _draw_marks(canvas, position, centres)
    if position.last_move in centres:
        canvas.last(centres[position.last_move], CELL - 4)
