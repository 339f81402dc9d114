"""Thinking in the background, so that an engine hears its host while it thinks."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING

from noughts.engine import Engine, LevelPlayer, Limit, SearchResult, level
from noughts.games import Position

if TYPE_CHECKING:
    from noughts.players.protocols.serving import Settings

__all__ = ["WHOLE_ENGINE", "Done", "Progress", "Thinker"]

Progress = Callable[[SearchResult], None]
Done = Callable[[list[SearchResult]], None]
ENDLESS = Limit(nodes=1 << 62)
"""The limit of a search that runs until it is stopped."""
WHOLE_ENGINE = "master"
"""The level that thinks as long as it may; all others look so many moves ahead."""


class Thinker:
    """One search at a time, by the engine or a level of it, as the settings say, which may change between searches."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._engine: Engine | None = None
        self._level: LevelPlayer | None = None
        self._thread: Thread | None = None
        self._stopping = Event()
        self._is_endless = False
        self._heard = 0.0

    @property
    def is_thinking(self) -> bool:
        """Whether a search is under way."""
        return self._thread is not None and self._thread.is_alive()

    def hear(self) -> None:
        """Note that the host has said something: what it limits counts from now, however long getting ready takes."""
        self._heard = perf_counter()

    def get_ready(self) -> None:
        """Make the engine before it is needed; raises ValueError when its table does not fit in memory."""
        if self.settings.level == WHOLE_ENGINE:
            self._ready_engine()

    def begin(self, position: Position, limit: Limit | None, lines: int, progress: Progress, done: Done) -> None:
        """Search in the background; a search under way is stopped first. Without a limit it goes on until ``stop``.

        ``progress`` sees the best line of each depth, ``done`` all lines, best first; both in another thread. Raises
        ValueError when the table of the settings does not fit in memory.
        """
        self.stop()
        self._stopping.clear()
        self.get_ready()
        self._is_endless = limit is None
        place = position.copy()
        self._thread = Thread(target=self._run, args=(place, limit, lines, progress, done), name="noughts-engine")
        self._thread.start()

    def think(self, position: Position, limit: Limit) -> int:
        """Return the best move, now."""
        self.stop()
        self._stopping.clear()
        return self._search(position, limit, 1, lambda found: None)[0].move

    def stop(self) -> None:
        """End the search under way and wait until it is done."""
        self._stopping.set()
        if self._engine is not None:
            self._engine.stop()
        self._join()

    def give_up(self) -> None:
        """Let a search end soon, without waiting for it: nobody wants its result."""
        self._stopping.set()

    def finish(self) -> None:
        """Wait for a search that ends by itself; stop one that does not."""
        if self._is_endless:
            self.stop()
        self._join()

    def _join(self) -> None:
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def forget(self) -> None:
        """Forget what was learned: a new playthrough begins."""
        self.stop()
        if self._engine is not None:
            self._engine.clear()
        self._level = None

    def _run(self, position: Position, limit: Limit | None, lines: int, progress: Progress, done: Done) -> None:
        found = self._search(position, limit or ENDLESS, lines, progress)
        if limit is None:
            self._stopping.wait()
        done(found)

    def _search(self, position: Position, limit: Limit, lines: int, progress: Progress) -> list[SearchResult]:
        if self.settings.level != WHOLE_ENGINE:
            return [_found_by_level(position, self._ready_level())]

        def report(found: SearchResult) -> bool:
            progress(found)
            return not self._stopping.is_set()

        engine, most = self._ready_engine(), min(lines, len(position.legal_moves))
        limit = _less(limit, perf_counter() - self._heard)
        if lines == 1 and limit.seconds is not None:  # a move to play, which may come before the time is up
            return [engine.search(position, limit, report)]
        return engine.analyse(position, limit, most, lambda found: report(found[0]))

    def _ready_engine(self) -> Engine:
        engine, wanted = self._engine, self.settings
        if engine is None or (engine.threads, engine.hash_mb) != (wanted.threads, wanted.hash_mb):
            self._engine = engine = None  # the old table's memory first
            self._engine = engine = Engine(wanted.threads, wanted.hash_mb)
        return engine

    def _ready_level(self) -> LevelPlayer:
        if self._level is None or self._level.name != self.settings.level:
            self._level = level(self.settings.level, self.settings.seed)
        return self._level


def _less(limit: Limit, spent: float) -> Limit:
    """The limit without the seconds spent since the host set it; a little is always left."""
    if limit.seconds is None:
        return limit
    return Limit(max(limit.seconds - spent, limit.seconds / 10), limit.depth, limit.nodes)


def _found_by_level(position: Position, bot: LevelPlayer) -> SearchResult:
    move = bot.choose(position)
    return SearchResult(move, 0, None, None, 0, 0, [move], pv_text=position.format_move(move))
