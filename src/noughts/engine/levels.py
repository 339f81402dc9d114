"""Opponents of every strength: fixed-depth searchers that break ties by chance, and the whole engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from noughts import _core
from noughts.engine.engine import Engine
from noughts.engine.limit import Limit
from noughts.games import Position

__all__ = ["LEVELS", "Level", "level"]

LEVELS = ("beginner", "easy", "difficult", "insane", "master")
"""From the weakest to the strongest."""

DEPTHS = {"beginner": 2, "easy": 2, "difficult": 4, "insane": 6}
MASTER_SECONDS = 1.0

OVERSIGHT = 0.35
"""How often a beginner does not look at what the opponent threatens, and plays what pleases at first sight."""


def level(name: str, seed: int | None = None, limit: Limit | None = None) -> Level:
    """Return the opponent of that name; with a seed it plays the same way every time.

    ``limit`` is how long ``master`` thinks when nobody says otherwise: a second by default.
    """
    if name not in LEVELS:
        raise ValueError(f"expected a level of {', '.join(LEVELS)}, got {name!r}")
    return Level(name, Random(seed), limit or Limit(seconds=MASTER_SECONDS))


@dataclass
class Level:
    """A bot: ``choose`` returns its move."""

    name: str
    random: Random
    limit: Limit
    _engine: Engine | None = field(default=None, repr=False)

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return a legal move; raises ValueError when the game is over. Only ``master`` heeds the limit."""
        if position.is_over:
            raise ValueError("expected a position to move in, but the game is over")
        if self.name == "master":
            return self._master(position, limit or self.limit)
        depth = DEPTHS[self.name]
        if self.name == "beginner" and self.random.random() < OVERSIGHT:
            depth = 1
        return self._at_depth(position, depth)

    def _master(self, position: Position, limit: Limit) -> int:
        if self._engine is None:
            self._engine = Engine()
        return self._engine.search(position, limit).move

    def _at_depth(self, position: Position, depth: int) -> int:
        _, moves, _ = _core.plain_best_moves(position, depth, position.game._symmetry)
        return self.random.choice(moves)
