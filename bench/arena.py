"""The arena: how fast it plays, what it adds to a move, and that failures and kill -9 lose nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from bench.clock import children_seconds
from bench.plan import Plan
from bench.results import Record, Store, say
from noughts.arena.plan import Plan as Tournament
from noughts.arena.plan import read_plan
from noughts.arena.runner import LocalWorkers, Run
from noughts.arena.tournaments import Result, Tournaments
from noughts.store import Store as Kept

__all__ = ["run"]

MOCK = Path(__file__).parent.parent / "tests" / "mockbots" / "mock.py"
WAYS = (
    "crash-at-start", "crash-in-the-middle", "segfault", "leave", "hang", "spin", "deaf", "illegal", "nowhere",
    "garbage", "binary", "flood-a-line", "flood-stderr", "close-stdout", "twice", "daemonise", "fork-children", "good",
)  # fmt: skip
ECHO = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["legal"][0]}), flush=True)
"""


def run(store: Store, plan: Plan) -> None:
    """Measure everything about the arena."""
    _keep(store, "random 3x3", partial(_random_playthroughs, 100 if plan.quick else 1_000))
    _keep(store, "overhead of a move", partial(_overhead, 10 if plan.quick else 100))
    _keep(store, "failing bots", partial(_failing, 4 if plan.quick else len(WAYS)))
    _keep(store, "kill -9", partial(_killed, 3 if plan.quick else 25))


def _keep(store: Store, name: str, function: Callable[[], Record]) -> None:
    found = store.measure(name, function)
    say(f"{name}: " + ", ".join(f"{key} {value}" for key, value in found.items() if key not in ("name", "build")))


@contextmanager
def _records() -> Iterator[tuple[Tournaments, Path]]:
    with tempfile.TemporaryDirectory() as folder, Kept(Path(folder) / "noughts.sqlite3") as kept:
        yield Tournaments(kept), Path(folder)


def _play(records: Tournaments, plan: Tournament, concurrency: int = 2) -> Run:
    tournament = Run(records, records.add(plan), plan)
    tournament.play(LocalWorkers(plan, concurrency))
    return tournament


def _tournament(folder: Path, bots: list[dict[str, Any]], **data: Any) -> Tournament:
    return read_plan({"game": "3x3", "bots": bots, **data}, folder)


def _random_playthroughs(count: int) -> Record:
    """Playthroughs of two random bots on 3x3, opened at random, each on disk when it counts."""
    bots = [{"name": "a", "run": "random"}, {"name": "b", "run": "random"}]
    with _records() as (records, folder):
        plan = _tournament(folder, bots, rounds=count // 2)
        before = time.perf_counter(), time.process_time() + children_seconds()
        found = _play(records, plan)
        seconds = time.perf_counter() - before[0]
        used = time.process_time() + children_seconds() - before[1]
        assert len(found.counted) == count
    return {"playthroughs": count, "seconds": round(seconds, 2), "cpu_seconds": round(used, 2), "target": 20.0}


def _overhead(rounds: int) -> Record:
    """What a move of a program that thinks about nothing takes, from the question to the answer and in all."""
    with _records() as (records, folder):
        (folder / "echo.py").write_text(ECHO)
        run_it = {"run": f"{sys.executable} -S -E echo.py", "protocol": "json", "restart": False}
        bots = [{"name": "a", **run_it}, {"name": "b", **run_it}]
        plan = _tournament(folder, bots, game="5x5", rounds=rounds)
        before = time.process_time() + children_seconds()
        found = _play(records, plan, 1)
        used = time.process_time() + children_seconds() - before
        times = sorted(each for played in found.counted for each in played.seconds)
    return {
        "moves": len(times),
        "median_ms": round(times[len(times) // 2] * 1000, 3),
        "cpu_ms_in_all": round(used / len(times) * 1000, 3),
        "target": 2.0,
    }


def _failing(ways: int) -> Record:
    """Bots that fail in every way: no result is missing, nothing is left."""
    python = f"{sys.executable} -S -E {MOCK}"
    mocks = [{"name": way, "run": f"{python} {way}", "protocol": "json"} for way in WAYS[:ways]]
    token, files = f"NOUGHTS_BENCH_{os.getpid()}", len(os.listdir("/proc/self/fd"))
    os.environ[token] = "1"
    began = time.perf_counter()
    try:
        with _records() as (records, folder):
            limits = {"seconds": 0.3, "startup": 0.3}
            plan = _tournament(folder, [{"run": "random"}, *mocks], game="4x4", limit=limits, rounds=2)
            found = _play(records, plan)
            played, failed = len(found.counted), sum(each.failure is not None for each in found.counted)
            missing = found.total - len(list(records.results(found.number)))
    finally:
        del os.environ[token]
    time.sleep(1)
    return {
        "playthroughs": played,
        "forfeits": failed,
        "missing": missing,
        "processes_left": _holders(token),
        "files_left": len(os.listdir("/proc/self/fd")) - files,
        "seconds": round(time.perf_counter() - began, 1),
    }


def _holders(token: str) -> int:
    """How many other processes have a variable in their environment."""
    count = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            count += folder.name != str(os.getpid()) and token.encode() in (folder / "environ").read_bytes()
        except OSError:
            continue
    return count


def _killed(kills: int) -> Record:
    """A tournament killed again and again at random moments and resumed, beside one that was left in peace."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cup = folder / "cup.toml"
        cup.write_text(
            f'game = "5x5:4"\nrounds = {8 * kills}\nconcurrency = 2\nlimit = {{ nodes = 300 }}\n'
            'bots = [{ run = "random" }, { run = "beginner" }, { run = "master" }]\n'
        )
        _arena(folder / "whole", "run", str(cup)).wait()
        random, done = Random(1), 0
        process = _arena(folder / "cut", "run", str(cup))
        while process.poll() is None and done < kills:
            time.sleep(1 + random.random())
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            done += 1
            process = _arena(folder / "cut", *(["resume"] if _results(folder / "cut") else ["run", str(cup)]))
        code = process.wait()
        whole, cut = _results(folder / "whole"), _results(folder / "cut")
    return {"kills": done, "exit_code": code, "playthroughs": len(whole), "identical": whole == cut}


def _arena(data: Path, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", "from noughts.cli import main; main()", "arena", *words],
        env=os.environ | {"NOUGHTS_DATA": str(data)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _results(data: Path) -> list[tuple[Any, ...]]:
    path = data / "noughts.sqlite3"
    if not path.exists():
        return []
    with Kept(path) as kept:
        records = Tournaments(kept)
        return [_essence(played) for tournament in records.list() for played in records.results(tournament.id)]


def _essence(played: Result) -> tuple[Any, ...]:
    """A result without its times."""
    return (played.key, played.x, played.o, played.moves, played.winner, played.reason, played.failure)
