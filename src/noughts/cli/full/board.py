"""The board on the screen: drawn, scrolled, clicked and walked over with the arrow keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from noughts.games import Position, Side
from noughts.games.rendering.canvas import Canvas, Place
from noughts.games.rendering.layout import panels
from noughts.games.rendering.marks import large_mark
from noughts.games.rendering.text import LARGE, compose

__all__ = ["Board", "Overlay"]

INKS = ("x", "o", "last", "winning", "empty", "coordinate", "title", "rule", "frame", "target")
LAYERS = ("column", "line", "dot", "candidate", "ghost", "hint", "cursor", "pointer")
CIRCLED = "①②③④⑤⑥⑦⑧⑨"
LINE_DOT = "•"
MAX_PREVIEW = 9
"""Moves of a line that are previewed."""
CURSOR_CORNERS = "┏┓┗┛"
CURSOR_SIDES = "▸◂"
AROUND_HINT = "◆◆"
SIDEWAYS = 4
"""How much farther a cell to the side of the way counts when the cursor moves."""
DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


@dataclass(frozen=True)
class Overlay:
    """Things shown on the board that are not part of the position."""

    candidates: tuple[int, ...] = ()
    """The best moves of the analysis, which are numbered."""
    line: tuple[int, ...] = ()
    """A line of play that is previewed: moves from the position shown."""
    hint: int | None = None


class Board(ScrollView, can_focus=True):
    """A position with a cursor. Posts ``Chosen`` when a cell is clicked, or chosen with enter or the space bar."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"board--{name}" for name in (*INKS, *LAYERS)}
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"go('{key}')", show=False) for key in DIRECTIONS),
        *(Binding(f"shift+{key}", f"go_far('{key}')", show=False) for key in DIRECTIONS),
        Binding("enter,space", "choose", "Play", show=False),
        Binding("pageup", "change_panel(-1)", show=False),
        Binding("pagedown", "change_panel(1)", show=False),
    ]

    @dataclass
    class Chosen(Message):
        """A cell was chosen."""

        cell: int

    @dataclass
    class Pointed(Message):
        """The cursor is on another cell."""

        cell: int

    def __init__(self, position: Position, id: str | None = None) -> None:
        super().__init__(id=id)
        self.position = position
        self.cursor = _first_cell(position)
        self.overlay = Overlay()
        self.is_playable = False
        """Whether a person may move, so that the move under the cursor is previewed."""
        self.shows_lines = _has_depth(position)
        """Whether the lines through the cell under the cursor are shown."""
        self._canvas = Canvas()
        self._width = 0
        self._over: dict[tuple[int, int], tuple[str, tuple[str, ...]]] = {}
        self._styles: dict[tuple[str, ...], RichStyle] = {}

    # What is shown

    def show(self, position: Position, is_playable: bool, overlay: Overlay | None = None) -> None:
        """Show a position; the cursor stays where it is unless the game is another one."""
        if position.game != self.position.game:
            self.cursor, self.shows_lines = _first_cell(position), _has_depth(position)
            self.scroll_to(0, 0, animate=False)
        self.position, self.is_playable, self.overlay = position, is_playable, overlay or Overlay()
        self._follow_block()
        self._draw()

    def _follow_block(self) -> None:
        """Move the cursor into the block that must be played."""
        game, block = self.position.game, self.position.block_to_play
        if block is not None and game.block_of(self.cursor) != block:
            cells = [cell for cell in range(game.cells) if game.block_of(cell) == block]
            self.cursor = cells[len(cells) // 2]

    def show_overlay(self, overlay: Overlay) -> None:
        self.overlay = overlay
        self._draw_over()

    def toggle_lines(self) -> None:
        self.shows_lines = not self.shows_lines
        self._draw_over()

    def place_of(self, cell: int) -> Place:
        return self._canvas.places[cell]

    def offset_of(self, cell: int) -> Offset:
        """Return the place of a cell in the widget, as it is scrolled now."""
        place = self.place_of(cell)
        return Offset(place.x, place.y) + self._margin - self.scroll_offset

    @property
    def target(self) -> int | None:
        """The cell that is played when the one under the cursor is chosen; None if there is no room for a mark."""
        return self.position.landing(self.cursor)

    @property
    def _pointed(self) -> int:
        """The cell that the cursor is drawn on: where a mark would come to rest."""
        return self.cursor if self.target is None else self.target

    def notify_style_update(self) -> None:
        """Forget the styles of another theme."""
        super().notify_style_update()
        self._styles.clear()

    def on_resize(self, event: events.Resize) -> None:
        """Draw the board in the largest size that fits."""
        self._draw()

    def _draw(self) -> None:
        room = self.scrollable_content_region.size if self.is_mounted else Size(0, 0)
        if not room.width or not room.height:
            return
        outer = self.container_size
        self._canvas = compose(self.position, outer.width, outer.height, style=LARGE)
        self._width = self._canvas.width
        self.virtual_size = Size(self._width, self._canvas.height)
        self._draw_over()
        self.call_after_refresh(self._scroll_to_cursor)

    @property
    def _margin(self) -> Offset:
        """The free space to the left of and above a board that is smaller than the widget."""
        room = self.container_size
        return Offset(max(0, (room.width - self._width) // 2), max(0, (room.height - self._canvas.height) // 2))

    def _scroll_to_cursor(self) -> None:
        place = self._canvas.places.get(self.cursor)
        if place is None or (self._margin.x and self._margin.y):
            return
        left, top = place.columns[0] - 2, place.rows[0] - 1
        region = Region(max(0, left), max(0, top), len(place.columns) + 4, len(place.rows) + 2)
        self.scroll_to_region(region, animate=False)

    def _draw_over(self) -> None:
        """Compute the characters and layers over the board."""
        self._over = {}
        game, cells = self.position.game, self.position.cells
        if self.shows_lines and not self.position.is_over:
            for cell in {cell for line in game.lines_through(self._pointed) for cell in line}:
                self._lay(cell, "line")
                if cells[cell] is None and not game.is_custom:
                    self._write_in(cell, LINE_DOT, "dot")
        stack = game.stack_of(self.cursor)
        if len(stack) > 1 and not self.position.is_over:
            self._lay_shaft([cell for cell in stack if cells[cell] is None])
        for number, cell in reversed(list(enumerate(self.overlay.candidates))):
            self._write_in(cell, CIRCLED[number], "candidate")
        self._preview_line(self.overlay.line)
        if self.overlay.hint is not None:
            self._lay(self.overlay.hint, "hint")
            self._surround(self.overlay.hint, "hint", AROUND_HINT, AROUND_HINT * 2)
        self._lay_cursor()
        self.refresh()

    def _lay_cursor(self) -> None:
        shown, side = self._pointed, self.position.turn
        can_play = self.is_playable and self.position.is_legal(shown)
        if can_play and side is not None and shown not in self.overlay.line and shown not in self.overlay.candidates:
            self._lay_mark(shown, side)
        self._lay(shown, "cursor")
        if shown not in self.overlay.line:
            self._surround(shown, "pointer", CURSOR_SIDES, CURSOR_CORNERS)

    def _preview_line(self, line: Sequence[int]) -> None:
        position = self.position.copy()
        for number, move in enumerate(line[:MAX_PREVIEW], start=1):
            side = position.turn
            if side is None or not position.is_legal(move):
                return
            self._lay_mark(move, side, str(number))
            position.play(move)

    def _lay_shaft(self, cells: Sequence[int]) -> None:
        """Show where a mark falls: the cells and, where they are next to each other, the rules between them."""
        places = [self._canvas.places[cell] for cell in cells if cell in self._canvas.places]
        rows = {(place, y) for place in places for y in place.rows}
        for below, above in pairwise(places):
            between = range(above.rows[-1] + 1, below.rows[0])
            if above.x == below.x and len(between) <= 1:
                rows |= {(below, y) for y in between}
        for place, y in rows:
            for x in place.columns:
                if not self._over.get((x, y), ("", ()))[1]:
                    self._over[x, y] = "", ("column",)

    def _lay(self, cell: int, layer: str) -> None:
        place = self._canvas.places.get(cell)
        if place is not None:
            for y in place.rows:
                for x in place.columns:
                    character, layers = self._over.get((x, y), ("", ()))
                    self._over[x, y] = character, (*layers, layer)

    def _write(self, x: int, y: int, character: str, layer: str) -> None:
        _, layers = self._over.get((x, y), ("", ()))
        self._over[x, y] = character, (*layers, layer)

    def _write_in(self, cell: int, character: str, layer: str) -> None:
        place = self._canvas.places.get(cell)
        if place is not None:
            self._write(place.x, place.y, character, layer)

    def _surround(self, cell: int, layer: str, sides: str, corners: str) -> None:
        """Put characters into the corners of a large cell, or to both sides of a small one."""
        place = self._canvas.places.get(cell)
        if place is None:
            return
        ends = place.columns[0], place.columns[-1]
        if place.high:
            at = [(x, y) for y in (place.rows[0], place.rows[-1]) for x in ends]
        else:
            at = [(x, place.y) for x in ends]
        for (x, y), character in zip(at, corners if place.high else sides, strict=True):
            self._write(x, y, character, layer)

    def _lay_mark(self, cell: int, side: Side, number: str = "") -> None:
        """Preview a mark: large in large cells, else a small letter; with its number in a line of play."""
        place = self._canvas.places.get(cell)
        if place is None:
            return
        if place.high:
            for y, row in zip(place.rows, large_mark(side, 2 * place.high + 1), strict=True):
                for x, character in enumerate(row, place.x - len(row) // 2):
                    self._write(x, y, character, "ghost")
        else:
            for x in place.columns:
                self._write(x, place.y, " ", "ghost")
            self._write(place.x, place.y, side.lower(), "ghost")
        for x, digit in zip(place.columns[-len(number) :] if number else (), number, strict=False):
            self._write(x, place.rows[-1], digit, "candidate")

    def render_line(self, y: int) -> Strip:
        margin, scroll = self._margin, self.scroll_offset
        row = y + scroll.y - margin.y
        blank = self._style(())
        if not 0 <= row < self._canvas.height:
            return Strip.blank(self.size.width, blank)
        segments = [Segment(" " * margin.x, blank)]
        for names, run in groupby(self._characters(row), key=lambda pair: pair[1]):
            segments.append(Segment("".join(character for character, _ in run), self._style(names)))
        return Strip(segments).crop_extend(scroll.x, scroll.x + self.size.width, blank)

    def _characters(self, y: int) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The characters of a row of the canvas, with the names of their inks and of the layers over them."""
        row = self._canvas.row(y)
        for x in range(self._width):
            character, inks = row[x] if x < len(row) else (" ", ())
            over, layers = self._over.get((x, y), ("", ()))
            yield over or character, (*inks, *layers)

    def _style(self, names: tuple[str, ...]) -> RichStyle:
        if names not in self._styles:
            parts = [self.get_component_rich_style(f"board--{name}", partial=True) for name in names]
            self._styles[names] = RichStyle.combine([self.rich_style, *parts])
        return self._styles[names]

    # Keys and mouse

    def point_at(self, cell: int) -> None:
        if cell != self.cursor:
            self.cursor = cell
            self._draw_over()
            self.post_message(self.Pointed(cell))

    def action_go(self, direction: str) -> None:
        """Move the cursor to the next cell on the screen in a direction."""
        cell = self.neighbour(self.cursor, direction)
        if cell is not None:
            self.point_at(cell)
            self._scroll_to_cursor()

    def action_go_far(self, direction: str) -> None:
        """Move the cursor to the last cell in a direction."""
        while (cell := self.neighbour(self.cursor, direction)) is not None:
            self.cursor = cell
        self._draw_over()
        self._scroll_to_cursor()

    def neighbour(self, cell: int, direction: str) -> int | None:
        """Return the next cell on the screen in a direction; None if there is none."""
        dx, dy = DIRECTIONS[direction]
        here = self._canvas.places.get(cell)
        if here is None:
            return None

        def distance(place: Place) -> float:
            right, down = (place.x - here.x) / 2, place.y - here.y
            ahead = right * dx + down * dy
            aside = abs(right * dy) + abs(down * dx)
            return ahead + SIDEWAYS * aside if ahead > 0 and aside <= 2 * ahead else float("inf")

        distances = {cell: distance(place) for cell, place in self._canvas.places.items()}
        best = min(distances, key=distances.__getitem__)
        return best if distances[best] < float("inf") else None

    def action_change_panel(self, step: int) -> None:
        """Move the cursor to the same place of the next level or slice."""
        found = panels(self.position.game)
        if len(found) > 1:
            size = self.position.game.cells // len(found)
            self.point_at((self.cursor + step * size) % self.position.game.cells)
            self._scroll_to_cursor()

    def action_choose(self) -> None:
        self._choose(self.cursor)

    def _choose(self, cell: int) -> None:
        landing = self.position.landing(cell)
        self.post_message(self.Chosen(cell if landing is None else landing))

    def _cell_under(self, event: events.MouseEvent) -> int | None:
        at = event.get_content_offset(self)
        if at is None:
            return None
        at = at + self.scroll_offset - self._margin
        return self._canvas.cell_at(at.x, at.y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Let the cursor follow the mouse."""
        cell = self._cell_under(event)
        if cell is not None:
            self.point_at(cell)

    def on_click(self, event: events.Click) -> None:
        cell = self._cell_under(event)
        if cell is not None:
            self.point_at(cell)
            self._choose(cell)


def _first_cell(position: Position) -> int:
    """The cell in the middle of the board, or near it."""
    game = position.game
    if game.dimensions is None:
        return game.cells // 2
    cell = 0
    for side in reversed(game.dimensions):
        cell = cell * side + (side - 1) // 2
    return cell


def _has_depth(position: Position) -> bool:
    """Whether lines run through several panels, or anywhere: then they are hard to see without help."""
    return len(panels(position.game)) > 1 or position.game.is_custom
