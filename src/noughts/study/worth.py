"""What a position is worth to a side: a proven value or an estimated score, and the chance that goes with it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from noughts.engine import SearchResult
from noughts.games import Game, Position, Side, Value
from noughts.games.evaluation import network_of

__all__ = ["Worth", "chance_of_score"]

DIGITS = 6
"""Chances are rounded, so that equal scores give equal chances from either side."""

FLAT_SCALES = {1: 50, 2: 50, 3: 50, 4: 100, 5: 350}
ULTIMATE_SCALES = {2: 1000, 3: 2200, 4: 4000, 5: 6000}
LARGEST_FLAT_SCALE = 1400
"""Scores that stand for a chance of 73 %, by length of line or block: fitted to self-play by ``bench/chances.py``."""
NETWORK_SCALES = {3: 1100, 4: 1000}
"""The same where a network judges: fitted to the results of the play it was trained on."""


@dataclass(frozen=True)
class Worth:
    """What a position is worth to one side.

    ``value`` is proven and ``score`` estimated; one of them is None. ``plies`` says in how many at most it is won
    or lost. ``chance`` is the expected share of the point: 1 for a win, a half for a draw; certain for values.
    """

    score: int | None
    value: Value | None
    plies: int | None
    chance: float

    @classmethod
    def found(cls, game: Game, result: SearchResult) -> Worth:
        """Return what a search found, for the side it searched for."""
        if result.value is not None:
            return cls.proven(result.value, result.plies)
        return cls(result.score, None, None, chance_of_score(game, result.score))

    @classmethod
    def proven(cls, value: Value, plies: int | None = None) -> Worth:
        """Return the worth of a proven value."""
        return cls(None, value, plies, (1 + value.number) / 2)

    @classmethod
    def of_end(cls, position: Position, side: Side) -> Worth:
        """Return what a finished position is worth to a side."""
        if position.winner is None:
            return cls.proven(Value.DRAW)
        return cls.proven(Value.WIN if position.winner is side else Value.LOSS, 0)

    def for_opponent(self) -> Worth:
        """Return the same from the other side."""
        score = None if self.score is None else -self.score
        value = None if self.value is None else self.value.opposite
        return Worth(score, value, self.plies, round(1 - self.chance, DIGITS))

    def a_ply_earlier(self) -> Worth:
        """Return the worth of the position before, when the move that led here is the best one."""
        return self if self.plies is None else replace(self, plies=self.plies + 1)

    def a_ply_later(self) -> Worth:
        """Return the worth of the next position, when the best move leads to it."""
        return self if self.plies is None else replace(self, plies=max(0, self.plies - 1))

    @property
    def rank(self) -> tuple[float, int]:
        """A key that sorts by what a player would rather have: chance, then winning sooner or losing later."""
        plies = self.plies or 0
        return self.chance, plies if self.value is Value.LOSS else -plies

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.score:+d}"
        if not self.plies:
            return {"win": "won", "draw": "draw", "loss": "lost"}[self.value]
        return f"{self.value} in {self.plies}"


def chance_of_score(game: Game, score: int) -> float:
    """Return the expected share of the point for a score: a logistic curve, flatter where scores are larger.

    >>> chance_of_score(Game("4x4x4"), 0)
    0.5
    >>> round(chance_of_score(Game("4x4x4"), 110), 2)
    0.75
    """
    steepest = max(-40.0, min(40.0, score / _scale(game)))
    return round(1 / (1 + math.exp(-steepest)), DIGITS)


def _scale(game: Game) -> int:
    if game.block_size in NETWORK_SCALES and network_of(game.spec):
        return NETWORK_SCALES[game.block_size]
    if game.block_size is not None:
        return ULTIMATE_SCALES[game.block_size]
    return FLAT_SCALES.get(game.k, LARGEST_FLAT_SCALE)
