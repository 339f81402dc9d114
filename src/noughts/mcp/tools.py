"""The tools for language models: the questions of the table, and those about games in progress.

Questions are answered in worker threads, so that several clients and games are served at a time. A cancelled request
stops its thread.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from threading import Timer
from typing import Never

from anyio import CapacityLimiter, from_thread, get_cancelled_exc_class, to_thread
from mcp.server.context import ServerRequestContext
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from noughts.analysis.advice import ENGINE_MB, Advisor
from noughts.ask import QUESTIONS, Context, InvalidData, Stopped, encode, read
from noughts.ask.json_schema import Schema, schema_of
from noughts.ask.question import AnyJob, AnyQuestion, PublicBounds, Tag, at_limited_rate
from noughts.ask.requests import PositionRequest, position_fields
from noughts.engine import Engine
from noughts.games import IllegalMove, InvalidNotation
from noughts.games.quoting import nearest, quote
from noughts.mcp.sessions import GameIdRequest, NewGameRequest, OpenGame, OpenGames
from noughts.store import open_store_if_possible

__all__ = ["Tools"]

MAX_SECONDS = 60.0
"""The longest time that a tool may be asked to take; one without a limit on time is stopped after it."""
SPARE_SECONDS = 40.0
"""More time for work whose limit is not for all its parts; a comparison has one for each search."""
MAX_THREADS = 4
SHOWN_MOVES = 30
"""Legal moves that an error lists."""
NAMES = {"hint": "explain"}
"""Tools with another name than their question."""
CHANGES = ("new_game", "play")

SendProgress = Callable[[float, float | None, str], Coroutine[None, Never, None]]
"""Takes the seconds so far, the seconds in all if they are known, and a text."""

log = logging.getLogger(__name__)


class Tools:
    """The tools, and the games in progress that they work on."""

    def __init__(self) -> None:
        self.games = OpenGames()
        self.running: set[_Call] = set()
        """The calls that threads work on."""
        questions = [*self.games.questions, *QUESTIONS.values()]
        self.questions: dict[str, AnyQuestion] = {NAMES.get(each.name, each.name): each for each in questions}
        self._limiter: CapacityLimiter | None = None

    async def describe(self, _: ServerRequestContext[object], __: PaginatedRequestParams | None) -> ListToolsResult:
        """Return the tools with their schemas."""
        return ListToolsResult(tools=[_describe(name, question) for name, question in self.questions.items()])

    async def call(self, request: ServerRequestContext[object], params: CallToolRequestParams) -> CallToolResult:
        """Return the answer of a tool, as text and as structured content, or an error that the model can read."""
        if params.name not in self.questions:
            near = nearest(params.name, self.questions)
            return _error(f"unknown tool {quote(params.name)}" + (f"; did you mean {quote(near)}?" if near else ""))
        self._limiter = self._limiter or CapacityLimiter(min(MAX_THREADS, os.cpu_count() or 1))
        call = _Call(self, params.name, params.arguments or {}, request.session.report_progress)
        try:
            return await to_thread.run_sync(call.run, abandon_on_cancel=True, limiter=self._limiter)
        except get_cancelled_exc_class():
            call.context.stop()
            raise


class _Call:
    """A call of a tool, for a thread; its ``context`` can be stopped."""

    def __init__(self, tools: Tools, name: str, arguments: dict[str, object], send_progress: SendProgress) -> None:
        self._tools, self._name, self._arguments, self._send_progress = tools, name, arguments, send_progress
        self._question = tools.questions[name]
        self._resources = ExitStack()
        self.context = Context(make_advisor=self._make_advisor)

    def run(self) -> CallToolResult:
        self._tools.running.add(self)
        try:
            with self._resources:
                return self._answer(self._prepare())
        except InvalidData as error:
            return _error(str(error))
        except Stopped:
            return _error(f"not finished within {MAX_SECONDS:g} s")
        except Exception:
            log.exception("the tool %s failed", self._name)
            return _error("internal error")
        finally:
            self._tools.running.discard(self)

    def _prepare(self) -> AnyJob:
        """Check the arguments and return the job; raises InvalidData."""
        try:
            request = read(self._question.request, self._fields())
            is_textbook = self._question.tag is Tag.LEARNING  # searches in Python, for small boards
            cells = self._question.public.cells if is_textbook else None
            PublicBounds(MAX_SECONDS, cells=cells).check(self._name, request)
            return self._question.prepare(request)
        except (IllegalMove, InvalidNotation) as error:
            raise InvalidData(f"{error}{self._describe_legal_moves()}") from None
        except ValueError as error:
            raise InvalidData(str(error)) from None

    def _fields(self) -> dict[str, object]:
        """The fields of the request; the position of a game in progress stands in place of its id."""
        fields = dict(self._arguments)
        if not _takes_game_id(self._question):
            return fields
        given = [name for name in ("game", "start", "moves", "position") if name in fields]
        if "game_id" not in fields and "game" not in given:
            raise InvalidData("expected the field 'game_id' or 'game'")
        if "game_id" in fields and given:
            raise InvalidData(f"expected 'game_id' or '{given[0]}', got both")
        if "game_id" in fields:
            fields |= position_fields(self._find_game(fields.pop("game_id")).position)
        return fields

    def _find_game(self, id: object) -> OpenGame:
        return self._tools.games.find(read(GameIdRequest, {"game_id": id}).game_id)

    def _describe_legal_moves(self) -> str:
        """The legal moves of a game in progress, after the reason why a move cannot be made in it."""
        if "game_id" not in self._arguments:
            return ""
        position = self._find_game(self._arguments["game_id"]).position
        legal = [position.format_move(move) for move in position.legal_moves]
        return f"; legal moves: {' '.join(legal[:SHOWN_MOVES])}" + (" ..." if len(legal) > SHOWN_MOVES else "")

    def _answer(self, job: AnyJob) -> CallToolResult:
        started = time.monotonic()

        def report(progress: object) -> None:
            if self.context.should_continue:
                message = _progress_message(self._question, progress)
                from_thread.run(self._send_progress, time.monotonic() - started, job.seconds, message)

        watchdog = Timer(MAX_SECONDS + (0 if job.seconds is None else SPARE_SECONDS), self.context.stop)
        watchdog.daemon = True
        watchdog.start()
        try:
            answer = job.work(self.context, at_limited_rate(report))
        finally:
            watchdog.cancel()
        return CallToolResult(
            content=[TextContent(text=self._question.words(answer))],
            structured_content=json.loads(encode(answer)),
            _meta={"seconds": round(time.monotonic() - started, 3)},
        )

    def _make_advisor(self) -> Advisor:
        store = open_store_if_possible(warn=log.warning, read_only=True)
        if store is not None:
            self._resources.callback(store.close)
        return Advisor(Engine(hash_mb=ENGINE_MB), store, log.warning)


def _error(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=text)], is_error=True)


def _progress_message(question: AnyQuestion, progress: object) -> str:
    if isinstance(progress, question.answer):
        return question.words(progress)
    return getattr(progress, "text", encode(progress))


def _takes_game_id(question: AnyQuestion) -> bool:
    return issubclass(question.request, PositionRequest) and question.request is not NewGameRequest


def _describe(name: str, question: AnyQuestion) -> Tool:
    return Tool(
        name=name,
        description=question.about,
        input_schema=_input_schema(question),
        output_schema=schema_of(question.answer, is_answer=True),
        annotations=ToolAnnotations(read_only_hint=name not in CHANGES, destructive_hint=False, open_world_hint=False),
    )


def _input_schema(question: AnyQuestion) -> Schema:
    """The schema of the request, with the bounds of the tool, and with ``game_id``."""
    schema = schema_of(question.request)
    fields = schema["properties"]
    if "seconds" in fields:
        fields["seconds"]["maximum"] = MAX_SECONDS
    if _takes_game_id(question):
        schema["properties"] = schema_of(GameIdRequest)["properties"] | fields
        schema["required"] = [name for name in schema.get("required", []) if name != "game"]
    return schema
