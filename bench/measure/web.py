"""The web server under load: friend games by websocket, moves beside hostile requests, memory, start-up time.

``python -m bench web`` starts servers on loopback; the players are in this process. They come from several loopback
addresses (Linux), so that the limits for each client are those of an ordinary server. A move is confirmed when its
player has received the state with it, which the server sends after it has written the move to disk; the time counts
from the moment at which the move was due, so that a delay of the players counts, too.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import combinations, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import httpx

from bench.measure.scope import Scope
from bench.results import Record, Results, say
from noughts import Game

__all__ = ["run"]

T = TypeVar("T")

GAME = "15x15:5"
PERIOD_SECONDS = 1.0
"""Time between two moves of one game."""
SOCKETS = {1000: 30.0, 5000: 30.0}
"""Seconds of play by the number of websockets."""
CLIENTS = 16
"""Loopback addresses of the players."""
TIMEOUT_SECONDS = 60.0
CONNECTING = 50
"""Connections that are opened at the same time."""
TARGETS_MS = {1000: {"p95": 20.0}, 5000: {"p95": 50.0, "p99": 150.0}}
EASY_MOVE_TARGET_MS = 250.0
GROWTH_TARGET = 1.2
FRIEND_MOVES = 4
"""Moves of a friend game in the measurement of memory."""
K200 = {"name": "K200", "cells": 200, "lines": [list(pair) for pair in combinations(range(200), 2)]}
"""All pairs of 200 cells are lines: a single node of a search takes long."""


def run(results: Results, scope: Scope) -> None:
    """Measure the start, moves beside hostile requests, friend games, and memory."""
    results.measure("start", partial(_measure_start, 2 if scope.quick else 10))
    results.measure("easy move beside hostile requests", partial(_measure_easy_moves, 5 if scope.quick else 100))
    for sockets, seconds in ({100: 3.0} if scope.quick else SOCKETS).items():
        results.measure(f"{sockets} websockets", partial(_measure_games, sockets, seconds))
    results.measure("memory", partial(_measure_memory, 50 if scope.quick else 5000))


# --- servers ---------------------------------------------------------------------------------------------------------


class Server(NamedTuple):
    """A running server."""

    address: str
    pid: int

    def cpu_seconds(self) -> dict[str, float]:
        """Return the processor time of its event loop and of its other threads (Linux)."""
        used = {"loop": 0.0, "threads": 0.0}
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            fields = (task / "stat").read_text().rpartition(")")[2].split()
            seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            used["loop" if int(task.name) == self.pid else "threads"] += seconds
        return used

    def memory_mb(self) -> float:
        """Return the resident memory, without its engines (Linux)."""
        return _memory_mb(self.pid)

    def engines_mb(self) -> float:
        """Return the resident memory of all of its engines (Linux)."""
        threads = Path(f"/proc/{self.pid}/task").iterdir()
        engines = [int(pid) for thread in threads for pid in (thread / "children").read_text().split()]
        return round(sum(map(_memory_mb, engines)), 1)


def _memory_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


@contextmanager
def _server(*options: str) -> Iterator[Server]:
    """Run ``noughts web`` with an empty store."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "noughts", "web", "--no-open", "--port", "0", *options],
            env=os.environ | {"NOUGHTS_DATA": folder},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            yield Server(process.stdout.readline().strip().rstrip("/"), process.pid)
        finally:
            process.send_signal(signal.SIGINT)
            _, complaints = process.communicate(timeout=30)
        lines = [line for line in complaints.splitlines() if line and line != "interrupted"]
        say("\n".join(lines[:5]))


def _measure_start(count: int) -> Record:
    seconds = []
    for _ in range(count):
        began = time.perf_counter()
        with _server():
            seconds.append(time.perf_counter() - began)
    return {"seconds": sorted(seconds)[count // 2]}


# --- moves beside hostile requests -----------------------------------------------------------------------------------


def _measure_easy_moves(count: int) -> Record:
    with _server() as server:
        return asyncio.run(_ask_easy_moves(server.address, count))


async def _ask_easy_moves(address: str, count: int) -> Record:
    """Ask for easy moves on 3x3 while three hostile requests run all the time."""
    async with httpx.AsyncClient(base_url=address, timeout=TIMEOUT_SECONDS) as client:

        async def ask(**request: Any) -> float:
            began = time.perf_counter()
            answer = await client.post("/api/move", json=request)
            if "level" in request:
                answer.raise_for_status()
            return time.perf_counter() - began

        async def attack() -> None:
            while True:
                await ask(game=K200, seconds=0.5)

        first = await ask(game="3x3", level="easy")
        attacks = [asyncio.create_task(attack()) for _ in range(3)]
        seconds = []
        for _ in range(count):
            await asyncio.sleep(0.1)
            seconds.append(await ask(game="3x3", level="easy"))
        for attack_task in attacks:
            attack_task.cancel()
        await asyncio.gather(*attacks, return_exceptions=True)
    return {"first_ms": round(first * 1000, 1), **percentiles(seconds), "target_ms": EASY_MOVE_TARGET_MS}


# --- friend games ----------------------------------------------------------------------------------------------------


class Play:
    """One friend game: its sides move alternately, and both check every state."""

    def __init__(self, friend: str, tokens: list[str], moves: list[int]) -> None:
        self.friend, self.tokens, self.moves = friend, tokens, moves
        self.period = PERIOD_SECONDS
        self.seats: list[Seat] = []
        self.confirmed: list[float] = []
        self.welcomes = self.refused = self.wrong = 0
        self.joined = asyncio.get_running_loop().create_future()
        self.ended = asyncio.get_running_loop().create_future()
        self._due = 0.0

    def start(self, due: float) -> None:
        """Make the first move at a time of the loop."""
        self._due = due
        self._schedule()

    def _schedule(self) -> None:
        asyncio.get_running_loop().call_at(self._due, self._move)

    def _move(self) -> None:
        ply = len(self.confirmed)
        self.seats[ply % 2].send(f'{{"type":"move","ply":{ply},"move":{self.moves[ply]}}}'.encode())

    def receive(self, seat: Seat, message: bytes) -> None:
        """Take a message of the server."""
        if message.startswith(b'{"type":"welcome"'):
            self.welcomes += 1
            if self.welcomes == 2:
                self.joined.set_result(None)
        if message.startswith(b'{"type":"refused"'):
            self.refused += 1
            self.ended.set_result(None)
        if not message.startswith(b'{"type":"state","event":{"kind":"move"'):
            return
        seat.ply += 1
        made = ",".join(map(str, self.moves[: seat.ply]))
        self.wrong += f'"cells":[{made}]'.encode() not in message
        if seat is self.seats[len(self.confirmed) % 2] and seat.ply == len(self.confirmed) + 1:
            now = asyncio.get_running_loop().time()
            self.confirmed.append(now - self._due)
            self._due = max(self._due + self.period, now)
            if len(self.confirmed) < len(self.moves):
                self._schedule()
        if all(seat.ply == len(self.moves) for seat in self.seats):
            self.ended.set_result(None)


class Seat(asyncio.Protocol):
    """A websocket, in as little processor time as possible: the players share the machine with the server."""

    def __init__(self, on_message: Callable[[Seat, bytes], object], host: str, path: str) -> None:
        self._on_message, self._host, self._path = on_message, host, path
        self._received = b""
        self.is_open = False
        self.ply = 0
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self.is_open:
            head, end, self._received = self._received.partition(b"\r\n\r\n")
            if not end:
                self._received = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(head.decode()))
                return
            self.is_open = True
            self.opened.set_result(None)
        while (frame := self._next_frame()) is not None:
            opcode, payload = frame
            if opcode == 1:
                self._on_message(self, payload)
            elif opcode == 9:
                self._send_frame(10, payload)

    def _next_frame(self) -> tuple[int, bytes] | None:
        """Take a frame from what was received; the server does not mask or split them."""
        data = self._received
        if len(data) < 4:
            return None
        length, start = data[1], 2
        if length >= 126:
            start = 4 if length == 126 else 10
            length = int.from_bytes(data[2:start], "big")
        if len(data) < start + length:
            return None
        self._received = data[start + length :]
        return data[0] & 15, data[start : start + length]

    def send(self, text: bytes) -> None:
        """Send a text."""
        self._send_frame(1, text)

    def _send_frame(self, opcode: int, payload: bytes) -> None:
        assert len(payload) < 126
        self._transport.write(bytes([0x80 | opcode, 0x80 | len(payload), 0, 0, 0, 0]) + payload)  # a mask of zeros

    def close(self) -> None:
        """End the connection."""
        self._transport.close()


def _client_address(number: int) -> tuple[str, int]:
    return f"127.0.0.{number % CLIENTS + 2}", 0


def _random_moves(count: int, seed: int) -> list[int]:
    """Return the first ``count`` moves of a random playthrough that lasts longer."""
    chance = random.Random(seed)
    while True:
        position = Game.shared(GAME).start()
        while position.ply < count and not position.is_over:
            position.play(chance.choice(position.legal_moves))
        if not position.is_over:
            return position.moves


def _measure_games(sockets: int, seconds: float) -> Record:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        with _server() as server:
            return asyncio.run(_play_games(server, sockets // 2, seconds))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def _play_games(server: Server, games: int, seconds: float) -> Record:
    count = round(seconds / PERIOD_SECONDS)
    plays: list[Play] = []
    clients = _make_clients(server)
    for numbers in _in_parts(range(games)):
        plays += await asyncio.gather(*(_create(clients[number % CLIENTS], count, number) for number in numbers))
    for some in _in_parts(enumerate(plays)):
        await asyncio.gather(*(_join(server.address, play, number) for number, play in some))
    say(f"{2 * games} websockets are open")
    loop = asyncio.get_running_loop()
    await asyncio.sleep(2.0)
    cpu, own, starts = server.cpu_seconds(), time.process_time(), loop.time() + 0.5
    for number, play in enumerate(plays):
        play.start(starts + PERIOD_SECONDS * number / games)
    await asyncio.wait_for(asyncio.gather(*(play.ended for play in plays)), seconds + TIMEOUT_SECONDS)
    own, cpu_after, memory = time.process_time() - own, server.cpu_seconds(), server.memory_mb()
    stored = []
    for some_plays in _in_parts(enumerate(plays)):
        asked = [clients[number % CLIENTS].get(f"/api/friends/{play.friend}") for number, play in some_plays]
        stored += [answer.json()["position"]["cells"] for answer in await asyncio.gather(*asked)]
    for play in plays:
        for seat in play.seats:
            seat.close()
    for client in clients:
        await client.aclose()
    moves = sum(len(play.confirmed) for play in plays)
    used = {name: round((after - cpu[name]) / moves * 1e6) for name, after in cpu_after.items()}
    return {
        "moves": moves,
        "lost or wrong": sum(play.moves != made for play, made in zip(plays, stored, strict=True)),
        "wrong states": sum(play.wrong for play in plays),
        "refused": sum(play.refused for play in plays),
        **percentiles([late for play in plays for late in play.confirmed]),
        "loop_us_per_move": used["loop"],
        "threads_us_per_move": used["threads"],
        "players_us_per_move": round(own / moves * 1e6),
        "memory_mb": memory,
        "targets": TARGETS_MS.get(2 * games, {}),
    }


def _make_clients(server: Server) -> list[httpx.AsyncClient]:
    """Return a client with each of the loopback addresses."""
    return [
        httpx.AsyncClient(
            base_url=server.address,
            timeout=TIMEOUT_SECONDS,
            transport=httpx.AsyncHTTPTransport(local_address=_client_address(number)[0]),
        )
        for number in range(CLIENTS)
    ]


async def _create(client: httpx.AsyncClient, count: int, seed: int) -> Play:
    """Create a game and take both sides."""
    made = (await client.post("/api/friends", json={"game": GAME, "side": "X"})).raise_for_status().json()
    taken = await client.post(f"/api/friends/{made['friend']}/claim", json={"invite": made["invite"]})
    return Play(made["friend"], [made["token"], taken.raise_for_status().json()["token"]], _random_moves(count, seed))


async def _join(address: str, play: Play, number: int) -> None:
    for token in play.tokens:
        seat = await _connect(address, f"/api/friends/{play.friend}/play", play.receive, number)
        seat.send(json.dumps({"type": "hello", "token": token}).encode())
        play.seats.append(seat)
    await asyncio.wait_for(play.joined, TIMEOUT_SECONDS)


async def _connect(address: str, path: str, receive: Callable[[Seat, bytes], object], number: int) -> Seat:
    host = address.removeprefix("http://")
    name, _, port = host.partition(":")
    loop = asyncio.get_running_loop()
    _, seat = await loop.create_connection(
        lambda: Seat(receive, host, path), name, int(port), local_addr=_client_address(number)
    )
    await asyncio.wait_for(seat.opened, TIMEOUT_SECONDS)
    return seat


# --- memory ----------------------------------------------------------------------------------------------------------


def _measure_memory(count: int) -> Record:
    """Return the memory of the server and of its engines after ``count`` visits, and after ten times as many."""
    with _server("--max-requests", "100000") as server:
        asyncio.run(_visit_often(server, count))
        few, few_engines = server.memory_mb(), server.engines_mb()
        asyncio.run(_visit_often(server, 9 * count))
        many, many_engines = server.memory_mb(), server.engines_mb()
    return {
        "count": count,
        "memory_mb": few,
        "memory_mb after ten times as many": many,
        "growth": round(many / few, 3),
        "engines_mb": few_engines,
        "engines_mb after ten times as many": many_engines,
        "growth of engines": round(many_engines / few_engines, 3),
        "target": GROWTH_TARGET,
    }


async def _visit_often(server: Server, count: int) -> None:
    """Ask for ``count`` positions on as many websockets; every tenth visitor plays a friend, and asks an engine."""
    clients = _make_clients(server)

    async def visit(number: int) -> None:
        client, chance = clients[number % CLIENTS], random.Random(number)
        await _look_around(server, client, number, chance)
        if number % 10 == 0:
            await _play_friend(server, client, number)
            await _ask_engines(server, client, number, chance)

    for numbers in _in_parts(range(count)):
        await asyncio.gather(*map(visit, numbers))
    for client in clients:
        await client.aclose()
    await asyncio.sleep(2.0)


async def _look_around(server: Server, client: httpx.AsyncClient, number: int, chance: random.Random) -> None:
    """Ask for a position of a game of any size, and send a message that is none."""
    width, height = chance.randint(3, 19), chance.randint(3, 19)
    request = {"game": f"{width}x{height}:3", "moves": [chance.randrange(width * height)]}
    (await client.post("/api/position", json=request)).raise_for_status()
    seat = await _connect(server.address, "/api/think", lambda *_: None, number)
    seat.send(b'{"type":"babble","id":1}')
    await asyncio.sleep(0)
    seat.close()


async def _play_friend(server: Server, client: httpx.AsyncClient, number: int) -> None:
    """Create a game, join it, make some moves and leave it."""
    play = await _create(client, FRIEND_MOVES, number)
    play.period = 0.0
    await _join(server.address, play, number)
    play.start(asyncio.get_running_loop().time())
    await asyncio.wait_for(play.ended, TIMEOUT_SECONDS)
    for seat in play.seats:
        seat.close()
    if play.refused or play.wrong:
        raise RuntimeError(f"game {number}: {play.refused} moves refused, {play.wrong} wrong states")


async def _ask_engines(server: Server, client: httpx.AsyncClient, number: int, chance: random.Random) -> None:
    """Ask for a move, and for an analysis; leave when its first lines have come."""
    (await client.post("/api/move", json={"game": "3x3", "level": "easy"})).raise_for_status()
    reported: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def receive(_: Seat, message: bytes) -> None:
        if not reported.done() and json.loads(message)["type"] in ("progress", "answer", "error"):
            reported.set_result(message)

    seat = await _connect(server.address, "/api/think", receive, number)
    request = {"type": "analyse", "id": 1, "game": GAME, "moves": [chance.randrange(225)], "seconds": 0.1}
    seat.send(json.dumps(request).encode())
    message = await asyncio.wait_for(reported, TIMEOUT_SECONDS)
    seat.close()
    if json.loads(message)["type"] == "error":
        raise RuntimeError(f"analysis {number}: {message.decode()}")


def _in_parts(items: Iterable[T]) -> Iterator[tuple[T, ...]]:
    """Yield tuples of ``CONNECTING`` items."""
    rest = iter(items)
    while part := tuple(islice(rest, CONNECTING)):
        yield part


def percentiles(seconds: list[float]) -> dict[str, float]:
    """Return some percentiles in milliseconds."""
    ordered = sorted(seconds)
    return {
        f"p{percent}_ms": round(1000 * ordered[min(len(ordered) - 1, len(ordered) * percent // 100)], 1)
        for percent in (50, 95, 99, 100)
    }
