"""A server on a free loopback port for the tests of the web, and clients that talk to it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from noughts.web.limits import Settings
from noughts.web.server import Server, listen

PATIENCE = 30.0
"""Seconds a test waits for anything before it fails."""


@contextmanager
def serving(store: Path, **settings: Any) -> Iterator[str]:
    """Run a server in a thread and yield its address; it ends with the block."""
    chosen = Settings(port=0, store=store, **settings)
    listening = listen(chosen)
    ready = threading.Event()
    server = Server(chosen, ready.set)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.stop()
        thread.join(PATIENCE)
        listening.close()
    assert not thread.is_alive()


class Talk:
    """A websocket that speaks JSON and skips heartbeats."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def say(self, **message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def hear(self, *types: str) -> dict[str, Any]:
        """Return the next message, or the next of some types."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message: dict[str, Any] = json.loads(await self.connection.recv())
                if message["type"] != "heartbeat" and (not types or message["type"] in types):
                    return message

    async def hear_event(self, kind: str) -> dict[str, Any]:
        """Return the state after the next event of a kind."""
        while True:
            message = await self.hear("state")
            if message["event"]["kind"] == kind:
                state: dict[str, Any] = message["state"]
                return state

    async def ask(self, *types: str, **message: Any) -> dict[str, Any]:
        await self.say(**message)
        return await self.hear(*types)


@asynccontextmanager
async def talking(address: str, path: str, **options: Any) -> AsyncIterator[Talk]:
    """Open a websocket."""
    async with connect(address.replace("http", "ws") + path, **options) as connection:
        yield Talk(connection)


@asynccontextmanager
async def seated(address: str, friend: str, token: str | None) -> AsyncIterator[Talk]:
    """Sit down at a friend game, or watch; the welcome has been heard."""
    async with talking(address, f"/api/friends/{friend}/play") as talk:
        welcome = await talk.ask("welcome", type="hello", token=token)
        assert (welcome["side"] is None) == (token is None)
        yield talk


class Pair:
    """A friend game with both tokens."""

    def __init__(self, address: str, game: str = "3x3", **options: Any) -> None:
        made = post(address, "/api/friends", game=game, name="Ann", **options)
        claimed = post(address, f"/api/friends/{made['friend']}/claim", invite=made["invite"], name="Bob")
        self.address, self.friend, self.invite = address, made["friend"], made["invite"]
        self.tokens = {made["side"]: made["token"], claimed["side"]: claimed["token"]}

    def sit(self, side: str) -> Any:
        return seated(self.address, self.friend, self.tokens[side])

    def state(self) -> dict[str, Any]:
        answer = httpx.get(f"{self.address}/api/friends/{self.friend}")
        assert answer.status_code == 200
        state: dict[str, Any] = answer.json()
        return state


def post(address: str, path: str, /, **body: Any) -> dict[str, Any]:
    """Return what a request that must succeed answers."""
    answer = httpx.post(address + path, json=body, timeout=PATIENCE * 3, verify=False)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def refused(address: str, path: str, /, **body: Any) -> tuple[int, str]:
    """Return the status and the line of a request that must be refused."""
    answer = httpx.post(address + path, json=body, timeout=PATIENCE, verify=False)
    assert 400 <= answer.status_code < 500, answer.text
    return answer.status_code, answer.json()["error"]
