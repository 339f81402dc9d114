"""Which playthroughs a tournament needs.

The tasks follow from the plan and the results so far, never from the order in which the results arrived.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from itertools import combinations
from random import Random
from typing import NamedTuple

from noughts.arena.openings import Opening, random_opening
from noughts.arena.plan import Format, Plan
from noughts.arena.ratings import SequentialTest

__all__ = [
    "Key",
    "KnockoutMatch",
    "KnockoutSchedule",
    "Schedule",
    "ScheduledGame",
    "SprtSchedule",
    "make_schedule",
    "opening_of",
    "seed_of",
]

MAX_EXTRA_PAIRS = 4
"""Pairs that a drawn knockout match may add; if it is still drawn, the bot listed first advances."""
PAIRS_AHEAD = 32
"""Pairs of a sequential test that may be in progress beyond the first incomplete one."""


class Key(NamedTuple):
    """Identifies a playthrough: the pairing, the pair (which decides the opening), and the leg, 0 or 1."""

    pairing: int
    pair: int
    leg: int


class ScheduledGame(NamedTuple):
    """A playthrough to play; ``x`` and ``o`` are numbers of entrants."""

    key: Key
    x: int
    o: int


Scores = Mapping[Key, tuple[float, float]]
"""The scores of X and O in each finished playthrough."""


class Schedule(ABC):
    """Issues tasks as they become known."""

    @property
    @abstractmethod
    def total(self) -> int:
        """The number of playthroughs as far as it is known; an upper bound for a sequential test."""

    @property
    def is_decided(self) -> bool:
        """Whether the result is known although tasks are left, as in a sequential test."""
        return False

    @abstractmethod
    def new_tasks(self, scores: Scores) -> list[ScheduledGame]:
        """Return the tasks that became known since the last call, whether or not they have been played."""

    def counts(self, key: Key) -> bool:
        """Whether a playthrough counts; those after the end of a sequential test do not."""
        return True


def make_schedule(plan: Plan) -> Schedule:
    if plan.format is Format.KNOCKOUT:
        return KnockoutSchedule(plan)
    if plan.format is Format.SPRT:
        return SprtSchedule(plan)
    return _FixedSchedule(plan)


def seed_of(plan: Plan, *parts: object) -> int:
    """Return the seed of a part of a tournament; it depends on nothing but the plan's seed and the part."""
    return Random("/".join(map(str, (plan.seed, *parts)))).getrandbits(31)


def opening_of(plan: Plan, key: Key) -> Opening:
    """Return the opening of a playthrough; both legs and all pairings of a round share it."""
    if plan.openings:
        shift = seed_of(plan, "openings") % len(plan.openings)
        return plan.openings[(shift + key.pair) % len(plan.openings)]
    return random_opening(plan.game, seed_of(plan, "opening", key.pair), plan.plies, plan.balance)


def _pair(pairing: int, pair: int, first: int, second: int) -> list[ScheduledGame]:
    """Both legs of a pair. The bot that is X first alternates, so that an unfinished tournament is nearly fair too."""
    x, o = (first, second) if pair % 2 == 0 else (second, first)
    return [ScheduledGame(Key(pairing, pair, 0), x, o), ScheduledGame(Key(pairing, pair, 1), o, x)]


def pairings(plan: Plan) -> list[tuple[int, int]]:
    """Return the pairs of entrants that meet in a round robin or a gauntlet."""
    everyone = list(combinations(range(len(plan.entrants)), 2))
    if plan.format is not Format.GAUNTLET:
        return everyone
    names = plan.names
    # Challengers meet the others, not each other.
    return [(i, j) for i, j in everyone if (names[i] in plan.challengers) != (names[j] in plan.challengers)]


def _turns(meetings: list[tuple[int, int]]) -> list[int]:
    """The numbers of the meetings in an order in which all entrants take turns, by the circle method.

    >>> meetings = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    >>> [meetings[number] for number in _turns(meetings)]
    [(0, 3), (1, 2), (0, 1), (2, 3), (0, 2), (1, 3)]
    """
    last = max((second for _, second in meetings), default=0)
    last += 1 - last % 2  # an odd number of entrants: one rests each time

    def turn(number: int) -> int:
        first, second = meetings[number]
        return (2 * first if second == last else first + second) % last

    return sorted(range(len(meetings)), key=turn)


class _FixedSchedule(Schedule):
    """Round robin and gauntlet: all tasks are known from the start, round by round."""

    def __init__(self, plan: Plan) -> None:
        meetings = pairings(plan)
        turns, rounds = _turns(meetings), range(plan.rounds)
        self._left = [task for pair in rounds for number in turns for task in _pair(number, pair, *meetings[number])]
        self._total = len(self._left)

    @property
    def total(self) -> int:
        return self._total

    def new_tasks(self, scores: Scores) -> list[ScheduledGame]:
        tasks, self._left = self._left, []
        return tasks


class KnockoutMatch:
    """A match of the bracket; its two entrants may not be known yet."""

    def __init__(self, number: int, stage: int) -> None:
        self.number = number
        self.stage = stage
        self.sides: list[int | None] = [None, None]
        self.is_bye = False
        self.winner: int | None = None
        self.is_drawn = False
        """Whether it was still drawn after all extra pairs, so that the order of the list decided."""
        self.pairs = 0


class KnockoutSchedule(Schedule):
    """A seeded bracket: the first listed meets the last, and byes go to those listed first."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.stages = _bracket(len(plan.entrants))
        self._matches = sum(1 for stage in self.stages for match in stage if not match.is_bye)
        self._extra_pairs = 0

    @property
    def total(self) -> int:
        """The number of playthroughs if no further match is drawn."""
        return 2 * (self._matches * self.plan.rounds + self._extra_pairs)

    @property
    def champion(self) -> int | None:
        """The entrant that won the final, or None."""
        return self.stages[-1][0].winner

    def stage_reached(self, entrant: int) -> int:
        """Return the last stage an entrant took part in, one more for the champion."""
        stages = [match.stage for stage in self.stages for match in stage if entrant in match.sides]
        return max(stages, default=0) + (entrant == self.champion)

    def new_tasks(self, scores: Scores) -> list[ScheduledGame]:
        """Return the pairs of matches that can begin, and the extra pairs of drawn matches."""
        tasks: list[ScheduledGame] = []
        for stage, following in zip(self.stages, [*self.stages[1:], []], strict=True):
            for slot, match in enumerate(stage):
                tasks += self._tasks_of(match, scores)
                if following and match.winner is not None:
                    following[slot // 2].sides[slot % 2] = match.winner
        return tasks

    def _tasks_of(self, match: KnockoutMatch, scores: Scores) -> list[ScheduledGame]:
        first, second = match.sides
        if match.winner is not None or first is None or second is None:
            return []
        if match.pairs == 0:
            return self._issue(match, first, second, self.plan.rounds)
        lead = self._lead(match, first, scores)
        if lead is None:
            return []
        if lead == 0 and match.pairs < self.plan.rounds + MAX_EXTRA_PAIRS:
            self._extra_pairs += 1
            return self._issue(match, first, second, 1)
        ahead = first if lead > 0 else second
        match.is_drawn = lead == 0
        match.winner = min(first, second) if match.is_drawn else ahead
        return []

    @staticmethod
    def _issue(match: KnockoutMatch, first: int, second: int, pairs: int) -> list[ScheduledGame]:
        begin = match.pairs
        match.pairs += pairs
        return [task for pair in range(begin, match.pairs) for task in _pair(match.number, pair, first, second)]

    @staticmethod
    def _lead(match: KnockoutMatch, first: int, scores: Scores) -> float | None:
        """The score of the first minus that of the second; None while a playthrough is missing."""
        lead = 0.0
        for pair in range(match.pairs):
            for leg in (0, 1):
                score = scores.get(Key(match.number, pair, leg))
                if score is None:
                    return None
                is_x = (pair + leg) % 2 == 0
                lead += (score[0] - score[1]) * (1 if is_x else -1)
        return lead


def _bracket(entrants: int) -> list[list[KnockoutMatch]]:
    size = 1
    while size < entrants:
        size *= 2
    order = _seeding(size)
    stages, number, width, stage = [], 0, size // 2, 0
    while width >= 1:
        stages.append([KnockoutMatch(number + slot, stage) for slot in range(width)])
        number, width, stage = number + width, width // 2, stage + 1
    for slot, match in enumerate(stages[0]):
        first, second = order[2 * slot], order[2 * slot + 1]
        match.sides = [first, second if second < entrants else None]
        if second >= entrants:
            match.is_bye, match.winner = True, first
    return stages


def _seeding(size: int) -> list[int]:
    """The order of the seeds in a bracket, so that the first two can only meet in the final: 0 7 3 4 1 6 2 5 for 8."""
    order = [0]
    while len(order) < size:
        width = 2 * len(order)
        order = [seed for pair in ((at, width - 1 - at) for at in order) for seed in pair]
    return order


class SprtSchedule(Schedule):
    """Pairs of two bots until the test is decided. Pairs count in their order, not in the order they finished."""

    def __init__(self, plan: Plan) -> None:
        assert plan.sprt is not None
        self.plan = plan
        self.sprt = plan.sprt
        self._issued = 0
        self.test = SequentialTest(plan.sprt.elo0, plan.sprt.elo1, plan.sprt.alpha, plan.sprt.beta)

    @property
    def total(self) -> int:
        return 2 * (self.test.pairs if self.is_decided else self.sprt.pairs)

    @property
    def is_decided(self) -> bool:
        """Whether a hypothesis was accepted, or the maximum number of pairs was played."""
        return self.test.accepted is not None or self.test.pairs >= self.sprt.pairs

    def new_tasks(self, scores: Scores) -> list[ScheduledGame]:
        """Return pairs up to ``PAIRS_AHEAD`` beyond the complete ones."""
        while not self.is_decided:
            points = self._points_of(self.test.pairs, scores)
            if points is None:
                break
            self.test.add(points)
        if self.is_decided:
            return []
        begin, self._issued = self._issued, min(self.sprt.pairs, self.test.pairs + PAIRS_AHEAD)
        return [task for pair in range(begin, self._issued) for task in _pair(0, pair, 0, 1)]

    @staticmethod
    def _points_of(pair: int, scores: Scores) -> float | None:
        legs = scores.get(Key(0, pair, 0)), scores.get(Key(0, pair, 1))
        if legs[0] is None or legs[1] is None:
            return None
        first_is_x = pair % 2 == 0
        return legs[0][0 if first_is_x else 1] + legs[1][1 if first_is_x else 0]

    def counts(self, key: Key) -> bool:
        return key.pair < self.test.pairs or not self.is_decided
