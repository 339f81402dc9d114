"""Exact values of positions and moves, and the regret of a move: known from a store or the book, or proven."""

from __future__ import annotations

from typing import SupportsIndex

from noughts.analysis.advice import Advisor
from noughts.engine import Engine, Limit
from noughts.engine.instant_proofs import solve_at_once, value_when_over
from noughts.games import Position, ProvenValue, Value
from noughts.store import Store

__all__ = ["ExactValues"]

MAX_REMEMBERED = 100_000
"""Positions whose values are remembered; then all are forgotten."""


class ExactValues:
    """Looks up or proves values of positions; None stands for a value that is not known.

    A value comes from the store, the book, or a proof. ``limit`` bounds the work on one proof; without it only proofs
    of a few milliseconds are tried, and with ``proves=False`` none.

    >>> from noughts import Game
    >>> position, values = Game("3x3").parse("x2/3/2o x"), ExactValues()
    >>> values.of(position), values.of_move(position, 1), values.regret(position, 1)
    (<Value.WIN: 'win'>, <Value.LOSS: 'loss'>, 2)
    """

    def __init__(self, limit: Limit | None = None, store: Store | None = None, *, proves: bool = True) -> None:
        self.limit = limit
        self._proves = proves
        self._advisor = Advisor(Engine(hash_mb=1), store)
        self._remembered: dict[int, ProvenValue | None] = {}

    def of(self, position: Position) -> Value | None:
        """Return the value for the side to move; of a finished game, for the side that would move."""
        found = self.proven(position)
        return None if found is None else found.value

    def proven(self, position: Position) -> ProvenValue | None:
        """Return the value with a move that keeps it."""
        if position.is_over:
            return ProvenValue(value_when_over(position, position.side_to_move))
        if position.hash not in self._remembered:
            if len(self._remembered) >= MAX_REMEMBERED:
                self._remembered.clear()
            self._remembered[position.hash] = self._find(position)
        return self._remembered[position.hash]

    def _find(self, position: Position) -> ProvenValue | None:
        known = self._advisor.look_up(position)
        if known is None and not self._proves:
            return None
        if known is None and self.limit is not None:
            known = self._advisor.solve(position, self.limit, lambda _: True)
        elif known is None:
            return solve_at_once(position)
        return None if known is None else known.proven

    def of_move(self, position: Position, move: SupportsIndex | str) -> Value | None:
        """Return the value of a move for the side that makes it."""
        after = self.of(position.after(move))
        return None if after is None else after.opposite

    def regret(self, position: Position, move: SupportsIndex | str) -> int | None:
        """Return the value that a move gives away: 0, 1 (as a win for a draw), or 2 (a win for a loss)."""
        best = self.of(position)
        if best is Value.LOSS:
            return 0
        reached = self.of_move(position, move)
        if reached is Value.WIN:
            return 0
        return None if best is None or reached is None else best.number - reached.number
