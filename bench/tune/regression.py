"""Logistic regression in plain Python: exact enough for a dozen weights, and without dependencies."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

__all__ = ["fit", "loss", "sigmoid", "solve"]

Row = Sequence[float]


def sigmoid(x: float) -> float:
    """Return 1/(1+e^-x), at any x."""
    return 1 / (1 + exp(-x)) if x >= 0 else 1 - 1 / (1 + exp(x))


def solve(matrix: Sequence[Row], right: Row) -> list[float]:
    """Return x with matrix·x = right, by elimination; the matrix must be regular."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda r: abs(rows[r][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for below in range(column + 1, size):
            factor = rows[below][column] / rows[column][column]
            if factor:
                rows[below] = [a - factor * b for a, b in zip(rows[below], rows[column], strict=True)]
    answer = [0.0] * size
    for row in reversed(range(size)):
        known = sum(rows[row][k] * answer[k] for k in range(row + 1, size))
        answer[row] = (rows[row][size] - known) / rows[row][row]
    return answer


def fit(rows: Sequence[Row], targets: Row, prior: Row, pull: Row, steps: int = 8) -> list[float]:
    """Return the coefficients for which sigmoid(row·coefficients) fits the targets (in 0…1) best, by Newton's method.

    ``pull`` is the weight of the ``prior`` of each coefficient, in units of observations.
    """
    found = list(prior)
    for _ in range(steps):
        slope, curve = _derivatives(rows, targets, found)
        for i, (value, towards, strength) in enumerate(zip(found, prior, pull, strict=True)):
            slope[i] -= strength * (value - towards)
            curve[i][i] += strength
        found = [value + step for value, step in zip(found, solve(curve, slope), strict=True)]
    return found


def _derivatives(rows: Sequence[Row], targets: Row, at: Row) -> tuple[list[float], list[list[float]]]:
    size = len(at)
    slope, curve = [0.0] * size, [[0.0] * size for _ in range(size)]
    for row, target in zip(rows, targets, strict=True):
        likely = sigmoid(sum(a * b for a, b in zip(row, at, strict=True)))
        error, weight = target - likely, likely * (1 - likely)
        places = [i for i, value in enumerate(row) if value]
        for i in places:
            slope[i] += error * row[i]
            weighted, line = weight * row[i], curve[i]
            for j in places:
                line[j] += weighted * row[j]
    return slope, curve


def loss(rows: Sequence[Row], targets: Row, at: Row) -> float:
    """Return the mean squared error of the prediction."""
    errors = (
        target - sigmoid(sum(a * b for a, b in zip(row, at, strict=True)))
        for row, target in zip(rows, targets, strict=True)
    )
    return sum(error * error for error in errors) / max(1, len(rows))
