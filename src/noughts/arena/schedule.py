"""Who meets whom. What is to be played follows from the plan and the results so far, never from the order of events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random
from typing import NamedTuple, Protocol

from noughts.arena.openings import Opening, random_opening
from noughts.arena.plan import Plan
from noughts.arena.sprt import SequentialTest

__all__ = ["Key", "Knockout", "Schedule", "SprtSchedule", "Task", "make_schedule", "opening_of", "seed_of"]

EXTRA_PAIRS = 4
"""Pairs that are added to a drawn match of a knock-out; then the bot that was listed first goes on."""
AHEAD = 32
"""Pairs a sequential test may have under way beyond those that are complete."""


class Key(NamedTuple):
    """Which playthrough: of which pairing, of which pair (and so which opening), and which of its two legs."""

    pairing: int
    pair: int
    leg: int


class Task(NamedTuple):
    """A playthrough to be played: X and O are numbers of entrants."""

    key: Key
    x: int
    o: int


Scores = Mapping[Key, tuple[float, float]]
"""What X and O scored in each finished playthrough."""


class Schedule(Protocol):
    """Gives out tasks as they become known."""

    @property
    def total(self) -> int:
        """How many playthroughs there will be, or at most, as far as is known."""

    def more(self, scores: Scores) -> list[Task]:
        """Return the tasks that have become known since the last call, played or not."""

    def counts(self, key: Key, scores: Scores) -> bool:
        """Whether a playthrough counts; some of a sequential test come after the end."""


def make_schedule(plan: Plan) -> Schedule:
    """Return the schedule of a plan."""
    if plan.format == "knockout":
        return Knockout(plan)
    if plan.format == "sprt":
        return SprtSchedule(plan)
    return _Fixed(plan)


def seed_of(plan: Plan, *parts: object) -> int:
    """Return a seed for a part of a tournament: the same whenever and wherever it is played."""
    return Random("/".join(map(str, (plan.seed, *parts)))).getrandbits(31)


def opening_of(plan: Plan, key: Key) -> Opening:
    """Return the opening of a playthrough: the same for both legs and for all pairings of a round."""
    if plan.openings:
        shift = seed_of(plan, "openings") % len(plan.openings)
        return plan.openings[(shift + key.pair) % len(plan.openings)]
    return random_opening(plan.game, seed_of(plan, "opening", key.pair), plan.plies, plan.balance)


def _pair(pairing: int, pair: int, first: int, second: int) -> list[Task]:
    """Both legs; who begins alternates, so that half a tournament is as fair as can be."""
    x, o = (first, second) if pair % 2 == 0 else (second, first)
    return [Task(Key(pairing, pair, 0), x, o), Task(Key(pairing, pair, 1), o, x)]


def pairings(plan: Plan) -> list[tuple[int, int]]:
    """Return who meets whom in a round robin or a gauntlet."""
    everyone = list(combinations(range(len(plan.entrants)), 2))
    if plan.format != "gauntlet":
        return everyone
    names = plan.names
    # Challengers meet the others, not each other.
    return [(i, j) for i, j in everyone if (names[i] in plan.challengers) != (names[j] in plan.challengers)]


class _Fixed:
    """Round robin and gauntlet: all is known at once, round by round."""

    def __init__(self, plan: Plan) -> None:
        self._left: list[Task] | None = list(self._all(plan))
        self.total = len(self._left)

    @staticmethod
    def _all(plan: Plan) -> Iterator[Task]:
        meetings = pairings(plan)
        for pair in range(plan.rounds):
            for number, (first, second) in enumerate(meetings):
                yield from _pair(number, pair, first, second)

    def more(self, scores: Scores) -> list[Task]:
        """Return all tasks at the first call, then none."""
        tasks, self._left = self._left or [], None
        return tasks

    def counts(self, key: Key, scores: Scores) -> bool:
        """All of them do."""
        return True


class Match:
    """Two entrants of a knock-out, known or not, and what is to be played between them."""

    def __init__(self, number: int, stage: int) -> None:
        self.number = number
        self.stage = stage
        self.sides: list[int | None] = [None, None]
        self.is_bye = False
        self.winner: int | None = None
        self.is_drawn = False
        """Whether all its pairs left it even, and the list of bots had to decide."""
        self.pairs = 0


class Knockout:
    """The bracket: the first listed meets the last, as seeds do, and byes go to those listed first."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.stages = _bracket(len(plan.entrants))
        real = sum(1 for stage in self.stages for match in stage if not match.is_bye)
        self._extra = 0
        self._real = real

    @property
    def total(self) -> int:
        """How many there are without draws, and the extra pairs so far."""
        return 2 * (self._real * self.plan.rounds + self._extra)

    @property
    def champion(self) -> int | None:
        """Who has won it all."""
        return self.stages[-1][0].winner

    def reached(self, entrant: int) -> int:
        """How far somebody came: the last stage it was in, one more for the champion."""
        stages = [match.stage for stage in self.stages for match in stage if entrant in match.sides]
        return max(stages, default=0) + (entrant == self.champion)

    def more(self, scores: Scores) -> list[Task]:
        """Return the pairs of matches that can begin, and extra pairs of matches that are drawn."""
        tasks: list[Task] = []
        for stage, following in zip(self.stages, [*self.stages[1:], []], strict=True):
            for slot, match in enumerate(stage):
                tasks += self._go_on(match, scores)
                if following and match.winner is not None:
                    following[slot // 2].sides[slot % 2] = match.winner
        return tasks

    def _go_on(self, match: Match, scores: Scores) -> list[Task]:
        first, second = match.sides
        if match.winner is not None or first is None or second is None:
            return []
        if match.pairs == 0:
            return self._issue(match, first, second, self.plan.rounds)
        standing = self._standing(match, first, scores)
        if standing is None:
            return []
        if standing == 0 and match.pairs < self.plan.rounds + EXTRA_PAIRS:
            self._extra += 1
            return self._issue(match, first, second, 1)
        ahead = first if standing > 0 else second
        match.is_drawn = standing == 0
        match.winner = min(first, second) if match.is_drawn else ahead
        return []

    @staticmethod
    def _issue(match: Match, first: int, second: int, pairs: int) -> list[Task]:
        begin = match.pairs
        match.pairs += pairs
        return [task for pair in range(begin, match.pairs) for task in _pair(match.number, pair, first, second)]

    @staticmethod
    def _standing(match: Match, first: int, scores: Scores) -> float | None:
        """How far the first is ahead; None while a playthrough is missing."""
        ahead = 0.0
        for pair in range(match.pairs):
            for leg in (0, 1):
                score = scores.get(Key(match.number, pair, leg))
                if score is None:
                    return None
                is_x = (pair + leg) % 2 == 0
                ahead += (score[0] - score[1]) * (1 if is_x else -1)
        return ahead

    def counts(self, key: Key, scores: Scores) -> bool:
        """All of them do."""
        return True


def _bracket(entrants: int) -> list[list[Match]]:
    size = 1
    while size < entrants:
        size *= 2
    order = _seeding(size)
    stages, number, width, stage = [], 0, size // 2, 0
    while width >= 1:
        stages.append([Match(number + slot, stage) for slot in range(width)])
        number, width, stage = number + width, width // 2, stage + 1
    for slot, match in enumerate(stages[0]):
        first, second = order[2 * slot], order[2 * slot + 1]
        match.sides = [first, second if second < entrants else None]
        if second >= entrants:
            match.is_bye, match.winner = True, first
    return stages


def _seeding(size: int) -> list[int]:
    """The order in a bracket in which the first two can only meet in the final: 0 7 3 4 1 6 2 5 for eight."""
    order = [0]
    while len(order) < size:
        width = 2 * len(order)
        order = [seed for pair in ((at, width - 1 - at) for at in order) for seed in pair]
    return order


class SprtSchedule:
    """Pairs of two bots until the test is settled by the pairs in their order, whichever came in first."""

    def __init__(self, plan: Plan) -> None:
        assert plan.sprt is not None
        self.plan = plan
        self.sprt = plan.sprt
        self._issued = 0
        self.test = SequentialTest(plan.sprt.elo0, plan.sprt.elo1, plan.sprt.alpha, plan.sprt.beta)

    @property
    def total(self) -> int:
        """How many there are at most."""
        return 2 * (self.test.pairs if self.is_settled else self.sprt.pairs)

    @property
    def is_settled(self) -> bool:
        """Whether a hypothesis was accepted, or all pairs were played."""
        return self.test.accepted is not None or self.test.pairs >= self.sprt.pairs

    def more(self, scores: Scores) -> list[Task]:
        """Return pairs a little ahead of those that are complete."""
        while not self.is_settled:
            points = self._points_of(self.test.pairs, scores)
            if points is None:
                break
            self.test.add(points)
        if self.is_settled:
            return []
        begin, self._issued = self._issued, min(self.sprt.pairs, self.test.pairs + AHEAD)
        return [task for pair in range(begin, self._issued) for task in _pair(0, pair, 0, 1)]

    @staticmethod
    def _points_of(pair: int, scores: Scores) -> float | None:
        legs = scores.get(Key(0, pair, 0)), scores.get(Key(0, pair, 1))
        if legs[0] is None or legs[1] is None:
            return None
        first_is_x = pair % 2 == 0
        return legs[0][0 if first_is_x else 1] + legs[1][1 if first_is_x else 0]

    def counts(self, key: Key, scores: Scores) -> bool:
        """Only those up to the pair that settled it."""
        return key.pair < self.test.pairs or not self.is_settled
