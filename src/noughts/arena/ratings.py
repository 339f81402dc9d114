"""The statistics of matches: Elo ratings with confidence intervals, and the sequential probability ratio test.

Both treat the pair of playthroughs that share an opening as one observation. Ratings follow the Bradley-Terry model;
the test is the generalised SPRT on the five scores that a pair can have. See docs/arena.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import erf, exp, inf, log, sqrt
from operator import mul

__all__ = [
    "PAIR_SCORES",
    "AnchoredRating",
    "PairScore",
    "Rating",
    "Ratings",
    "SequentialTest",
    "likelihood_of_superiority",
    "likelihood_ratio",
    "rate",
    "rate_against",
    "score_of",
    "sprt_bounds",
]

ELO_PER_LOGIT = 400 / log(10)
Z95 = 1.959963984540054
MIN_PAIRS_FOR_SANDWICH = 10
"""With fewer pairs their variance is too uncertain, and the curvature of the likelihood gives the interval."""
MAX_NEWTON_STEPS = 100
MAX_STEP_LOGITS = 3.0
MAX_ELO_DISTANCE = 4000.0
"""How far from all known ratings a rating is looked for."""
BISECTIONS = 60
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible scores of a pair, as a share of its 2 points."""
GAME_SCORES = (0.0, 0.5, 1.0)
MIN_COUNT = 1e-3
"""Replaces a count of 0, so that no likelihood is 0."""

Matrix = list[list[float]]


def score_of(elo: float) -> float:
    """Return the expected score of a player that is ``elo`` stronger than its opponent.

    >>> round(score_of(400), 4)
    0.9091
    """
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class PairScore:
    """The score of one pair of playthroughs (or of a single one, if the other leg is missing).

    ``points`` are those of the first bot, 1 for a win and ½ for a draw, out of ``played``.
    """

    first: int
    second: int
    points: float
    played: int


@dataclass(frozen=True)
class Rating:
    """The Elo of one bot relative to the mean of all bots, and half the width of its 95% interval."""

    elo: float
    error: float

    @property
    def text(self) -> str:
        """The Elo with its sign, as in ``+37``; never ``-0``."""
        return f"{round(self.elo):+d}"


@dataclass(frozen=True)
class Ratings:
    """The ratings of all bots.

    ``has_prior`` is True if some bot's results alone would give it an infinite rating. Then one drawn playthrough was
    added to each pairing, and the extreme ratings are bounds, not estimates.
    """

    of: tuple[Rating, ...]
    covariance: tuple[tuple[float, ...], ...]
    has_prior: bool

    def difference(self, first: int, second: int) -> Rating:
        """Return how much stronger the first bot is than the second."""
        return Rating(self.of[first].elo - self.of[second].elo, Z95 * self._standard_error(first, second))

    def superiority(self, first: int, second: int) -> float:
        """Return the likelihood that the first bot is the stronger one."""
        difference = self.of[first].elo - self.of[second].elo
        return likelihood_of_superiority(difference, self._standard_error(first, second))

    def _standard_error(self, first: int, second: int) -> float:
        cov = self.covariance
        return sqrt(max(0.0, cov[first][first] + cov[second][second] - 2 * cov[first][second]))


def likelihood_of_superiority(difference: float, error: float) -> float:
    """Return the probability that a difference with that standard error is above 0."""
    if error == 0:
        return 0.5 if difference == 0 else float(difference > 0)
    return (1 + erf(difference / error / sqrt(2))) / 2


def rate(bots: int, pairs: Sequence[PairScore]) -> Ratings:
    """Return the maximum-likelihood ratings of the Bradley-Terry model, a draw counting half.

    Bots that are not connected by playthroughs, even through others, are rated in separate groups, each around 0.
    """
    has_prior = bool(pairs) and not _is_connected(bots, pairs)
    prior = _prior(pairs) if has_prior else []
    points, played = _tally(bots, [*pairs, *prior])
    strengths = _maximise(points, played)
    inverse = _pseudo_inverse(_curvature(strengths, played))
    covariance = inverse if has_prior or len(pairs) < MIN_PAIRS_FOR_SANDWICH else _sandwich(strengths, pairs, inverse)
    scaled = [[value * ELO_PER_LOGIT**2 for value in row] for row in covariance]
    ratings = tuple(
        Rating(strength * ELO_PER_LOGIT, Z95 * sqrt(max(0.0, scaled[i][i])) if any(played[i]) else inf)
        for i, strength in enumerate(strengths)
    )
    return Ratings(ratings, tuple(map(tuple, scaled)), has_prior)


@dataclass(frozen=True)
class AnchoredRating:
    """The Elo of a bot on the scale of opponents with known ratings, and half the width of its 95% interval."""

    elo: float
    error: float
    is_bound: bool
    """Whether it won or lost everything: then one draw was added to each pairing, and the Elo is a bound."""


def rate_against(known: Sequence[float], pairs: Sequence[PairScore]) -> AnchoredRating:
    """Return the maximum-likelihood rating of a bot from its pairs; ``second`` is the opponent's index in ``known``.

    >>> pairs = [PairScore(0, 0, 1.5, 2), PairScore(0, 1, 0.5, 2)]
    >>> round(rate_against([800, 1200], pairs).elo)
    1000
    """
    points, played = sum(pair.points for pair in pairs), sum(pair.played for pair in pairs)
    is_bound = points in (0, played)
    if is_bound:
        pairs = [*pairs, *(PairScore(0, second, 0.5, 1) for second in sorted({pair.second for pair in pairs}))]
        points = sum(pair.points for pair in pairs)

    def expected(elo: float) -> list[float]:
        return [score_of(elo - known[pair.second]) for pair in pairs]

    low, high = min(known) - MAX_ELO_DISTANCE, max(known) + MAX_ELO_DISTANCE
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        is_above = sum(map(mul, expected(middle), (pair.played for pair in pairs))) > points
        low, high = (low, middle) if is_above else (middle, high)
    elo = (low + high) / 2
    information = sum(pair.played * score * (1 - score) for pair, score in zip(pairs, expected(elo), strict=True))
    return AnchoredRating(elo, Z95 * ELO_PER_LOGIT / sqrt(information), is_bound)


def _prior(pairs: Sequence[PairScore]) -> list[PairScore]:
    """One draw for each pairing that was played."""
    met = {(min(pair.first, pair.second), max(pair.first, pair.second)) for pair in pairs}
    return [PairScore(first, second, 0.5, 1) for first, second in sorted(met)]


def _tally(bots: int, pairs: Sequence[PairScore]) -> tuple[Matrix, Matrix]:
    """Points and number of playthroughs of each bot against each other bot."""
    points = [[0.0] * bots for _ in range(bots)]
    played = [[0.0] * bots for _ in range(bots)]
    for pair in pairs:
        points[pair.first][pair.second] += pair.points
        points[pair.second][pair.first] += pair.played - pair.points
        played[pair.first][pair.second] += pair.played
        played[pair.second][pair.first] += pair.played
    return points, played


def _is_connected(bots: int, pairs: Sequence[PairScore]) -> bool:
    """Whether each bot scored against each other bot of its group, directly or through others: ratings are finite."""
    points, played = _tally(bots, pairs)
    for group in _groups(played):
        forward = _reachable(group[0], lambda a, b: points[a][b] > 0, group)
        backward = _reachable(group[0], lambda a, b: points[b][a] > 0, group)
        if not len(forward) == len(backward) == len(group):
            return False
    return True


def _reachable(start: int, leads: Callable[[int, int], bool], nodes: list[int]) -> set[int]:
    seen, todo = {start}, [start]
    while todo:
        at = todo.pop()
        for node in nodes:
            if node not in seen and leads(at, node):
                seen.add(node)
                todo.append(node)
    return seen


def _maximise(points: Matrix, played: Matrix) -> list[float]:
    """Newton's method on the concave log-likelihood, with bounded steps."""
    strengths = [0.0] * len(points)
    for _ in range(MAX_NEWTON_STEPS):
        gradient = _gradient(strengths, points, played)
        shifted, _ = _make_regular(_curvature(strengths, played))
        step = [row[0] for row in _solve(shifted, [[slope] for slope in gradient])]
        longest = max(map(abs, step), default=0.0)
        scale = min(1.0, MAX_STEP_LOGITS / longest) if longest else 0.0
        strengths = [strength + scale * change for strength, change in zip(strengths, step, strict=True)]
        if longest < 1e-10:
            break
    return strengths


def _win_probability(a: float, b: float) -> float:
    return 1 / (1 + exp(min(700.0, b - a)))


def _gradient(strengths: list[float], points: Matrix, played: Matrix) -> list[float]:
    bots = range(len(strengths))
    return [
        sum(points[i][j] - played[i][j] * _win_probability(strengths[i], strengths[j]) for j in bots if played[i][j])
        for i in bots
    ]


def _curvature(strengths: list[float], played: Matrix) -> Matrix:
    size = len(strengths)
    matrix = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(size):
            if played[i][j]:
                probability = _win_probability(strengths[i], strengths[j])
                matrix[i][j] = -played[i][j] * probability * (1 - probability)
                matrix[i][i] -= matrix[i][j]
    return matrix


def _sandwich(strengths: list[float], pairs: Sequence[PairScore], inverse: Matrix) -> Matrix:
    """The sandwich covariance, from the variance of the pairs: it needs no model of draws or of shared openings."""
    size = len(strengths)
    meat = [[0.0] * size for _ in range(size)]
    for pair in pairs:
        i, j = pair.first, pair.second
        residual = pair.points - pair.played * _win_probability(strengths[i], strengths[j])
        for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            meat[a][b] += sign * residual**2
    covariance = _product(_product(inverse, meat), inverse)
    # Bots that repeat themselves have no variance, which does not make their ratings certain.
    return covariance if max(covariance[i][i] for i in range(size)) > 1e-12 else inverse


def _product(a: Matrix, b: Matrix) -> Matrix:
    columns = list(zip(*b, strict=True))
    return [[sum(map(mul, row, column)) for column in columns] for row in a]


def _pseudo_inverse(matrix: Matrix) -> Matrix:
    """The inverse on the rating differences within each group; the mean of a group stays 0."""
    shifted, shares = _make_regular(matrix)
    size = range(len(matrix))
    inverse = _solve(shifted, [[float(i == j) for j in size] for i in size])
    return [[value - share for value, share in zip(*rows, strict=True)] for rows in zip(inverse, shares, strict=True)]


def _make_regular(matrix: Matrix) -> tuple[Matrix, Matrix]:
    """The matrix made regular (it is singular, as only differences count), and the term added for that."""
    size = len(matrix)
    shifted = [row[:] for row in matrix]
    shares = [[0.0] * size for _ in range(size)]
    for group in _groups(matrix):
        for i in group:
            for j in group:
                shares[i][j] = 1 / len(group)
                shifted[i][j] += shares[i][j]
    return shifted, shares


def _groups(matrix: Matrix) -> list[list[int]]:
    """The connected components: bots that met directly or through others."""
    left, found = list(range(len(matrix))), []
    while left:
        group = _reachable(left[0], lambda a, b: matrix[a][b] != 0, left)
        found.append(sorted(group))
        left = [node for node in left if node not in group]
    return found


def _solve(matrix: Matrix, right: Matrix) -> Matrix:
    """Gauss-Jordan elimination with partial pivoting; each step drops the first column."""
    rows = [row + more for row, more in zip(matrix, right, strict=True)]
    for at in range(len(rows)):
        pivot = max(range(at, len(rows)), key=lambda i: abs(rows[i][0]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        head, *top = rows[at]
        top = [value / head for value in top]
        for i, (factor, *row) in enumerate(rows):
            rows[i] = [value - factor * above for value, above in zip(row, top, strict=True)] if factor else row
        rows[at] = top
    return rows


# The sequential test


class SequentialTest:
    """A sequential probability ratio test: add pairs in order until one of the two hypotheses is accepted."""

    def __init__(self, elo0: float, elo1: float, alpha: float, beta: float) -> None:
        self.elo0, self.elo1 = elo0, elo1
        self.lower, self.upper = sprt_bounds(alpha, beta)
        self.counts = [0] * len(PAIR_SCORES)
        """The number of pairs that scored 0, ½, 1, 1½ and 2 points."""
        self.ratio = 0.0
        """The log-likelihood ratio of the pairs so far."""

    def add(self, points: float) -> None:
        """Add a pair; ``points`` are those of the first bot, out of 2."""
        self.counts[PAIR_SCORES.index(points / 2)] += 1
        self.ratio = likelihood_ratio(self.counts, self.elo0, self.elo1)

    @property
    def pairs(self) -> int:
        """The number of pairs of playthroughs counted."""
        return sum(self.counts)

    @property
    def accepted(self) -> str | None:
        """``"H1"``, ``"H0"``, or None while undecided."""
        if self.ratio >= self.upper:
            return "H1"
        return "H0" if self.ratio <= self.lower else None


def sprt_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Return the log-likelihood ratios at which H0 and H1 are accepted (Wald's bounds).

    ``alpha`` is the probability of accepting H1 if H0 is true, ``beta`` of accepting H0 if H1 is true.

    >>> [round(bound, 2) for bound in sprt_bounds(0.05, 0.05)]
    [-2.94, 2.94]
    """
    return log(beta / (1 - alpha)), log((1 - beta) / alpha)


def likelihood_ratio(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of ``elo1`` to ``elo0``, for results counted from worst to best.

    Three counts are losses, draws and wins (trinomial); five are the pairs that scored 0, ½, 1, 1½ and 2
    points (pentanomial). For each hypothesis, the likelihood is that of the most likely distribution with the
    expected score of the hypothesis.

    >>> round(likelihood_ratio([4063, 8620, 4307], 0, 3), 2)
    2.99
    """
    scores = GAME_SCORES if len(counts) == 3 else PAIR_SCORES
    if sum(counts) == 0:
        return 0.0
    weights = [max(count, MIN_COUNT) for count in counts]
    mean0, mean1 = score_of(elo0), score_of(elo1)
    tilt0, tilt1 = _tilt(scores, weights, mean0), _tilt(scores, weights, mean1)
    # The most likely probability of a result is its share divided by 1 + tilt * (score - mean).
    return sum(
        weight * log((1 + tilt0 * (score - mean0)) / (1 + tilt1 * (score - mean1)))
        for score, weight in zip(scores, weights, strict=True)
    )


def _tilt(scores: Sequence[float], weights: Sequence[float], mean: float) -> float:
    """The Lagrange multiplier that gives the most likely distribution the given mean, found by bisection."""
    low, high = -1 / (max(scores) - mean), 1 / (mean - min(scores))
    total = sum(weights)
    for _ in range(50):
        middle = (low + high) / 2
        slope = sum(w / total * (s - mean) / (1 + middle * (s - mean)) for s, w in zip(scores, weights, strict=True))
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2
