"""Questions: what can be asked, and the work that answers it.

A question is declared once, in the module of its capability: its name, the types of its request and its answer, the
function that checks a request and returns the job, and the answer in words. Every interface is an adapter: it reads a
request, runs the job in a context of its own, and writes the answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic, TypeVar

from noughts.analysis.advice import ENGINE_MB, Advisor
from noughts.engine import Engine
from noughts.games import Game
from noughts.schema import InvalidData, encode

__all__ = [
    "AnyJob",
    "AnyQuestion",
    "Context",
    "Job",
    "PublicBounds",
    "Question",
    "Report",
    "Stopped",
    "Tag",
    "ask",
    "at_limited_rate",
    "ignore",
    "lookup",
]

MIN_TURN_SECONDS = 0.05
"""Time of work that is resumed when its time is almost up."""
PUBLIC_SECONDS = 10.0
"""Time for the work of a stranger that has no limit on time."""
REPORT_SECONDS = 1 / 15
"""Minimum time between progress reports of one question."""

Request = TypeVar("Request")
Answer = TypeVar("Answer")
Report = Callable[[object], object]
"""Receives progress reports."""


def ignore(_: object) -> None:
    """Ignore a progress report."""


def at_limited_rate(report: Report) -> Report:
    """Return a function that passes on reports, at most one in ``REPORT_SECONDS``."""
    last = 0.0

    def pass_on(progress: object) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= REPORT_SECONDS:
            last = now
            report(progress)

    return pass_on


class Stopped(Exception):
    """The job was stopped before it had an answer."""


class Context:
    """Where a job runs, one at a time: the advisor and the engine it works with, and whether it should stop.

    Other threads may stop it. ``make_advisor`` makes advisors like the first.
    """

    def __init__(self, advisor: Advisor | None = None, make_advisor: Callable[[], Advisor] | None = None) -> None:
        self._advisor, self._make_advisor = advisor, make_advisor
        self.begin()

    def begin(self) -> None:
        """Get ready for a question."""
        self.is_stopped = False
        """Whether the result found so far is wanted now."""
        self._running: list[Advisor | Engine] = [] if self._advisor is None else [self._advisor]

    @property
    def advisor(self) -> Advisor:
        """The advisor, made when it is first needed."""
        if self._advisor is None:
            self._advisor = self.make_advisor()
        return self._advisor

    @property
    def engine(self) -> Engine:
        """The engine, which is kept between questions."""
        return self.advisor.engine

    def make_advisor(self) -> Advisor:
        """Return an advisor with an engine of its own, for work that must not depend on earlier questions."""
        made = Advisor(Engine(hash_mb=ENGINE_MB)) if self._make_advisor is None else self._make_advisor()
        self._running.append(made)
        return made

    @property
    def should_continue(self) -> bool:
        """Whether there is still a reason to work on the question."""
        return not self.is_stopped

    def check(self, *_: object) -> None:
        """Raise Stopped if the job should stop: a progress callback for work that has no partial answer."""
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


@dataclass(frozen=True)
class Job(Generic[Answer]):
    """Work that takes at most ``seconds``; None is a job without a limit on time.

    ``work`` of a resumable job can be stopped, returns the best answer so far, and continues when it is called again;
    ``restore`` resumes from an answer that another worker computed. A long job is one that takes seconds and keeps its
    worker. A quick one takes a fraction of a second, so that it need not wait for others.
    """

    work: Callable[[Context, Report], Answer]
    seconds: float | None
    is_long: bool = False
    is_resumable: bool = False
    is_quick: bool = False
    restore: Callable[[Answer], object] | None = None

    @property
    def is_preemptible(self) -> bool:
        """Whether it makes room for others while they wait: not if it needs much memory to be resumed."""
        return self.is_resumable and not self.is_long


class Tag(StrEnum):
    """Groups of questions in the reference."""

    GAMES = "games"
    THINKING = "thinking"
    LEARNING = "learning"
    FILES = "files"


@dataclass(frozen=True)
class PublicBounds:
    """The most that a stranger may ask for. Adapters that serve strangers check it; others do not."""

    seconds: float | None = None
    nodes: int | None = None
    cells: int | None = None

    def check(self, name: str, request: object) -> None:
        """Raise InvalidData if a request asks for more."""
        _check_at_most("seconds", getattr(request, "seconds", None), self.seconds)
        _check_at_most("nodes", getattr(request, "nodes", None), self.nodes)
        find_game: Callable[[], Game] | None = getattr(request, "find_game", None)
        if self.cells is not None and find_game is not None and find_game().cells > self.cells:
            raise InvalidData(f"expected a board of at most {self.cells} cells for {name}, got {find_game().cells}")


def _check_at_most(name: str, value: float | None, most: float | None) -> None:
    if value is not None and most is not None and value > most:
        raise InvalidData(f"expected at most {most:.12g} for '{name}', got {value:.12g}")


@dataclass(frozen=True)
class Question(Generic[Request, Answer]):
    """Something that can be asked.

    ``prepare`` checks a request and returns the job; it takes milliseconds and raises ValueError. ``words`` is the
    answer in sentences, for people and language models. ``progress`` is the type of its progress reports. If it
    gives partial answers, it can be stopped and then answers with the result found so far. An instant question needs
    no engine and takes milliseconds. ``reads_query`` says that REST asks it by GET, with the request in the address.
    """

    name: str
    request: type[Request]
    answer: type[Answer]
    prepare: Callable[[Request], Job[Answer]]
    about: str
    """What it returns, in one sentence."""
    words: Callable[[Answer], str] = encode
    progress: type[object] | None = None
    gives_partial_answers: bool = False
    is_instant: bool = False
    reads_query: bool = False
    public: PublicBounds = PublicBounds()
    tag: Tag = Tag.THINKING

    def prepare_public(self, request: Request) -> Job[Answer]:
        """Check the request of a stranger and return the job; raises ValueError."""
        self.public.check(self.name, request)
        job = self.prepare(request)
        return job if job.seconds is not None else replace(job, seconds=self.public.seconds or PUBLIC_SECONDS)


AnyJob = Job[Any]
AnyQuestion = Question[Any, Any]
"""One of the questions of a table."""


def ask(question: AnyQuestion, request: object, context: Context | None = None, report: Report = ignore) -> Any:
    """Return the answer to a question, worked out in this thread; raises ValueError for a bad request."""
    return question.prepare(request).work(context or Context(), report)


def lookup(
    name: str,
    request: type[Request],
    answer: type[Answer],
    find: Callable[[Request], Answer],
    about: str,
    *,
    words: Callable[[Answer], str] = encode,
    is_long: bool = False,
    reads_query: bool = False,
    tag: Tag = Tag.GAMES,
) -> Question[Request, Answer]:
    """Return a question that is answered at once, without an engine."""

    def prepare(asked: Request) -> Job[Answer]:
        def work(_: Context, __: Report) -> Answer:
            try:
                return find(asked)
            except InvalidData:
                raise
            except ValueError as error:  # a mistake in the request, which nothing has checked before
                raise InvalidData(str(error)) from None

        return Job(work, None, is_long=is_long)

    return Question(name, request, answer, prepare, about, words, is_instant=True, reads_query=reads_query, tag=tag)
