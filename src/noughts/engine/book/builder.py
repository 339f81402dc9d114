"""Builds a book of proven positions with the solver, or with the strategy of a proof."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from noughts.engine.book.book import Book, BookEntry
from noughts.engine.book.strategy import Strategy
from noughts.engine.engine import Engine
from noughts.engine.instant_proofs import solve_at_once
from noughts.games import Position, Side, Value
from noughts.limit import Limit
from noughts.proof.solver import Solution, Solver

__all__ = ["BookBuilder"]

LEAF_EFFORT = 40
"""Percent of the player's effort. A position that is solved with less has no entry: a player finds its value again."""
MAX_NODES_FOR_PROOF = 10_000
"""After a longer solve the proof, which bounds the length of a win, takes too long to write."""
RESISTANCE = Limit(nodes=200_000)
"""The search for a move in a lost position, where the solver knows no better move than any other."""

Found = Iterator[tuple[Position, BookEntry | None]]


class BookBuilder:
    """Adds proven positions to a book. Positions that are already in the book are not solved again.

    For each side, the book gets the positions that this side can meet if it follows the book while its opponent plays
    any moves, until the rest can be solved at once.
    """

    def __init__(
        self, book: Book, limit: Limit | None = None, memory_mb: int = 1024, strategy: Strategy | None = None
    ) -> None:
        self.book = book
        self._limit = limit
        self._memory_mb = memory_mb
        self._strategy = strategy
        self._solver: Solver | None = None
        self._engine: Engine | None = None

    def build(
        self, start: Position, sides: Collection[Side] = tuple(Side), plies: int = 0, most_plies: int | None = None
    ) -> Found:
        """Yield positions with their entries; without one if the limit ended the solve, and then not those after it.

        All positions of the first ``plies`` plies get an entry, and none after ``most_plies``.
        """
        positions = [start]
        for _ in range(plies):
            yield from ((position, self._prove(position)) for position in positions)
            positions = _distinct(after for each in positions for after in _after_each_move(each))
        for side in sides:
            yield from self._follow(start, side, start.game.cells if most_plies is None else most_plies)

    def _follow(self, start: Position, side: Side, most: int) -> Found:
        """Yield the positions that a side meets if it follows the book, ply by ply, except those met already."""
        positions = [start] if start.turn is side else _distinct(_after_each_move(start))
        ply = 0 if start.turn is side else 1
        while positions and ply <= most:
            replies = []
            for position in positions:
                if ply > 1 and self._is_leaf(position):
                    continue
                is_known = self.book.find(position) is not None
                entry = self._prove(position)
                if entry is None or not is_known:
                    yield position, entry
                if entry is not None and entry.move is not None:
                    replies += _after_each_move(position.after(entry.move))
            positions = _distinct(replies)
            ply += 2

    def _is_leaf(self, position: Position) -> bool:
        return self.book.find(position) is None and solve_at_once(position, LEAF_EFFORT) is not None

    def _prove(self, position: Position) -> BookEntry | None:
        known = self.book.find(position)
        if known is not None and known.value is Value.LOSS and known.move is None:
            known = known._replace(move=self._resisting_move(position))
            self.book.add(position, known)
        if known is not None and known.value is not None:
            return known
        entry = self._from_strategy(position) or self._solve(position)
        if entry is not None:
            if known is not None:
                entry = entry._replace(wins=known.wins, draws=known.draws, losses=known.losses)
            self.book.add(position, entry)
            self._add_lost_position(position, entry)
        return entry

    def _add_lost_position(self, position: Position, entry: BookEntry) -> None:
        """Add the position after a move that wins, without a move.

        Without it, its side would see only those replies lose whose refutations are hard enough to have an entry.
        """
        if entry.value is not Value.WIN or entry.move is None:
            return
        after = position.after(entry.move)
        if not after.is_over and self.book.find(after) is None:
            self.book.add(after, BookEntry(None, Value.LOSS, None if entry.plies is None else entry.plies - 1))

    def _from_strategy(self, position: Position) -> BookEntry | None:
        step = None if self._strategy is None else self._strategy.find(position)
        return None if step is None else BookEntry(step.move, Value.WIN, step.plies)

    def _solve(self, position: Position) -> BookEntry | None:
        if self._solver is None or not self._solver.turn_to(position):
            self._solver = Solver(position, self._memory_mb)
        found = self._solver.solve(self._limit)
        if found.value is None:
            return None
        plies = _plies(found)
        if found.value is Value.LOSS:
            return BookEntry(self._resisting_move(position), Value.LOSS, plies)
        return BookEntry(found.move if found.move_is_proven else None, found.value, plies)

    def _resisting_move(self, position: Position) -> int:
        self._engine = self._engine or Engine(hash_mb=16, book=False)
        self._engine.clear()
        return self._engine.search(position, RESISTANCE).move


def _plies(found: Solution) -> int | None:
    """The bound of the proof on the length of a win or a loss; None for a draw, or if the proof would be long."""
    if found.value is Value.DRAW or found.nodes > MAX_NODES_FOR_PROOF:
        return None
    try:
        return None if found.proof is None else found.proof.plies
    except ValueError:  # the proof would be too long
        return None


def _after_each_move(position: Position) -> list[Position]:
    after = [position.after(move) for move in position.legal_moves]
    return [each for each in after if not each.is_over]


def _distinct(positions: Iterator[Position] | list[Position]) -> list[Position]:
    """One of each group of symmetric positions, in a fixed order, in which similar positions are close together."""
    found = {position.canonical_text: position for position in positions}
    return [found[text] for text in sorted(found)]
