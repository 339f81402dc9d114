"""Types shared by all searches of this package: the result they return and the tracer they report to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from noughts.games import Position

Order = Callable[[Position], Sequence[int]]
"""A move order: lists the legal moves of a position in the order in which to search them."""

Evaluate = Callable[[Position], int]
"""An evaluation: returns the worth of a position to X, as an integer."""

INFINITY = 10**15
"""Larger than any evaluation, and still an integer, so that no search ever mixes integers with floats."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search: the value from X's side, the first best move in order, and the nodes visited.

    ``move`` is None if there was nothing to choose: the position is over or the depth was 0. ``depth`` is the depth
    of the last complete pass, or None if no depth was given.
    """

    value: int
    move: int | None
    nodes: int
    depth: int | None = None


class Tracer(Protocol):
    """Receives the steps of a search. ``noughts.study.Trace`` records them; any class with these methods works.

    A search calls ``enter`` when it reaches a node and ``leave`` when it returns from it. Pruned moves need no call:
    they are the legal moves that were never entered.
    """

    def enter(self, position: Position, alpha: int | None = None, beta: int | None = None) -> None:
        """Called at a node. Alpha and beta are from X's side; minimax has none."""

    def leave(self, value: int, note: str = "") -> None:
        """Called when the node entered last returns its value, from X's side.

        The note says why a node was not searched in full: "table".
        """


def plies_to_search(position: Position, depth: int | None) -> int:
    """Return the number of plies to search: the depth, or fewer if the board is full before that.

    Raises ValueError if the depth is below 0, TypeError if it is not a whole number: counting down from 1.5 would
    never reach 0.
    """
    if depth is not None and not hasattr(depth, "__index__"):
        raise TypeError(f"expected a depth as a whole number, got {type(depth).__name__}")
    if depth is not None and depth < 0:
        raise ValueError(f"expected a depth of 0 or more, got {depth}")
    empty = 0 if position.is_over else sum(mark is None for mark in position.cells)
    return empty if depth is None else min(depth, empty)


def seen_by_x(alpha: int, beta: int, sign: int) -> tuple[int, int]:
    """Return the window of the side to move (sign +1 for X, -1 for O) as X sees it."""
    return (alpha, beta) if sign > 0 else (-beta, -alpha)
