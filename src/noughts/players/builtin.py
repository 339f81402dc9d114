"""The players that come with noughts, by name: ``random`` and the levels."""

from __future__ import annotations

import random

from noughts.engine import LEVELS, Level, Limit, level
from noughts.games import Position
from noughts.players.player import Player

__all__ = ["BUILTIN_NAMES", "RandomPlayer", "make_builtin"]

RANDOM = "random"
BUILTIN_NAMES = {
    RANDOM: "plays any legal move",
    Level.BEGINNER: "makes mistakes on purpose",
    Level.EASY: "looks 2 plies ahead",
    Level.DIFFICULT: "looks 4 plies ahead",
    Level.INSANE: "looks 6 plies ahead",
    Level.MASTER: "the engine at full strength, a second for a move",
}
"""The names of the built-in players, weakest first, each with one line about it."""


class RandomPlayer:
    """Plays random legal moves; the same seed gives the same moves.

    >>> from noughts import Game
    >>> position = Game("3x3").start()
    >>> RandomPlayer(seed=1).choose(position) == RandomPlayer(seed=1).choose(position)
    True
    """

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return a random legal move; raises ValueError when the game is over."""
        moves = position.legal_moves
        if not moves:
            raise ValueError("the game is over")
        return self._random.choice(moves)


def make_builtin(name: str, seed: int | None = None, limit: Limit | None = None) -> Player | None:
    """Return the built-in player of a name, or None when there is none."""
    if name == RANDOM:
        return RandomPlayer(seed)
    return level(name, seed, limit) if name in LEVELS else None
