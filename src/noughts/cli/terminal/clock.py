"""Two clocks of which one runs. Times are in seconds; the session says what time it is, so nothing here waits."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from noughts.games import Side
from noughts.games.quoting import quote

__all__ = ["Clock", "format_seconds", "parse_clock"]

LONGEST_MINUTES = 24 * 60


@dataclass
class Clock:
    """What each side has left. ``start`` begins a move, ``stop`` ends it and adds the increment."""

    base: float
    increment: float = 0.0
    left: dict[Side, float] = field(default_factory=dict)
    _running: Side | None = None
    _since: float = 0.0

    def __post_init__(self) -> None:
        self.left = self.left or {Side.X: self.base, Side.O: self.base}

    @property
    def text(self) -> str:
        """The time control as one types it: minutes plus seconds for each move, ``5+3``."""
        return f"{self.base / 60:g}+{self.increment:g}"

    @property
    def tag(self) -> str:
        """The time control as game files have it: seconds plus seconds, ``300+3``."""
        return f"{self.base:g}+{self.increment:g}"

    @classmethod
    def from_tag(cls, tag: str, left: dict[Side, float] | None = None) -> Clock:
        """Return the clocks of a time control as game files have it."""
        base, _, increment = tag.partition("+")
        return cls(float(base), float(increment or 0), dict(left or {}))

    def start(self, side: Side, now: float) -> None:
        """Let the clock of a side run from now; one that runs already keeps running."""
        if self._running is not side:
            self._running, self._since = side, now

    def remaining(self, side: Side, now: float) -> float:
        """Return what a side has left now; 0 when its time is up."""
        used = now - self._since if self._running is side else 0.0
        return max(0.0, self.left[side] - used)

    def stop(self, now: float) -> None:
        """End the move of the side whose clock runs and add the increment; without effect when none runs."""
        if self._running is not None:
            self.left[self._running] = self.remaining(self._running, now) + self.increment
            self._running = None

    def pause(self, now: float) -> None:
        """Stop the clock that runs, without the increment: the move is not made yet."""
        if self._running is not None:
            self.left[self._running] = self.remaining(self._running, now)
            self._running = None


def parse_clock(text: str) -> Clock:
    """Return the clocks a text such as ``5+3`` (five minutes, three seconds more for each move) or ``10`` describes."""
    number = r"([0-9]{1,4}(?:\.[0-9]{1,3})?)"
    match = re.fullmatch(rf"{number}(?:\+{number})?", text.strip(), re.ASCII)
    if match is None or not 0 < float(match[1]) <= LONGEST_MINUTES:
        raise ValueError(f"expected a clock as minutes+seconds, such as 5+3, got {quote(text)}")
    return Clock(float(match[1]) * 60, float(match[2] or 0))


def format_seconds(seconds: float) -> str:
    """Return a time left as it is read from a clock: ``4:58``, or tenths in the last twenty seconds: ``0:07.3``."""
    if seconds < 20:
        return f"0:{int(seconds * 10) / 10:04.1f}"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"
