"""Tournaments for the tests of the arena."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from noughts.arena.plan import Plan, read_plan
from noughts.arena.runner import Run
from noughts.arena.tournaments import Result, Tournaments
from noughts.arena.worker import LocalWorkers
from noughts.store import Store

__all__ = ["PROGRAM", "essence", "make_plan", "noughts", "results_in", "run_plan"]

PROGRAM = "from noughts.cli import main; main()"


def make_plan(folder: Path, *bots: str | dict[str, Any], **data: Any) -> Plan:
    """Return a plan of quick playthroughs; a bot is a level or a table."""
    tables = [{"run": bot} if isinstance(bot, str) else bot for bot in bots]
    return read_plan({"game": "3x3", "limit": {"nodes": 500}, **data, "bots": tables}, folder)


def run_plan(store: Store, plan: Plan) -> Run:
    """Store a tournament and play it to the end."""
    tournaments = Tournaments(store)
    run = Run(tournaments, tournaments.add(plan), plan)
    run.play(LocalWorkers(plan, plan.concurrency))
    return run


def essence(result: Result) -> tuple[Any, ...]:
    """A result without its times: the same in every run."""
    ended = result.winner, result.reason, result.points, result.failure
    return (result.key, result.x, result.o, result.start, result.moves, result.opening, *ended)


def results_in(path: Path, number: int = 1) -> list[tuple[Any, ...]]:
    """The results of a tournament in a store."""
    with Store(path) as store:
        return [essence(result) for result in Tournaments(store).results(number)]


def noughts(data: Path, *arguments: str, **more: Any) -> subprocess.Popen[str]:
    """Start a noughts command with its own data folder."""
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        env=environment | {"NOUGHTS_DATA": str(data), "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )
