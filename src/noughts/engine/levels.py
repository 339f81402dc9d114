"""Opponents of every strength: fixed-depth searches that break ties at random, and the engine at full strength."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from noughts import _core
from noughts.engine.engine import Engine, SearchResult
from noughts.engine.limit import DEFAULT_LIMIT, Limit
from noughts.games import Position
from noughts.games.quoting import quote

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["LEVELS", "EnginePlayer", "FixedDepthPlayer", "Level", "LevelPlayer", "level"]


class Level(StrEnum):
    """The levels, from the weakest to the strongest. Prints as and equals its text."""

    BEGINNER = "beginner"
    EASY = "easy"
    DIFFICULT = "difficult"
    INSANE = "insane"
    MASTER = "master"


LEVELS = tuple(Level)
"""All levels, from the weakest to the strongest."""

DEPTHS = {Level.BEGINNER: 2, Level.EASY: 2, Level.DIFFICULT: 4, Level.INSANE: 6}
OVERSIGHT_RATE = 0.4
"""The probability that a beginner considers only its own lines."""


def level(
    name: Level | str, seed: int | None = None, limit: Limit | None = None, engine: Engine | None = None
) -> LevelPlayer:
    """Return the player of a level; with a seed it plays the same way every time.

    ``limit`` is used by ``master`` when its caller gives none: one second by default. ``engine`` is the engine of
    ``master``, by default a new one.
    """
    from random import Random  # takes half as long to import as the rest of the package

    if name not in LEVELS:
        raise ValueError(f"expected a level of {', '.join(LEVELS)}, got {quote(name)}")
    if name == Level.MASTER:
        return EnginePlayer(limit, engine)
    return FixedDepthPlayer(Level(name), Random(seed))


class LevelPlayer:
    """Plays at a level: ``choose`` returns its move."""

    latest: SearchResult | None = None
    """The result so far while the engine thinks; None otherwise."""

    def __init__(self, level: Level) -> None:
        self.level = level

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.level)!r})"

    @property
    def name(self) -> str:
        """The name of the level."""
        return self.level.value

    def choose(self, position: Position, limit: Limit | None = None, watch: Callable[[], object] | None = None) -> int:
        """Return a legal move; raises ValueError when the game is over. Only ``master`` uses the limit.

        ``watch`` is called regularly; an exception from it ends the search and is passed on.
        """
        raise NotImplementedError

    def stop(self) -> None:
        """Make ``master`` answer with its best move so far, from another thread; other levels ignore this."""


class EnginePlayer(LevelPlayer):
    """The engine at full strength, level ``master``."""

    def __init__(self, limit: Limit | None = None, engine: Engine | None = None) -> None:
        super().__init__(Level.MASTER)
        self.limit = limit or DEFAULT_LIMIT
        self._engine = engine
        self._is_stopping = False

    def choose(self, position: Position, limit: Limit | None = None, watch: Callable[[], object] | None = None) -> int:
        """Return the best move found within the limit; raises ValueError when the game is over."""

        def report(found: SearchResult) -> bool:
            self.latest = found
            if watch is not None:
                watch()
            return not self._is_stopping

        if self._engine is None:
            self._engine = Engine()
        try:
            return self._engine.search(position, limit or self.limit, progress=report).move
        finally:
            self.latest = None
            self._is_stopping = False

    def stop(self) -> None:
        """Stop the running search, or one that is about to begin, from another thread."""
        self._is_stopping = True
        if self._engine is not None:
            self._engine.stop()


class FixedDepthPlayer(LevelPlayer):
    """Searches to the depth of its level and chooses among the best moves at random."""

    def __init__(self, level: Level, random: Random) -> None:
        super().__init__(level)
        self.random = random

    def choose(self, position: Position, limit: Limit | None = None, watch: Callable[[], object] | None = None) -> int:
        """Return a legal move; raises ValueError when the game is over. The limit is ignored."""
        if position.is_over:
            raise ValueError("expected a position with a side to move, but the game is over")
        if self.level is Level.BEGINNER and self.random.random() < OVERSIGHT_RATE:
            return self._choose_for_own_lines(position)
        return self._choose_at_depth(position, DEPTHS[self.level], watch)

    def _choose_for_own_lines(self, position: Position) -> int:
        """A win in one if there is one, else the move that helps the mover's own lines most, regardless of threats."""
        score, winning, _ = _core.fixed_depth_best_moves(position, 1, None)
        if score >= _core.DECIDED:
            return self.random.choice(winning)
        gains = {move: _gain(position, move) for move in position.legal_moves}
        best = max(gains.values())
        return self.random.choice([move for move, gain in gains.items() if gain == best])

    def _choose_at_depth(self, position: Position, depth: int, watch: Callable[[], object] | None) -> int:
        _, moves, _ = _core.fixed_depth_best_moves(position, depth, position.game.symmetry, watch)
        return self.random.choice(moves)


def _gain(position: Position, move: int) -> int:
    """The gain for the mover's lines (those without a mark of the opponent); fuller lines count more."""
    own, cells = position.turn, position.cells
    lines = ([cells[cell] for cell in line] for line in position.game.lines_through(move))
    return sum(4 ** marks.count(own) for marks in lines if set(marks) <= {own, None})
