"""The table of questions by the websocket ``/api/think``, with progress, and stopped on request."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, WebSocket

from noughts.ask.question import AnyQuestion
from noughts.ask.requests import MoveText
from noughts.ask.table import QUESTIONS
from noughts.json_types import JsonObject
from noughts.schema import InvalidData, OneOf, Shape, encode, read
from noughts.web.context import Services
from noughts.web.engine_process import EngineProcess
from noughts.web.errors import Abandoned, ServerClosing, refusal_of
from noughts.web.limits import client_address
from noughts.web.sockets import HEARTBEAT, HEARTBEAT_SECONDS, Outbox, receive_messages
from noughts.web.workers import Task

__all__ = ["LiveSession", "router"]

router = APIRouter()
MAX_OPEN_QUESTIONS = 8
STOP = "stop"


@dataclass(frozen=True, kw_only=True)
class _Header(Shape):
    """The fields that a message has beside those of its request."""

    type: Annotated[str, OneOf((*QUESTIONS, STOP))]
    id: int | MoveText


@dataclass(frozen=True, kw_only=True)
class QueuedMessage(Shape):
    """Number of jobs that are served before this question."""

    type: Literal["queued"] = "queued"
    ahead: int


@dataclass(frozen=True, kw_only=True)
class StoppedMessage(Shape):
    """The question was stopped before it had an answer."""

    type: Literal["stopped"] = "stopped"


@dataclass(frozen=True, kw_only=True)
class ErrorMessage(Shape):
    """The question or message could not be served."""

    type: Literal["error"] = "error"
    error: str


@dataclass
class _Open:
    """A question that has not been answered yet."""

    question: AnyQuestion
    work: asyncio.Task[None]
    task: Task[EngineProcess] | None = None
    """The job while it is queued or running."""


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
        outbox.put(HEARTBEAT)


class LiveSession:
    """The open questions of one websocket."""

    def __init__(self, services: Services, client: str, outbox: Outbox) -> None:
        self._services, self._client, self.outbox = services, client, outbox
        self._open: dict[int | str, _Open] = {}

    def receive(self, message: JsonObject | InvalidData) -> None:
        """Start or stop a question, or say what is wrong with the message."""
        id = message.get("id") if isinstance(message, dict) else None
        try:
            if isinstance(message, InvalidData):
                raise message
            self._receive(message)
        except InvalidData as error:
            self._send_error(id if isinstance(id, int | str) else None, str(error))

    def _receive(self, message: JsonObject) -> None:
        header = read(_Header, {key: value for key, value in message.items() if key in ("type", "id")})
        if header.type == STOP:
            self._stop(header.id)
            return
        question = QUESTIONS[header.type]
        fields = {key: value for key, value in message.items() if key not in ("type", "id")}
        self._start(header.id, question, read(question.request, fields))

    def _start(self, id: int | str, question: AnyQuestion, request: object) -> None:
        if question.name == "analyse":  # a new analysis replaces the running one
            self._drop(next((other for other, open in self._open.items() if open.question is question), None))
        self._drop(id)
        if len(self._open) >= MAX_OPEN_QUESTIONS:
            raise InvalidData(f"at most {MAX_OPEN_QUESTIONS} questions can be open; stop one first")
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
        if opened.question.gives_partial_answers and opened.task is not None:
            opened.task.stop()
        else:
            self._drop(id)
            self._send(id, StoppedMessage())

    async def _answer(self, id: int | str, question: AnyQuestion, request: object) -> None:
        def on_queued(task: Task[EngineProcess]) -> None:
            if id in self._open:
                self._open[id].task = task
            if task.ahead:
                self._send(id, QueuedMessage(ahead=task.ahead))

        began = time.monotonic()
        try:
            report = self._reporter(id, began)
            answer = await self._services.answer(self._client, question, request, report, on_queued)
            self.outbox.put(_envelope(id, "answer", began, answer))
        except (Abandoned, ServerClosing):
            self._send(id, StoppedMessage())
        except Exception as error:
            refusal = refusal_of(error)
            if refusal is None:
                logging.getLogger(__name__).exception("a question failed")
                self._send_error(id, "something went wrong on the server; try again")
            else:
                self._services.metrics.refuse(refusal.reason)
                self._send_error(id, refusal.message)

    def _reporter(self, id: int | str, began: float) -> Callable[[str], None]:
        """Return a function that sends progress reports; the threads of workers call it."""
        loop = asyncio.get_running_loop()

        def report(progress: str) -> None:
            with suppress(RuntimeError):  # the loop is closed: the server has stopped
                loop.call_soon_threadsafe(self._send_progress, id, _envelope(id, "progress", began, progress))

        return report

    def _send_progress(self, id: int | str, text: str) -> None:
        if id in self._open:
            self.outbox.put_if_idle(text)

    def _send_error(self, id: int | str | None, message: str) -> None:
        self._send(id, ErrorMessage(error=message))

    def _send(self, id: int | str | None, message: object) -> None:
        self.outbox.put(f'{{"id":{json.dumps(id)},{encode(message)[1:]}')

    async def close(self) -> None:
        """Drop all questions; their workers are interrupted."""
        running = [opened.work for opened in self._open.values()]
        for work in running:
            work.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self.outbox.finish()


def _envelope(id: int | str, kind: str, began: float, text: str) -> str:
    """Return a message with an answer or progress, whose JSON stays as it is; the time is outside of it."""
    seconds = round(time.monotonic() - began, 3)
    return f'{{"id":{json.dumps(id)},"type":"{kind}","seconds":{seconds},"{kind}":{text}}}'
