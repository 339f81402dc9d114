"""What all searches of this package share: the result they return and the tracer they report to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from noughts.games import Position

Order = Callable[[Position], Sequence[int]]
"""An order lists the legal moves of a position, the one to search first at the front."""

Evaluate = Callable[[Position], int]
"""An evaluation says what a position is worth to X, as an integer."""

INFINITY = 10**15
"""Larger than any evaluation, and still an integer, so that no search ever mixes integers with floats."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found: the value from X's side, the first best move in order, and the nodes it visited.

    ``move`` is None where nothing was to be chosen: the position is over or the depth was 0. ``depth`` is the depth
    of the last pass that was completed, or None when no depth was given.
    """

    value: int
    move: int | None
    nodes: int
    depth: int | None = None


class Tracer(Protocol):
    """What a search tells about itself. ``noughts.study.Trace`` records it; a class of your own may do otherwise.

    A search calls ``enter`` when it comes to a node and ``leave`` when it goes back up. What was pruned needs no call
    of its own: it is what was legal and never entered.
    """

    def enter(self, position: Position, alpha: int | None = None, beta: int | None = None) -> None:
        """Come to a node. Alpha and beta are from X's side; leave them out where the search has none."""

    def leave(self, value: int, note: str = "") -> None:
        """Go back up from the node entered last with its value, from X's side.

        The note is a word about a node that was not searched in full, such as "table".
        """


def plies_to_search(position: Position, depth: int | None) -> int:
    """Return how many plies below the position to look at: the depth, or fewer when the board is full before that.

    Raises ValueError when the depth is below 0, TypeError when it is not a whole number: counting down from 1.5 never
    meets 0.
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
