"""The server's answers without a server: for a page that runs the package in a worker of the browser.

Requests and answers are JSON texts, with the statuses and messages of the server. A worker of a browser sees a message
only while it does nothing, so questions to the engine are worked on in turns.
"""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from pydantic import BaseModel

from noughts.analysis.advice import ENGINE_MB, Advisor
from noughts.engine import Engine
from noughts.games.quoting import quote
from noughts.web.local_games import change_game, show_game
from noughts.web.lookups import LOOKUPS, find_about, find_catalogue, find_daily_puzzle, find_puzzles
from noughts.web.questions import QUESTIONS, Job, Question, at_limited_rate
from noughts.web.refusals import WebError, refusal_of

__all__ = ["CONSTANT_ANSWERS", "Reply", "Thinker", "Thought", "answer"]

TURN_SECONDS = 0.15
"""Time of a turn: a search loses little by being interrupted so often, and a page hardly waits for a worker to stop."""
PREFIX = "/api/"

CONSTANT_ANSWERS: dict[str, Callable[[], BaseModel]] = {
    "about": lambda: find_about(is_local=False, has_server=False),
    "catalogue": find_catalogue,
    "puzzles": find_puzzles,
}
"""Answers that are always the same, by their names; a site may hold them as files."""


class Reply(NamedTuple):
    """A status of HTTP and an answer as JSON."""

    status: int
    text: str


# Questions that are answered at once


def answer(method: str, path: str, body: str) -> Reply:
    """Answer a request that needs no engine. The body is JSON; without one it is empty."""
    try:
        return Reply(200, _find(method, path, body).model_dump_json())
    except Exception as error:
        return _refuse(error)


def _find(method: str, path: str, body: str) -> BaseModel:
    address = urlsplit(path)
    name = address.path.removeprefix(PREFIX)
    if method == "GET" and name in CONSTANT_ANSWERS:
        return CONSTANT_ANSWERS[name]()
    if method == "GET" and name == "puzzles/daily":
        return find_daily_puzzle(_date(parse_qs(address.query).get("date", [""])[0]))
    if method == "POST" and name in LOOKUPS:
        lookup = LOOKUPS[name]
        answer: BaseModel = lookup.find(lookup.request.model_validate(json.loads(body)))
        return answer
    if method == "POST" and name in SAVED_GAMES:
        return SAVED_GAMES[name](json.loads(body))
    if name.startswith("friends"):
        raise WebError(404, "this page has no server, so friends cannot be invited; noughts web starts one")
    raise WebError(404, f"there is nothing at {quote(address.path)}")


SAVED_GAMES: dict[str, Callable[[Any], BaseModel]] = {"games/change": change_game, "games/show": show_game}
"""The browser keeps the saved games; these say what it keeps, and what it shows."""


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"expected a date such as 2026-11-16, got {quote(text)}") from None


def _refuse(error: Exception) -> Reply:
    refusal = refusal_of(error)
    if refusal is None:
        logging.getLogger(__name__).error("a question failed", exc_info=error)
        refusal = WebError(500, "something went wrong on this page; reload it and try again")
    return Reply(refusal.status, json.dumps({"error": " ".join(refusal.message.split())}))


# Questions to the engine


class Thinker:
    """Works on questions to the engine, which it keeps between them; one at a time."""

    def __init__(self) -> None:
        self._engine: Engine | None = None
        self._advisor: Advisor | None = None
        self._turn_ends = math.inf
        self.is_stopped = False

    def ask(self, name: str, body: str, report: Callable[[str], object]) -> Thought:
        """Return the question with this name, to be worked on in turns; ``report`` is called with progress as JSON."""
        self.is_stopped = False
        return Thought(self, QUESTIONS[name], body, report)

    def begin_turn(self, seconds: float) -> None:
        """Set the time until the work should be interrupted."""
        self._turn_ends = time.monotonic() + seconds

    def interrupt(self) -> None:
        """Stop a running search if its turn is over. To be called every few milliseconds while the core works."""
        if not self.should_continue and self._advisor is not None:
            self._advisor.stop()

    # The job's view

    @property
    def engine(self) -> Engine:
        """The engine."""
        if self._engine is None:
            self._engine = Engine(hash_mb=ENGINE_MB)
        return self._engine

    @property
    def advisor(self) -> Advisor:
        """The advisor, with the engine; nothing that was solved is saved."""
        if self._advisor is None:
            self._advisor = Advisor(self.engine)
        return self._advisor

    def make_advisor(self) -> Advisor:
        """Return an advisor with an engine of its own."""
        return Advisor(Engine(hash_mb=ENGINE_MB))

    @property
    def should_continue(self) -> bool:
        """Whether the turn is not over."""
        return not self.is_stopped and time.monotonic() < self._turn_ends

    def check(self, *_: object) -> None:
        """Do nothing: work without turns ends with its worker."""


class Thought:
    """A question that is worked on. Call ``think`` until it replies; between the calls it can be stopped."""

    def __init__(
        self, thinker: Thinker, question: Question[Any, Any], body: str, report: Callable[[str], object]
    ) -> None:
        self._thinker, self._question, self._body = thinker, question, body
        self._job: Job[Any] | None = None
        self._deadline = 0.0
        self._report = at_limited_rate(lambda progress: report(progress.model_dump_json()))

    def think(self) -> Reply | None:
        """Work for one turn; returns the reply, or None if there is more to do. Some questions have no turns."""
        try:
            return self._think()
        except Exception as error:
            return _refuse(error)

    def stop(self) -> None:
        """Let the next turn reply with the best answer so far."""
        self._thinker.is_stopped = True

    def _think(self) -> Reply | None:
        if self._job is None:
            self._job = self._question.prepare(self._question.request.model_validate(json.loads(self._body)))
            self._deadline = time.monotonic() + self._job.seconds
        self._thinker.begin_turn(TURN_SECONDS if self._job.is_resumable else math.inf)
        answer = self._job.work(self._thinker, self._report)
        was_interrupted = not (self._thinker.should_continue or self._thinker.is_stopped)
        if was_interrupted and time.monotonic() < self._deadline:
            return None
        return Reply(200, answer.model_dump_json())
