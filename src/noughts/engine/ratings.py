"""The ratings of the levels in each game, measured by ``python -m bench.measure.levels --ratings``."""

from __future__ import annotations

import json
from functools import cache

from noughts.games import Game
from noughts.packaged import read_packaged

__all__ = ["OTHER_GAMES", "all_ratings", "ratings_of"]

FILE = "engine/ratings.json"
OTHER_GAMES = "other"
"""The key of the ratings for games that were not measured: the averages of those that were."""


@cache
def all_ratings() -> dict[str, dict[str, int]]:
    """Return the ratings of the levels and of ``random``, weakest first, by the id of the game.

    In each game ``easy`` is 1000, and 400 points are odds of ten to one, as usual.
    """
    data: dict[str, dict[str, int]] = json.loads(read_packaged(FILE))
    return data


def ratings_of(game: Game) -> dict[str, int]:
    """Return the ratings of the levels in a game, weakest first.

    >>> ratings_of(Game("4x4x4"))["easy"]
    1000
    """
    ratings = all_ratings()
    return ratings.get(game.id, ratings[OTHER_GAMES])
