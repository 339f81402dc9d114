"""Work in threads whose results come back to the app, so that the screen never waits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeVar

from textual.app import App
from textual.message import Message

from noughts.cli.terminal.background import THREAD_NAME
from noughts.cli.terminal.session import Session
from noughts.match import Question
from noughts.players import HostedPlayer

__all__ = ["Background", "Called", "EngineRunner", "Result"]

T = TypeVar("T")
Result = Callable[[], T]
"""Returns the result of some work, or raises its exception."""


@dataclass
class Called(Message):
    """A function to be called by the app, from another thread."""

    function: Callable[[], object]


class Background:
    """Runs work in threads. The app calls the functions that receive the results."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app

    def call(self, function: Callable[[], object]) -> None:
        """Let the app call a function; may be used in any thread. Does nothing once the app has ended."""
        self._app.post_message(Called(function))

    def run(self, work: Callable[[], T], receive: Callable[[Result[T]], object]) -> None:
        """Do some work in a thread, and let the app call ``receive`` with its result."""

        def body() -> None:
            try:
                answer = work()
            except BaseException as problem:
                error = problem
                self.call(lambda: receive(lambda: _raise(error)))
            else:
                self.call(lambda: receive(lambda: answer))

        threading.Thread(target=body, name=THREAD_NAME, daemon=True).start()


def _raise(error: BaseException) -> Any:
    raise error


class EngineRunner:
    """Asks the engines of a session for their moves, one question at a time, and closes engines that are not needed.

    A question becomes stale when the match moves on; its answer is then dropped.
    """

    def __init__(
        self, session: Session, background: Background, receive: Callable[[Question, Result[int]], None]
    ) -> None:
        """``receive`` is called with the answer to a question, also to a stale one."""
        self._session = session
        self._background = background
        self._receive = receive
        self._retired: list[HostedPlayer] = []
        """Engines to be closed when the question in progress is answered."""
        self.question: Question | None = None
        """The question in progress."""
        self._asked_at = 0.0
        session.close_engine = self._close

    @property
    def is_thinking(self) -> bool:
        """Whether an engine is asked for the next move of the match."""
        question = self.question
        return question is not None and question.match is self._session.match and not question.is_stale

    @property
    def seconds(self) -> float:
        """How long the engine has been thinking about the next move of the match."""
        return monotonic() - self._asked_at if self.is_thinking else 0.0

    def ask(self) -> None:
        """Ask the engine to move, unless a question is in progress: then it is asked after the answer."""
        if self.question is None:
            self.question = question = self._session.question()
            self._asked_at = monotonic()
            self._background.run(question.ask, lambda result: self._finish(question, result))
        elif not self.is_thinking:
            self.question.player.stop()

    def _finish(self, question: Question, result: Result[int]) -> None:
        self.question = None
        for engine in self._retired:
            self._background.run(engine.close, lambda result: None)
        self._retired = []
        self._receive(question, result)

    def _close(self, engine: HostedPlayer) -> None:
        if self.question is not None and self.question.player is engine:
            self._retired.append(engine)
            self.interrupt()
        else:
            self._background.run(engine.close, lambda result: None)

    def interrupt(self) -> None:
        """End the question in progress soon; its player cannot be asked again."""
        if self.question is not None:
            self.question.player.stop()
            self.question.player.kill()
