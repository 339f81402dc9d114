"""Answers of the page without a server, with limits that do not depend on time: for Python, and translated for node."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from noughts.engine import Engine, LevelPlayer, Limit, level
from noughts.games import Game
from noughts.proof.solver import Solver
from noughts.web import local, questions, requests

__all__ = ["run", "use_many_tables"]

NODES = 2000
SEED = 7


def run(cases: str) -> str:
    """Answer cases, given as JSON, with replies in JSON: for each the status and the text of the answer."""
    with _deterministic():
        return json.dumps([_answer(asked) for asked in json.loads(cases)])


def use_many_tables(count: int) -> str:
    """Use engines and solvers in turns, with more memory than a page has; return the moves and values as JSON."""
    engines = [Engine(hash_mb=64, book=False) for _ in range(count)]
    solvers = [Solver(Game("3x3").start(), 64) for _ in range(count)]
    moves = [engine.search(Game("3x3").start(), Limit(depth=9)).move for engine in engines * 2]
    values = [solver.solve(Limit(nodes=nodes)).value for nodes in (10, 10**6) for solver in solvers]
    return json.dumps([moves, values])


def _answer(asked: dict[str, Any]) -> list[object]:
    if "question" not in asked:
        return [*local.answer(asked["method"], asked["path"], asked["body"])]
    thought = local.Thinker().ask(asked["question"], asked["body"], len)
    while (reply := thought.think()) is None:
        pass
    return [*reply]


def _limit_by_nodes(seconds: float | None = None, **_: object) -> Limit:
    return Limit(nodes=NODES)


def _level_with_seed(name: str, engine: Engine) -> LevelPlayer:
    return level(name, seed=SEED, engine=engine)


@contextmanager
def _deterministic() -> Iterator[None]:
    replaced = [
        (questions, "Limit", _limit_by_nodes),
        (requests, "Limit", _limit_by_nodes),
        (questions, "level", _level_with_seed),
        (local, "TURN_SECONDS", math.inf),
    ]
    old = [getattr(module, name) for module, name, _ in replaced]
    for module, name, value in replaced:
        setattr(module, name, value)
    yield
    for (module, name, _), value in zip(replaced, old, strict=True):
        setattr(module, name, value)
