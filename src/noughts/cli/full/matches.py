"""Other matches: a game from the chooser, or a game that was saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from noughts.cli.full.background import Result
from noughts.cli.full.chooser import WATCH, GameChoice, GameChooser, SavedChooser
from noughts.cli.full.screens import Confirmation
from noughts.cli.saved_table import HEADERS, summary_row
from noughts.cli.tables import align_table
from noughts.cli.terminal.menu import assign_sides
from noughts.cli.terminal.setup import Engines, Setup
from noughts.games import Side, find_game
from noughts.match import Match, TimeControl
from noughts.store import SavedPlaythrough, Store, StoreError

if TYPE_CHECKING:
    from noughts.cli.full.app import FullApp

__all__ = ["Matches"]

MAX_SAVED = 200
Opened = tuple[Match, Engines]


class Matches:
    """Begins other matches in the session of an app; ``setup`` has the settings of their engines."""

    def __init__(self, app: FullApp, setup: Setup) -> None:
        self._app = app
        self._session = app.session
        self._setup = setup

    def unless_lost(self, act: Callable[[], None]) -> None:
        """Act, but ask first if an unfinished game would be lost."""
        session = self._session
        if session.saved_as is None and session.position.ply and not session.match.is_over:
            question = Confirmation("This game is not saved. Leave it?", "Leave", "Stay")
            self._app.push_screen(question, lambda yes: act() if yes else None)
        else:
            act()

    # The chooser

    def choose(self) -> None:
        self._app.push_screen(GameChooser(self._present_choice()), self._take_choice)

    def _present_choice(self) -> GameChoice:
        """The choice that would begin the present match again."""
        match, person = self._session.match, self._session.only_person
        time = "" if match.clock is None else str(match.clock.controls[Side.X])
        if not self._session.people:
            return GameChoice("", match.names[Side.O], WATCH, time)
        opponent = match.names[Side.X if person is Side.O else Side.O]
        return GameChoice("", opponent, "opponent" if person is Side.O else "you", time)

    def _take_choice(self, choice: GameChoice | None) -> None:
        if choice is not None:
            self.unless_lost(lambda: self.begin(choice))

    def begin(self, choice: GameChoice) -> None:
        try:
            position = find_game(choice.game).start()
        except (ValueError, OSError) as error:
            self._app.refuse(str(error))
            return
        if choice.first == WATCH:
            names = dict.fromkeys(Side, choice.opponent)
        else:
            names = assign_sides(choice.opponent, choice.first, self._setup.seed)
        control = TimeControl.parse(choice.clock) if choice.clock else None
        self._setup = replace(self._setup, position=position, names=names, control=control)
        self._open(self._setup.open)

    # Saved games

    def choose_saved(self) -> None:
        try:
            with Store(read_only=True) as store:
                found = store.list(limit=MAX_SAVED)
        except StoreError as error:
            self._app.refuse(str(error))
            return
        head, *lines = align_table(HEADERS, [summary_row(each) for each in found])
        self._app.push_screen(SavedChooser(head, list(zip(found, lines, strict=True))), self._take_saved)

    def _take_saved(self, number: int | None) -> None:
        if number is not None and number != self._session.saved_as:
            self.unless_lost(lambda: self._load(number))

    def _load(self, number: int) -> None:
        try:
            with Store(read_only=True) as store:
                saved = store.get(number)
        except (StoreError, ValueError) as error:
            self._app.refuse(str(error))
            return
        if saved.summary.outcome is None:
            self._open(lambda: self._setup.resume(saved), saved)
        else:
            self._open(lambda: self._look_at(saved))

    def _look_at(self, saved: SavedPlaythrough) -> Opened:
        """The match of a finished playthrough; people continue it if its players cannot be opened here."""
        names = {Side.X: saved.summary.x, Side.O: saved.summary.o}
        match = Match(saved.position(), names, outcome=saved.summary.outcome)
        try:
            return match, self._setup.open_engines(match)
        except ValueError:
            return match, {}

    def _open(self, work: Callable[[], Opened], resumed: SavedPlaythrough | None = None) -> None:
        """Begin a match whose engines are opened in a thread."""

        def begin(result: Result[Opened]) -> None:
            try:
                match, engines = result()
            except (ValueError, OSError) as error:
                self._app.refuse(str(error))
                return
            self._session.match.suspend()
            if resumed is not None and self._session.recorder is not None:
                self._session.recorder.resume(resumed)
            self._app.messages.clear()
            self._session.begin(match, engines)
            self._app.take(self._session.take_events())

        self._app.background.run(work, begin)
