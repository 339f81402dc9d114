"""Screens over the board: questions, long texts, and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

__all__ = ["Confirmation", "TextScreen"]


class Confirmation(ModalScreen[bool]):
    """A question to be answered with yes or no; escape means no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
        Binding("left,right", "app.focus_next", show=False),
    ]

    def __init__(self, question: str, yes: str = "Yes", no: str = "No") -> None:
        super().__init__()
        self._question, self._yes, self._no = question, yes, no

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog small"):
            yield Static(self._question, id="question", markup=False)
            with Horizontal(classes="buttons"):
                yield Button(f"{self._yes} (y)", id="yes", variant="primary")
                yield Button(f"{self._no} (n)", id="no")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)


class TextScreen(ModalScreen[None]):
    """A text that can be scrolled."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q,f1,question_mark", "dismiss", "Close")]

    def __init__(self, title: str, text: str | Content) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog text") as dialog:
            dialog.border_title = self._title
            with VerticalScroll():
                yield Static(self._text, id="text", markup=False)
            yield Static("Esc closes", classes="dialog-note")

    async def action_dismiss(self, result: None = None) -> None:
        self.dismiss(None)


def table(rows: Sequence[tuple[str, str]], title: str) -> Content:
    """Return rows of two columns below a title."""
    column = 2 + max(len(left) for left, _ in rows)
    parts = [(f"{title}\n", "bold $primary")]
    for left, right in rows:
        parts += [(f"  {left:<{column}}", "bold"), (f"{right}\n", "")]
    return Content.assemble(*parts)
