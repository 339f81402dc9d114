"""Sequential tests: play pairs until it is settled which of two Elo differences is the better explanation.

The unit is the pair of playthroughs that share an opening, so a result is one of five: 0, ½, 1, 1½ or 2 points of 2.
The ratio is that of the generalised test: for each hypothesis the likeliest probabilities of the five results whose
mean is what the hypothesis says, then the log of the ratio of the two likelihoods. See docs/arena.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from noughts.arena.elo import score_of

__all__ = ["PAIR_SCORES", "SequentialTest", "bayeselo_ratio", "bounds", "likelihood_ratio"]

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What a pair can score, as a share of its 2 points."""
SINGLE_SCORES = (0.0, 0.5, 1.0)
FAINT = 1e-3
"""What counts instead of a result that has not been seen yet, so that no likelihood is 0."""


class SequentialTest:
    """A test under way: pairs are added in the order they count, until one of the two hypotheses is accepted."""

    def __init__(self, elo0: float, elo1: float, alpha: float, beta: float) -> None:
        self.elo0, self.elo1 = elo0, elo1
        self.lower, self.upper = bounds(alpha, beta)
        self.counts = [0] * len(PAIR_SCORES)
        """How many pairs scored 0, ½, 1, 1½ and 2 points."""
        self.ratio = 0.0

    def add(self, points: float) -> None:
        """Add a pair in which the first bot scored so many of 2 points."""
        self.counts[PAIR_SCORES.index(points / 2)] += 1
        self.ratio = likelihood_ratio(self.counts, self.elo0, self.elo1)

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return sum(self.counts)

    @property
    def accepted(self) -> str | None:
        """``"H1"``, ``"H0"``, or None while it is open."""
        if self.ratio >= self.upper:
            return "H1"
        return "H0" if self.ratio <= self.lower else None


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Return the ratios at which H0 and H1 are accepted.

    ``alpha`` is the chance to accept H1 where H0 is true, ``beta`` that to accept H0 where H1 is.

    >>> [round(bound, 2) for bound in bounds(0.05, 0.05)]
    [-2.94, 2.94]
    """
    return log(beta / (1 - alpha)), log((1 - beta) / alpha)


def likelihood_ratio(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of ``elo1`` to ``elo0`` of results counted from worst to best.

    Three counts are losses, draws and wins; five are pairs.

    >>> round(likelihood_ratio([4063, 8620, 4307], 0, 3), 2)
    2.99
    """
    scores = SINGLE_SCORES if len(counts) == 3 else PAIR_SCORES
    total = sum(counts)
    if total == 0:
        return 0.0
    weights = [max(count, FAINT) for count in counts]
    tilts = [_tilt(scores, weights, score_of(elo)) for elo in (elo0, elo1)]
    # The likeliest probability of a result is its share divided by 1 + tilt * (score - mean).
    terms = zip(scores, weights, strict=True)
    return sum(
        weight * log((1 + tilts[0] * (score - score_of(elo0))) / (1 + tilts[1] * (score - score_of(elo1))))
        for score, weight in terms
    )


def _tilt(scores: Sequence[float], weights: Sequence[float], mean: float) -> float:
    """The tilt under which the likeliest probabilities have that mean: a root found by halving."""
    low, high = -1 / (max(scores) - mean), 1 / (mean - min(scores))
    total = sum(weights)
    for _ in range(50):
        middle = (low + high) / 2
        slope = sum(w / total * (s - mean) / (1 + middle * (s - mean)) for s, w in zip(scores, weights, strict=True))
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2


def bayeselo_ratio(wins: int, losses: int, draws: int, elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio in the model of BayesElo, which other tools use: Elo and a draw Elo.

    The differences are in BayesElo's own unit. It does not know pairs, and is here to compare with.

    >>> round(bayeselo_ratio(4307, 4063, 8620, 0, 3), 2)
    2.47
    """
    total = wins + losses + draws
    if not (wins and losses and draws):
        return 0.0
    win, loss = wins / total, losses / total
    draw_elo = 200 * (log((1 - loss) / loss) + log((1 - win) / win)) / log(10)
    (win0, draw0, loss0), (win1, draw1, loss1) = (_bayeselo(elo, draw_elo) for elo in (elo0, elo1))
    return wins * log(win1 / win0) + draws * log(draw1 / draw0) + losses * log(loss1 / loss0)


def _bayeselo(elo: float, draw_elo: float) -> tuple[float, float, float]:
    win, loss = score_of(elo - draw_elo), score_of(-elo - draw_elo)
    return win, 1 - win - loss, loss
