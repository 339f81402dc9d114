"""Load test of the web server: many friend games at once; is any move lost or doubled, and how soon is it confirmed?

``python -m bench.measure.web_load --games 200 --seconds 20`` starts a server and plays on it from this process, with
two websockets for each game, each side moving once a second. The confirmation time is from sending a move to receiving
the state with it, which the server sends only after it has written the move to disk.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from noughts import Game

GAME = "15x15:5"
PERIOD_SECONDS = 1.0
"""Time between two moves of one side."""
TIMEOUT_SECONDS = 30.0
PERCENTILES = (50, 95, 99, 100)


@dataclass
class Played:
    """The course of one game."""

    friend: str
    moves: list[int]
    tokens: list[str]
    confirmed: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    wrong: int = 0


def some_moves(count: int, seed: int) -> list[int]:
    """Return the first ``count`` moves of a random playthrough that lasts longer."""
    chance = random.Random(seed)
    while True:
        position = Game(GAME).start()
        while position.ply < count and not position.is_over:
            position.play(chance.choice(position.legal_moves))
        if not position.is_over:
            return position.moves


async def begin(client: httpx.AsyncClient, count: int, seed: int) -> Played:
    """Create a game and join it on both sides."""
    made = (await client.post("/api/friends", json={"game": GAME})).json()
    claimed = await client.post(f"/api/friends/{made['friend']}/claim", json={"invite": made["invite"]})
    return Played(made["friend"], some_moves(count, seed), [made["token"], claimed.json()["token"]])


async def join(stack: AsyncExitStack, address: str, played: Played, seat: int) -> ClientConnection:
    """Open the websocket of a side and wait for the welcome."""
    url = f"{address.replace('http', 'ws')}/api/friends/{played.friend}/play"
    connection = await stack.enter_async_context(connect(url, compression=None, open_timeout=TIMEOUT_SECONDS))
    await connection.send(json.dumps({"type": "hello", "token": played.tokens[seat]}))
    assert json.loads(await connection.recv())["type"] == "welcome"
    return connection


async def await_move(connection: ClientConnection, played: Played, ply: int) -> None:
    """Wait for the state after a move and check it."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while True:
            message = json.loads(await connection.recv())
            if message["type"] == "refused":
                played.refused.append(message["error"])
                return
            if message["type"] == "state" and message["event"]["kind"] == "move":
                played.wrong += message["state"]["position"]["moves"] != played.moves[:ply]
                return


async def play(seats: list[ClientConnection], played: Played, starts: float) -> None:
    """Play a game; the sides alternate, each moving once in ``PERIOD_SECONDS``."""
    for ply, move in enumerate(played.moves):
        due = starts + ply * PERIOD_SECONDS / 2
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        mover, other = seats[ply % 2], seats[1 - ply % 2]
        sent = time.perf_counter()
        await mover.send(json.dumps({"type": "move", "ply": ply, "move": move}))
        await await_move(mover, played, ply + 1)
        played.confirmed.append(time.perf_counter() - sent)
        await await_move(other, played, ply + 1)
        played.seen.append(time.perf_counter() - sent)


def cpu_seconds(process: int) -> float:
    """Return the processor time of a process (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def load(address: str, server: int, games: int, seconds: float) -> dict[str, Any]:
    """Play all games at once and return the figures."""
    count = int(seconds / PERIOD_SECONDS * 2)
    async with httpx.AsyncClient(base_url=address, timeout=TIMEOUT_SECONDS) as client, AsyncExitStack() as stack:
        all_played = [await begin(client, count, seed) for seed in range(games)]
        print(f"{games} games created; opening websockets", file=sys.stderr)
        seats = [[await join(stack, address, played, seat) for seat in (0, 1)] for played in all_played]
        print(f"{2 * games} websockets open; playing for {seconds:g} s", file=sys.stderr)
        now = time.perf_counter() + 0.5
        starts = [now + PERIOD_SECONDS * number / games for number in range(games)]
        before = cpu_seconds(server), time.process_time(), time.perf_counter()
        await asyncio.gather(*map(play, seats, all_played, starts))
        after = cpu_seconds(server), time.process_time(), time.perf_counter()
        stored = [(await client.get(f"/api/friends/{played.friend}")).json() for played in all_played]
    used = [round(b - a, 2) for a, b in zip(before, after, strict=True)]
    times = dict(zip(("server_cpu_seconds", "players_cpu_seconds", "seconds"), used, strict=True))
    return report(all_played, [state["position"]["moves"] for state in stored]) | times


def report(all_played: list[Played], stored: list[list[int]]) -> dict[str, Any]:
    """Return the figures of all games; ``stored`` are the moves on the server."""
    pairs = list(zip(all_played, stored, strict=True))
    return {
        "games": len(all_played),
        "moves": sum(len(played.confirmed) for played in all_played),
        "lost": sum(len(set(played.moves) - set(moves)) for played, moves in pairs),
        "doubled": sum(len(moves) - len(set(moves)) for moves in stored),
        "different": sum(played.moves != moves for played, moves in pairs),
        "wrong_states": sum(played.wrong for played in all_played),
        "refused": sum(len(played.refused) for played in all_played),
        "confirmed_ms": percentiles([seconds for played in all_played for seconds in played.confirmed]),
        "seen_ms": percentiles([seconds for played in all_played for seconds in played.seen]),
    }


def percentiles(seconds: list[float]) -> dict[str, float]:
    """Return some percentiles in milliseconds."""
    ordered = sorted(seconds)
    return {f"p{p}": round(1000 * ordered[min(len(ordered) - 1, len(ordered) * p // 100)], 1) for p in PERCENTILES}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        code = "from noughts.cli import main; main()"
        server = subprocess.Popen(
            [sys.executable, "-c", code, "web", "--no-open", "--port", "0"],
            env=os.environ | {"NOUGHTS_DATA": folder}, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip().rstrip("/")
            found = asyncio.run(load(address, server.pid, options.games, options.seconds))
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(10)
    print(json.dumps(found, indent=2))
    is_good = not (found["lost"] or found["doubled"] or found["different"] or found["wrong_states"])
    return 0 if is_good and found["confirmed_ms"]["p95"] < 100 else 1


if __name__ == "__main__":
    sys.exit(main())
