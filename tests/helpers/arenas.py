"""Tournaments for the tests of the arena."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from inline_tasks import InlineTasks
from noughts.arena.plan import Plan, read_plan
from noughts.arena.runner import Run
from noughts.arena.tournaments import Result, Tournaments
from noughts.arena.worker import LocalWorkers, Worker
from noughts.store import Store
from terminals import PROGRAM, environment

__all__ = ["PROGRAM", "essence", "make_plan", "noughts", "results_in", "run_plan"]


def make_plan(folder: Path, *bots: str | dict[str, Any], **data: Any) -> Plan:
    """Return a plan of quick playthroughs; a bot is a level or a table."""
    tables = [{"run": bot} if isinstance(bot, str) else bot for bot in bots]
    return read_plan({"game": "3x3", "limit": {"nodes": 500}, **data, "bots": tables}, folder)


def run_plan(store: Store, plan: Plan) -> Run:
    """Store a tournament and play it to the end: in this process if one worker plays built-in bots alone."""
    tournaments = Tournaments(store)
    run = Run(tournaments, tournaments.add(plan), plan)
    is_simple = plan.concurrency == 1 and all(entrant.is_built_in for entrant in plan.entrants)
    run.play(InlineTasks(Worker(plan).play, size=1) if is_simple else LocalWorkers(plan, plan.concurrency))
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
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | more
    return subprocess.Popen([sys.executable, "-c", PROGRAM, *arguments], env=environment(data), **options)
