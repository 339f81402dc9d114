"""Shared state of the request handlers: worker pools, store, rooms, rate limits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request

from noughts.ask.question import AnyQuestion, ignore
from noughts.ask.question import Context as JobContext
from noughts.schema import encode
from noughts.web.engine_process import EngineProcess, ProcessCounts
from noughts.web.errors import Reason, TooManyRequests, WebError
from noughts.web.jobs import run_question
from noughts.web.limits import Settings, TokenBucket, TokenBuckets, client_address
from noughts.web.metrics import Metrics
from noughts.web.rooms import Rooms
from noughts.web.workers import StoreThread, Task, ThreadWorker, WorkerPool

__all__ = ["Context", "RequestContext", "Services"]

T = TypeVar("T")


@dataclass
class Services:
    """The long-lived parts of the server."""

    settings: Settings
    metrics: Metrics
    engine_pool: WorkerPool[EngineProcess]
    quick_pool: WorkerPool[EngineProcess]
    """For questions that take a fraction of a second: they never wait for others."""
    fast_pool: WorkerPool[ThreadWorker]
    """For work that takes milliseconds, or up to a second for huge games: too long for the event loop."""
    processes: ProcessCounts
    store: StoreThread
    rooms: Rooms
    friend_games: TokenBuckets
    saved_games: TokenBuckets
    messages: TokenBuckets
    """Messages on all websockets of a client."""

    @property
    def pools(self) -> dict[str, WorkerPool[Any]]:
        """All pools by their names."""
        return {"engine": self.engine_pool, "quick": self.quick_pool, "fast": self.fast_pool}

    def warm_up(self) -> None:
        """Start engines soon: the client is about to ask something."""
        self.quick_pool.warm_up()
        self.engine_pool.warm_up()

    def message_rates(self, client: str) -> tuple[TokenBucket, TokenBucket]:
        """Return the buckets for a new websocket: one of its own, and one for all websockets of the client."""
        return TokenBucket(*self.settings.limits.messages), self.messages.of(client)

    def count_friend_game(self, client: str) -> None:
        """Raise TooManyRequests if a client creates, joins or restarts too many friend games."""
        wait = self.friend_games.of(client).take()
        if wait:
            raise TooManyRequests("too many friend games", wait, reason=Reason.FRIEND_GAMES)

    async def run_fast(self, client: str, work: Callable[[], T], is_long: bool = False) -> T:
        """Return the result of work done in the fast pool."""
        return await self.fast_pool.run(client, lambda _: work(), is_long)

    async def answer(
        self,
        client: str,
        question: AnyQuestion,
        request: object,
        report: Callable[[str], object] = ignore,
        on_queued: Callable[[Task[EngineProcess]], object] = ignore,
    ) -> str:
        """Return the answer to a question as JSON; ``report`` is called with progress as JSON, by other threads.

        Raises ValueError, or as ``WorkerPool.run`` does.
        """
        job = await self.run_fast(client, lambda: question.prepare_public(request))
        if question.is_instant:
            # Encoded in the worker: the largest games have megabytes of lines, which would block all other requests.
            return await self.run_fast(client, lambda: encode(job.work(JobContext(), ignore)), job.is_long)
        pool = self.quick_pool if job.is_quick else self.engine_pool
        return await run_question(pool, client, question, request, job, report, on_queued)


class RequestContext:
    """One HTTP request: the client, and the ways to do work for it."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self.services: Services = request.app.state.services
        self.client = client_address(request.scope)

    @property
    def port(self) -> int:
        """The port at which the request arrived."""
        return int(self._request.scope["server"][1])

    async def run_fast(self, work: Callable[[], T], is_long: bool = False) -> T:
        """Return the result of work done in the fast pool."""
        return await self.services.run_fast(self.client, work, is_long)

    async def answer(self, question: AnyQuestion, request: object) -> str:
        """Return the answer to a question as JSON; the question is dropped if the client disconnects."""
        running = asyncio.ensure_future(self.services.answer(self.client, question, request))
        disconnected = asyncio.ensure_future(self._wait_for_disconnect())
        try:
            await asyncio.wait({running, disconnected}, return_when=asyncio.FIRST_COMPLETED)
            if not running.done():
                raise WebError(400, "the client disconnected")
            return running.result()
        finally:
            running.cancel()
            disconnected.cancel()

    async def _wait_for_disconnect(self) -> None:
        while (await self._request.receive())["type"] != "http.disconnect":
            pass


def _request_context(request: Request) -> RequestContext:
    return RequestContext(request)


Context = Annotated[RequestContext, Depends(_request_context)]
