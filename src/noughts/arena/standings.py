"""Where everybody stands: scores, cross table, first-move advantage, ratings, failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from noughts.arena.elo import Bout, Ratings, rate
from noughts.arena.plan import Plan
from noughts.arena.records import Played
from noughts.arena.schedule import Knockout

__all__ = ["Record", "Standing", "Standings", "pair_bouts"]


@dataclass
class Record:
    """Won, drawn, lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def played(self) -> int:
        """How many."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """The share of the points, a draw counting half; a half when nothing was played."""
        return (self.won + self.drawn / 2) / self.played if self.played else 0.5

    def add(self, score: float) -> None:
        """Count a result of 1, ½ or 0."""
        if score == 1:
            self.won += 1
        elif score == 0:
            self.lost += 1
        else:
            self.drawn += 1

    def __str__(self) -> str:
        return f"{self.won}–{self.drawn}–{self.lost}"


@dataclass
class Standing:
    """One bot's results; ``score`` counts as the plan says, ``failures`` by their kind."""

    number: int
    name: str
    record: Record = field(default_factory=Record)
    as_x: Record = field(default_factory=Record)
    score: float = 0.0
    failures: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    moves: int = 0
    slowest: float = 0.0

    @property
    def seconds_a_move(self) -> float | None:
        """The mean time of its moves."""
        return self.seconds / self.moves if self.moves else None


class Standings:
    """All results counted; ratings are worked out when they are asked for."""

    def __init__(self, plan: Plan, plays: Iterable[Played] = ()) -> None:
        self.plan = plan
        self._number = {name: number for number, name in enumerate(plan.names)}
        self.bots = [Standing(number, name) for number, name in enumerate(plan.names)]
        self.cross: dict[tuple[int, int], Record] = {}
        self.first_move = Record()
        self.endings: Counter[str] = Counter()
        self.plays: list[Played] = []
        self._ratings: Ratings | None = None
        for played in plays:
            self.add(played)

    def add(self, played: Played) -> None:
        """Count a playthrough."""
        self.plays.append(played)
        self._ratings = None
        results, scores = played.scores("result"), played.scores(self.plan.scoring)
        numbers = self._number[played.x], self._number[played.o]
        for at in (0, 1):
            bot = self.bots[numbers[at]]
            bot.record.add(results[at])
            bot.score += scores[at]
            self.cross.setdefault((numbers[at], numbers[1 - at]), Record()).add(results[at])
        self.bots[numbers[0]].as_x.add(results[0])
        self.first_move.add(results[0])
        self.endings[played.failure or played.reason] += 1
        if played.failure is not None and played.loser is not None:
            self.bots[self._number[played.loser]].failures[played.failure] += 1
        self._add_times(played, numbers)

    def _add_times(self, played: Played, numbers: tuple[int, int]) -> None:
        # X moves first on the empty board; from a position string the side to move may be either.
        first = 0 if played.start is None else int(played.start.split()[1] == "o")
        for ply, seconds in enumerate(played.seconds, played.opening):
            bot = self.bots[numbers[(ply + first) % 2]]
            bot.seconds += seconds
            bot.moves += 1
            bot.slowest = max(bot.slowest, seconds)

    @property
    def ratings(self) -> Ratings:
        """Elo of all bots, in the order of the plan."""
        if self._ratings is None:
            self._ratings = rate(len(self.bots), pair_bouts(self.plan, self.plays))
        return self._ratings

    @property
    def ranking(self) -> list[Standing]:
        """The bots, best first: by score, then by share of the results, then as they were listed.

        In a knock-out how far a bot came goes before its score.
        """
        reached = self._reached()
        return sorted(self.bots, key=lambda bot: (-reached[bot.number], -bot.score, -bot.record.share, bot.number))

    def _reached(self) -> list[int]:
        if self.plan.format != "knockout":
            return [0] * len(self.bots)
        bracket, scores = Knockout(self.plan), {played.key: played.scores(self.plan.scoring) for played in self.plays}
        while bracket.more(scores):
            pass
        return [bracket.reached(bot.number) for bot in self.bots]

    def to_data(self) -> dict[str, Any]:
        """Return everything as plain data."""
        ratings, ranking = self.ratings, self.ranking
        return {
            "name": self.plan.name,
            "game": self.plan.game.id,
            "format": self.plan.format,
            "scoring": self.plan.scoring,
            "played": len(self.plays),
            "bots": [_bot_data(rank, bot, ratings) for rank, bot in enumerate(ranking, 1)],
            "cross": {
                bot.name: {
                    other.name: str(self.cross[bot.number, other.number]).replace("–", "-")
                    for other in ranking
                    if (bot.number, other.number) in self.cross
                }
                for bot in ranking
            },
            "superiority": {
                bot.name: {
                    other.name: round(ratings.superiority(bot.number, other.number), 4)
                    for other in ranking
                    if other is not bot
                }
                for bot in ranking
            },
            "first_move": {**vars(self.first_move), "share": round(self.first_move.share, 4)},
            "endings": dict(self.endings),
            "rating_prior": ratings.has_prior,
        }


def _bot_data(rank: int, bot: Standing, ratings: Ratings) -> dict[str, Any]:
    rating = ratings.of[bot.number]
    return {
        "rank": rank,
        "name": bot.name,
        "score": bot.score,
        **vars(bot.record),
        "elo": round(rating.elo, 1),
        "error": None if rating.error == float("inf") else round(rating.error, 1),
        "failures": dict(bot.failures),
    }


def pair_bouts(plan: Plan, plays: Iterable[Played]) -> list[Bout]:
    """Return what each pair of legs scored, or a single leg where the other is missing."""
    number = {name: at for at, name in enumerate(plan.names)}
    found: dict[tuple[int, int], Bout] = {}
    for played in plays:
        x, o = number[played.x], number[played.o]
        first, second = min(x, o), max(x, o)
        points = played.scores("result")[0 if x == first else 1]
        pair = played.key.pairing, played.key.pair
        before = found.get(pair)
        total, count = (before.points, before.played) if before else (0.0, 0)
        found[pair] = Bout(first, second, total + points, count + 1)
    return list(found.values())
