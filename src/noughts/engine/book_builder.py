"""Builds a book: solves the positions of a game one after the other, with one table."""

from __future__ import annotations

from collections.abc import Iterator

from noughts.engine.book import Book
from noughts.engine.limit import Limit
from noughts.engine.solver import Solution, Solver
from noughts.games import Position, ProvenValue, Value

__all__ = ["BookBuilder"]

SHORT = 500_000
"""Above this many nodes the proof, which gives the length of a win, is too expensive to write."""


class BookBuilder:
    """Adds proven positions to a book. Positions that are already in the book are not solved again."""

    def __init__(self, book: Book, limit: Limit | None = None, memory_mb: int = 1024) -> None:
        self.book = book
        self._limit = limit
        self._memory_mb = memory_mb
        self._solver: Solver | None = None

    def build(
        self, position: Position, plies: int = 0, follow: int = 0
    ) -> Iterator[tuple[Position, ProvenValue | None]]:
        """Yield the positions of the first ``plies`` plies, then of ``follow`` more, with their entries.

        In the ``follow`` plies the side that does not lose plays the book's move, and the other any move. A position
        that is not solved within the limit is yielded without an entry, and the positions after it are skipped.
        """
        if position.is_over:
            return
        entry = self._prove(position)
        yield position, entry
        if entry is None or plies + follow == 0:
            return
        moves = position.legal_moves if plies > 0 or entry.move is None else [entry.move]
        for move in moves:
            yield from self.build(position.after(move), max(0, plies - 1), follow if plies > 0 else follow - 1)

    def _prove(self, position: Position) -> ProvenValue | None:
        known = self.book.look_up(position)
        if known is not None:
            return known
        if self._solver is None or not self._solver.turn_to(position):
            self._solver = Solver(position, self._memory_mb)
        found = self._solver.solve(self._limit)
        if found.value is None:
            return None
        move = found.move if found.value is not Value.LOSS and found.move_is_proven else None
        entry = ProvenValue(found.value, move, _plies(position, found))
        self.book.add(position, entry)
        return entry


def _plies(position: Position, found: Solution) -> int | None:
    """The number of plies to the end, from the proof; None if it is unknown."""
    if found.value is Value.DRAW or position.cells.count(None) < position.game.cells or found.nodes > SHORT:
        return None
    try:
        return None if found.proof is None else found.proof.plies
    except ValueError:  # the proof would be too long
        return None
