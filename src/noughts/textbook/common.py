"""Types shared by all searches of this package: the result they return and the tracers they report to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import wraps
from math import inf
from typing import Any, Protocol, TypeVar, cast

from noughts.games import Position

Order = Callable[[Position], Sequence[int]]
"""A move order: lists the legal moves of a position in the order in which to search them."""

Evaluate = Callable[[Position], int]
"""An evaluation: returns the worth of a position to X, as an integer."""

Key = Callable[[Position], int]
"""A key: equal for positions that share an entry of a table."""

INFINITY = 10**15
"""Larger than any evaluation, and still an integer, so that no search ever mixes integers with floats."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search: the value from X's side, the first best move in order, and the nodes visited.

    ``move`` is None if there was nothing to choose: the position is over or the depth was 0. ``depth`` is the depth
    of the last complete pass, or None if no depth was given. The value is an integer, except for means: those of
    ``mcts`` and ``expectimax``. ``visits`` is set by ``mcts`` only: the visits of each move at the root.
    """

    value: float
    move: int | None
    nodes: int
    depth: int | None = None
    visits: Mapping[int, int] | None = field(default=None, repr=False, hash=False)


class Tracer(Protocol):
    """Receives the steps of a depth-first search. ``noughts.teaching.Trace`` and similar classes record them.

    A search calls ``enter`` when it reaches a node and ``leave`` when it returns from it. Pruned moves need no call:
    they are the legal moves that were never entered.
    """

    def enter(self, position: Position, alpha: int | None = None, beta: int | None = None) -> None:
        """Called at a node. Alpha and beta are from X's side; minimax has none."""

    def leave(self, value: float, note: str = "") -> None:
        """Called when the node entered last returns its value, from X's side.

        The note says how a node was searched if not in full and in turn: "table" (looked up), "quiescence" (only
        the urgent moves), "chance" (the mean of the moves).
        """


class Phase(StrEnum):
    """The four phases of a search that grows a tree in memory."""

    SELECT = "select"
    EXPAND = "expand"
    SIMULATE = "simulate"
    BACKPROPAGATE = "backpropagate"


class GrowthTracer(Protocol):
    """Receives the steps of a best-first search, which grows a tree in memory: ``mcts``, ``proof_number_search``."""

    def step(self, phase: Phase, position: Position, numbers: Mapping[str, int | float]) -> None:
        """Called for each step; the position stands at the node concerned, so its moves identify the node.

        =============  ==========================================  ===================================================
        phase          the node                                    numbers
        =============  ==========================================  ===================================================
        SELECT         a child chosen on the way down              mcts: visits, value, exploit, explore, ucb;
                                                                   proof_number_search: proof, disproof
        EXPAND         a new node                                  mcts: none; proof_number_search: proof, disproof
        SIMULATE       the end of a rollout, not a node (mcts)     result
        BACKPROPAGATE  each node from the leaf up to the root      mcts: visits, value;
                                                                   proof_number_search: proof, disproof
        =============  ==========================================  ===================================================

        Values and results are from X's side; exploit, explore and ucb are from the side that chooses. An infinite
        number is ``INFINITY``. The first step of a search is EXPAND at the root; at the root again, it starts a new
        tree.
        """


SearchT = TypeVar("SearchT", bound=Callable[..., Result])


def restores_position(search: SearchT) -> SearchT:
    """Decorate a search so that the position is as before even after an exception in ``evaluate`` or Ctrl-C.

    The search raises TypeError for something else than a position, and for an order or evaluation given by its name.
    """

    @wraps(search)
    def restoring(position: Position, *args: Any, **options: Any) -> Result:
        if not hasattr(position, "legal_moves"):
            raise TypeError(f'expected a position, such as Game("3x3").start(), got {position!r}')
        for given in (*args, options.get("order"), options.get("evaluate")):
            if isinstance(given, str):
                raise TypeError(f"expected a function, such as noughts.textbook.center_first, got {given!r}")
        start = len(position.moves)
        try:
            return search(position, *args, **options)
        finally:
            for _ in position.moves[start:]:
                position.undo()

    return cast(SearchT, restoring)


def plies_to_search(position: Position, depth: int | None) -> int:
    """Return the number of plies to search: the depth, or fewer if the board is full before that.

    Raises ValueError if the depth is below 0, TypeError if it is not a whole number: counting down from 1.5 would
    never reach 0.
    """
    if depth is not None:
        check_count("a depth", depth, least=0)
    empty = 0 if position.is_over else sum(mark is None for mark in position.cells)
    return empty if depth is None else min(depth, empty)


def check_count(name: str, count: int, least: int) -> None:
    """Raise ValueError if a count is below the least possible, TypeError if it is not a whole number."""
    if not hasattr(count, "__index__"):
        raise TypeError(f"expected {name} as a whole number, got {type(count).__name__}")
    if count < least:
        raise ValueError(f"expected {name} of {least} or more, got {count}")


def check_amount(name: str, amount: float, most: float = inf) -> None:
    """Raise ValueError if an amount is negative, infinite, not a number or more than the most possible."""
    if not (0 <= amount <= most and amount < inf):
        expected = "of 0 or more" if most == inf else f"from 0 to {most:g}"
        raise ValueError(f"expected {name} {expected}, got {amount:g}")


def seen_by_x(alpha: int, beta: int, sign: int) -> tuple[int, int]:
    """Return the window of the side to move (sign +1 for X, -1 for O) as X sees it."""
    return (alpha, beta) if sign > 0 else (-beta, -alpha)
