"""A time source for tests of clocks."""

from __future__ import annotations

from noughts import Side
from noughts.match import Match


class ManualTime:
    """A time that only tests advance."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += seconds


def clocks_of(match: Match) -> tuple[float, float]:
    """The seconds left to X and to O in a match with clocks."""
    assert match.clock is not None
    return match.clock.left(Side.X), match.clock.left(Side.O)
