"""The panels beside the board: players and clocks, the moves, the analysis, and messages."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from noughts.cli.full.board import CIRCLED
from noughts.games import Position, Side
from noughts.games.quoting import escape_control_characters, shorten, shorten_words

if TYPE_CHECKING:
    from noughts.analysis.advice import Advice

__all__ = ["REFUSED", "RESULT", "AnalysisPanel", "Messages", "MoveList", "Players", "TitleBar"]

Part = tuple[str, str]
"""A text and its style."""
PLAIN, SOFT, BOLD = "", "$soft", "bold"
NUMBER_WIDTH, MOVE_WIDTH = 4, 10
MESSAGE_LINES = 2
REFUSED, RESULT = "✗", "★"
"""Marks of messages that stand out."""
MARK_INKS = {REFUSED: "error", RESULT: "success"}
THOUSAND, MILLION = 1_000, 1_000_000


class TextPanel(Static):
    """A text of a fixed size, which is drawn again only if it has changed."""

    def show_content(self, content: Content) -> None:
        if content != self.content or content.spans != getattr(self.content, "spans", None):
            self.update(content, layout=False)


class TitleBar(TextPanel):
    """The name of the game, and whose turn it is."""

    def show(self, game: str, status: str) -> None:
        brand = " " if "-narrow" in self.screen.classes else " ×○ noughts  "
        parts: list[Part] = [(brand, f"{BOLD} $primary"), (escape_control_characters(game), BOLD)]
        self.show_content(Content.assemble(*parts, (f"   {status}", SOFT)))


class Players(TextPanel):
    """The two players with their clocks; an arrow points to the side to move."""

    _shown: tuple[Mapping[Side, str], Side | None, Mapping[Side, str]] | None = None

    def on_resize(self) -> None:
        """Use the whole width for the names."""
        if self._shown is not None:
            self.show(*self._shown)

    def show(self, names: Mapping[Side, str], turn: Side | None, clocks: Mapping[Side, str]) -> None:
        self._shown = names, turn, clocks
        width = max(12, self.content_size.width)
        lines = [self._line(side, names[side], turn is side, clocks.get(side, ""), width) for side in Side]
        self.show_content(Content("\n").join(lines))

    def _line(self, side: Side, name: str, is_turn: bool, clock: str, width: int) -> Content:
        name = escape_control_characters(name)
        room = width - len(clock) - 5
        shown = shorten(name, room)
        style = BOLD if is_turn else PLAIN
        mark: Part = (f"{side} ", f"bold ${side.lower()}-mark")
        return Content.assemble(
            ("▶ " if is_turn else "  ", BOLD), mark, (shown.ljust(room), style), (f" {clock}" if clock else "", style)
        )


class MoveList(VerticalScroll, can_focus=False):
    """The moves in two columns. A click on one posts ``Picked``."""

    @dataclass
    class Picked(Message):
        """The position after this number of moves should be shown."""

        ply: int

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._text = Static(id="move-text")
        self._first_column = 0
        self._rows = -1

    def compose(self) -> ComposeResult:
        yield self._text

    def show(self, position: Position, undone: Sequence[int], ply: int) -> None:
        """Show the moves of a position and those taken back; ``ply`` is the number of moves of the position shown."""
        played = len(position.moves)
        names = [position.format_move(move) for move in (*position.moves, *undone)]
        self._first_column = position.game.start_from(position.start_text).side_to_move.number
        cells = [*[None] * self._first_column, *range(len(names))]
        parts: list[Part] = []
        for row in range(0, len(cells), 2):
            parts.append((f"{row // 2 + 1:>{NUMBER_WIDTH - 1}} ", SOFT))
            parts += [_move_part(at, names, played, ply) for at in cells[row : row + 2]]
            parts.append(("\n", PLAIN))
        content = Content.assemble(*parts) if cells else Content.styled("no moves yet", SOFT)
        rows, self._rows = self._rows, len(cells) // 2
        self._text.update(content, layout=rows != self._rows)
        self.call_after_refresh(self._keep_in_view, (max(ply, 1) - 1 + self._first_column) // 2)

    def _keep_in_view(self, row: int) -> None:
        height = self.size.height
        if not self.scroll_offset.y <= row < self.scroll_offset.y + height:
            self.scroll_to(y=max(0, row - height // 2), animate=False)

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self._text)
        if at is not None:
            column = min(1, max(0, at.x - NUMBER_WIDTH) // MOVE_WIDTH)
            self.post_message(self.Picked(max(0, 2 * at.y + column - self._first_column + 1)))


def _move_part(at: int | None, names: Sequence[str], played: int, ply: int) -> Part:
    """A move of the list: in brackets if its position is shown, in parentheses if it was taken back."""
    if at is None:
        return " …".ljust(MOVE_WIDTH), SOFT
    name = f"({names[at]})" if at >= played else names[at]
    if at + 1 == ply:
        return f"[{name}]"[:MOVE_WIDTH].ljust(MOVE_WIDTH), f"{BOLD} $primary"
    return f" {name}"[:MOVE_WIDTH].ljust(MOVE_WIDTH), SOFT if at >= played else PLAIN


class AnalysisPanel(TextPanel):
    """The best moves with their values and lines. A click on a line posts ``Picked``, which previews it."""

    @dataclass
    class Picked(Message):
        """A line should be previewed."""

        number: int

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._starts: list[int] = []

    def show(self, position: Position, found: Sequence[Advice], is_running: bool, picked: int | None) -> None:
        """Show advice on a position; ``picked`` is the line that is previewed on the board."""
        width = max(16, self.content_size.width)
        self._starts = [1 + 2 * number for number in range(len(found))]
        lines = [Content.styled(_describe_search(found, is_running), SOFT)]
        for number, advice in enumerate(found):
            lines.append(Content.assemble(*_value_parts(position, advice, number, number == picked)))
            moves = [position.game.format_cell(move) for move in advice.pv]
            lines.append(Content.styled(f"   {shorten_words(moves, width - 4)}", SOFT))
        self.show_content(Content("\n").join(lines))

    def on_click(self, event: events.Click) -> None:
        number = sum(start <= event.y for start in self._starts) - 1
        if number >= 0:
            self.post_message(self.Picked(number))


def _describe_search(found: Sequence[Advice], is_running: bool) -> str:
    if not found:
        return "thinking …" if is_running else "the game is over"
    best = found[0].result
    if best.is_from_book:
        return best.book_note or ""
    speed = f", {_short(best.nps)} nodes/s" if best.nps else ""
    return f"depth {best.depth}{speed}{' …' if is_running else ''}"


def _value_parts(position: Position, advice: Advice, number: int, is_picked: bool) -> Iterator[Part]:
    yield f"{CIRCLED[number]} {position.game.format_cell(advice.move):<6}", BOLD
    yield str(advice.evaluation) if advice.value is None else advice.evaluation.text, PLAIN
    yield " proven" if advice.value is not None else "", SOFT
    yield " ◀ shown" if is_picked else "", SOFT


def _short(number: int) -> str:
    """A number of nodes: ``940``, ``12k``, ``3.1M``."""
    if number >= MILLION:
        return f"{number / MILLION:.1f}M"
    return f"{number // THOUSAND}k" if number >= THOUSAND else str(number)


class Messages(TextPanel):
    """The latest messages, the last one at the bottom; refusals and results have marks."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.texts: list[str] = []

    def add(self, text: str, mark: str = "") -> None:
        """Add a message, with a mark before it if it should stand out."""
        prefix = f"{mark} " if mark else ""
        self.texts += [prefix + escape_control_characters(line) for line in text.splitlines()]
        self._show()

    def clear(self) -> None:
        self.texts = []
        self._show()

    def on_resize(self) -> None:
        """Wrap the messages again."""
        self._show()

    def _show(self) -> None:
        """Show the latest message from its beginning, and above it the end of those before if there is room."""
        lines: list[Content] = []
        for text in reversed(self.texts):
            wrapped = textwrap.wrap(text, max(20, self.content_size.width), break_on_hyphens=False) or [""]
            room = MESSAGE_LINES - len(lines)
            kept = wrapped[-room:] if lines else _shortened(wrapped, room)
            lines = [*(Content.styled(line, _message_style(text)) for line in kept), *lines]
            if len(lines) == MESSAGE_LINES:
                break
        self.show_content(Content("\n").join(lines))


def _shortened(lines: list[str], count: int) -> list[str]:
    """The first lines, with an ellipsis if there are more."""
    return lines if len(lines) <= count else [*lines[: count - 1], f"{lines[count - 1][:-1]}…"]


def _message_style(line: str) -> str:
    return next((f"{BOLD} ${ink}" for mark, ink in MARK_INKS.items() if line.startswith(mark)), PLAIN)
