"""Solutions of positions: those that a store has saved, and new ones, which are saved in it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

from noughts.engine import Limit
from noughts.games import Position, ProvenValue
from noughts.proof.solver import Solution, SolveProgress, Solver

if TYPE_CHECKING:
    from noughts.store import Store

__all__ = ["Solutions", "Warn", "warn_in_python"]

Warn = Callable[[str], object]


def warn_in_python(text: str) -> None:
    warnings.warn(text, RuntimeWarning, stacklevel=4)


class Solutions:
    """Solves positions whose value a store does not know, and saves what was proven; can be stopped.

    A store that fails does not cost the answer: ``warn`` is called with the reason, once, and a broken store is not
    used again. Without a store nothing is known and nothing saved. The store may be replaced between calls.
    """

    def __init__(self, store: Store | None = None, warn: Warn = warn_in_python) -> None:
        self.store = store
        self._warn = warn
        self._has_warned = False
        self._solver: Solver | None = None

    def find(self, position: Position) -> ProvenValue | None:
        """Return the saved value of a position, or None."""
        if self.store is None or position.is_over:
            return None
        try:
            return self.store.solved.find(position)
        except OSError as error:
            self._report(error, "positions solved earlier are unknown")
            return None

    def solve(
        self,
        position: Position,
        limit: Limit | None = None,
        progress: Callable[[SolveProgress], object] | None = None,
        *,
        memory_mb: int,
        threads: int = 1,
        is_fresh: bool = False,
        solver: Solver | None = None,
    ) -> Solution:
        """Return the saved solution of a position; else, or if ``is_fresh``, solve it and save a proven value.

        A ``solver`` that has been stopped continues; else there is a new one, with ``memory_mb`` and ``threads``.
        """
        known = None if is_fresh else self.find(position)
        if known is not None:
            return Solution.from_proven(position, known)
        self._solver = solver or Solver(position, memory_mb, threads)
        try:
            solution = self._solver.solve(limit, progress)
        finally:
            self._solver = None
        self.save(solution)
        return solution

    def save(self, solution: Solution) -> None:
        """Save the value of a solution, if it is proven."""
        if self.store is None or solution.proven is None:
            return
        try:
            self.store.solved.add(solution.position, solution.proven)
        except OSError as error:
            self._report(error, "the value is not saved")

    def stop(self) -> None:
        """End a running solve soon, from another thread."""
        solver = self._solver
        if solver is not None:
            solver.stop()

    def _report(self, error: OSError, consequence: str) -> None:
        from noughts.store import Busy  # loads a database, so only with a store

        if isinstance(error, Busy):
            self._warn_once(f"{error}; {consequence}")
        else:
            self.store = None
            self._warn_once(f"continuing without solved positions: {error}")

    def _warn_once(self, text: str) -> None:
        if not self._has_warned:
            self._has_warned = True
            self._warn(text)
