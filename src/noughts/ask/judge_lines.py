"""The questions for other programs: a JSON request on a line, a JSON answer on a line. See docs/judge.md."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import TextIO

from noughts.analysis.advice import Advisor
from noughts.ask.question import AnyJob, AnyQuestion, Context, ignore
from noughts.ask.requests import SearchRequest
from noughts.ask.solve import SolveRequest
from noughts.ask.table import QUESTIONS
from noughts.games.quoting import nearest, quote
from noughts.json_types import JsonObject
from noughts.limit import Limit
from noughts.schema import InvalidData, encode, loads, read

__all__ = ["JudgeLines", "serve_judge_lines"]

MAX_LINE_CHARACTERS = 1 << 22
"""The longest request; the largest custom games fit."""
DEFAULT_QUESTION = "judge"
OLD_NAMES = {"play": "move", "show": "position"}
IGNORED_KEYS = ("legal", "clock_ms", "increment_ms")
"""Other keys of questions in JSON lines: such a question, with the answer of a bot in it, is a request."""

log = logging.getLogger(__name__)


def serve_judge_lines(lines: TextIO, out: TextIO, make_advisor: Callable[[], Advisor], limit: Limit | None) -> None:
    """Answer the requests on lines, in order, until they end; empty lines are skipped."""
    service = JudgeLines(make_advisor, limit)
    for line in _read_lines(lines):
        out.write(service.answer(line) + "\n")
        out.flush()


def _read_lines(lines: TextIO) -> Iterator[str]:
    """Yield the lines that are not empty; a line that is too long is cut just beyond the limit."""
    for line in iter(lambda: lines.readline(MAX_LINE_CHARACTERS + 1), ""):
        rest = line
        while len(rest) > MAX_LINE_CHARACTERS and not rest.endswith("\n"):
            rest = lines.readline(MAX_LINE_CHARACTERS + 1)
        if line.strip():
            yield line.strip() if len(line) <= MAX_LINE_CHARACTERS else line


class JudgeLines:
    """Answers requests, each the text of a JSON object, with the text of one.

    ``limit`` is for requests without one; if it is None, each question has its own default.
    """

    def __init__(self, make_advisor: Callable[[], Advisor], limit: Limit | None) -> None:
        self._make_advisor, self._limit = make_advisor, limit
        self._advisor = make_advisor()

    def answer(self, line: str) -> str:
        """Return the answer on one line; a mistake is answered with ``{"id": ..., "error": ...}``.

        A bug is answered with the error ``internal error``, and logged.
        """
        identifier = None
        try:
            data = _parse_object(line)
            identifier = _take_id(data)
            job = self._prepare(data)
        except ValueError as error:
            return encode({"id": identifier, "error": str(error)})
        try:
            started = time.perf_counter()
            answer = job.work(Context(self._advisor, self._make_advisor), ignore)
            return encode({"id": identifier, "seconds": round(time.perf_counter() - started, 3), "answer": answer})
        except InvalidData as error:  # of a question that is answered at once
            return encode({"id": identifier, "error": str(error)})
        except Exception:
            log.exception("the request %s failed", quote(line))
            return encode({"id": identifier, "error": "internal error"})

    def _prepare(self, data: JsonObject) -> AnyJob:
        """Check a request and return the job; raises ValueError."""
        question = _find_question(data.pop("ask", DEFAULT_QUESTION))
        request = read(question.request, _translate(data, question))
        return question.prepare(self._with_limit(request))

    def _with_limit(self, request: object) -> object:
        if self._limit is None or not isinstance(request, SearchRequest | SolveRequest):
            return request
        limits = {name: getattr(self._limit, name) for name in ("seconds", "depth", "nodes") if hasattr(request, name)}
        return request if any(getattr(request, name) for name in limits) else replace(request, **limits)


def _parse_object(line: str) -> JsonObject:
    if len(line) > MAX_LINE_CHARACTERS:
        raise InvalidData(f"expected a line of at most {MAX_LINE_CHARACTERS} characters")
    try:
        data = loads(line)
    except InvalidData:
        raise InvalidData(f"expected a JSON object on one line, got {quote(line)}") from None
    if not isinstance(data, dict):
        raise InvalidData(f"expected a JSON object, got {quote(data)}")
    return data


def _take_id(data: JsonObject) -> str | int | float | None:
    identifier = data.pop("id", None)
    if not isinstance(identifier, str | int | float | None):
        raise InvalidData(f"expected 'id' as text or a number, got {quote(identifier)}")
    return identifier


def _find_question(name: object) -> AnyQuestion:
    if not isinstance(name, str):
        raise InvalidData("expected the name of a question for 'ask'")
    found = QUESTIONS.get(OLD_NAMES.get(name, name))
    if found is None:
        near = nearest(name, QUESTIONS)
        hint = f"did you mean {quote(near)}?" if near else f"there are {', '.join(QUESTIONS)}"
        raise InvalidData(f"unknown question {quote(name)}; {hint}")
    return found


def _translate(data: JsonObject, question: AnyQuestion) -> JsonObject:
    """Return a request without the keys that only questions in JSON lines have."""
    found = {key: value for key, value in data.items() if key not in IGNORED_KEYS}
    milliseconds = found.pop("time_ms", None)
    if milliseconds is None or "seconds" not in [field.name for field in fields(question.request)]:
        return found
    if not isinstance(milliseconds, int | float) or isinstance(milliseconds, bool):
        raise InvalidData(f"expected a valid number for 'time_ms', got {quote(milliseconds)}")
    return {"seconds": milliseconds / 1000, **found}
