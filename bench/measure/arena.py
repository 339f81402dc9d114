"""The arena: its speed, its overhead per move, and that failures and kill -9 lose nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from bench.measure.scope import Scope
from bench.measure.timing import children_seconds
from bench.results import ROOT, Record, Results
from noughts.arena.plan import Plan, read_plan
from noughts.arena.runner import Run
from noughts.arena.tournaments import Result, Tournaments
from noughts.arena.worker import LocalWorkers
from noughts.store import Store

__all__ = ["run"]

MOCK = ROOT / "tests" / "players" / "mockbots" / "mock.py"
WAYS = (
    "crash-at-start", "crash-in-the-middle", "segfault", "leave", "hang", "spin", "deaf", "illegal", "nowhere",
    "garbage", "binary", "flood-a-line", "flood-stderr", "close-stdout", "twice", "daemonise", "fork-children", "good",
)  # fmt: skip
ECHO = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["legal"][0]}), flush=True)
"""


def run(results: Results, scope: Scope) -> None:
    """Measure everything about the arena."""
    results.measure("random 3x3", partial(_random_playthroughs, 100 if scope.quick else 1_000))
    results.measure("overhead of a move", partial(_overhead, 10 if scope.quick else 100))
    results.measure("failing bots", partial(_failing, 4 if scope.quick else len(WAYS)))
    results.measure("kill -9", partial(_killed, 3 if scope.quick else 25))


@contextmanager
def _temporary_store() -> Iterator[tuple[Tournaments, Path]]:
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "noughts.sqlite3") as store:
        yield Tournaments(store), Path(folder)


def _play(tournaments: Tournaments, plan: Plan, concurrency: int = 2) -> Run:
    run = Run(tournaments, tournaments.add(plan), plan)
    run.play(LocalWorkers(plan, concurrency))
    return run


def _plan(folder: Path, bots: list[dict[str, Any]], **data: Any) -> Plan:
    return read_plan({"game": "3x3", "bots": bots, **data}, folder)


def _random_playthroughs(count: int) -> Record:
    """Playthroughs of two random bots on 3x3, each written to disk."""
    bots = [{"name": "a", "run": "random"}, {"name": "b", "run": "random"}]
    with _temporary_store() as (tournaments, folder):
        plan = _plan(folder, bots, rounds=count // 2)
        before = time.perf_counter(), time.process_time() + children_seconds()
        found = _play(tournaments, plan)
        seconds = time.perf_counter() - before[0]
        used = time.process_time() + children_seconds() - before[1]
        assert len(found.counted) == count
    return {"playthroughs": count, "seconds": round(seconds, 2), "cpu_seconds": round(used, 2), "target": 20.0}


def _overhead(rounds: int) -> Record:
    """The time of a move of a program that does not think: from question to answer, and of all processes."""
    with _temporary_store() as (tournaments, folder):
        (folder / "echo.py").write_text(ECHO)
        run_it = {"run": f"{sys.executable} -S -E echo.py", "protocol": "json", "restart": False}
        bots = [{"name": "a", **run_it}, {"name": "b", **run_it}]
        plan = _plan(folder, bots, game="5x5", rounds=rounds)
        before = time.process_time() + children_seconds()
        found = _play(tournaments, plan, 1)
        used = time.process_time() + children_seconds() - before
        times = sorted(each for result in found.counted for each in result.seconds)
    return {
        "moves": len(times),
        "median_ms": round(times[len(times) // 2] * 1000, 3),
        "cpu_ms_in_all": round(used / len(times) * 1000, 3),
        "target": 2.0,
    }


def _failing(ways: int) -> Record:
    """Bots that fail in every way: no result is missing, and no process or file is left behind."""
    python = f"{sys.executable} -S -E {MOCK}"
    mocks = [{"name": way, "run": f"{python} {way}", "protocol": "json"} for way in WAYS[:ways]]
    token, files = f"NOUGHTS_BENCH_{os.getpid()}", len(os.listdir("/proc/self/fd"))
    os.environ[token] = "1"
    began = time.perf_counter()
    try:
        with _temporary_store() as (tournaments, folder):
            limits = {"seconds": 0.3, "startup": 0.3}
            plan = _plan(folder, [{"run": "random"}, *mocks], game="4x4", limit=limits, rounds=2)
            found = _play(tournaments, plan)
            played, failed = len(found.counted), sum(each.failure is not None for each in found.counted)
            missing = found.total - len(list(tournaments.results(found.number)))
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
    """The number of other processes with a variable in their environment."""
    count = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            count += folder.name != str(os.getpid()) and token.encode() in (folder / "environ").read_bytes()
        except OSError:
            continue
    return count


def _killed(kills: int) -> Record:
    """A tournament that is killed at random moments and resumed, compared with an undisturbed one."""
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
    with Store(path) as store:
        tournaments = Tournaments(store)
        return [_essence(result) for each in tournaments.list() for result in tournaments.results(each.id)]


def _essence(result: Result) -> tuple[Any, ...]:
    """A result without its times."""
    return (result.key, result.x, result.o, result.moves, result.winner, result.reason, result.failure)
