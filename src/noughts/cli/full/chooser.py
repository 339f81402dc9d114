"""Choosing: another game from the catalogue with its players and clock, or one that was saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, OptionList, Select, Static
from textual.widgets.option_list import Option

from noughts.cli.terminal.menu import COMMON
from noughts.games import Entry, catalogue, find_game
from noughts.match import TimeControl
from noughts.players import PEOPLE, player_names
from noughts.store import Summary

__all__ = ["GameChoice", "GameChooser", "SavedChooser"]

WATCH = "watch"
CLOCKS = {
    "": "no clock",
    "1m": "1 minute",
    "3+2": "3 minutes + 2 s",
    "5+3": "5 minutes + 3 s",
    "15+10": "15 min + 10 s",
}
FIRST = {"you": "you begin (X)", "opponent": "you are second (O)", "coin": "flip a coin", WATCH: "watch them play"}


@dataclass(frozen=True)
class GameChoice:
    """A game by its id, alias or file, the opponent, who begins (or ``watch``), and the time control or nothing."""

    game: str
    opponent: str
    first: str = "you"
    clock: str = ""


def find_entries(words: str) -> list[Entry]:
    """Return the games of the catalogue that contain all words, the common ones first."""
    order = {name: at for at, name in enumerate(COMMON)}
    entries = sorted(catalogue(), key=lambda entry: order.get(entry.name, len(order)))
    wanted = words.lower().split()
    return [entry for entry in entries if all(word in " ".join(entry).lower() for word in wanted)]


class GameChooser(ModalScreen[GameChoice | None]):
    """Typing searches the catalogue; any id or file can be typed as well. Opponent, side and clock are below."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Back"),
        Binding("down", "move(1)", show=False),
        Binding("up", "move(-1)", show=False),
    ]

    def __init__(self, choice: GameChoice) -> None:
        super().__init__()
        self._choice = choice

    def compose(self) -> ComposeResult:
        """The search, the list, and three choices."""
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = "Which game?"
            yield Input(placeholder="search, or type any id (6x6:4) or a game file", id="search", compact=True)
            yield OptionList(id="games")
            with Horizontal(id="choices"):
                yield from self._select("opponent", "Against", _opponents(self._choice.opponent), self._choice.opponent)
                yield from self._select("first", "Side", FIRST, self._choice.first)
                clocks = CLOCKS | ({} if self._choice.clock in CLOCKS else {self._choice.clock: self._choice.clock})
                yield from self._select("clock", "Clock", clocks, self._choice.clock)
            yield Static("", id="problem", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Play", id="play", variant="primary")
                yield Button("Back", id="back")

    def _select(self, name: str, label: str, choices: dict[str, str], value: str) -> ComposeResult:
        with Vertical(classes="choice"):
            yield Static(label, classes="label")
            options = [(about, key) for key, about in choices.items()]
            yield Select(options, value=value, allow_blank=False, compact=True, id=name)

    def on_mount(self) -> None:
        """List all games and begin in the search."""
        self._list("")
        self.query_one("#search", Input).focus()

    def _list(self, words: str) -> None:
        found = self.query_one("#games", OptionList)
        entries = find_entries(words)
        found.clear_options()
        found.add_options([Option(_entry_line(entry), id=entry.id) for entry in entries])
        typed = words.strip()
        if typed and not any(typed in (entry.id, entry.name) for entry in entries):
            found.add_option(Option(Content.assemble((typed, "bold"), "  as an id or a file"), id=f"typed {typed}"))
        found.highlighted = 0

    @on(Input.Changed, "#search")
    def search(self, event: Input.Changed) -> None:
        self._list(event.value)

    def action_move(self, step: int) -> None:
        """Move through the list from the search."""
        found = self.query_one("#games", OptionList)
        (found.action_cursor_down if step > 0 else found.action_cursor_up)()

    @on(Input.Submitted, "#search")
    @on(OptionList.OptionSelected, "#games")
    @on(Button.Pressed, "#play")
    def play(self) -> None:
        """Begin the chosen game, if it exists."""
        found = self.query_one("#games", OptionList)
        option = found.highlighted_option
        if option is None or option.id is None:
            self._refuse("expected a game; none contains these words")
            return
        name = option.id.removeprefix("typed ")
        values = {key: str(self.query_one(f"#{key}", Select).value) for key in ("opponent", "first", "clock")}
        try:
            find_game(name)
            if values["clock"]:
                TimeControl.parse(values["clock"])
        except (ValueError, OSError) as error:
            self._refuse(str(error))
            return
        self.dismiss(GameChoice(name, **values))

    def _refuse(self, text: str) -> None:
        self.query_one("#problem", Static).update(f"✗ {text}")

    @on(Button.Pressed, "#back")
    def action_cancel(self) -> None:
        self.dismiss(None)


def _opponents(chosen: str) -> dict[str, str]:
    names = {"friend": PEOPLE["friend"], **player_names()}
    every = names if chosen in names else names | {chosen: chosen}
    return {name: name for name in every}


def _entry_line(entry: Entry) -> Content:
    id = "" if entry.id == entry.name else f"  {entry.id}"
    return Content.assemble((entry.name, "bold"), (id, "$soft"), (f"  {entry.about}", "$soft"))


class SavedChooser(ModalScreen[int | None]):
    """The saved games, the latest first; returns the number of the chosen one."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Back")]

    def __init__(self, head: str, rows: Sequence[tuple[Summary, str]]) -> None:
        super().__init__()
        self._head, self._rows = head, rows

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = "Saved games"
            yield Static(self._head, classes="table-head", markup=False)
            yield OptionList(*[Option(Content(text), id=str(summary.id)) for summary, text in self._rows], id="saved")
            note = (
                "Enter continues or shows one · Esc goes back" if self._rows else "There are none yet · Esc goes back"
            )
            yield Static(note, classes="dialog-note")

    @on(OptionList.OptionSelected)
    def choose(self, event: OptionList.OptionSelected) -> None:
        assert event.option.id is not None
        self.dismiss(int(event.option.id))

    def action_cancel(self) -> None:
        self.dismiss(None)
