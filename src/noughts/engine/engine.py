"""The engine: alpha-beta or tree search, for every game."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import SupportsFloat, SupportsIndex

from noughts import _core
from noughts.engine.book import Book, BookEntry, InvalidBook, shipped_book
from noughts.engine.evaluator import Evaluate, Evaluator, Search, TreeOptions, batch_function, tree_options
from noughts.engine.instant_proofs import LiveSolver, move_keeps
from noughts.engine.network import Network, name_network, read_network
from noughts.engine.results import (
    SearchResult,
    book_result,
    from_book,
    known_result,
    known_score,
    results_of_report,
    uses_symmetry,
    value_before,
    with_known_plies,
    with_value,
)
from noughts.exclusive import Exclusive
from noughts.games import Game, Position, ProvenValue, Value
from noughts.games.evaluation import scale_of
from noughts.limit import DEFAULT_LIMIT, Limit, as_int

__all__ = ["Engine"]
MAX_HASH_MB = 1 << 20
MAX_NODES = 1 << 62


class Engine:
    """The engine at full strength: alpha-beta with a table that is kept from move to move, or tree search.

    With one thread and a limit on depth or nodes, a fresh engine always gives the same answer. Threads may share an
    engine, and then wait for each other. After a fork, parent and child can both use it; a child forked while another
    thread was searching starts with an empty table.

    ``book`` is True for the book that comes with the package, False for none, or a ``Book``: ``search`` answers its
    positions at once, and moves that lead to them have their proven values. In the games of the book, ``search`` also
    tries to solve other positions, for a few milliseconds.

    ``network`` evaluates positions: None is the network of each game, where it has one; False is the hand-written
    evaluation; a path or bytes is a network for one game, and searching another game raises ValueError. Raises OSError
    if the file cannot be read, and ValueError if it is not a network.

    ``search`` is ``"alphabeta"`` or ``"mcts"``, Monte-Carlo tree search with PUCT, which evaluates positions by
    ``evaluator``: ``"rollouts"`` (the default), ``"network"`` (the default if one is given), ``"weights"`` (the
    hand-written evaluation), or a function. The function gets a list of at most ``batch`` positions (16 by default; for
    other evaluators 1 for a thread). It returns their values for the side to move, from -1 (loss) to 1 (win), and their
    priors, one weight of 0 or more per cell and position, or None. Both may be anything that NumPy turns into an array;
    weights of illegal moves are ignored. An exception from the function ends the search. ``exploration`` is the
    constant of PUCT, and ``hash_mb`` the size of the tree. Nodes are simulations, and depth is their mean length in
    plies. With the same ``seed`` and a limit on nodes the answer is the same.
    """

    def __init__(
        self,
        threads: SupportsIndex = 1,
        hash_mb: SupportsIndex = 64,
        *,
        book: bool | Book = True,
        network: Network = None,
        search: Search | str = Search.ALPHABETA,
        evaluator: Evaluator | str | Evaluate | None = None,
        batch: SupportsIndex | None = None,
        exploration: SupportsFloat | None = None,
        seed: SupportsIndex | None = None,
    ) -> None:
        self.threads = as_int("threads", threads, 1, _core.MAX_THREADS)
        self.hash_mb = as_int("hash_mb", hash_mb, 1, MAX_HASH_MB)
        if not isinstance(book, bool | Book):
            raise TypeError(f"expected book as True, False or a Book, got {type(book).__name__}")
        self._book = book
        self._is_book_damaged = False
        self._live = LiveSolver()
        self.network = network
        """The network it was made with."""
        self._network_data = read_network(network)
        self._tree: TreeOptions | None = tree_options(
            search, evaluator, batch=batch, exploration=exploration, seed=seed, threads=self.threads, network=network
        )
        self._core = self._start()
        self._turn = Exclusive("engine")

    def _start(self) -> _core.Engine | _core.Mcts:
        try:
            if self._tree is not None:
                return self._tree.start(self.threads, self.hash_mb, self._network_data)
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
        returning False stops the search. Raises GameOver, and OSError when the system cannot
        start the threads.
        """
        _check_question(position, limit)
        self.scale_of(position.game)
        entry = self.find_in_book(position)
        if entry is not None and entry.move is not None:
            return self._answer(position, book_result(position, entry.move, entry), progress)
        report = None if progress is None else lambda found: progress(found[0])
        if entry is not None or not self._plays_from_book(position):
            known = None if entry is None else entry.proven
            return self._find(position, limit, 1, report, known, is_play=True)[0]
        began = perf_counter()
        known = self._live.solve(position, limit)
        if known is not None and known.value is Value.WIN and known.move is not None:
            return self._answer(position, known_result(position, known.move, known), progress)
        rest = _without_seconds(limit, perf_counter() - began)
        if known is None or known.move is None:
            return self._find(position, rest, 1, report, known, is_play=True)[0]
        best = self._find(position, rest, 1, report, None, is_play=True)[0]
        return best if move_keeps(position, best.move, known.value) else known_result(position, known.move, known)

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
        lines: SupportsIndex = 1,
        progress: Callable[[list[SearchResult]], object] | None = None,
        *,
        known: ProvenValue | None = None,
    ) -> list[SearchResult]:
        """Return the best moves with their scores and lines, best first.

        Symmetric moves have the same score. ``progress`` is called with the lines so far after each depth; returning
        False stops the search. ``known`` is a value of the position that was proven elsewhere; by default it is looked
        up in the book.
        """
        _check_question(position, limit)
        lines = as_int("lines", lines, 1, position.game.cells)
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
            results = [with_known_plies(result, moves) for result in results_of_report(position, found)]
            if known is None:
                return results
            results = with_value(position, results, known)
            return [from_book(result, known) for result in results] if is_book else results

        def report(found: _core.Report) -> object:
            return progress is None or progress(results_of(found)) is not False

        arguments = (
            position,
            limit.max_thinking_seconds(position) or 0.0,
            min(limit.depth or 0, position.game.cells),
            min(limit.nodes or 0, MAX_NODES),
            lines,
            report if progress is not None else None,
            position.game.symmetry if uses_symmetry(position) else None,
            [(move, known_score(position, entry)) for move, entry in moves.items()],
            is_play,
            _target_seconds(position, limit) if is_play else 0.0,
        )
        with self._exclusive():
            if isinstance(self._core, _core.Engine):
                return results_of(self._core.search(*arguments))
            function = None if self._tree is None else self._tree.function
            evaluate = None if function is None else batch_function(function, position)
            return results_of(self._core.search(*arguments, self.scale_of(position.game), evaluate))

    def scale_of(self, game: Game) -> int:
        """Return the scale of the scores in a game: a score of n is a chance of ``1 / (1 + exp(-n / scale))``.

        Raises ValueError if the engine's network is not one for the game, or there is none that it could use.
        """
        try:
            spread = self._core.spread(game._core)
        except ValueError as error:
            raise ValueError(f"cannot use {name_network(self.network)} for {game.label}: {error}") from None
        evaluator = None if self._tree is None else self._tree.evaluator
        if evaluator is Evaluator.NETWORK and not spread:
            raise ValueError(f"{game.label} has no network: give one, or choose another evaluator")
        return spread if spread and evaluator is not Evaluator.WEIGHTS else scale_of(game.spec, game.k)

    @property
    def uses_book(self) -> bool:
        """Whether the engine uses a book."""
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
        return {move: value_before(move, entry) for move, entry in after.items() if entry is not None}

    def stop(self) -> None:
        """Stop the running search, from another thread; it returns its best result so far."""
        self._core.stop()

    def clear(self) -> None:
        """Clear the table."""
        with self._exclusive():
            if isinstance(self._core, _core.Engine):
                self._core.clear()
        self._live.forget()

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Wait until other threads are done."""
        if self._turn.recover_from_fork():
            self._core = self._start()
        with self._turn:
            yield


def _check_question(position: Position, limit: Limit) -> None:
    if not isinstance(limit, Limit):
        raise TypeError(f"expected a Limit such as Limit(seconds=1), got {type(limit).__name__}")
    if not isinstance(position, Position):
        raise TypeError(f"expected a Position, got {type(position).__name__}")
    position.require_unfinished()


def _target_seconds(position: Position, limit: Limit) -> float:
    """The time that a move should take on average; 0 if all of it may be used, as with a fixed time per move."""
    target, most = limit.thinking_seconds(position), limit.max_thinking_seconds(position)
    return target if target is not None and most is not None and target < most else 0.0


def _without_seconds(limit: Limit, seconds: float) -> Limit:
    return limit if limit.seconds is None else limit._replace(seconds=max(limit.seconds - seconds, limit.seconds / 4))
