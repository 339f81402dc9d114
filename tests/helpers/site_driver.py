"""Answers of the page without a server: for Python, and translated for node."""

from __future__ import annotations

import json
from typing import Any

from noughts.engine import Engine, Limit
from noughts.games import Game
from noughts.proof.solver import Solver
from noughts.web.in_browser import BrowserWorker

__all__ = ["run", "use_many_tables"]


def run(cases: str) -> str:
    """Answer cases, given as JSON, with replies in JSON: for each the text of the answer and of the error."""
    worker = BrowserWorker()
    return json.dumps([_answer(worker, asked) for asked in json.loads(cases)])


def use_many_tables(count: int) -> str:
    """Use engines and solvers in turns, with more memory than a page has; return the moves and values as JSON."""
    engines = [Engine(hash_mb=64, book=False) for _ in range(count)]
    solvers = [Solver(Game("3x3").start(), 64) for _ in range(count)]
    moves = [engine.search(Game("3x3").start(), Limit(depth=9)).move for engine in engines * 2]
    values = [solver.solve(Limit(nodes=nodes)).value for nodes in (10, 10**6) for solver in solvers]
    return json.dumps([moves, values])


def _answer(worker: BrowserWorker, asked: dict[str, Any]) -> list[str]:
    running = worker.ask(asked["name"], asked["request"], len)
    while (reply := running.work()) is None:
        pass
    return [reply.text, reply.error]
