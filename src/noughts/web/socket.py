"""The websocket ``/api/think``: analyses, reviews, proofs and comparisons, live."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from contextlib import aclosing, suppress
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, WebSocket
from pydantic import BaseModel, StrictInt, StringConstraints

from noughts.web import thinking
from noughts.web.errors import Refused
from noughts.web.frames import BadFrame, checked, frames
from noughts.web.limits import client_of
from noughts.web.outbox import Outbox
from noughts.web.places import find_playthrough, find_unfinished
from noughts.web.scheduler import Gone, Task
from noughts.web.schemas import CompareAsk, ReviewAsk, SolveAsk, ThinkAsk
from noughts.web.services import Services

__all__ = ["router"]

router = APIRouter()
BEAT = 5.0
EVERY = 1 / 15
"""Seconds between news of one job."""
MOST_JOBS = 8

Label = StrictInt | Annotated[str, StringConstraints(max_length=40)]


class _Stop(BaseModel):
    type: Literal["stop"]
    id: Label


@router.websocket("/think")
async def think(socket: WebSocket) -> None:
    """Answer questions until the connection ends."""
    services: Services = socket.app.state.services
    await socket.accept()
    client = client_of(socket.scope)
    desk = Desk(services, client, Outbox(socket))
    beating = asyncio.create_task(_beat(desk.outbox))
    try:
        async with aclosing(frames(socket, *services.messages_of(client))) as messages:
            async for message in messages:
                desk.take(message)
    finally:
        beating.cancel()
        await desk.close()


async def _beat(outbox: Outbox) -> None:
    while True:
        await asyncio.sleep(BEAT)
        outbox.put('{"type":"beat"}')


class Desk:
    """The questions of one connection."""

    def __init__(self, services: Services, client: str, outbox: Outbox) -> None:
        self._services, self._client, self.outbox = services, client, outbox
        self._jobs: dict[int | str, tuple[str, asyncio.Task[None]]] = {}
        self._tasks: dict[int | str, Task] = {}

    def take(self, message: dict[str, Any] | BadFrame) -> None:
        """Begin or stop a job, or say what is wrong with the message."""
        id = message.get("id") if isinstance(message, dict) else None
        try:
            if isinstance(message, BadFrame):
                raise message
            self._take(message)
        except BadFrame as error:
            shown = id if isinstance(id, int | str) else None
            self._say(shown, {"type": "error", "error": str(error)})

    def _take(self, message: dict[str, Any]) -> None:
        kind = message.get("type")
        if kind == "stop":
            self._stop(checked(_Stop, message).id)
            return
        begin = KINDS.get(kind) if isinstance(kind, str) else None
        if begin is None:
            raise BadFrame(f"expected a type of {', '.join(KINDS)} or stop")
        id = checked(_Question, message).id
        place = message.get("place")
        if not isinstance(place, dict):
            raise BadFrame("expected a place: an object with a game and moves")
        options = {key: value for key, value in message.items() if key not in ("type", "id", "place")}
        model, work = begin
        ask = checked(model, place | options)
        self._begin(id, str(kind), work(self, id, ask))

    def _begin(self, id: int | str, kind: str, work: Any) -> None:
        if kind == "analyse":
            self._drop(next((other for other, (what, _) in self._jobs.items() if what == kind), None))
        self._drop(id)
        if len(self._jobs) >= MOST_JOBS:
            work.close()
            raise BadFrame(f"expected at most {MOST_JOBS} questions at a time")
        job = asyncio.create_task(self._run(id, work))
        self._jobs[id] = (kind, job)

        def forget(_: object) -> None:
            if self._jobs.get(id, ("", None))[1] is job:
                del self._jobs[id]

        job.add_done_callback(forget)

    def _drop(self, id: int | str | None) -> None:
        if id is not None and id in self._jobs:
            self._jobs.pop(id)[1].cancel()

    def _stop(self, id: int | str) -> None:
        """An analysis says what it has; anything else ends without an answer."""
        kind, job = self._jobs.get(id, ("", None))
        task = self._tasks.get(id)
        if kind in ("analyse", "solve") and task is not None:
            self._services.thinkers.stop(task)
        elif job is not None:
            self._drop(id)
            self._say(id, {"type": "stopped"})

    async def _run(self, id: int | str, work: Any) -> None:
        try:
            self._say(id, await work)
        except Gone:
            self._say(id, {"type": "stopped"})
        except Refused as error:
            self._say(id, {"type": "error", "error": error.text})
        except ValueError as error:
            self._say(id, {"type": "error", "error": str(error)})
        except Exception:
            logging.getLogger(__name__).exception("a question failed")
            self._say(id, {"type": "error", "error": "the server failed; this is a bug of it"})
        finally:
            self._tasks.pop(id, None)

    def _say(self, id: int | str | None, data: dict[str, Any]) -> None:
        self.outbox.put(json.dumps({"type": data["type"], "id": id} | data, separators=(",", ":")))

    async def close(self) -> None:
        """Drop everything; the workers are interrupted."""
        jobs = [job for _, job in self._jobs.values()]
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        await self.outbox.finish()

    # The kinds of questions

    async def analyse(self, id: int | str, ask: ThinkAsk) -> dict[str, Any]:
        """Analyse in as many turns as it takes when others wait; what is shown never becomes shallower."""
        position = await self._quickly(lambda: find_unfinished(ask))
        lines, report = thinking.how_many(position, ask), self._reporter(id)
        ends = time.monotonic() + ask.seconds
        best: dict[str, Any] = {"depth": 0}

        def news(data: dict[str, Any]) -> None:
            if data["depth"] >= best["depth"]:
                report(data)

        def turn(task: Task) -> dict[str, Any]:
            return thinking.analyse(task, position, lines, max(0.05, ends - time.monotonic()), news)

        while True:
            found = await self._think(id, turn, ask.seconds, is_divisible=True)
            best = found if found["depth"] >= best["depth"] else best
            reason = found["reason"]
            if reason == "divided" and self._tasks[id].is_stopped:
                reason = "stopped"
            if reason != "divided" or time.monotonic() >= ends:
                return best | {"reason": "time" if reason == "divided" else reason}

    async def review(self, id: int | str, ask: ReviewAsk) -> dict[str, Any]:
        """Review a playthrough."""
        play = await self._quickly(lambda: thinking.check_review(find_playthrough(ask, ask.tags)))
        report = self._reporter(id)
        work = partial(thinking.make_review, play=play, seconds=ask.seconds, report=report)
        return await self._think(id, work, thinking.review_seconds(play, ask.seconds), is_long=True)

    async def solve(self, id: int | str, ask: SolveAsk) -> dict[str, Any]:
        """Solve a position."""
        position = await self._quickly(lambda: thinking.check_solve(find_unfinished(ask)))
        work = partial(thinking.solve, position=position, seconds=ask.seconds, report=self._reporter(id))
        return await self._think(id, work, ask.seconds, is_long=True)

    async def compare(self, id: int | str, ask: CompareAsk) -> dict[str, Any]:
        """Compare the textbook's searches."""
        position = await self._quickly(lambda: thinking.check_textbook(find_unfinished(ask)))
        work = partial(thinking.make_comparison, position=position, ask=ask, report=self._reporter(id))
        return await self._think(id, work, thinking.compare_seconds(ask), is_long=True)

    async def _quickly(self, work: Callable[[], Any]) -> Any:
        return await self._services.clerks.run(self._client, lambda _: work())

    async def _think(
        self, id: int | str, work: Callable[[Task], dict[str, Any]], seconds: float, **how: bool
    ) -> dict[str, Any]:
        def told(task: Task) -> None:
            self._tasks[id] = task
            if task.ahead:
                self._say(id, {"type": "queued", "ahead": task.ahead})

        return await self._services.thinkers.run(self._client, work, told=told, seconds=seconds, **how)

    def _reporter(self, id: int | str) -> thinking.Report:
        """News of a job, at most so often; called from the worker's thread."""
        loop, last = asyncio.get_running_loop(), 0.0

        def report(data: dict[str, Any]) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last < EVERY:
                return
            last = now
            text = json.dumps({"type": data["type"], "id": id} | data, separators=(",", ":"))
            with suppress(RuntimeError):  # the loop is closed: the server has ended
                loop.call_soon_threadsafe(self._news, id, text)

        return report

    def _news(self, id: int | str, text: str) -> None:
        if id in self._jobs:
            self.outbox.put_if_idle(text)


class _Question(BaseModel):
    id: Label


KINDS: dict[str, tuple[type[BaseModel], Callable[..., Any]]] = {
    "analyse": (ThinkAsk, Desk.analyse),
    "review": (ReviewAsk, Desk.review),
    "solve": (SolveAsk, Desk.solve),
    "compare": (CompareAsk, Desk.compare),
}
