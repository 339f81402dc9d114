"""Marks: the points and the message of each property, from the data of a grade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

__all__ = ["UNPROVEN", "Mark", "explain", "find_property", "mark", "share_points"]

UNPROVEN = "Not counted: the moves that it tried on the position do not prove its values."
UNITS = 100
"""Points are shared in hundredths."""


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
        """Whether the property holds."""
        return not self.message


def mark(data: Mapping[str, Any], points: float, weights: Mapping[str, float]) -> list[Mark]:
    """Return the marks of the data of a grade (docs/grading.md), which share the points by weight.

    A weight that is missing is the property's own number of points. A property that could not be checked counts only
    if another failed, or if the program claims it without evidence.
    """
    counted = [each for each in data["properties"] if not _is_left_out(data, each)]
    shares = share_points(points, [weights.get(each["id"], each["points"]) for each in counted])
    return [
        Mark(each["id"], each["description"], share if each["state"] == "holds" else 0.0, share, explain(data, each))
        for each, share in zip(counted, shares, strict=True)
    ]


def _is_left_out(data: Mapping[str, Any], each: Mapping[str, Any]) -> bool:
    """Whether a property could not be checked through no fault of the program."""
    return each["state"] == "unchecked" and bool(data["passed"]) and not each.get("claimed")


def find_property(data: Mapping[str, Any], id: str) -> Mapping[str, Any]:
    """Return a property in the data of a grade; one that could not be checked holds if no other fails."""
    unchecked = {"id": id, "state": "unchecked"}
    found: Mapping[str, Any] = next((each for each in data["properties"] if each["id"] == id), unchecked)
    return {**found, "state": "holds"} if _is_left_out(data, found) else found


def explain(data: Mapping[str, Any], each: Mapping[str, Any]) -> str:
    """Return why a property does not hold; empty if it does."""
    if each["state"] == "holds":
        return ""
    if each["state"] == "unchecked":
        return UNPROVEN if each.get("claimed") else "Not checked, because another property fails."
    where = "   ".join(part for part in (each["position"], each["message"]) if part)
    return "\n".join([where, *_hints(data)])


def _hints(data: Mapping[str, Any]) -> list[str]:
    return [data["diagnosis"]["sentence"]] if data["diagnosis"] else []


def share_points(points: float, weights: Sequence[float]) -> list[float]:
    """Share points by weight, in hundredths; the sum is exact, so a share may be rounded up by a hundredth.

    >>> share_points(10, [1, 1, 1])
    [3.34, 3.33, 3.33]
    """
    total = sum(map(Fraction, weights))
    units = round(points * UNITS)
    due = [units * Fraction(weight) / total if total else Fraction(0) for weight in weights]
    shares = [int(each) for each in due]
    missing = units - sum(shares) if total else 0
    for i in sorted(range(len(due)), key=lambda i: shares[i] - due[i])[:missing]:
        shares[i] += 1
    return [share / UNITS for share in shares]
