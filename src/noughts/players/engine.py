"""The whole engine as a bot that can be watched and stopped while it thinks."""

from __future__ import annotations

from noughts.engine import Engine, Limit, SearchResult
from noughts.games import Position

__all__ = ["EngineBot"]

SECONDS = 1.0


class EngineBot:
    """Thinks for a second, or as the limit says. ``latest`` is what it thinks so far, None when it does not."""

    def __init__(self, limit: Limit | None = None, threads: int = 1) -> None:
        self.latest: SearchResult | None = None
        self._limit = limit or Limit(seconds=SECONDS)
        self._threads = threads
        self._engine: Engine | None = None
        self._is_stopping = False

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return the best move it finds."""
        return self.search(position, limit).move

    def search(self, position: Position, limit: Limit | None = None) -> SearchResult:
        """Return the best move it finds and what it thinks of it."""
        if self._engine is None:
            self._engine = Engine(self._threads)
        try:
            return self._engine.search(position, limit or self._limit, progress=self._keep)
        finally:
            self.latest = None
            self._is_stopping = False

    def _keep(self, found: SearchResult) -> bool:
        self.latest = found
        return not self._is_stopping

    def stop(self) -> None:
        """End the search soon, from another thread; also one that is only about to begin."""
        self._is_stopping = True
        if self._engine is not None:
            self._engine.stop()
