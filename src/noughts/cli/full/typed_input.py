"""Lines that are carried out: moves and commands, typed or by a key."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from noughts.cli.full.background import Result
from noughts.cli.terminal.commands import find_command, receive, seat
from noughts.cli.terminal.session import open_engine
from noughts.players import HostedPlayer

if TYPE_CHECKING:
    from noughts.cli.full.app import FullApp

__all__ = ["TypedInput"]


class TypedInput:
    """Carries out lines in the session of an app: at once, or after the advice that they need has been computed."""

    def __init__(self, app: FullApp) -> None:
        self._app = app
        self._session = app.session
        self.is_busy = False
        """Whether a line waits for advice."""

    def receive(self, line: str) -> None:
        command, argument = find_command(line.strip())
        name = "" if command is None else command.usage.split()[0]
        if name == "quit":
            self._app.action_leave()
        elif name == "level" and argument:
            self._change_level(argument)
        elif name in ("new", "load"):
            self._app.matches.unless_lost(lambda: self.carry_out(line))
        else:
            work = None if command is None else command.ahead(self._session)
            if work is None:
                self.carry_out(line)
            else:
                self._carry_out_later(line, work)

    def carry_out(self, line: str) -> None:
        try:
            events = receive(self._session, line)
        except (ValueError, OSError) as error:
            self._app.refuse(str(error))
        else:
            self._app.take(events)

    def _carry_out_later(self, line: str, work: Callable[[], object]) -> None:
        """Do the slow part of a command in the background, and then the rest if the position is still the same."""
        if self.is_busy or self._app.turns.is_thinking:
            self._app.refuse("another answer is being computed" if self.is_busy else "it is not your turn")
            return
        session = self._session
        match, moves = session.match, session.position.moves

        def finish(result: Result[object]) -> None:
            self.is_busy = False
            try:
                result()
            except Exception as error:
                self._app.refuse(f"{line} failed: {error}")
            else:
                if session.match is match and session.position.moves == moves and not session.is_left:
                    self.carry_out(line)
            self._app.show()

        self.is_busy = True
        self._app.analysis.pause()
        self._app.background.run(work, finish)
        self._app.show()

    def _change_level(self, name: str) -> None:
        """Let another player take over, who is opened in the background."""
        session, game = self._session, self._session.position.game

        def take_seat(result: Result[HostedPlayer | None]) -> None:
            try:
                engine = result()
            except ValueError as error:
                self._app.refuse(str(error))
                return
            if session.position.game == game:
                seat(session, name, engine)
                self._app.take(session.take_events())
            elif engine is not None:
                session.close_engine(engine)

        def open_player() -> HostedPlayer | None:
            return open_engine(name, game, None, session.uses_book, session.network, session.sandbox)

        self._app.background.run(open_player, take_seat)
