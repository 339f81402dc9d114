"""The engine: one search for every game."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, get_ident
from time import perf_counter
from types import TracebackType
from typing import NamedTuple

from noughts import _core
from noughts.engine.book import Book, BookEntry, InvalidBook, shipped_book
from noughts.engine.limit import DEFAULT_LIMIT, Limit
from noughts.engine.live import LiveSolver, move_keeps
from noughts.engine.network import Network, name_network, read_network
from noughts.games import Game, Position, ProvenValue, Value
from noughts.games.evaluation import scale_of
from noughts.games.outcome import document_fields
from noughts.games.quoting import count

__all__ = ["Engine", "Exclusive", "SearchResult", "proven", "symmetric_moves", "with_value"]
MAX_THREADS = _core.MAX_THREADS
MAX_HASH_MB = 1 << 20
MAX_NODES = 1 << 62
MAX_LINES_FOR_SYMMETRY = 10_000
"""In games with more lines, finding the symmetries takes longer than they save."""


class Exclusive:
    """A lock for an engine or a solver: ``with`` waits until other threads are done.

    Raises RuntimeError if that would be a deadlock: in a progress callback of the holder itself.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = Lock()
        self._holder: int | None = None
        self._process = os.getpid()

    @property
    def is_mine(self) -> bool:
        """Whether the current thread holds the lock, that is, runs in its own progress callback."""
        return self._holder == get_ident()

    def __enter__(self) -> None:
        if self.is_mine:
            raise RuntimeError(f"this {self._name} is waiting for its own progress callback; use another one there")
        self._lock.acquire()
        self._holder = get_ident()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._holder = None
        self._lock.release()

    def recover_from_fork(self) -> bool:
        """Free the lock if its holder does not exist in this process because of a fork; return whether that was so.

        The object that the holder was using is then in an unknown state and must not be used again.
        """
        if self._process == os.getpid():
            return False
        self._process = os.getpid()
        if not self._lock.locked() or self._holder == get_ident():
            return False
        self._lock = Lock()
        self._holder = None
        return True


class SearchResult(NamedTuple):
    """The result of a search: the best move, its score or proven value, and the expected line.

    ``score`` is an estimate for the side to move, in the engine's own units; ``value`` is ``"win"``, ``"draw"`` or
    ``"loss"`` only when proven, and ``plies`` then bounds the length of the game (None for a draw). A move from the
    book without a value is not proven: it did well in playthroughs.
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
    is_from_book: bool = False

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return round(self.nodes / self.seconds) if self.seconds > 0 else 0

    @property
    def book_note(self) -> str | None:
        """``from the book, proven``, or ``not proven`` instead; None for a result of a search."""
        if not self.is_from_book:
            return None
        return f"from the book, {'not proven' if self.value is None else 'proven'}"

    @property
    def verdict(self) -> str:
        """The value with its plies when proven, else the score: ``win in 7 plies``, ``+112``."""
        if self.value is None:
            return f"{self.score:+d}"
        return self.value if self.plies is None else f"{self.value} in {count(self.plies, 'ply')}"

    def __str__(self) -> str:
        speed = "from the book" if self.is_from_book else f"{self.nodes:,} nodes, {self.seconds:.2f} s"
        return f"depth {self.depth:2}  {self.verdict:>16}  {speed:>28}  {self.pv_text}"


document_fields(
    SearchResult,
    move="The best move, as a cell number.",
    score="An estimate for the side to move, in the engine's own units.",
    value="The proven value for the side to move, or None.",
    plies="A proven win or loss takes at most this many plies; None for a draw and without a proven value.",
    depth="The last depth, in plies, that was searched completely.",
    nodes="The number of positions visited by all threads.",
    pv="The expected line of play as cell numbers, beginning with the best move.",
    seconds="The duration of the search.",
    hashfull="Per mille of the table filled by this search.",
    pv_text="The expected line of play, as text.",
    is_from_book="Whether the move, or its value, comes from the book; the move is proven if it has a value.",
)


class Engine:
    """The engine at full strength, with a table that is kept from move to move.

    With one thread and a limit on depth or nodes, a fresh engine always gives the same answer. Threads may share an
    engine, and then wait for each other. After a fork, parent and child can both use it; a child forked while another
    thread was searching starts with an empty table.

    ``book`` is True for the book that comes with the package, False for none, or a ``Book``: ``search`` answers its
    positions at once, and moves that lead to them have their proven values. In the games of the book, ``search`` also
    tries to solve other positions, for a few milliseconds.

    ``network`` evaluates positions: None is the network of each game, where it has one; False is the hand-written
    evaluation; a path or bytes is a network for one game, and searching another game raises ValueError. Raises OSError
    if the file cannot be read, and ValueError if it is not a network.
    """

    def __init__(
        self, threads: int = 1, hash_mb: int = 64, *, book: bool | Book = True, network: Network = None
    ) -> None:
        _check_range("threads", threads, MAX_THREADS)
        _check_range("hash_mb", hash_mb, MAX_HASH_MB)
        if not isinstance(book, bool | Book):
            raise TypeError(f"expected book as True, False or a Book, got {type(book).__name__}")
        self._book = book
        self._is_book_damaged = False
        self._live = LiveSolver()
        self.threads = threads
        self.hash_mb = hash_mb
        self.network = network
        """The network it was made with."""
        self._network_data = read_network(network)
        self._core = self._start()
        self._turn = Exclusive("engine")

    def _start(self) -> _core.Engine:
        try:
            return _core.Engine(self.threads, self.hash_mb, self._network_data)
        except MemoryError:
            raise ValueError(f"not enough memory for a table of hash_mb={self.hash_mb}; choose a smaller one") from None
        except ValueError as error:
            raise ValueError(f"cannot use {name_network(self.network)}: {error}") from None

    def search(
        self,
        position: Position,
        limit: Limit = DEFAULT_LIMIT,
        progress: Callable[[SearchResult], object] | None = None,
    ) -> SearchResult:
        """Return the best move with its score or proven value; the position is left unchanged.

        This is the search for playing: a limit in seconds (one by default) is not used up if the book has the answer,
        or if all moves but one are proven to lose. ``progress`` is called with the result so far after each depth;
        returning False stops the search. Raises ValueError when the game is over, and OSError when the system cannot
        start the threads.
        """
        _check_question(position, limit, 1)
        self.scale_of(position.game)
        entry = self.find_in_book(position)
        if entry is not None and entry.move is not None:
            return self._answer(position, _book_result(position, entry.move, entry), progress)
        report = None if progress is None else lambda found: progress(found[0])
        if entry is not None or not self._plays_from_book(position):
            known = None if entry is None else entry.proven
            return self._find(position, limit, 1, report, known, is_play=True)[0]
        began = perf_counter()
        known = self._live.solve(position, limit)
        if known is not None and known.value is Value.WIN and known.move is not None:
            return self._answer(position, _known_result(position, known.move, known), progress)
        rest = _without_seconds(limit, perf_counter() - began)
        if known is None or known.move is None:
            return self._find(position, rest, 1, report, known, is_play=True)[0]
        best = self._find(position, rest, 1, report, None, is_play=True)[0]
        return best if move_keeps(position, best.move, known.value) else _known_result(position, known.move, known)

    def _answer(
        self, position: Position, answer: SearchResult, progress: Callable[[SearchResult], object] | None
    ) -> SearchResult:
        """Return an answer that needed no search, after reporting it; a win is remembered for the next move."""
        self._live.remember(position, answer.move, answer.value)
        if progress is not None:
            progress(answer)
        return answer

    def analyse(
        self,
        position: Position,
        limit: Limit = DEFAULT_LIMIT,
        lines: int = 1,
        progress: Callable[[list[SearchResult]], object] | None = None,
        *,
        known: ProvenValue | None = None,
    ) -> list[SearchResult]:
        """Return the best moves with their scores and lines, best first.

        Symmetric moves have the same score. ``progress`` is called with the lines so far after each depth; returning
        False stops the search. ``known`` is a value of the position that was proven elsewhere; by default it is looked
        up in the book.
        """
        _check_question(position, limit, lines)
        self.scale_of(position.game)
        is_book = known is None
        known = self.look_up(position) if is_book else known
        return self._find(position, limit, lines, progress, known, is_play=False, is_book=is_book)

    def _find(
        self,
        position: Position,
        limit: Limit,
        lines: int,
        progress: Callable[[list[SearchResult]], object] | None,
        known: ProvenValue | None,
        is_play: bool,
        is_book: bool = False,
    ) -> list[SearchResult]:
        """Search; ``is_book`` says that ``known`` comes from the book."""
        moves = self._known_moves(position, known)

        def results_of(found: _core.Report) -> list[SearchResult]:
            results = [_with_known_move_value(result, moves) for result in _results(position, found)]
            if known is None:
                return results
            results = with_value(position, results, known)
            return [_from_book(result, known) for result in results] if is_book else results

        def report(found: _core.Report) -> object:
            return progress is None or progress(results_of(found)) is not False

        with self._exclusive():
            found = self._core.search(
                position,
                limit.max_thinking_seconds(position) or 0.0,
                min(limit.depth or 0, position.game.cells),
                min(limit.nodes or 0, MAX_NODES),
                lines,
                report if progress is not None else None,
                position.game.symmetry if _uses_symmetry(position) else None,
                [(move, _known_score(position, entry)) for move, entry in moves.items()],
                is_play,
                _target_seconds(position, limit) if is_play else 0.0,
            )
        return results_of(found)

    def scale_of(self, game: Game) -> int:
        """Return the scale of the scores in a game: a score of n is a chance of ``1 / (1 + exp(-n / scale))``.

        Raises ValueError if the engine's network is not one for the game.
        """
        try:
            return self._core.spread(game._core) or scale_of(game.spec, game.k)
        except ValueError as error:
            raise ValueError(f"cannot use {name_network(self.network)} for {game.label}: {error}") from None

    @property
    def uses_book(self) -> bool:
        """Whether it was made to use a book."""
        return self._book is not False

    @property
    def book(self) -> Book | None:
        """The book it uses."""
        if self._is_book_damaged or self._book is False:
            return None
        return shipped_book() if self._book is True else self._book

    def find_in_book(self, position: Position) -> BookEntry | None:
        """Return the book's entry for a position, or None. A damaged book is reported once and not used again."""
        try:
            return None if self.book is None else self.book.find(position)
        except InvalidBook as error:
            self._is_book_damaged = True
            warnings.warn(f"continuing without the opening book: {error}", RuntimeWarning, stacklevel=3)
            return None

    def look_up(self, position: Position) -> ProvenValue | None:
        """Return the proven value of a position in the book, or None."""
        entry = self.find_in_book(position)
        return None if entry is None else entry.proven

    def _plays_from_book(self, position: Position) -> bool:
        return self.book is not None and self.book.chapter(position.game) is not None

    def _known_moves(self, position: Position, known: ProvenValue | None) -> dict[int, ProvenValue]:
        """The proven values of moves; none in a lost position, where the search must find the best resistance."""
        book = self.book
        if book is None or not book.covers(position, plies=1) or (known is not None and known.value is Value.LOSS):
            return {}
        after = {move: self.look_up(position.after(move)) for move in position.legal_moves}
        return {move: _before(move, entry) for move, entry in after.items() if entry is not None}

    def stop(self) -> None:
        """Stop the running search, from another thread; it returns its best result so far."""
        self._core.stop()

    def clear(self) -> None:
        """Clear the table."""
        with self._exclusive():
            self._core.clear()
        self._live.forget()

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Wait until other threads are done."""
        if self._turn.recover_from_fork():
            self._core = self._start()
        with self._turn:
            yield


def _check_question(position: Position, limit: Limit, lines: int) -> None:
    if not isinstance(limit, Limit):
        raise TypeError(f"expected a Limit such as Limit(seconds=1), got {type(limit).__name__}")
    if not isinstance(position, Position):
        raise TypeError(f"expected a Position, got {type(position).__name__}")
    if position.is_over:
        raise ValueError("expected a position to search, but the game is over")
    _check_range("lines", lines, position.game.cells)


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
        value = Value.from_number(line.score if abs(line.score) >= _core.DECIDED else 0)
        plies = None if value is Value.DRAW else _core.WIN - abs(line.score)
    return SearchResult(
        move=line.move,
        score=line.score if value is not Value.DRAW else 0,
        value=value,
        plies=plies,
        depth=found.depth,
        nodes=found.nodes,
        pv=line.pv,
        seconds=found.seconds,
        hashfull=found.hashfull,
        pv_text=" ".join(position.format_move(move) for move in line.pv),
    )


# --- proven values ------------------------------------------------------------------------------------------------


def with_value(position: Position, results: list[SearchResult], known: ProvenValue) -> list[SearchResult]:
    """Return the results adjusted to a known value of the position: moves that preserve it come first.

    The known move and those symmetric to it have the value. If the position is lost, all moves have it, and the known
    move resists best.
    """
    if known.value is Value.LOSS:
        results = [each if each.value is not None else proven(each, Value.LOSS, known.plies) for each in results]
        results.sort(key=lambda result: result.move != known.move)
    elif known.move is not None and not any(each.value == known.value for each in results):
        results = _with_known_move(position, results, known, known.move)
    if known.value is Value.DRAW:  # no move is better than a draw, even if its score suggests it
        results = [each if each.value is not None else each._replace(score=min(0, each.score)) for each in results]
    return sorted(results, key=lambda result: _rank(result, known.value))


def proven(result: SearchResult, value: Value, plies: int | None) -> SearchResult:
    """Return a result with a proven value."""
    score = abs(result.score) * value.number
    return result._replace(score=score, value=value, plies=plies)


def _with_known_move(
    position: Position, results: list[SearchResult], known: ProvenValue, move: int
) -> list[SearchResult]:
    best = next((result for result in results if result.move == move), None)
    if best is None:
        best = results[0]._replace(move=move, pv=[move], pv_text=position.format_move(move))
        results = results[:-1] if len(results) > 1 else []
    images = symmetric_moves(position, move)
    others = [result for result in results if result.move != move]
    others = [proven(each, known.value, known.plies) if each.move in images else each for each in others]
    return [proven(best, known.value, known.plies), *others]


def symmetric_moves(position: Position, move: int) -> list[int]:
    """Return the legal moves, in ascending order, that lead to the same position as a move, up to symmetry."""
    if not _uses_symmetry(position):
        return [move]
    image = position.after(move).canonical_hash
    return [other for other in position.legal_moves if position.after(other).canonical_hash == image]


def _target_seconds(position: Position, limit: Limit) -> float:
    """The time that a move should take on average; 0 if all of it may be used, as with a fixed time per move."""
    target, most = limit.thinking_seconds(position), limit.max_thinking_seconds(position)
    return target if target is not None and most is not None and target < most else 0.0


def _uses_symmetry(position: Position) -> bool:
    return len(position.game.lines) <= MAX_LINES_FOR_SYMMETRY


def _rank(result: SearchResult, value: Value) -> int:
    """Moves that preserve a proven value first, moves that give it away last, the rest in the order of the search."""
    if result.value in (Value.WIN, value):
        return 0
    return 2 if result.value is Value.LOSS else 1


def _before(move: int, after: ProvenValue) -> ProvenValue:
    """The proven value of a move that leads to a proven position."""
    return ProvenValue(after.value.opposite, move, None if after.plies is None else after.plies + 1)


def _known_score(position: Position, known: ProvenValue) -> int:
    """The score of a proven value; without a better bound, the game is assumed to end with the last empty cell."""
    plies = position.cells.count(None) if known.plies is None else known.plies
    score = max(_core.WIN - plies, _core.DECIDED)
    return score * known.value.number


def _without_seconds(limit: Limit, seconds: float) -> Limit:
    return limit if limit.seconds is None else limit._replace(seconds=max(limit.seconds - seconds, limit.seconds / 4))


def _book_result(position: Position, move: int, entry: BookEntry) -> SearchResult:
    if entry.proven is None:
        return SearchResult(move, 0, None, None, 0, 0, [move], pv_text=position.format_move(move), is_from_book=True)
    return _known_result(position, move, entry.proven)._replace(is_from_book=True)


def _from_book(result: SearchResult, known: ProvenValue) -> SearchResult:
    """The result, marked if its value is that of the position's entry."""
    return result._replace(is_from_book=result.is_from_book or result.value is known.value)


def _known_result(position: Position, move: int, known: ProvenValue) -> SearchResult:
    score, name = _known_score(position, known), position.format_move(move)
    return SearchResult(move, score, known.value, known.plies, 0, 0, [move], pv_text=name)


def _with_known_move_value(result: SearchResult, known: dict[int, ProvenValue]) -> SearchResult:
    """The result with the plies of the book, which may be unknown, instead of those derived from its score."""
    return result._replace(plies=known[result.move].plies, is_from_book=True) if result.move in known else result
