"""The standings of a tournament: scores, cross table, first-move advantage, ratings, failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from noughts.arena.plan import Format, Plan, Scoring
from noughts.arena.ratings import PairScore, Ratings, rate
from noughts.arena.schedule import KnockoutMatch, KnockoutSchedule, Schedule, SprtSchedule
from noughts.arena.tournaments import Result
from noughts.players import FailureReason

__all__ = ["Standing", "Standings", "Tally", "notes", "pair_scores", "sprt_note"]

STAGES = {1: "final", 2: "semi-final", 4: "quarter-final"}


@dataclass
class Tally:
    """Numbers of wins, draws and losses."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """The share of the points, a draw counting half; ½ if nothing was played."""
        return (self.won + self.drawn / 2) / self.played if self.played else 0.5

    def add(self, score: float) -> None:
        """Add a score of 1, ½ or 0."""
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
    """The results of one bot; ``score`` is that of the plan's scoring, ``failures`` counts forfeits by reason."""

    number: int
    name: str
    record: Tally = field(default_factory=Tally)
    as_x: Tally = field(default_factory=Tally)
    score: float = 0.0
    failures: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    moves: int = 0
    slowest: float = 0.0

    @property
    def seconds_a_move(self) -> float | None:
        """The mean time of a move; None without moves."""
        return self.seconds / self.moves if self.moves else None


class Standings:
    """All results of a tournament, added up; ratings are computed on demand."""

    def __init__(self, plan: Plan, results: Iterable[Result] = ()) -> None:
        self.plan = plan
        self._number = {name: number for number, name in enumerate(plan.names)}
        self.bots = [Standing(number, name) for number, name in enumerate(plan.names)]
        self.cross: dict[tuple[int, int], Tally] = {}
        self.first_move = Tally()
        self.endings: Counter[str] = Counter()
        self.results: list[Result] = []
        self._ratings: Ratings | None = None
        for result in results:
            self.add(result)

    def add(self, result: Result) -> None:
        """Count a result in the records of both bots and in the table of pairs."""
        self.results.append(result)
        self._ratings = None
        outcomes, scores = result.scores(Scoring.RESULT), result.scores(self.plan.scoring)
        numbers = self._number[result.x], self._number[result.o]
        for at in (0, 1):
            bot = self.bots[numbers[at]]
            bot.record.add(outcomes[at])
            bot.score += scores[at]
            self.cross.setdefault((numbers[at], numbers[1 - at]), Tally()).add(outcomes[at])
        self.bots[numbers[0]].as_x.add(outcomes[0])
        self.first_move.add(outcomes[0])
        self.endings[result.failure or result.reason] += 1
        if result.failure is not None and result.loser is not None:
            self.bots[self._number[result.loser]].failures[result.failure] += 1
        self._add_times(result, numbers)

    def _add_times(self, result: Result, numbers: tuple[int, int]) -> None:
        # X moves first on the empty board; from a position string the side to move may be either.
        first = 0 if result.start is None else int(result.start.split()[1] == "o")
        for ply, seconds in enumerate(result.seconds, result.opening):
            bot = self.bots[numbers[(ply + first) % 2]]
            bot.seconds += seconds
            bot.moves += 1
            bot.slowest = max(bot.slowest, seconds)

    @property
    def ratings(self) -> Ratings:
        """Elo of all bots, in the order of the plan."""
        if self._ratings is None:
            self._ratings = rate(len(self.bots), pair_scores(self.plan, self.results))
        return self._ratings

    @property
    def ranking(self) -> list[Standing]:
        """The bots, best first: by score, then by share of the results, then in the order of the plan.

        In a knockout the stage reached comes first.
        """
        stages = self._stages_reached()
        return sorted(self.bots, key=lambda bot: (-stages[bot.number], -bot.score, -bot.record.share, bot.number))

    def _stages_reached(self) -> list[int]:
        if self.plan.format is not Format.KNOCKOUT:
            return [0] * len(self.bots)
        schedule = KnockoutSchedule(self.plan)
        scores = {result.key: result.scores(self.plan.scoring) for result in self.results}
        while schedule.new_tasks(scores):
            pass
        return [schedule.stage_reached(bot.number) for bot in self.bots]

    def to_data(self) -> dict[str, object]:
        """Return the standings as plain data."""
        ratings, ranking = self.ratings, self.ranking
        return {
            "name": self.plan.name,
            "game": self.plan.game.id,
            "format": self.plan.format,
            "scoring": self.plan.scoring,
            "played": len(self.results),
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


def _bot_data(rank: int, bot: Standing, ratings: Ratings) -> dict[str, object]:
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


def pair_scores(plan: Plan, results: Iterable[Result]) -> list[PairScore]:
    """Return the score of each pair of legs, or of a single leg if the other is missing."""
    number = {name: at for at, name in enumerate(plan.names)}
    found: dict[tuple[int, int], PairScore] = {}
    for result in results:
        x, o = number[result.x], number[result.o]
        first, second = min(x, o), max(x, o)
        points = result.scores(Scoring.RESULT)[0 if x == first else 1]
        pair = result.key.pairing, result.key.pair
        before = found.get(pair)
        total, count = (before.points, before.played) if before else (0.0, 0)
        found[pair] = PairScore(first, second, total + points, count + 1)
    return list(found.values())


# Notes


def notes(plan: Plan, standings: Standings, schedule: Schedule) -> list[str]:
    """Return sentences, without a full stop, about the winner, first moves, ratings and failures."""
    lines = []
    if isinstance(schedule, KnockoutSchedule):
        lines += _bracket_notes(schedule)
    if isinstance(schedule, SprtSchedule):
        lines.append(sprt_note(schedule))
    first = standings.first_move
    if first.played:
        lines.append(f"the side that moves first scores {first.share:.1%} ({first}, won–drawn–lost)")
    if standings.ratings.has_prior:
        lines.append(
            "ratings: a bot won or lost every game, so no finite rating fits; one draw was added to each pairing,"
            " and the extreme ratings are bounds"
        )
    return lines + [_failure_note(bot) for bot in standings.ranking if bot.failures]


def _failure_note(bot: Standing) -> str:
    reasons = ", ".join(f"{count} × {reason}" for reason, count in bot.failures.most_common())
    commonest = FailureReason(bot.failures.most_common(1)[0][0]).description
    return f"{bot.name} forfeited {sum(bot.failures.values())}: {reasons} ({commonest})"


def _bracket_notes(schedule: KnockoutSchedule) -> list[str]:
    lines = []
    for stage in schedule.stages:
        name = STAGES.get(len(stage), f"round of {2 * len(stage)}")
        lines += [f"{name}: {_match_note(schedule, match)}" for match in stage if None not in match.sides]
    if schedule.champion is not None:
        lines.append(f"{schedule.plan.names[schedule.champion]} wins the knockout")
    return lines


def _match_note(schedule: KnockoutSchedule, match: KnockoutMatch) -> str:
    names = schedule.plan.names
    first, second = (names[side] for side in match.sides if side is not None)
    if match.winner is None:
        return f"{first} against {second}"
    winner, loser = (first, second) if names[match.winner] == first else (second, first)
    if match.is_drawn:
        return f"{winner} drew with {loser} and advances, being listed first"
    return f"{winner} beat {loser}"


def sprt_note(schedule: SprtSchedule) -> str:
    """Return the state of a sequential test."""
    test, sprt = schedule.test, schedule.sprt
    ratio = f"log-likelihood ratio {test.ratio:.2f} in [{test.lower:.2f}, {test.upper:.2f}]"
    pairs = f"{test.pairs} pairs {tuple(test.counts)}"
    if test.accepted is None:
        return f"undecided: {ratio} after {pairs}"
    accepted, rejected = (sprt.elo1, sprt.elo0) if test.accepted == "H1" else (sprt.elo0, sprt.elo1)
    bound = "at least" if accepted > rejected else "at most"
    first, second = schedule.plan.names
    claim = f"{first} looks {bound} {accepted:g} Elo stronger than {second} (rather than {rejected:g})"
    return f"{test.accepted} accepted: {claim}; {ratio} after {pairs}"
