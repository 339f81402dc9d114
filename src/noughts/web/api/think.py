"""The questions of ``noughts.web.questions`` by REST, and the live ones by the websocket ``/api/think``."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, WebSocket
from pydantic import BaseModel, ConfigDict, StrictInt, StringConstraints
from starlette.responses import Response

from noughts.web.context import RequestContext, Services, add_question, json_response
from noughts.web.engine_process import EngineProcess
from noughts.web.jobs import Report, run_question
from noughts.web.limits import client_address
from noughts.web.questions import QUESTIONS, Question
from noughts.web.refusals import Abandoned, ServerClosing, refusal_of
from noughts.web.sockets import InvalidMessage, Outbox, parse_message, receive_messages
from noughts.web.workers import Task, WorkerPool

__all__ = ["LiveSession", "router"]

router = APIRouter()
HEARTBEAT_SECONDS = 5.0
MAX_OPEN_QUESTIONS = 8
LIVE_QUESTIONS = {name: question for name, question in QUESTIONS.items() if question.is_live}

QuestionId = StrictInt | Annotated[str, StringConstraints(max_length=40)]


# REST


def _add_route(question: Question[Any, Any]) -> None:
    async def respond(context: RequestContext, request: Any) -> Response:
        return json_response(await context.run_engine(question, request))

    add_question(router, question, respond, question.prepare.__doc__)


for _question in QUESTIONS.values():
    _add_route(_question)


# Websocket


class _Header(BaseModel):
    """The fields that a message has beside those of its request."""

    model_config = ConfigDict(extra="ignore")

    type: Literal[(*LIVE_QUESTIONS, "stop")]  # type: ignore[valid-type]
    id: QuestionId


class Queued(BaseModel):
    """Number of jobs that are served before this question."""

    type: Literal["queued"] = "queued"
    ahead: int


class Stopped(BaseModel):
    """The question was stopped before it had an answer."""

    type: Literal["stopped"] = "stopped"


class Failed(BaseModel):
    """The question or message could not be served."""

    type: Literal["error"] = "error"
    error: str


@dataclass
class _Open:
    """A question that has not been answered yet."""

    question: Question[Any, Any]
    work: asyncio.Task[None]
    pool: WorkerPool[EngineProcess] | None = None
    task: Task[EngineProcess] | None = None
    """The job while it is queued or running, and its pool."""


@router.websocket("/think")
async def think(socket: WebSocket) -> None:
    """Answer live questions until the connection ends."""
    services: Services = socket.app.state.services
    await socket.accept()
    client = client_address(socket.scope)
    session = LiveSession(services, client, Outbox(socket))
    heartbeat = asyncio.create_task(_send_heartbeats(session.outbox))
    try:
        async with aclosing(receive_messages(socket, services.metrics, *services.message_rates(client))) as messages:
            async for message in messages:
                session.receive(message)
    finally:
        heartbeat.cancel()
        await session.close()


async def _send_heartbeats(outbox: Outbox) -> None:
    while True:
        await asyncio.sleep(HEARTBEAT_SECONDS)
        outbox.put('{"type":"heartbeat"}')


class LiveSession:
    """The open questions of one websocket."""

    def __init__(self, services: Services, client: str, outbox: Outbox) -> None:
        self._services, self._client, self.outbox = services, client, outbox
        self._open: dict[int | str, _Open] = {}

    def receive(self, message: dict[str, Any] | InvalidMessage) -> None:
        """Start or stop a question, or say what is wrong with the message."""
        id = message.get("id") if isinstance(message, dict) else None
        try:
            if isinstance(message, InvalidMessage):
                raise message
            self._receive(message)
        except InvalidMessage as error:
            self._send_error(id if isinstance(id, int | str) else None, str(error))

    def _receive(self, message: dict[str, Any]) -> None:
        header = parse_message(_Header, message)
        if header.type == "stop":
            self._stop(header.id)
            return
        question = LIVE_QUESTIONS[header.type]
        fields = {key: value for key, value in message.items() if key not in ("type", "id")}
        self._start(header.id, question, parse_message(question.request, fields))

    def _start(self, id: int | str, question: Question[Any, Any], request: BaseModel) -> None:
        if question.name == "analyse":  # a new analysis replaces the running one
            self._drop(next((other for other, open in self._open.items() if open.question is question), None))
        self._drop(id)
        if len(self._open) >= MAX_OPEN_QUESTIONS:
            raise InvalidMessage(f"at most {MAX_OPEN_QUESTIONS} questions can be open; stop one first")
        opened = _Open(question, asyncio.create_task(self._answer(id, question, request)))
        self._open[id] = opened

        def forget(_: object) -> None:
            if self._open.get(id) is opened:
                del self._open[id]

        opened.work.add_done_callback(forget)

    def _drop(self, id: int | str | None) -> None:
        if id is not None and id in self._open:
            self._open.pop(id).work.cancel()

    def _stop(self, id: int | str) -> None:
        """Stop a question, with the answer found so far if it gives partial answers."""
        opened = self._open.get(id)
        if opened is None:
            return
        if opened.question.gives_partial_answers and opened.pool is not None and opened.task is not None:
            opened.pool.stop(opened.task)
        else:
            self._drop(id)
            self._send(id, Stopped())

    async def _answer(self, id: int | str, question: Question[Any, Any], request: BaseModel) -> None:
        def on_queued(task: Task[EngineProcess]) -> None:
            if id in self._open:
                self._open[id].pool, self._open[id].task = pool, task
            if task.ahead:
                self._send(id, Queued(ahead=task.ahead))

        try:
            job = await self._services.run_fast(self._client, lambda: question.prepare(request))
            pool, report = self._services.pool_for(job), self._reporter(id)
            self._send_text(id, await run_question(pool, self._client, question, request, job, report, on_queued))
        except (Abandoned, ServerClosing):
            self._send(id, Stopped())
        except Exception as error:
            refusal = refusal_of(error)
            if refusal is None:
                logging.getLogger(__name__).exception("a question failed")
                self._send_error(id, "something went wrong on the server; try again")
            else:
                self._services.metrics.refuse(refusal.reason)
                self._send_error(id, refusal.message)

    def _reporter(self, id: int | str) -> Report:
        """Return a function that sends progress reports; the threads of workers call it."""
        loop = asyncio.get_running_loop()

        def report(progress: str) -> None:
            with suppress(RuntimeError):  # the loop is closed: the server has stopped
                loop.call_soon_threadsafe(self._send_progress, id, _with_id(id, progress))

        return report

    def _send_progress(self, id: int | str, text: str) -> None:
        if id in self._open:
            self.outbox.put_if_idle(text)

    def _send_error(self, id: int | str | None, message: str) -> None:
        self._send(id, Failed(error=message))

    def _send(self, id: int | str | None, message: BaseModel) -> None:
        self._send_text(id, message.model_dump_json())

    def _send_text(self, id: int | str | None, message: str) -> None:
        self.outbox.put(_with_id(id, message))

    async def close(self) -> None:
        """Drop all questions; their workers are interrupted."""
        running = [opened.work for opened in self._open.values()]
        for work in running:
            work.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self.outbox.finish()


def _with_id(id: int | str | None, message: str) -> str:
    """Return a message, a JSON object, with the id of its question."""
    return f'{{"id":{json.dumps(id)},{message[1:]}'
