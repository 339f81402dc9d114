"""A time source for tests of clocks."""

from __future__ import annotations


class ManualTime:
    """A time that only tests advance."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += seconds
