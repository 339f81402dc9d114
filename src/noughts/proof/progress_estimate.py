"""Shares of work that are done: exact or estimated."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ProgressEstimate"]


class ProgressEstimate(NamedTuple):
    """The share of a piece of work that is done, from 0 to 1: an estimate, and the range in which the truth should be.

    >>> print(ProgressEstimate(0.12, 0.03, 0.4), ProgressEstimate.exact(3, 4))
    12% (3 to 40) 75%
    """

    estimate: float
    low: float
    high: float

    @classmethod
    def exact(cls, done: float, total: float) -> ProgressEstimate:
        """Return the share of work whose amount is known."""
        share = min(1.0, done / total) if total > 0 else 1.0
        return cls(share, share, share)

    def __str__(self) -> str:
        low, estimate, high = (_percent(share) for share in (self.low, self.estimate, self.high))
        return f"{estimate}%" if low == high else f"{estimate}% ({low} to {high})"


def _percent(share: float) -> str:
    """A whole number, but with more digits below one; 100 only when all is done."""
    percent = 100 * share
    if 0 < percent < 0.95:
        return f"{percent:.1g}" if percent >= 0.001 else "0"
    return str(min(round(percent), 99) if share < 1 else 100)
