"""Opponents of every strength: fixed-depth searchers with random ties, and the whole engine."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from noughts import _core
from noughts.engine.engine import Engine
from noughts.engine.limit import DEFAULT_LIMIT, Limit
from noughts.games import Position

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["LEVELS", "Level", "LevelPlayer", "level"]


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
"""How often a beginner looks at its own lines only."""


def level(name: Level | str, seed: int | None = None, limit: Limit | None = None) -> LevelPlayer:
    """Return the player of a level; with a seed it plays the same way every time.

    ``limit`` is used by ``master`` when its caller gives none: one second by default.
    """
    from random import Random  # takes half as long to import as the rest of the package

    if name not in LEVELS:
        raise ValueError(f"expected a level of {', '.join(LEVELS)}, got {name!r}")
    return LevelPlayer(Level(name), Random(seed), limit or DEFAULT_LIMIT)


class LevelPlayer:
    """Plays at a level: ``choose`` returns its move."""

    def __init__(self, level: Level, random: Random, limit: Limit) -> None:
        self.level = level
        self.random = random
        self.limit = limit
        self._engine: Engine | None = None

    def __repr__(self) -> str:
        return f"LevelPlayer({str(self.level)!r})"

    @property
    def name(self) -> str:
        """The name of the level."""
        return self.level.value

    def choose(self, position: Position, limit: Limit | None = None, watch: Callable[[], object] | None = None) -> int:
        """Return a legal move; raises ValueError when the game is over. Only ``master`` uses the limit.

        The other levels call ``watch`` regularly; an exception from it ends the search and is passed on.
        """
        if position.is_over:
            raise ValueError("expected a position with a side to move, but the game is over")
        if self.level is Level.MASTER:
            return self._search(position, limit or self.limit)
        if self.level is Level.BEGINNER and self.random.random() < OVERSIGHT_RATE:
            return self._choose_for_own_lines(position)
        return self._choose_at_depth(position, DEPTHS[self.level], watch)

    def _search(self, position: Position, limit: Limit) -> int:
        if self._engine is None:
            self._engine = Engine()
        return self._engine.search(position, limit).move

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
    """How much a mark adds to the mover's lines: those without a mark of the opponent, the fuller the better."""
    own, cells = position.turn, position.cells
    lines = ([cells[cell] for cell in line] for line in position.game.lines_through(move))
    return sum(4 ** marks.count(own) for marks in lines if set(marks) <= {own, None})
