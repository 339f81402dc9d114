"""Searches in the background for ``noughts engine``, which must read its host's commands meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Thread
from time import perf_counter
from typing import Any

from noughts.engine import Engine, EnginePlayer, Level, LevelPlayer, Limit, SearchResult, level, subtract_overhead
from noughts.engine.evaluator import DEFAULT_SEARCH, MAX_SEED, EngineSearch, Search
from noughts.engine.network import Network
from noughts.games import Game, Position
from noughts.games.evaluation import Weights

__all__ = ["BackgroundSearch", "Done", "Progress", "Say", "SearchSettings"]

Say = Callable[[str], None]
"""Writes an answer to the host."""
Progress = Callable[[SearchResult], None]
Done = Callable[[list[SearchResult]], None]
UNLIMITED = Limit(nodes=1 << 62)
"""The limit of a search that runs until it is stopped."""


@dataclass
class SearchSettings:
    """Settings of the engine; hosts may change them.

    ``game`` is the game until the host names another, 3x3 by default; ``seconds`` is the time for a move if the host
    sets none. ``level`` is a level or a rating such as ``elo:1500``. ``weights`` replace the evaluation of every game,
    ``network`` the network of each, see ``Engine``. ``seed`` is that of a level or of the tree search.
    """

    game: Game | None = None
    level: str = Level.MASTER
    seed: int | None = None
    threads: int = 1
    hash_mb: int = 64
    seconds: float | None = None
    weights: Weights | None = None
    book: bool = True
    network: Network = None
    search: EngineSearch = DEFAULT_SEARCH

    @property
    def engine_options(self) -> dict[str, Any]:
        """The arguments of ``Engine``."""
        is_tree = self.search.name is Search.MCTS
        return {
            "threads": self.threads,
            "hash_mb": self.hash_mb,
            "book": self.book,
            "network": self.network,
            "search": self.search.name,
            "evaluator": self.search.evaluator,
            "seed": (self.seed or 0) & MAX_SEED if is_tree else None,
        }


class BackgroundSearch:
    """One search at a time, by the engine or a level, according to the settings, which may change in between."""

    def __init__(self, settings: SearchSettings) -> None:
        self.settings = settings
        self._engine: Engine | None = None
        self._made_with: dict[str, object] = {}
        self._player: LevelPlayer | None = None
        self._weighted: Game | None = None
        self._thread: Thread | None = None
        self._stopping = Event()
        self._is_unlimited = False
        self._received_at = 0.0

    @property
    def is_thinking(self) -> bool:
        """Whether a search is running."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def is_engine(self) -> bool:
        """Whether the engine plays at full strength, not at a lower level."""
        return isinstance(self._ready_player(), EnginePlayer)

    def note_command(self) -> None:
        """Note that a command has come: its time limit counts from now, including the time to get ready."""
        self._received_at = perf_counter()

    def get_ready(self) -> None:
        """Allocate the engine before it is needed; raises ValueError when its table does not fit in memory."""
        if self.is_engine:
            self._ready_engine()

    def check(self, game: Game) -> None:
        """Get ready for a game; raises ValueError if the table does not fit in memory, or the network not the game."""
        if self.is_engine:
            self._ready_engine().scale_of(game)

    def begin(self, position: Position, limit: Limit | None, lines: int, progress: Progress, done: Done) -> None:
        """Search in the background, after stopping a running search. Without a limit it runs until ``stop``.

        ``progress`` gets the best line of each depth, ``done`` all lines, best first; both in another thread. Raises
        ValueError as ``check`` does.
        """
        self.stop()
        self._stopping.clear()
        self.check(position.game)
        self._is_unlimited = limit is None
        arguments = (position.copy(), limit, lines, progress, done)
        self._thread = Thread(target=self._run, args=arguments, name="noughts-engine")
        self._thread.start()

    def think(self, position: Position, limit: Limit) -> int:
        """Return the best move, in this thread."""
        self.stop()
        self._stopping.clear()
        return self._search(position, limit, 1, lambda found: None)[0].move

    def stop(self) -> None:
        """End the running search and wait until it is done."""
        self._stopping.set()
        if self._engine is not None:
            self._engine.stop()
        self._join()

    def abandon(self) -> None:
        """Ask a search to end, without waiting for it: its result is not needed."""
        self._stopping.set()

    def finish(self) -> None:
        """Wait for a search that has a limit; stop one that has none."""
        if self._is_unlimited:
            self.stop()
        self._join()

    def _join(self) -> None:
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def clear(self) -> None:
        """Forget what was learned, for a new playthrough."""
        self.stop()
        if self._engine is not None:
            self._engine.clear()
        self._player = None

    def _run(self, position: Position, limit: Limit | None, lines: int, progress: Progress, done: Done) -> None:
        found = self._search(position, limit or UNLIMITED, lines, progress)
        if limit is None:
            self._stopping.wait()
        done(found)

    def _search(self, position: Position, limit: Limit, lines: int, progress: Progress) -> list[SearchResult]:
        if not self.is_engine:
            move = self._ready_player().choose(position)
            return [SearchResult(move, 0, None, None, 0, 0, [move], pv_text=position.format_move(move))]

        def report(found: SearchResult) -> bool:
            progress(found)
            return not self._stopping.is_set()

        engine = self._ready_engine()
        limit = self._limit_from_now(position, limit)
        position = self._with_weights(position)
        if lines == 1 and limit.is_timed:  # a move to play, which may come before the time is up
            return [engine.search(position, limit, report)]
        return engine.analyse(position, limit, min(lines, len(position.legal_moves)), lambda found: report(found[0]))

    def _with_weights(self, position: Position) -> Position:
        """Return the same position in the game with the weights of the settings."""
        weights = self.settings.weights
        if weights is None or position.game.is_custom:
            return position
        if self._weighted is None or self._weighted.id != position.game.id:
            self._weighted = Game(position.game.id, weights)
        game = self._weighted
        weighted = game.start_from(position.start_text)
        weighted.play_all(position.moves)
        return weighted

    def _limit_from_now(self, position: Position, limit: Limit) -> Limit:
        """Return the engine's limit: a host's time limit is strict, and counts from when its command came."""
        if not limit.is_timed or position.turn is None:
            return limit
        seconds = None if limit.seconds is None else subtract_overhead(limit.seconds)
        strict = Limit(seconds, limit.depth, limit.nodes, limit.clock)
        return strict.after(perf_counter() - self._received_at, position.turn)

    def _ready_engine(self) -> Engine:
        engine, settings = self._engine, self.settings
        wanted = settings.engine_options
        if engine is None or self._made_with != wanted:
            self._engine = engine = None  # release the memory of the old table first
            self._engine = engine = Engine(**wanted)
            self._made_with = wanted
        return engine

    def _ready_player(self) -> LevelPlayer:
        if self._player is None or self._player.name != self.settings.level:
            self._player = level(self.settings.level, self.settings.seed)
        return self._player
