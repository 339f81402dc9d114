"""What is proven besides what a search finds: values kept in the store, and those a quick solve comes by."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from noughts.engine import Engine, Limit, SearchResult
from noughts.engine.limit import DEFAULT_LIMIT
from noughts.engine.solving import Solver
from noughts.games import Position
from noughts.games.values import Value
from noughts.store import Solved, Store
from noughts.study.worth import OPPOSITE

__all__ = ["KnowingEngine", "improved"]

SHARE = 4
"""One part in so many of the limit goes to the attempt to solve the position."""
MEMORY_MB = 16
MOST_EMPTY = 64
"""Boards with more empty cells are not solved in a moment, so it is not tried."""

Known = Callable[[Position], Solved | None]


class KnowingEngine(Engine):
    """The engine, helped by what is proven: its results have a ``value`` wherever one is known.

    A quarter of a limit in seconds or nodes is spent on trying to solve the position; what comes of it is kept.
    """

    def __init__(self, threads: int = 1, hash_mb: int = 64, store: Store | None = None) -> None:
        super().__init__(threads, hash_mb)
        self._store = store
        self._solver: Solver | None = None

    def analyse(
        self,
        position: Position,
        limit: Limit = DEFAULT_LIMIT,
        lines: int = 1,
        progress: Callable[[SearchResult], object] | None = None,
        watch: Callable[[list[SearchResult]], object] | None = None,
    ) -> list[SearchResult]:
        """Return the best moves, best first, with what is proven about them."""
        known = None if position.is_over else self.kept(position)
        share = None if known is not None else _share(position, limit)
        if share is not None:
            known = self._solve(position, share)
            limit = _rest(limit, share)
        return improved(position, super().analyse(position, limit, lines, progress, watch), known, self.kept)

    def kept(self, position: Position) -> Solved | None:
        """Return what the store knows about a position."""
        return None if self._store is None else self._store.value_of(position)

    def _solve(self, position: Position, limit: Limit) -> Solved | None:
        self._solver = Solver(position, MEMORY_MB)
        try:
            found = self._solver.solve(limit)
        finally:
            self._solver = None
        if found.value is None:
            return None
        solved = Solved(found.value, found.move, None, found.nodes, found.seconds)
        if self._store is not None:
            self._store.keep_value(position, solved)
        return solved

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


def improved(position: Position, found: list[SearchResult], known: Solved | None, look_up: Known) -> list[SearchResult]:
    """Return what a search found with everything that is proven: about the position, and about where its moves lead."""
    results = [_with_reply(position, result, look_up) for result in found]
    if known is not None:
        results = _with_value(position, results, known)
    return sorted(results, key=lambda result: _rank(result, known))


def _with_reply(position: Position, result: SearchResult, look_up: Known) -> SearchResult:
    after = position.after(result.move)
    there = None if result.value is not None or after.is_over else look_up(after)
    if there is None:
        return result
    plies = None if there.plies is None or there.value == "draw" else there.plies + 1
    return _proven(result, OPPOSITE[there.value], plies)


def _with_value(position: Position, results: list[SearchResult], known: Solved) -> list[SearchResult]:
    """The move that keeps the value comes with it; where all moves lose, all of them do."""
    if known.value == "loss":
        return [result if result.value is not None else _proven(result, "loss", known.plies) for result in results]
    if any(result.value == known.value for result in results) or known.move is None:
        return results
    best = next((result for result in results if result.move == known.move), None)
    if best is None:
        best = results[0]._replace(move=known.move, pv=[known.move], pv_text=position.format_move(known.move))
        results = results[:-1] if len(results) > 1 else []
    others = [result for result in results if result.move != known.move]
    if known.value == "draw":  # nothing is better, whatever its score says
        others = [each if each.value is not None else each._replace(score=min(0, each.score)) for each in others]
    return [_proven(best, known.value, known.plies), *others]


def _proven(result: SearchResult, value: Value, plies: int | None) -> SearchResult:
    score = 0 if value == "draw" else abs(result.score) * (1 if value == "win" else -1)
    return result._replace(score=score, value=value, plies=plies)


def _rank(result: SearchResult, known: Solved | None) -> int:
    """Moves that keep a proven value first, moves that lose for no reason last, the rest as the search had them."""
    if result.value == "win" or (known is not None and result.value == known.value):
        return 0
    return 2 if result.value == "loss" else 1
