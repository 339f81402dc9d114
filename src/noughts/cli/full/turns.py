"""The turns of the engines: they are asked in the background, and two that play each other can be paused."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from noughts.cli.full.background import Result
from noughts.cli.terminal.loop import Pace
from noughts.match import Match, PendingMove
from noughts.players import HostedPlayer

if TYPE_CHECKING:
    from noughts.cli.full.app import FullApp

__all__ = ["Turns"]

MIN_PAUSE_SECONDS = 0.01


class Turns:
    """Asks the engines of a session for their moves, one question at a time, and closes engines that are not needed.

    A question becomes stale when the match moves on; its answer is then dropped.
    """

    def __init__(self, app: FullApp, pace: Pace) -> None:
        self._app = app
        self._session = app.session
        self._pace = pace
        self.is_paused = pace.waits_for_enter
        """Whether two engines that play each other wait."""
        self.question: PendingMove | None = None
        """The question in progress."""
        self._asked_at = 0.0
        self._retired: list[HostedPlayer] = []
        """Engines to be closed when the question in progress is answered."""
        self._session.close_engine = self._close

    @property
    def is_thinking(self) -> bool:
        """Whether an engine is asked for the next move of the match."""
        question = self.question
        return question is not None and question.match is self._session.match and not question.is_stale

    @property
    def seconds(self) -> float:
        """How long the engine has been thinking about the next move of the match."""
        return monotonic() - self._asked_at if self.is_thinking else 0.0

    def advance(self) -> None:
        """Let an engine move if it is its turn: at once, or after the pause between two engines."""
        session = self._session
        if session.is_left or not session.waits_for_engine or self.is_thinking:
            return
        if session.people:
            self._ask()
        elif not self.is_paused:
            session.match.pause()
            ply, match = session.position.ply, session.match
            pause = max(self._pace.pause_seconds, MIN_PAUSE_SECONDS)
            self._app.set_timer(pause, lambda: self._continue(ply, match))

    def _continue(self, ply: int, match: Match) -> None:
        """Ask after the pause, unless the match has moved on."""
        session = self._session
        if session.match is match and session.position.ply == ply and session.waits_for_engine and not self.is_paused:
            self.step()

    def step(self) -> None:
        """Let one of two engines make the next move."""
        if self._session.waits_for_engine and not self.is_thinking:
            self._session.match.resume()
            self._ask()

    def toggle_pause(self) -> None:
        """Stop or continue two engines; raises ValueError if people play."""
        if self._session.people:
            raise ValueError("only two engines that play each other can be paused")
        self.is_paused = not self.is_paused
        self.advance()

    def _ask(self) -> None:
        """Ask the engine to move, unless a question is in progress: then it is asked after the answer."""
        if self.question is not None:
            self.question.player.stop()
            return
        self.question = question = self._session.question()
        self._asked_at = monotonic()
        self._app.background.run(question.ask, lambda result: self._finish(question, result))

    def _finish(self, question: PendingMove, result: Result[int]) -> None:
        self.question = None
        for engine in self._retired:
            self._app.background.run(engine.close, lambda result: None)
        self._retired = []
        session = self._session
        is_wanted = question.match is session.match and session.engines.get(question.side) is question.player
        if session.is_left or not is_wanted or question.is_stale:
            self.advance()
            return
        try:
            events = session.settle(question, result)
        except Exception as error:
            self._app.refuse(f"{session.describe(question.side)} failed: {error}")
        else:
            self._app.take(events)

    def _close(self, engine: HostedPlayer) -> None:
        if self.question is not None and self.question.player is engine:
            self._retired.append(engine)
            self.interrupt()
        else:
            self._app.background.run(engine.close, lambda result: None)

    def interrupt(self) -> None:
        """End the question in progress soon; its player cannot be asked again."""
        if self.question is not None:
            self.question.player.stop()
            self.question.player.kill()
