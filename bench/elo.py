"""Elo from paired playthroughs, with error bars that take the pairing into account."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, log, sqrt

from noughts.arena.ratings import elo_of, score_of

__all__ = ["Estimate", "elo_of", "estimate", "likelihood_ratio", "score_of"]

Z95 = 1.959963984540054
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Estimate:
    """What a match says: the mean score and Elo of the first player with their 95 % interval."""

    pairs: int
    score: float
    error: float
    """The standard error of the score."""
    counts: tuple[int, ...]
    """How many pairs scored 0, ½, 1, 1½ and 2 points of 2."""
    wins: int
    draws: int
    losses: int
    low: float
    high: float

    @property
    def elo(self) -> float:
        """The Elo difference; infinite when every playthrough ended the same way."""
        return elo_of(self.score)

    @property
    def elo_low(self) -> float:
        """The lower end of the 95 % interval."""
        return elo_of(self.low)

    @property
    def elo_high(self) -> float:
        """The upper end of the 95 % interval."""
        return elo_of(self.high)

    @property
    def superiority(self) -> float:
        """The probability that the first player is the stronger one."""
        if self.error == 0:
            return 0.5 if self.score == 0.5 else float(self.score > 0.5)
        return (1 + erf((self.score - 0.5) / self.error / sqrt(2))) / 2

    def __str__(self) -> str:
        span = f"[{self.elo_low:+.0f}, {self.elo_high:+.0f}]"
        record = f"+{self.wins} ={self.draws} -{self.losses}"
        return f"{self.score:.1%} {record}  Elo {self.elo:+.0f} {span}  pairs {self.counts}"


def estimate(pairs: Sequence[Sequence[float]]) -> Estimate:
    """Return what pairs of results (1, ½ or 0 for the first player, one for each side it played) say.

    The two playthroughs of a pair share an opening, so the pair is the unit of which the variance is taken.
    """
    scores = [sum(pair) / 2 for pair in pairs]
    count = len(scores)
    mean = sum(scores) / count if count else 0.5
    variance = sum((score - mean) ** 2 for score in scores) / (count - 1) if count > 1 else 0.25
    error = sqrt(variance / count) if count else 0.5
    low, high = _interval(mean, error, count)
    tally = Counter(scores)
    results = Counter(result for pair in pairs for result in pair)
    return Estimate(
        pairs=count,
        score=mean,
        error=error,
        counts=tuple(tally[score] for score in PAIR_SCORES),
        wins=results[1],
        draws=results[0.5],
        losses=results[0],
        low=low,
        high=high,
    )


def _interval(mean: float, error: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a mean; where all pairs agree the variance says nothing, and Wilson's interval is used."""
    if error > 0 and count > 1:
        return max(0.0, mean - Z95 * error), min(1.0, mean + Z95 * error)
    if count == 0:
        return 0.0, 1.0
    z2 = Z95**2 / count
    middle = (mean + z2 / 2) / (1 + z2)
    half = Z95 * sqrt(mean * (1 - mean) / count + z2 / (4 * count)) / (1 + z2)
    return (0.0 if mean == 0 else middle - half), (1.0 if mean == 1 else middle + half)


def likelihood_ratio(scores: Sequence[float], elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of "elo1 stronger" to "elo0 stronger" (generalised, normal approximation).

    Above 2.94 the first can be accepted, below -2.94 the second, each wrong one time in twenty.
    """
    count = len(scores)
    if count < 2:
        return 0.0
    mean = sum(scores) / count
    variance = sum((score - mean) ** 2 for score in scores) / count
    if variance == 0:
        return 0.0
    s0, s1 = score_of(elo0), score_of(elo1)
    return count / 2 * log((variance + (mean - s0) ** 2) / (variance + (mean - s1) ** 2))
