"""The engine: one search for every game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from noughts import _core
from noughts.engine.exclusive import Exclusive
from noughts.engine.limit import DEFAULT_LIMIT, Limit
from noughts.games import Position
from noughts.games.fields import document_fields
from noughts.games.values import Value

__all__ = ["Engine", "SearchResult"]

MAX_THREADS = _core.MAX_THREADS
MAX_HASH_MB = 1 << 20
MOST_NODES = 1 << 62


class SearchResult(NamedTuple):
    """What a search found: the best move, what it is worth, and the line it expects.

    ``score`` is an estimate for the side to move, in the engine's own units; ``value`` is ``"win"``, ``"draw"`` or
    ``"loss"`` only when proven, and ``plies`` then says that the game ends after at most so many (None for a draw).
    """

    move: int
    score: int
    value: Value | None
    plies: int | None
    depth: int
    nodes: int
    pv: list[int]
    seconds: float = 0.0
    hashfull: int = 0
    pv_text: str = ""

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return round(self.nodes / self.seconds) if self.seconds > 0 else 0

    @property
    def verdict(self) -> str:
        """The value with its plies when proven, else the score: ``win in 7 plies``, ``+112``."""
        if self.value is None:
            return f"{self.score:+d}"
        return self.value if self.plies is None else f"{self.value} in {self.plies} plies"

    def __str__(self) -> str:
        speed = f"{self.nodes:,} nodes, {self.seconds:.2f} s"
        return f"depth {self.depth:2}  {self.verdict:>16}  {speed:>28}  {self.pv_text}"


document_fields(
    SearchResult,
    move="The best move, as a cell number.",
    score="An estimate for the side to move, in the engine's own units.",
    value="What is proven for the side to move, or None.",
    plies="A proven win or loss comes within this many plies; None for a draw and where nothing is proven.",
    depth="How many plies the search looked ahead in full.",
    nodes="How many positions it visited, all threads together.",
    pv="The line it expects, as cell numbers, from the best move on.",
    seconds="How long it took.",
    hashfull="Per mille of the table filled by this search.",
    pv_text="The line it expects, as text.",
)


class Engine:
    """The whole engine, with a table that survives from move to move.

    One thread with a limit on depth or nodes gives the same answer every time (on a fresh engine). Threads may share an
    engine, and then wait for each other. After a fork parent and child can both go on with it; a child forked while
    another thread was searching starts with an empty table.
    """

    def __init__(self, threads: int = 1, hash_mb: int = 64) -> None:
        _check_range("threads", threads, MAX_THREADS)
        _check_range("hash_mb", hash_mb, MAX_HASH_MB)
        self.threads = threads
        self.hash_mb = hash_mb
        self._core = self._start()
        self._turn = Exclusive("engine")

    def _start(self) -> _core.Engine:
        try:
            return _core.Engine(self.threads, self.hash_mb)
        except MemoryError:
            raise ValueError(f"expected a table that fits in memory, got hash_mb={self.hash_mb}") from None

    def search(
        self,
        position: Position,
        limit: Limit = DEFAULT_LIMIT,
        progress: Callable[[SearchResult], object] | None = None,
    ) -> SearchResult:
        """Return the best move and what the search thinks of it; the position is left as it was.

        It thinks for a second unless there is another limit. ``progress`` is called with the result so far after each
        depth; returning False stops the search. Raises ValueError when the game is over, and OSError when the system
        cannot start the threads.
        """
        return self.analyse(position, limit, lines=1, progress=progress)[0]

    def analyse(
        self,
        position: Position,
        limit: Limit = DEFAULT_LIMIT,
        lines: int = 1,
        progress: Callable[[SearchResult], object] | None = None,
        watch: Callable[[list[SearchResult]], object] | None = None,
    ) -> list[SearchResult]:
        """Return the best moves with their scores and lines, best first.

        ``progress`` sees the best of each depth, ``watch`` all lines of it; either stops the search by returning False.
        """
        if not isinstance(limit, Limit):
            raise TypeError(f"expected a Limit such as Limit(seconds=1), got {type(limit).__name__}")
        if not isinstance(position, Position):
            raise TypeError(f"expected a Position, got {type(position).__name__}")
        if position.is_over:
            raise ValueError("expected a position to search, but the game is over")
        _check_range("lines", lines, position.game.cells)

        def report(found: _core.Report) -> object:
            results = _results(position, found)
            answers = (progress and progress(results[0]), watch and watch(results))
            return not any(answer is False for answer in answers)

        with self._alone():
            found = self._core.search(
                position,
                limit.seconds or 0.0,
                min(limit.depth or 0, position.game.cells),
                min(limit.nodes or 0, MOST_NODES),
                lines,
                report if progress is not None or watch is not None else None,
            )
        return _results(position, found)

    def stop(self) -> None:
        """End the running search soon, from another thread; it returns what it has."""
        self._core.stop()

    def clear(self) -> None:
        """Forget everything learned."""
        with self._alone():
            self._core.clear()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait until other threads are done."""
        if self._turn.recover_from_fork():
            self._core = self._start()
        with self._turn:
            yield


def _check_range(name: str, value: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"expected {name} as a whole number, got {type(value).__name__}")
    if not 1 <= value <= most:
        raise ValueError(f"expected {name} from 1 to {most}, got {value}")


def _results(position: Position, found: _core.Report) -> list[SearchResult]:
    return [_result(position, found, line) for line in found.lines]


def _result(position: Position, found: _core.Report, line: _core.RootLine) -> SearchResult:
    value: Value | None = None
    plies = None
    if line.proven:
        value = "win" if line.score >= _core.DECIDED else "loss" if line.score <= -_core.DECIDED else "draw"
        plies = None if value == "draw" else _core.WIN - abs(line.score)
    return SearchResult(
        move=line.move,
        score=line.score if value != "draw" else 0,
        value=value,
        plies=plies,
        depth=found.depth,
        nodes=found.nodes,
        pv=line.pv,
        seconds=found.seconds,
        hashfull=found.per_mille_full,
        pv_text=" ".join(position.format_move(move) for move in line.pv),
    )
