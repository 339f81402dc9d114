"""Marks: the points and the message of each property of a grade."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from noughts.teaching.grading.report import Grade

__all__ = ["UNPROVEN", "Mark", "explain", "mark", "share_points", "state_of", "without_hidden"]

UNPROVEN = "Not counted: the moves that it tried on the position do not prove its values."
HUNDREDTHS = 100


class Mark(NamedTuple):
    """The points that a submission gets for one property, and why."""

    id: str
    description: str
    points: float
    max_points: float
    message: str
    """The reason for a failure; empty if the property holds."""

    @property
    def passed(self) -> bool:
        return not self.message


def mark(grade: Grade, points: float, weights: Mapping[str, float]) -> list[Mark]:
    """Return the marks of a grade, which share the points by weight.

    A weight that is missing is the property's own number of points. A property that could not be checked counts only
    if another failed, or if the program claims it without evidence.
    """
    counted = [each for each in grade.properties if not _is_left_out(grade, each.id)]
    shares = share_points(points, [weights.get(each.id, each.points) for each in counted])
    return [
        Mark(
            each.id, each.description, share if grade.state(each.id) == "holds" else 0.0, share, explain(grade, each.id)
        )
        for each, share in zip(counted, shares, strict=True)
    ]


def _is_left_out(grade: Grade, property: str) -> bool:
    """Whether a property could not be checked through no fault of the program."""
    return grade.state(property) == "unchecked" and grade.passed and property not in grade.claimed


def state_of(grade: Grade, property: str) -> str:
    """Return "fails", "holds" or "unchecked"; a property that could not be checked holds if no other fails."""
    return "holds" if _is_left_out(grade, property) else grade.state(property)


def explain(grade: Grade, property: str) -> str:
    """Return why a property does not hold; empty if it does."""
    state = state_of(grade, property)
    if state == "holds":
        return ""
    if state == "unchecked":
        return UNPROVEN if property in grade.claimed else "Not checked, because another property fails."
    failure = grade.failures[property]
    where = "\n".join(failure.lines())
    return where if failure.diagnosis is None else f"{where}\n{failure.diagnosis.text}"


def without_hidden(grade: Grade, hidden: Collection[str]) -> Grade:
    """Return the part of a grade that does not tell how the hidden properties fared.

    The diagnosis and the tree are kept only if a property that is not hidden fails.
    """
    failures = {id: failure for id, failure in grade.failures.items() if id not in hidden}
    shown = replace(
        grade, properties=tuple(each for each in grade.properties if each.id not in hidden), failures=failures
    )
    return shown if failures or not grade.failures else replace(shown, departure=None, tree=None)


def share_points(points: float, weights: Sequence[float]) -> list[float]:
    """Share points by weight; the sum is exact.

    Shares are whole numbers if there are enough whole points for every weight, otherwise hundredths.

    >>> share_points(10, [1, 1, 1])
    [4.0, 3.0, 3.0]
    >>> share_points(2.5, [1, 1])
    [1.25, 1.25]
    """
    total = sum(map(Fraction, weights))
    is_whole = points == int(points) and points >= sum(weight > 0 for weight in weights)
    size = 1 if is_whole else HUNDREDTHS
    units = round(points * size)
    due = [units * Fraction(weight) / total if total else Fraction(0) for weight in weights]
    shares = [int(each) for each in due]
    missing = units - sum(shares) if total else 0
    for i in sorted(range(len(due)), key=lambda i: shares[i] - due[i])[:missing]:
        shares[i] += 1
    return [share / size for share in shares]
