"""The table of questions in a worker of a browser, for the page without a server.

A worker of a browser sees a message only while it does nothing, so questions to the engine are worked on in turns.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from typing import NamedTuple

from noughts.ask.question import AnyJob, AnyQuestion, Context, at_limited_rate
from noughts.ask.table import QUESTIONS
from noughts.schema import encode, loads, read
from noughts.web.about import describe_server
from noughts.web.saved_games import CHANGE_GAME, SHOW_GAME

__all__ = ["BROWSER_QUESTIONS", "BrowserWorker", "Reply", "RunningQuestion", "constant_answers"]

TURN_SECONDS = 0.15
"""Time of a turn: a search loses little by being interrupted so often, and a page hardly waits for a worker to stop."""

BROWSER_QUESTIONS = {**QUESTIONS, CHANGE_GAME.name: CHANGE_GAME, SHOW_GAME.name: SHOW_GAME}
"""The table, and how the browser keeps saved games."""


def constant_answers() -> dict[str, str]:
    """Return answers that are always the same, as JSON: a site holds them as files."""
    return {
        "about": encode(describe_server(is_local=False, has_server=False)),
        **{name: _answer_at_once(name, "{}").text for name in ("catalogue", "puzzles")},
    }


class Reply(NamedTuple):
    """The answer as JSON, and the seconds that it took; or the message of an error."""

    text: str
    seconds: float = 0.0
    error: str = ""
    has_failed: bool = False
    """Whether the program failed; otherwise the request was wrong."""


def _answer_at_once(name: str, request: str) -> Reply:
    return BrowserWorker().ask(name, request, lambda _: None).work() or Reply("")


def _refuse(error: Exception) -> Reply:
    if isinstance(error, ValueError):
        return Reply("", error=" ".join(str(error).split()))
    logging.getLogger(__name__).error("a question failed", exc_info=error)
    return Reply("", error="something went wrong on this page; reload it and try again", has_failed=True)


class BrowserWorker(Context):
    """Works on questions with one engine, which it keeps between them; one question at a time.

    Nothing that was solved is saved.
    """

    def __init__(self) -> None:
        super().__init__()
        self._turn_ends = math.inf

    def ask(self, name: str, request: str, report: Callable[[str], object]) -> RunningQuestion:
        """Return the question with this name, to be worked on in turns; ``report`` is called with progress as JSON."""
        self.begin()
        return RunningQuestion(self, BROWSER_QUESTIONS[name], request, report)

    def begin_turn(self, seconds: float) -> None:
        """Set the time until the work should be interrupted."""
        self._turn_ends = time.monotonic() + seconds

    def interrupt(self) -> None:
        """Stop a running search if its turn is over. To be called every few milliseconds while the core works."""
        if not self.should_continue:
            self.stop_searches()

    @property
    def should_continue(self) -> bool:
        """Whether the turn is not over."""
        return not self.is_stopped and time.monotonic() < self._turn_ends

    def check(self, *_: object) -> None:
        """Do nothing: work without turns ends with its worker."""


class RunningQuestion:
    """A question that is worked on. Call ``work`` until it replies; between the calls it can be stopped."""

    def __init__(
        self, worker: BrowserWorker, question: AnyQuestion, request: str, report: Callable[[str], object]
    ) -> None:
        self._worker, self._question, self._request = worker, question, request
        self._job: AnyJob | None = None
        self._began = time.monotonic()
        self._report = at_limited_rate(lambda progress: report(encode(progress)))

    def work(self) -> Reply | None:
        """Work for one turn; returns the reply, or None if there is more to do. Some questions have no turns."""
        try:
            return self._work()
        except Exception as error:
            return _refuse(error)

    def stop(self) -> None:
        """Let the next turn reply with the best answer so far."""
        self._worker.is_stopped = True

    def _work(self) -> Reply | None:
        if self._job is None:
            self._job = self._question.prepare_public(read(self._question.request, loads(self._request)))
            self._began = time.monotonic()
        self._worker.begin_turn(TURN_SECONDS if self._job.is_resumable else math.inf)
        answer = self._job.work(self._worker, self._report)
        was_interrupted = not (self._worker.should_continue or self._worker.is_stopped)
        seconds = time.monotonic() - self._began
        if was_interrupted and self._job.seconds is not None and seconds < self._job.seconds:
            return None
        return Reply(encode(answer), seconds)
