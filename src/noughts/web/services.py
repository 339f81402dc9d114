"""What the handlers share, and how they use it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request

from noughts.web.errors import Refused, TooMany
from noughts.web.friends.rooms import Rooms
from noughts.web.keeper import Keeper
from noughts.web.limits import Bucket, Buckets, client_of
from noughts.web.scheduler import Scheduler, Task
from noughts.web.settings import Settings

__all__ = ["Asker", "AskerOf", "Services"]

T = TypeVar("T")


@dataclass
class Services:
    """Everything with a life of its own: threads, disk, rooms."""

    settings: Settings
    thinkers: Scheduler
    """For engines."""
    clerks: Scheduler
    """For what takes milliseconds, or, for huge games, up to a second: never in the server's own thread."""
    keeper: Keeper
    rooms: Rooms
    games_made: Buckets
    games_kept: Buckets
    messages: Buckets
    """Those on all websockets of a client."""

    def messages_of(self, client: str) -> tuple[Bucket, Bucket]:
        """Return what bounds a new websocket of a client: its own rate, and that of all together."""
        return Bucket(*self.settings.granted.messages), self.messages.of(client)

    def count_friend_game(self, client: str) -> None:
        """Raise TooMany when a client makes, joins or begins again too many friend games."""
        wait = self.games_made.of(client).take()
        if wait:
            raise TooMany("expected fewer friend games a minute from one address", wait)


class Asker:
    """One request: who asks, and the ways to have it answered."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self.services: Services = request.app.state.services
        self.client = client_of(request.scope)

    async def quickly(self, work: Callable[[], T], is_long: bool = False) -> T:
        """Return what the work returns, done by a clerk."""
        return await self.services.clerks.run(self.client, lambda _: work(), is_long)

    async def thinking(self, work: Callable[[Task], T], seconds: float, is_long: bool = False) -> T:
        """Return the result of work that a thinker does in about ``seconds``; it ends when the client leaves."""
        job = asyncio.ensure_future(self.services.thinkers.run(self.client, work, is_long, seconds=seconds))
        gone = asyncio.ensure_future(self._gone())
        try:
            await asyncio.wait({job, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not job.done():
                raise Refused(400, "the client went away")
            return job.result()
        finally:
            job.cancel()
            gone.cancel()

    async def _gone(self) -> None:
        while (await self._request.receive())["type"] != "http.disconnect":
            pass


def _asker(request: Request) -> Any:
    return Asker(request)


AskerOf = Annotated[Asker, Depends(_asker)]
