"""Asking in this process: the context of a job with one advisor, which another thread can stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from noughts.analysis.advice import ENGINE_MB, Advisor
from noughts.ask.question import AnyQuestion, Report, ignore
from noughts.engine import Engine

__all__ = ["LocalContext", "Stopped", "ask"]


class Stopped(Exception):
    """The job was stopped before it had an answer."""


class LocalContext:
    """A context for one question at a time, with an advisor; ``make_advisor`` makes others like it."""

    def __init__(self, advisor: Advisor | None = None, make_advisor: Callable[[], Advisor] | None = None) -> None:
        self._advisor, self._make_advisor = advisor, make_advisor
        self.begin()

    def begin(self) -> None:
        """Get ready for a question."""
        self.is_stopped = False
        self._running: list[Advisor | Engine] = [] if self._advisor is None else [self._advisor]

    @property
    def advisor(self) -> Advisor:
        """The advisor, made when it is first needed."""
        if self._advisor is None:
            self._advisor = self.make_advisor()
        return self._advisor

    @property
    def engine(self) -> Engine:
        return self.advisor.engine

    def make_advisor(self) -> Advisor:
        """Return an advisor with an engine of its own."""
        made = Advisor(Engine(hash_mb=ENGINE_MB)) if self._make_advisor is None else self._make_advisor()
        self._running.append(made)
        return made

    @property
    def should_continue(self) -> bool:
        """Whether there is still a reason to work on the question."""
        return not self.is_stopped

    def check(self, *_: object) -> None:
        """Raise Stopped if the work should stop."""
        if not self.should_continue:
            raise Stopped

    def stop(self) -> None:
        """Stop the job soon, from another thread."""
        self.is_stopped = True
        self.stop_searches()

    def stop_searches(self) -> None:
        """Stop the searches that run now."""
        for searching in list(self._running):
            searching.stop()


def ask(question: AnyQuestion, request: object, context: LocalContext | None = None, report: Report = ignore) -> Any:
    """Return the answer to a question, worked out in this thread; raises ValueError for a bad request."""
    return question.prepare(request).work(context or LocalContext(), report)
