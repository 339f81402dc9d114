"""Tournaments for the tests of the arena."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from noughts.arena.plan import Plan, read_plan
from noughts.arena.records import Played, Records
from noughts.arena.runner import LocalCrew, Run
from noughts.store import Store

__all__ = ["PROGRAM", "essence", "keep_and_run", "make_plan", "noughts", "results_in"]

PROGRAM = "from noughts.cli import main; main()"


def make_plan(folder: Path, *bots: str | dict[str, Any], **data: Any) -> Plan:
    """Return a plan of quick playthroughs; a bot is a level or a table."""
    tables = [{"run": bot} if isinstance(bot, str) else bot for bot in bots]
    return read_plan({"game": "3x3", "limit": {"nodes": 500}, **data, "bots": tables}, folder)


def keep_and_run(store: Store, plan: Plan) -> Run:
    """Keep a tournament and play it to the end."""
    records = Records(store)
    run = Run(records, records.begin(plan), plan)
    run.play(LocalCrew(plan, plan.concurrency))
    return run


def essence(played: Played) -> tuple[Any, ...]:
    """What must be the same whenever it is played: everything but the times."""
    ended = played.winner, played.reason, played.points, played.failure
    return (played.key, played.x, played.o, played.start, played.moves, played.opening, *ended)


def results_in(path: Path, number: int = 1) -> list[tuple[Any, ...]]:
    """The results of a tournament in a store."""
    with Store(path) as store:
        return [essence(played) for played in Records(store).plays(number)]


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
