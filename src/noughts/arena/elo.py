"""Ratings: Elo by maximum likelihood, with intervals that know of draws and of pairs that share an opening."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import erf, exp, inf, log, log10, sqrt
from operator import mul

__all__ = ["Bout", "Rating", "Ratings", "elo_of", "likelihood_of_superiority", "rate", "score_of"]

SCALE = 400 / log(10)
"""Elo to a unit of the logistic curve."""
Z95 = 1.959963984540054
FEW = 10
"""Pairs below which their own scatter says too little, and the curvature of the likelihood is taken."""
STEPS = 100
MOST_STEP = 3.0

Matrix = list[list[float]]


def score_of(elo: float) -> float:
    """Return the expected score of a side that is so many Elo stronger.

    >>> round(score_of(400), 4)
    0.9091
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """Return the Elo difference that an expected score means; infinite at 0 and 1.

    >>> round(elo_of(0.75), 1)
    190.8
    """
    if score <= 0:
        return -inf
    return inf if score >= 1 else 400 * log10(score / (1 - score))


@dataclass(frozen=True)
class Bout:
    """What two bots scored against each other in playthroughs that belong together: a pair, or a single one.

    ``points`` are those of the first, 1 for a win and ½ for a draw, of so many ``played``.
    """

    first: int
    second: int
    points: float
    played: int


@dataclass(frozen=True)
class Rating:
    """The Elo of one bot, the mean of all being 0, and half its 95 % interval."""

    elo: float
    error: float

    @property
    def text(self) -> str:
        """The Elo as tables show it, with its sign: ``+37``; never ``-0``."""
        return f"{round(self.elo):+d}"


@dataclass(frozen=True)
class Ratings:
    """The ratings of all bots. ``has_prior`` says that somebody's results alone would mean an infinite rating.

    Then one drawn playthrough was added to each pairing, and the extreme ratings are bounds rather than estimates.
    """

    of: tuple[Rating, ...]
    covariance: tuple[tuple[float, ...], ...]
    has_prior: bool

    def superiority(self, first: int, second: int) -> float:
        """Return the likelihood that the first is the stronger."""
        cov = self.covariance
        variance = cov[first][first] + cov[second][second] - 2 * cov[first][second]
        return likelihood_of_superiority(self.of[first].elo - self.of[second].elo, sqrt(max(0.0, variance)))


def likelihood_of_superiority(difference: float, error: float) -> float:
    """Return the probability that a difference with that standard error is above 0."""
    if error == 0:
        return 0.5 if difference == 0 else float(difference > 0)
    return (1 + erf(difference / error / sqrt(2))) / 2


def rate(bots: int, games: Sequence[Bout]) -> Ratings:
    """Return the likeliest ratings, draws counting half (Bradley and Terry's model).

    Bots who have not met, even through others, are rated each in their own group around 0.
    """
    has_prior = bool(games) and not _is_connected(bots, games)
    prior = _prior(games) if has_prior else []
    points, played = _tally(bots, [*games, *prior])
    strengths = _climb(points, played)
    inverse = _pseudo_inverse(_curvature(strengths, played))
    covariance = inverse if has_prior or len(games) < FEW else _sandwich(strengths, games, inverse)
    scaled = [[value * SCALE**2 for value in row] for row in covariance]
    ratings = tuple(
        Rating(strength * SCALE, Z95 * sqrt(max(0.0, scaled[i][i])) if any(played[i]) else inf)
        for i, strength in enumerate(strengths)
    )
    return Ratings(ratings, tuple(map(tuple, scaled)), has_prior)


def _prior(games: Sequence[Bout]) -> list[Bout]:
    """One draw between every two who have met."""
    met = {(min(game.first, game.second), max(game.first, game.second)) for game in games}
    return [Bout(first, second, 0.5, 1) for first, second in sorted(met)]


def _tally(bots: int, games: Sequence[Bout]) -> tuple[Matrix, Matrix]:
    """Who scored how much against whom, and of how many."""
    points = [[0.0] * bots for _ in range(bots)]
    played = [[0.0] * bots for _ in range(bots)]
    for game in games:
        points[game.first][game.second] += game.points
        points[game.second][game.first] += game.played - game.points
        played[game.first][game.second] += game.played
        played[game.second][game.first] += game.played
    return points, played


def _is_connected(bots: int, games: Sequence[Bout]) -> bool:
    """Whether all who have met scored against each other, directly or through others: then ratings are finite."""
    points, played = _tally(bots, games)
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


def _climb(points: Matrix, played: Matrix) -> list[float]:
    """Newton's method: the likelihood has one summit; steps are cut so that none overshoots it by far."""
    strengths = [0.0] * len(points)
    for _ in range(STEPS):
        gradient = _gradient(strengths, points, played)
        shifted, _ = _shifted(_curvature(strengths, played))
        step = [row[0] for row in _solve(shifted, [[slope] for slope in gradient])]
        longest = max(map(abs, step), default=0.0)
        scale = min(1.0, MOST_STEP / longest) if longest else 0.0
        strengths = [strength + scale * change for strength, change in zip(strengths, step, strict=True)]
        if longest < 1e-10:
            break
    return strengths


def _chance(a: float, b: float) -> float:
    return 1 / (1 + exp(min(700.0, b - a)))


def _gradient(strengths: list[float], points: Matrix, played: Matrix) -> list[float]:
    bots = range(len(strengths))
    return [
        sum(points[i][j] - played[i][j] * _chance(strengths[i], strengths[j]) for j in bots if played[i][j])
        for i in bots
    ]


def _curvature(strengths: list[float], played: Matrix) -> Matrix:
    size = len(strengths)
    matrix = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(size):
            if played[i][j]:
                chance = _chance(strengths[i], strengths[j])
                matrix[i][j] = -played[i][j] * chance * (1 - chance)
                matrix[i][i] -= matrix[i][j]
    return matrix


def _sandwich(strengths: list[float], games: Sequence[Bout], inverse: Matrix) -> Matrix:
    """The covariance by the scatter of the pairs themselves: it needs no model of draws or of shared openings."""
    size = len(strengths)
    scatter = [[0.0] * size for _ in range(size)]
    for game in games:
        i, j = game.first, game.second
        surprise = game.points - game.played * _chance(strengths[i], strengths[j])
        for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            scatter[a][b] += sign * surprise**2
    covariance = _product(_product(inverse, scatter), inverse)
    # Bots that repeat themselves scatter not at all, which says nothing about how sure we are.
    return covariance if max(covariance[i][i] for i in range(size)) > 1e-12 else inverse


def _product(a: Matrix, b: Matrix) -> Matrix:
    columns = list(zip(*b, strict=True))
    return [[sum(map(mul, row, column)) for column in columns] for row in a]


def _pseudo_inverse(matrix: Matrix) -> Matrix:
    """The inverse on what ratings can tell: differences within each group that has met; its mean stays 0."""
    shifted, shares = _shifted(matrix)
    size = range(len(matrix))
    inverse = _solve(shifted, [[float(i == j) for j in size] for i in size])
    return [[value - share for value, share in zip(*rows, strict=True)] for rows in zip(inverse, shares, strict=True)]


def _shifted(matrix: Matrix) -> tuple[Matrix, Matrix]:
    """The matrix made regular, which alone it is not since only differences count, and what was added for that."""
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
    """Who has met whom, directly or through others."""
    left, found = list(range(len(matrix))), []
    while left:
        group = _reachable(left[0], lambda a, b: matrix[a][b] != 0, left)
        found.append(sorted(group))
        left = [node for node in left if node not in group]
    return found


def _solve(matrix: Matrix, right: Matrix) -> Matrix:
    """Gauss and Jordan, with the largest pivot. Each step takes the first column off, so that little is left to do."""
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
