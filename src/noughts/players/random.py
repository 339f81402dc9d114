"""The weakest opponent: any legal move will do."""

from __future__ import annotations

import random

from noughts.engine import Limit
from noughts.games import Position

__all__ = ["RandomBot"]


class RandomBot:
    """Plays legal moves at random; the same seed plays the same moves.

    >>> from noughts import Game
    >>> position = Game("3x3").start()
    >>> RandomBot(seed=1).choose(position) == RandomBot(seed=1).choose(position)
    True
    """

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return a random legal move; raises ValueError when there is none."""
        moves = position.legal_moves
        if not moves:
            raise ValueError("expected a position with a legal move, got one that is over")
        return self._random.choice(moves)
