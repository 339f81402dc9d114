"""The cost of a move of a bot in another process, for each protocol, and the start-up time of the engine."""

from __future__ import annotations

import statistics
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter

from bench.measure.scope import Scope
from bench.results import ROOT, Record, Results
from noughts import Game, Limit
from noughts.players import HostedPlayer, open_player

ENGINE = str(Path(sys.executable).parent / "noughts")
BOT = str(ROOT / "examples" / "bots" / "bot.py")
OVERHEAD_TARGET_SECONDS = 0.002
GREETING_TARGET_SECONDS = 0.2
GAMES = {"json": "3x3", "ugi": "3x3", "uci": "3x3", "gomocup": "15x15:5", "codingame": "ultimate:3+count"}


def run(results: Results, scope: Scope) -> None:
    """Measure the overhead of a move in each protocol, and the time to ``uciok``."""
    moves = 200 if scope.quick else 3000
    for protocol, id in GAMES.items():
        results.measure(f"move {protocol}", partial(_overhead, protocol, id, moves))
    results.measure("move example bot", partial(_example_bot, moves))
    results.measure("start and end", partial(_start_and_end, 5 if scope.quick else 30))
    results.measure("uciok", partial(_greeting, 5 if scope.quick else 40))


def _overhead(protocol: str, id: str, moves: int) -> Record:
    """Seconds from question to answer of a fast level, including its own time."""
    with open_player([ENGINE, "engine", "--level", "easy", "--seed", "1"], protocol=protocol) as bot:
        return _ask_moves(bot, id, moves)


def _example_bot(moves: int) -> Record:
    with open_player([sys.executable, BOT], protocol="json") as bot:
        return _ask_moves(bot, "3x3", moves)


def _ask_moves(bot: HostedPlayer, id: str, moves: int) -> Record:
    """Times of moves in whole playthroughs against random moves. First moves, which wait for a start, are left out."""
    random, seconds = Random(1), list[float]()
    while len(seconds) < moves:
        position = Game(id).start()
        bot.new_game(position)
        while not position.is_over:
            position.play(bot.choose(position, Limit(seconds=10)))
            seconds += [bot.last_seconds] * (position.ply > 1)
            if not position.is_over:
                position.play(random.choice(position.legal_moves))
    seconds.sort()
    late = seconds[int(len(seconds) * 0.99)]
    return {"median": statistics.median(seconds), "best": seconds[0], "99 %": late, "target": OVERHEAD_TARGET_SECONDS}


def _start_and_end(runs: int) -> Record:
    """Seconds to start a bot with its supervisor, and to end both."""
    starts, ends = [], []
    for _ in range(runs):
        bot = open_player("cat", protocol="json")
        began = perf_counter()
        bot.start(Game("3x3"))
        started = perf_counter()
        bot.close()
        starts.append(started - began)
        ends.append(perf_counter() - started)
    return {"start": statistics.median(starts), "end": statistics.median(ends)}


def _greeting(runs: int) -> Record:
    """Seconds from starting ``noughts engine`` to its ``uciok``."""
    seconds = sorted(_greet_once() for _ in range(runs))
    return {
        "median": statistics.median(seconds),
        "best": seconds[0],
        "worst": seconds[-1],
        "target": GREETING_TARGET_SECONDS,
    }


def _greet_once() -> float:
    began = perf_counter()
    with subprocess.Popen([ENGINE, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write(b"uci\n")
        engine.stdin.flush()
        while engine.stdout.readline().strip() != b"uciok":
            pass
        took = perf_counter() - began
        engine.stdin.close()
    return took
