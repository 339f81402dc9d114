"""Boards as pictures: one self-contained SVG, for notebooks, reports and the README.

It has a background of its own, so it reads on light and dark pages; X are crosses and O circles, in a pair of
colours that colour-blind people tell apart; no id and no style sheet in it could meet another's on a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from math import ceil, hypot
from typing import TYPE_CHECKING, NamedTuple

from noughts.games.layout import Panel, Spots, block_range, panels, panels_together, per_row, spots
from noughts.games.outcome import Side
from noughts.games.shapes import BOARD, CELL, DIMMED, FRAME, GLOW, GLOW_EDGE, TINTS, Point, Sheet

if TYPE_CHECKING:
    from noughts.games.game import Game
    from noughts.games.position import Position

__all__ = ["Template", "svg", "template"]

MARGIN, LABEL, TITLE = 14, 22, 26
"""Around everything; beside and below a panel for coordinates; above it for its title."""
PANEL_GAP, BLOCK_GAP = 16, 10
MAX_COLUMNS = 32
"""Wider panels are cut into strips."""
MAX_SHEET = 1400
"""How wide a row of panels may be before the next begins."""
SHOWN_WIDTH, SHOWN_HEIGHT = 760, 520
"""Pixels a picture takes at most unless told."""
SPOT_GAP = 60
"""How far apart the nearest cells of a game of one's own are."""
MAX_OWN_SIZE = 1600
MAX_LINES_DRAWN = 300


def svg(position: Position, width: int | None = None) -> str:
    """Return the board as SVG text, so many pixels wide; by default as large as fits well in a notebook."""
    return _finish(Sheet(), position, width)


def _finish(sheet: Sheet, position: Position, width: int | None) -> str:
    size = _draw_own(sheet, position) if position.game.is_custom else _draw_panels(sheet, position)
    across, down = ceil(size[0] + 2 * MARGIN), ceil(size[1] + 2 * MARGIN)
    scale = width / across if width else min(1, SHOWN_WIDTH / across, SHOWN_HEIGHT / down)
    return sheet.finish(across, down, scale, _title(position), _description(position))


class Template(NamedTuple):
    """An empty board, and where on it marks belong: the middle of each cell, and the middle and size of each block."""

    svg: str
    centres: dict[int, Point]
    blocks: dict[int, tuple[Point, float]]


def template(game: Game) -> Template:
    """Return the empty board of a game, for pages that draw the marks themselves."""
    sheet, position = Sheet(), game.start()
    return Template(_finish(sheet, position, None), sheet.centres, sheet.blocks)


def _title(position: Position) -> str:
    outcome = position.outcome
    if outcome is None:
        return f"{position.game.name}, {position.turn} to move"
    return f"{position.game.name}, " + ("a draw" if outcome.winner is None else f"{outcome.winner} wins")


def _description(position: Position) -> str:
    """The position in words, for those who cannot see the picture."""
    game, cells = position.game, position.cells
    said = []
    for side in Side:
        names = [game.format_cell(cell) for cell, mark in enumerate(cells) if mark is side]
        said.append(f"{side}: {', '.join(names) or 'none'}.")
    if position.last_move is not None:
        said.append(f"Last move: {game.format_cell(position.last_move)}.")
    if line := position.winning_line:
        names = [f"block {at + 1}" if game.is_ultimate else game.format_cell(at) for at in line]
        said.append(f"Complete line: {', '.join(names)}.")
    if position.block_to_play is not None:
        block = position.block_to_play
        said.append(f"Play in block {block + 1} ({block_range(game, block)}).")
    return " ".join(said)


def _draw_panels(sheet: Sheet, position: Position) -> tuple[float, float]:
    """Draw the panels in rows and return how wide and high they are together."""
    whole = panels(position.game)
    strips = [strip for panel in whole for strip in panel.strips(MAX_COLUMNS, position.game.block_size or 1)]
    together = panels_together(position.game) if len(strips) == len(whole) else 1
    wide, high = _panel_size(position.game, strips[0])
    columns = per_row(len(strips), int(MAX_SHEET // (wide + PANEL_GAP)), together)
    for number, panel in enumerate(strips):
        row, column = divmod(number, columns)
        corner = MARGIN + column * (wide + PANEL_GAP), MARGIN + row * (high + PANEL_GAP)
        _draw_panel(sheet, position, panel, corner)
    rows = ceil(len(strips) / columns)
    return columns * (wide + PANEL_GAP) - PANEL_GAP, rows * (high + PANEL_GAP) - PANEL_GAP


def _panel_size(game: Game, panel: Panel) -> tuple[float, float]:
    wide, high = _board_size(game, panel)
    if panel.title:
        return wide + LABEL, high + LABEL + TITLE
    # Room for the row names on the left has its like on the right, so that a board alone is in the middle.
    return wide + 2 * LABEL, high + LABEL + LABEL / 2


def _board_size(game: Game, panel: Panel) -> tuple[float, float]:
    x, y = _corner_of(game, len(panel.columns) - 1, len(panel.rows) - 1)
    return x + CELL, y + CELL


def _corner_of(game: Game, column: int, row: int) -> Point:
    """The top left corner of a cell on its board; blocks stand apart."""
    n = game.block_size
    gaps = (column // n * BLOCK_GAP, row // n * BLOCK_GAP) if n else (0, 0)
    return column * CELL + gaps[0], row * CELL + gaps[1]


def _draw_panel(sheet: Sheet, position: Position, panel: Panel, corner: Point) -> None:
    left, top = corner[0] + LABEL, corner[1] + (TITLE if panel.title else LABEL / 2)
    centres = _centres(position.game, panel, left, top)
    sheet.centres |= centres
    wide, high = _board_size(position.game, panel)
    if panel.title:
        sheet.text(left + wide / 2, top - 11, panel.title, size=14)
    _draw_names(sheet, panel, centres, left - 8, top + high + 14)
    if position.game.block_size:
        _draw_blocks(sheet, position, panel, centres)
    else:
        sheet.board(left, top, len(panel.columns), len(panel.rows))
        _highlight(sheet, position.winning_line or (), centres, CELL)
        _draw_marks(sheet, position, centres)
    if position.last_move in centres:
        sheet.last(centres[position.last_move], CELL - 8)


def _centres(game: Game, panel: Panel, left: float, top: float) -> dict[int, Point]:
    """Where the middle of each cell of a panel is."""
    centres = {}
    for row, cells in enumerate(panel.cells):
        for column, cell in enumerate(cells):
            x, y = _corner_of(game, column, row)
            centres[cell] = (left + x + CELL / 2, top + y + CELL / 2)
    return centres


def _draw_names(sheet: Sheet, panel: Panel, centres: dict[int, Point], x: float, y: float) -> None:
    for name, cells in zip(panel.rows, panel.cells, strict=True):
        sheet.text(x, centres[cells[0]][1], name, anchor="end")
    for name, cell in zip(panel.columns, panel.cells[0], strict=True):
        sheet.text(centres[cell][0], y, name)


def _highlight(sheet: Sheet, line: Sequence[int], centres: dict[int, Point], step: float | None) -> None:
    """Light up a complete line: in one stroke if its cells are neighbours in this panel, else cell by cell.

    Without a step, any cells of a line are neighbours, as in games of one's own.
    """
    points = [centres[cell] for cell in line if cell in centres]
    neighbours = step is None or _is_straight(points, step)
    if len(points) == len(line) > 1 and neighbours:
        sheet.stroke(points)
    else:
        for point in points:
            sheet.glow(point)


def _is_straight(points: list[Point], step: float) -> bool:
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)}
    return len(steps) == 1 and all(abs(at) <= step for at in steps.pop())


def _draw_marks(sheet: Sheet, position: Position, centres: dict[int, Point]) -> None:
    """Draw the marks; those in blocks won and closed are faint, for a large mark to lie over."""
    cells, block_of = position.cells, position.game.block_of
    covered = _covered_blocks(position)
    for cell, centre in centres.items():
        mark = cells[cell]
        if mark is not None:
            sheet.mark(mark, centre, under=block_of(cell) in covered)


def _covered_blocks(position: Position) -> set[int]:
    if not position.game.is_ultimate:
        return set()
    open_blocks = position.open_blocks
    return {b for b, owner in enumerate(position.blocks) if owner is not None and b not in open_blocks}


def _draw_blocks(sheet: Sheet, position: Position, panel: Panel, centres: dict[int, Point]) -> None:
    """Ultimate: a board for each block, bright where one may play; its owner's large mark over the others."""
    n = position.game.block_size or 1
    corners = {}
    for row in range(0, len(panel.rows), n):
        for column in range(0, len(panel.columns), n):
            x, y = centres[panel.cells[row][column]]
            corners[position.game.block_of(panel.cells[row][column])] = (x - CELL / 2, y - CELL / 2)
    for block, corner in corners.items():
        sheet.board(*corner, n, n, *_block_colours(position, block))
    _draw_marks(sheet, position, centres)
    for block, (x, y) in corners.items():
        centre, size = (x + n * CELL / 2, y + n * CELL / 2), n * CELL
        sheet.blocks[block] = centre, size
        _draw_owner(sheet, position, block, centre, size)


def _block_colours(position: Position, block: int) -> tuple[str, str]:
    """What a block is filled with, and its edge."""
    owner, target = position.blocks[block], position.block_to_play
    if block in (position.winning_line or ()):
        return GLOW, GLOW_EDGE
    if owner is not None:
        return TINTS[owner], FRAME
    is_playable = not position.is_over and block in position.open_blocks and target in (None, block)
    return BOARD if is_playable else DIMMED, FRAME


def _draw_owner(sheet: Sheet, position: Position, block: int, centre: Point, size: float) -> None:
    owner = position.blocks[block]
    if owner is not None:
        sheet.big_mark(owner, centre, size, faint=block in position.open_blocks)
    if block == position.block_to_play:
        sheet.target(centre, size)


def _draw_own(sheet: Sheet, position: Position) -> tuple[float, float]:
    """Draw the levels of a game of one's own side by side and return how wide and high they are together."""
    levels = spots(position.game, invent=True)
    scale = _own_scale(levels)
    points = [point for level in levels for point in level.points.values()]
    x, y = min(x for x, _ in points), min(y for _, y in points)
    wide = (max(at for at, _ in points) - x) * scale + 2 * CELL
    high = (max(at for _, at in points) - y) * scale + 2 * CELL
    title = TITLE if len(levels) > 1 else 0
    for number, level in enumerate(levels):
        left, top = MARGIN + number * wide + CELL, MARGIN + title + CELL
        centres = {cell: (left + (at[0] - x) * scale, top + (at[1] - y) * scale) for cell, at in level.points.items()}
        if title:
            sheet.text(left + wide / 2 - CELL, MARGIN + 10, level.title, size=14)
        _draw_level(sheet, position, centres)
    return len(levels) * wide, high + title


def _own_scale(levels: list[Spots]) -> float:
    """Units of the picture to a unit of the layout, so that the nearest cells keep a good distance."""
    nearest, span = float("inf"), 0.0
    for level in levels:
        for a, b in combinations(level.points.values(), 2):
            distance = hypot(b[0] - a[0], b[1] - a[1])
            nearest, span = min(nearest, distance), max(span, distance)
    return min(SPOT_GAP / nearest, MAX_OWN_SIZE / span) if span else 1


def _draw_level(sheet: Sheet, position: Position, centres: dict[int, Point]) -> None:
    game, cells, line = position.game, position.cells, position.winning_line or ()
    sheet.centres |= centres
    if len(game.lines) <= MAX_LINES_DRAWN:
        for each in game.lines:
            sheet.faint_line([centres[cell] for cell in each if cell in centres])
    _highlight(sheet, line, centres, None)
    for cell, centre in centres.items():
        if cells[cell] is None:
            sheet.spot(centre, game.format_cell(cell))
        else:
            sheet.cover(centre, cell in line)
    _draw_marks(sheet, position, centres)
    if position.last_move in centres:
        sheet.last(centres[position.last_move], CELL - 4)
