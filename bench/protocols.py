"""What it costs to ask a bot in another process, in each protocol, and how soon the engine answers its host."""

from __future__ import annotations

import statistics
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter

from bench.plan import Plan
from bench.results import Record, Store, say
from noughts import Game, Limit
from noughts.players import HostedPlayer, open_player

ENGINE = str(Path(sys.executable).parent / "noughts")
BOT = str(Path(__file__).parent.parent / "examples" / "bots" / "bot.py")
OVERHEAD_TARGET = 0.002
GREETING_TARGET = 0.2
GAMES = {"json": "3x3", "ugi": "3x3", "uci": "3x3", "gomocup": "15x15:5", "codingame": "ultimate:3+count"}


def run(store: Store, plan: Plan) -> None:
    """Measure the overhead of a move in each protocol, and the time to ``uciok``."""
    moves = 200 if plan.quick else 3000
    for protocol, id in GAMES.items():
        _keep(store, f"move {protocol}", partial(_overhead, protocol, id, moves))
    _keep(store, "move ready-made bot", partial(_ready_made, moves))
    _keep(store, "start and end", partial(_start_and_end, 5 if plan.quick else 30))
    _keep(store, "uciok", partial(_greeting, 5 if plan.quick else 40))


def _keep(store: Store, name: str, function: partial[Record]) -> None:
    found = store.measure(name, function)
    say(f"{name}: " + ", ".join(f"{key} {value}" for key, value in found.items() if key not in ("name", "build")))


def _overhead(protocol: str, id: str, moves: int) -> Record:
    """Seconds from question to answer of a quick thinker; its own time is part of it."""
    with open_player([ENGINE, "engine", "--level", "easy", "--seed", "1"], protocol=protocol) as bot:
        return _asked(bot, id, moves)


def _ready_made(moves: int) -> Record:
    with open_player([sys.executable, BOT], protocol="json") as bot:
        return _asked(bot, "3x3", moves)


def _asked(bot: HostedPlayer, id: str, moves: int) -> Record:
    """The moves of whole playthroughs against chance; the first of each, which waits for a program, left out."""
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
    return {"median": statistics.median(seconds), "best": seconds[0], "99 %": late, "target": OVERHEAD_TARGET}


def _start_and_end(runs: int) -> Record:
    """Seconds to start a bot with its keeper, and to end both."""
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
    return {"median": statistics.median(seconds), "best": seconds[0], "worst": seconds[-1], "target": GREETING_TARGET}


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
