"""A player's rating over time, from finished games against opponents whose rating is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from noughts.arena.ratings import PairScore, rate_against
from noughts.engine.levels import rating_of
from noughts.games import Game, InvalidGame, Side
from noughts.store import Summary

__all__ = ["History", "RatingPoint", "rating_history"]

LATEST = 30
"""Games that a rating is made of: older ones say little about how someone plays today."""


@dataclass(frozen=True)
class RatingPoint:
    """A player's rating in a game after ``games`` rated games, and half the width of its 95% interval.

    ``bound`` is ``least`` if all of these games were won, and ``most`` if all were lost: then the rating is at least or
    at most this. ``played`` is the time of the latest game, in UTC.
    """

    game: str
    played: str
    games: int
    rating: int
    error: int
    bound: str | None

    @property
    def day(self) -> date:
        """The day on which the latest game was played, where the person is."""
        return datetime.fromisoformat(self.played).astimezone().date()


History = dict[str, list[RatingPoint]]
"""The rating after each rated game, by the id of the game."""


def rating_history(summaries: Iterable[Summary], player: str) -> History:
    """Return a player's rating after each rated game, by the id of the game; ``summaries`` has the latest game first.

    In each game the level ``easy`` is 1000. Games against people and programs have no rating and count for nothing.
    """
    found: dict[str, list[tuple[datetime, int, float]]] = {}
    for summary in reversed(list(summaries)):
        for side, rating in _opponents(summary, player):
            winner = summary.outcome.winner if summary.outcome else None
            score = 0.5 if winner is None else float(winner is side)
            found.setdefault(summary.game, []).append((summary.updated, rating, score))
    return {game: [_point(game, results[: end + 1]) for end in range(len(results))] for game, results in found.items()}


def _opponents(summary: Summary, player: str) -> Iterator[tuple[Side, int]]:
    """Yield the side of the player and the rating of the opponent, if the game is over and there is one."""
    names = {Side.X: summary.x, Side.O: summary.o}
    if summary.outcome is None or summary.x == summary.o:
        return
    for side, name in names.items():
        if name == player:
            try:
                yield side, rating_of(Game.shared(summary.game), names[side.opponent])
            except (InvalidGame, ValueError):  # a custom game, a person or a program
                return


def _point(game: str, results: Sequence[tuple[datetime, int, float]]) -> RatingPoint:
    latest = results[-LATEST:]
    known = sorted({rating for _, rating, _ in latest})
    pairs = [PairScore(-1, known.index(rating), score, 1) for _, rating, score in latest]
    found = rate_against(known, pairs)
    bound = ("least" if latest[0][2] else "most") if found.is_bound else None
    played = results[-1][0].isoformat()
    return RatingPoint(game, played, len(results), round(found.elo), round(found.error), bound)
