"""An engine that also uses proven values: those of the book and the store, and those a quick solve finds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from noughts.engine import Engine, Limit, SearchResult
from noughts.engine.book import Book, Entry
from noughts.engine.engine import proven, with_value
from noughts.engine.solving import Solver
from noughts.games import Position, Value
from noughts.store import Solved, Store

__all__ = ["KnowingEngine", "improved"]

SHARE = 4
"""One part in so many of the limit goes to the attempt to solve the position."""
MEMORY_MB = 16
MOST_EMPTY = 64
"""Boards with more empty cells are not solved in a moment, so it is not tried."""

Known = Callable[[Position], Entry | Solved | None]


class KnowingEngine(Engine):
    """The engine, helped by what is proven: its results have a ``value`` wherever one is known.

    A quarter of a limit in seconds or nodes is spent on trying to solve the position; what comes of it is kept.
    """

    def __init__(
        self, threads: int = 1, hash_mb: int = 64, store: Store | None = None, *, book: bool | Book = True
    ) -> None:
        super().__init__(threads, hash_mb, book=book)
        self._store = store
        self._solver: Solver | None = None

    def _find(
        self,
        position: Position,
        limit: Limit,
        lines: int,
        progress: Callable[[SearchResult], object] | None,
        watch: Callable[[list[SearchResult]], object] | None,
        is_play: bool,
        known: Entry | None = None,
    ) -> list[SearchResult]:
        """Search with what is proven about the position and about where its moves lead."""
        known = None if position.is_over else known or self.look_up(position)
        share = None if known is not None else _share(position, limit)
        if share is not None:
            known = self._solve(position, share)
            limit = _rest(limit, share)
        found = super()._find(position, limit, lines, progress, watch, is_play, known)
        return improved(position, found, known, self.look_up)

    def look_up(self, position: Position) -> Entry | None:
        """Return what the store or the book knows about a position."""
        kept = None if self._store is None else self._store.value_of(position)
        return super().look_up(position) if kept is None else _entry(kept)

    def _solve(self, position: Position, limit: Limit) -> Entry | None:
        self._solver = Solver(position, MEMORY_MB)
        try:
            found = self._solver.solve(limit)
        finally:
            self._solver = None
        if found.value is None:
            return None
        move = found.move if found.move_is_proven else None
        solved = Solved(found.value, move, None, found.nodes, found.seconds)
        if self._store is not None:
            self._store.keep_value(position, solved)
        return _entry(solved)

    def stop(self) -> None:
        """End the running search soon, from another thread."""
        with suppress(AttributeError):  # the solve may end just now
            self._solver.stop()  # type: ignore[union-attr]
        super().stop()


def _share(position: Position, limit: Limit) -> Limit | None:
    """How long to try to solve a position; None where it is not worth trying."""
    if position.cells.count(None) > MOST_EMPTY or (limit.seconds is None and limit.nodes is None):
        return None
    seconds = None if limit.seconds is None else limit.seconds / SHARE
    return Limit(seconds=seconds, nodes=None if limit.nodes is None else max(1, limit.nodes // SHARE))


def _rest(limit: Limit, share: Limit) -> Limit:
    seconds = None if limit.seconds is None or share.seconds is None else limit.seconds - share.seconds
    nodes = None if limit.nodes is None or share.nodes is None else max(1, limit.nodes - share.nodes)
    return Limit(seconds=seconds, depth=limit.depth, nodes=nodes)


def improved(
    position: Position, found: list[SearchResult], known: Entry | Solved | None, look_up: Known
) -> list[SearchResult]:
    """Return what a search found with everything that is proven: about the position, and about where its moves lead."""
    results = [_with_reply(position, result, look_up) for result in found]
    if known is not None:
        return with_value(position, results, _entry(known))
    return sorted(results, key=lambda result: -(result.value or Value.DRAW).number)


def _with_reply(position: Position, result: SearchResult, look_up: Known) -> SearchResult:
    after = position.after(result.move)
    there = None if result.value is not None or after.is_over else look_up(after)
    if there is None:
        return result
    plies = None if there.plies is None or there.value is Value.DRAW else there.plies + 1
    return proven(result, there.value.opposite, plies)


def _entry(known: Entry | Solved) -> Entry:
    return Entry(known.value, known.move, known.plies)
