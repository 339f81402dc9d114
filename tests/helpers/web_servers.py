"""A server on a free loopback port, and clients for it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from noughts.settings.kinds import Address
from noughts.web.limits import Settings
from noughts.web.server import Server, listen
from noughts.web.workers import Task, ThreadWorker, WorkerPool

TIMEOUT_SECONDS = 30.0
"""Time that a test waits for anything before it fails."""


@contextmanager
def serving(store: Path, **settings: Any) -> Iterator[str]:
    """Run a server in a thread and yield its address; it ends with the block."""
    with _serving(Settings(port=0, store=store, **settings)) as (address,):
        yield address


@contextmanager
def serving_with_metrics(store: Path, **settings: Any) -> Iterator[list[str]]:
    """Run a server with a port for its metrics; yield both addresses."""
    with _serving(Settings(port=0, store=store, **settings), Address("127.0.0.1", 0)) as addresses:
        yield addresses


@contextmanager
def _serving(settings: Settings, *metrics: Address) -> Iterator[list[str]]:
    sockets = [listen(place) for place in (settings.address, *metrics)]
    ports = [each.getsockname()[1] for each in sockets]
    ready = threading.Event()
    server = Server(settings, ready.set, *ports[1:])
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets)))
    thread.start()
    try:
        assert ready.wait(TIMEOUT_SECONDS)
        yield [f"http://127.0.0.1:{port}" for port in ports]
    finally:
        server.stop()
        thread.join(TIMEOUT_SECONDS)
        for each in sockets:
            each.close()
    assert not thread.is_alive()


@contextmanager
def program(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the server as a program, and yield its address; every process of it has the folder in its environment."""
    command = [sys.executable, "-m", "noughts", "web", "--port", "0", "--no-open"]
    environment = os.environ | {"NOUGHTS_DATA": str(folder)}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as started:
        try:
            assert started.stdout is not None
            yield started, started.stdout.readline().strip().rstrip("/")
        finally:
            started.kill()


ThreadPool = WorkerPool[ThreadWorker]
ThreadTask = Task[ThreadWorker]


@contextmanager
def pool_of(workers: int, grace_seconds: float = 10.0, **options: Any) -> Iterator[ThreadPool]:
    """A pool of threads; they end with the block."""
    pool = WorkerPool([ThreadWorker(grace_seconds) for _ in range(workers)], **options)
    try:
        yield pool
    finally:
        pool.close()
        assert pool.join(TIMEOUT_SECONDS)


class SocketClient:
    """A websocket that speaks JSON and skips heartbeats."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, **message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def receive(self, *types: str) -> dict[str, Any]:
        """Return the next message, or the next of some types."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while True:
                message: dict[str, Any] = json.loads(await self.connection.recv())
                if message["type"] != "heartbeat" and (not types or message["type"] in types):
                    return message

    async def receive_event(self, kind: str) -> dict[str, Any]:
        """Return the state after the next event of a kind."""
        while True:
            message = await self.receive("state")
            if message["event"]["kind"] == kind:
                state: dict[str, Any] = message["state"]
                return state

    async def ask(self, *types: str, **message: Any) -> dict[str, Any]:
        await self.send(**message)
        return await self.receive(*types)


@asynccontextmanager
async def open_socket(address: str, path: str, **options: Any) -> AsyncIterator[SocketClient]:
    """Open a websocket."""
    async with connect(address.replace("http", "ws") + path, **options) as connection:
        yield SocketClient(connection)


@asynccontextmanager
async def join_game(address: str, friend: str, token: str | None) -> AsyncIterator[SocketClient]:
    """Join a friend game, or watch it; the welcome has been received."""
    async with open_socket(address, f"/api/friends/{friend}/play") as talk:
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

    def join(self, side: str) -> Any:
        return join_game(self.address, self.friend, self.tokens[side])

    def resign(self, side: str) -> dict[str, Any]:
        return post(self.address, f"/api/friends/{self.friend}/resign", token=self.tokens[side])

    def state(self) -> dict[str, Any]:
        answer = httpx.get(f"{self.address}/api/friends/{self.friend}")
        assert answer.status_code == 200
        state: dict[str, Any] = answer.json()
        return state


def post(address: str, path: str, /, **body: Any) -> dict[str, Any]:
    """Return the answer to a request that must succeed."""
    answer = httpx.post(address + path, json=body, timeout=TIMEOUT_SECONDS * 3, verify=False)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def refusal(address: str, path: str, /, **body: Any) -> tuple[int, str]:
    """Return the status and the message of a request that must be refused."""
    answer = httpx.post(address + path, json=body, timeout=TIMEOUT_SECONDS, verify=False)
    assert 400 <= answer.status_code < 500, answer.text
    return answer.status_code, answer.json()["error"]
