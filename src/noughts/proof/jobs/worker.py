"""One job: whether a side can force a win from a position, answered within a number of nodes."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, NamedTuple

from noughts import _core
from noughts.games import Game, Side

__all__ = ["Answer", "Part", "answer"]


class Part(NamedTuple):
    """The part of a certificate that belongs to a position: its nodes, and the symmetries that they refer to."""

    nodes: list[str]
    symmetries: list[list[int]]

    @classmethod
    def from_data(cls, nodes: list[str], symmetries: list[list[int]]) -> Part:
        """Return the part of a line of a journal; raises ValueError or TypeError."""
        if not nodes or not all(isinstance(node, str) and "\n" not in node for node in nodes):
            raise ValueError("expected the nodes of a certificate")
        if not all(isinstance(cell, int) for cells in symmetries for cell in cells):
            raise ValueError("expected symmetries as lists of cells")
        return cls(nodes, symmetries)


class Answer(NamedTuple):
    """The result of a job.

    ``can_win`` is None if the job was too short; then ``proof`` and ``disproof`` tell how far it came (both are 0 in an
    exhaustive search). An answer has no part if its certificate would be too long.
    """

    can_win: bool | None
    proof: int
    disproof: int
    nodes: int
    seconds: float
    part: Part | None

    @classmethod
    def from_data(cls, data: list[Any]) -> Answer:
        """Return the answer of a line of a journal; raises ValueError or TypeError."""
        can_win, proof, disproof, nodes, seconds, part = data
        if not isinstance(can_win, bool | None) or not all(
            isinstance(count, int) for count in (proof, disproof, nodes)
        ):
            raise ValueError(f"expected an answer and numbers, got {data[:4]}")
        return cls(can_win, proof, disproof, nodes, seconds, None if part is None else Part.from_data(*part))


def answer(game: str, position: str, attacker: int, nodes: int, memory_mb: int) -> Answer:
    """Return whether ``attacker`` (0 for X, 1 for O) can force a win; ``game`` is the JSON text of its data.

    A worker keeps its table from job to job.
    """
    rules, solver = _solver(game, memory_mb)
    start = rules.parse(position)
    assert solver.turn_to(start)
    solver.ask_only(attacker)
    found = solver.solve(0.0, nodes, None)
    lower, upper = found.lower, found.upper
    if attacker != (0 if start.turn == Side.X else 1):
        lower, upper = -upper, -lower
    can_win = True if lower == 1 else False if upper < 1 else None
    part = None if can_win is None else _part(solver)
    return Answer(can_win, found.proof, found.disproof, found.nodes, found.seconds, part)


@lru_cache(maxsize=1)
def _solver(game: str, memory_mb: int) -> tuple[Game, _core.Solver]:
    rules = Game.from_data(json.loads(game))
    return rules, _core.Solver(rules.start(), rules.symmetry, memory_mb)


def _part(solver: _core.Solver) -> Part | None:
    try:
        text, symmetries = solver.certificate()
    except RuntimeError:  # too long
        return None
    _, *nodes = text.splitlines()
    return Part(nodes, symmetries)
