"""Advice: the best moves of a position, and whether their values are proven.

All user interfaces use this module, so the same position and time give the same verdict everywhere. The store of solved
positions and the book are consulted first. If they have no answer, the solver gets a quarter of the time, since it
often proves what the engine only estimates, and the engine gets the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from noughts.analysis.evaluation import Evaluation, Source
from noughts.analysis.pv import complete_pv
from noughts.analysis.solutions import Solutions, Warn, warn_in_python
from noughts.engine import Engine, Limit, SearchResult
from noughts.engine.results import proven, with_value
from noughts.games import Position, ProvenValue, Value
from noughts.limit import DEFAULT_LIMIT
from noughts.proof.solver import Solver

if TYPE_CHECKING:
    from noughts.store import Store

__all__ = [
    "DEFAULT_LINES",
    "ENGINE_MB",
    "Advice",
    "Advisor",
    "Known",
    "advise",
    "is_worth_solving",
    "solver_for_advice",
]

DEFAULT_LINES = 3
"""The number of lines that hints, evaluations and analyses ask for: fewer or more would change the verdict."""
ENGINE_MB = 64
"""Size of the table of an engine that gives advice."""

SOLVER_SHARE = 1 / 4
"""The share of a limit in seconds or nodes that is spent on solving the position."""
SOLVER_MB = 16
MAX_EMPTY_CELLS, MAX_LINES_TO_SOLVE = 64, 4_000
"""Positions with more empty cells are hardly ever solved in seconds, and with more lines the solver takes a tenth of a
second to set up, so the engine gets all of the time."""
GLANCE_SECONDS = 0.1
"""Duration of the engine's first search of a position, which provides lines to show while the solver works."""
MIN_SECONDS_FOR_GLANCE = 2.0
COMPLETED_LINES = 5
"""Number of lines that are continued to the end of a proven win: those that are shown."""


@dataclass(frozen=True)
class Advice:
    """One of the best moves of a position, and its evaluation for the side to move."""

    result: SearchResult
    evaluation: Evaluation

    @classmethod
    def of_result(cls, result: SearchResult, scale: int, source: Source = Source.SEARCH) -> Advice:
        """Return a search result as advice; ``scale`` is that of the engine (``Engine.scale_of``)."""
        return cls(result, Evaluation.of_result(result, scale, source))

    @property
    def source(self) -> Source:
        """The origin of the evaluation."""
        return self.evaluation.source

    @property
    def move(self) -> int:
        """The move, as a cell number."""
        return self.result.move

    @property
    def pv(self) -> list[int]:
        """The expected line of play, beginning with the move."""
        return self.result.pv

    @property
    def score(self) -> int:
        """The engine's estimate for the side to move."""
        return self.result.score

    @property
    def value(self) -> Value | None:
        """The proven value for the side to move, or None."""
        return self.result.value

    @property
    def plies(self) -> int | None:
        """A proven win or loss takes at most this many plies, if that is known."""
        return self.result.plies


Progress = Callable[[list[Advice]], object]
"""Takes the advice so far; returning False stops the work."""


def advise(
    position: Position,
    limit: Limit = DEFAULT_LIMIT,
    *,
    lines: int = 1,
    store: Store | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> list[Advice]:
    """Return the best moves of a position, best first; fewer than ``lines`` if there are fewer.

    Without a store, values that were solved earlier are unknown; without an engine, a fresh one is used. ``progress``
    is called with the advice so far; returning False stops the work. Raises GameOver.

    >>> from noughts import Game
    >>> best = advise(Game("3x3").parse("xx1/oo1/3 x"), Limit(nodes=1000))[0]
    >>> best.move, best.value, best.plies
    (2, <Value.WIN: 'win'>, 1)
    """
    return Advisor(engine, store).advise(position, limit, lines=lines, progress=progress)


class Advisor:
    """Gives advice with one engine and one store, which may be replaced between calls; can be stopped."""

    def __init__(self, engine: Engine | None = None, store: Store | None = None, warn: Warn = warn_in_python) -> None:
        """Give advice with an engine, by default a new one; ``warn`` is called once if the store fails."""
        self.engine = engine or Engine(hash_mb=ENGINE_MB)
        self.solutions = Solutions(store, warn)
        self._is_stopped = False

    @property
    def store(self) -> Store | None:
        """The store of solved positions."""
        return self.solutions.store

    @store.setter
    def store(self, store: Store | None) -> None:
        self.solutions.store = store

    def advise(
        self,
        position: Position,
        limit: Limit = DEFAULT_LIMIT,
        *,
        lines: int = 1,
        progress: Progress | None = None,
        is_resumed: bool = False,
        known: Known | None = None,
        solver: Solver | None = None,
    ) -> list[Advice]:
        """Return the best moves of a position, best first; see ``advise``.

        If it resumes work that was stopped, the engine gets all of the time, or all but the rest of the share of a
        ``solver`` from ``solver_for_advice`` that the stopped work was given. ``known`` is a value of the position that
        was proven before.
        """
        position.require_unfinished()
        self._is_stopped = False
        lines = max(1, min(lines, len(position.legal_moves)))
        if limit.clock is not None:
            limit = Limit(limit.thinking_seconds(position), limit.depth, limit.nodes)
        return _Question(self, position, limit, lines, progress, known, solver).answer(may_solve=not is_resumed)

    def stop(self) -> None:
        """Stop the running work, from another thread; it returns the advice found so far."""
        self._is_stopped = True
        self.solutions.stop()
        self.engine.stop()

    @property
    def is_stopped(self) -> bool:
        """Whether the running work (or the last, if none is running) was stopped."""
        return self._is_stopped

    def look_up(self, position: Position) -> Known | None:
        """Return the proven value of a position from the store or the book, without any search."""
        if position.is_over:
            return None
        found = self.solutions.find(position)
        if found is not None:
            return Known(found, Source.STORE)
        found = self.engine.look_up(position)
        return None if found is None else Known(found, Source.BOOK)

    def solve(
        self, position: Position, limit: Limit, progress: Callable[[object], bool], solver: Solver | None = None
    ) -> Known | None:
        """Try to solve a position that is not known, and save its value; None if the limit was too short.

        A ``solver`` that has been stopped continues.
        """
        found = self.solutions.solve(
            position, limit, progress, memory_mb=SOLVER_MB, is_fresh=True, solver=solver
        ).proven
        return None if found is None else Known(found, Source.SOLVER)


class Known(NamedTuple):
    """The proven value of a position, and where it comes from."""

    proven: ProvenValue
    source: Source


class _Question:
    """One position to give advice on."""

    def __init__(
        self,
        advisor: Advisor,
        position: Position,
        limit: Limit,
        lines: int,
        progress: Progress | None,
        known: Known | None,
        solver: Solver | None,
    ) -> None:
        self._advisor, self._position, self._limit, self._lines = advisor, position, limit, lines
        self._progress, self._known, self._solver = progress, known, solver
        self._latest: list[Advice] = []

    def answer(self, may_solve: bool) -> list[Advice]:
        self._known = self._known or self._advisor.look_up(self._position)
        used = 0.0 if self._solver is None else self._solver.seconds
        may_solve = (may_solve or self._solver is not None) and self._known is None
        share = _solver_share(self._position, self._limit, used) if may_solve else None
        if share is not None:
            if not used:
                self._glance()
            if not self._is_done:
                self._known = self._advisor.solve(self._position, share, self._wants_more, self._solver)
                self._limit = _without(self._limit, share)
        if self._is_done:
            return self._latest
        return self._search(Limit(depth=1) if self._advisor.is_stopped else self._limit)

    def _glance(self) -> None:
        """Search briefly if there is enough time, so that there is something to report during the solve."""
        if self._limit.seconds is not None and self._limit.seconds >= MIN_SECONDS_FOR_GLANCE:
            self._search(Limit(GLANCE_SECONDS, self._limit.depth, self._limit.nodes))
            self._limit = self._limit._replace(seconds=self._limit.seconds - GLANCE_SECONDS)

    @property
    def _is_done(self) -> bool:
        is_proven = bool(self._latest) and all(each.value is not None for each in self._latest)
        return is_proven or (self._advisor.is_stopped and bool(self._latest))

    def _wants_more(self, _: object) -> bool:
        return not self._advisor.is_stopped and self._report()

    def _search(self, limit: Limit) -> list[Advice]:
        known = None if self._known is None else self._known.proven
        found = self._advisor.engine.analyse(self._position, limit, self._lines, self._take, known=known)
        self._latest = self._advice(found)
        return self._latest

    def _take(self, found: list[SearchResult]) -> bool:
        """Report the lines of a new depth; depths that the first search has reached already are not reported again."""
        if self._advisor.is_stopped:
            return False
        is_news = not self._latest or self._known is not None or found[0].depth >= self._latest[0].result.depth
        if is_news:
            self._latest = self._advice(found)
            return self._report()
        return True

    def _report(self) -> bool:
        """Call ``progress``; returns whether to continue."""
        if self._progress is not None and self._latest and self._progress(self._latest) is False:
            self._advisor.stop()
            return False
        return True

    def _advice(self, found: list[SearchResult]) -> list[Advice]:
        position = self._position
        known = None if self._known is None else self._known.proven
        results = with_proven_values(position, found, known, self._look_up)
        results = [*map(self._completed, results[:COMPLETED_LINES]), *results[COMPLETED_LINES:]]
        scale = self._advisor.engine.scale_of(position.game)
        return [Advice.of_result(each, scale, self._source(each)) for each in results]

    def _completed(self, result: SearchResult) -> SearchResult:
        """The result with the rest of its line, if it is a win for one of the sides."""
        side = self._position.turn
        if side is None or result.value not in (Value.WIN, Value.LOSS):
            return result
        winner = side if result.value is Value.WIN else side.opponent
        pv = complete_pv(self._position, result.pv, winner, self._look_up)
        return result._replace(pv=pv, pv_text=" ".join(map(self._position.format_move, pv)))

    def _look_up(self, position: Position) -> ProvenValue | None:
        found = self._advisor.look_up(position)
        return None if found is None else found.proven

    def _source(self, result: SearchResult) -> Source:
        if result.value is None:
            return Source.SEARCH
        if self._known is not None and result.value == self._known.proven.value:
            return self._known.source
        reply = self._advisor.look_up(self._position.after(result.move))
        return Source.SEARCH if reply is None else reply.source


def is_worth_solving(position: Position) -> bool:
    """Return whether a position has few enough empty cells and lines to be solved in seconds."""
    return len(position.game.lines) <= MAX_LINES_TO_SOLVE and position.cells.count(None) <= MAX_EMPTY_CELLS


def solver_for_advice(position: Position) -> Solver | None:
    """Return a solver for advice that is given in turns, or None if the position is not worth solving."""
    return Solver(position, SOLVER_MB) if is_worth_solving(position) else None


def _solver_share(position: Position, limit: Limit, used: float) -> Limit | None:
    """The part of a limit that is spent on solving, less the seconds that were ``used`` before, or None."""
    if not is_worth_solving(position) or (limit.seconds is None and limit.nodes is None):
        return None
    seconds = None if limit.seconds is None else (limit.seconds + used) * SOLVER_SHARE - used
    if seconds is not None and seconds <= 0:
        return None
    return Limit(seconds=seconds, nodes=None if limit.nodes is None else max(1, int(limit.nodes * SOLVER_SHARE)))


def _without(limit: Limit, share: Limit) -> Limit:
    seconds = None if limit.seconds is None or share.seconds is None else limit.seconds - share.seconds
    nodes = None if limit.nodes is None or share.nodes is None else max(1, limit.nodes - share.nodes)
    return Limit(seconds=seconds, depth=limit.depth, nodes=nodes)


ORDER = {Value.WIN: 0, Value.DRAW: 1, None: 1, Value.LOSS: 2}
"""Sort order of lines if the value of the position is unknown."""


def with_proven_values(
    position: Position,
    results: list[SearchResult],
    known: ProvenValue | None,
    look_up: Callable[[Position], ProvenValue | None],
) -> list[SearchResult]:
    """Return search results with all proven values filled in, of the position and of those after its moves."""
    results = [_with_value_after(position, result, look_up) for result in results]
    if known is not None:
        return with_value(position, results, known)
    return sorted(results, key=lambda result: ORDER[result.value])


def _with_value_after(
    position: Position, result: SearchResult, look_up: Callable[[Position], ProvenValue | None]
) -> SearchResult:
    after = position.after(result.move)
    there = None if result.value is not None or after.is_over else look_up(after)
    if there is None:
        return result
    plies = None if there.plies is None or there.value is Value.DRAW else there.plies + 1
    return proven(result, there.value.opposite, plies)
