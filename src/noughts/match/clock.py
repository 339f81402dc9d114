"""Time controls and the two clocks of a match. Times are in seconds."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Self

from noughts.engine import ClockReading
from noughts.games import Side
from noughts.games.quoting import quote

__all__ = ["Clock", "ClockState", "TimeControl", "format_seconds"]

MAX_SECONDS = 24 * 3600.0
MAX_MOVES = 1000
UNITS = {"h": 3600.0, "m": 60.0, "min": 60.0, "s": 1.0, "ms": 0.001}
_TIME = r"([0-9]{1,5}(?:\.[0-9]{1,3})?)(h|min|ms|m|s)?"
_CONTROL = re.compile(rf"(?:([0-9]{{1,4}})/)?{_TIME}(?:\+{_TIME})?", re.ASCII)
_TAG = re.compile(r"(?:([0-9]{1,4})/)?([0-9]+(?:\.[0-9]+)?)(?:\+([0-9]+(?:\.[0-9]+)?))?", re.ASCII)


@dataclass(frozen=True)
class TimeControl:
    """The time of one side: ``base`` seconds, and ``increment`` seconds more for each move.

    With ``moves`` the base is added again each time that number of moves has been made.
    """

    base: float
    increment: float = 0.0
    moves: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.base <= MAX_SECONDS:
            raise ValueError(f"expected a base time above 0 and up to 24 hours, got {self.base:g} s")
        if not 0 <= self.increment <= MAX_SECONDS:
            raise ValueError(f"expected an increment from 0 to 24 hours, got {self.increment:g} s")
        if self.moves is not None and not 1 <= self.moves <= MAX_MOVES:
            raise ValueError(f"expected 1 to {MAX_MOVES} moves in a time control, got {self.moves}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the time control that a text describes; raises ValueError.

        Minutes, plus seconds for each move, unless units are written:

        >>> TimeControl.parse("5+3")
        TimeControl(base=300.0, increment=3.0, moves=None)
        >>> TimeControl.parse("10s+0.1s"), TimeControl.parse("2m")
        (TimeControl(base=10.0, increment=0.1, moves=None), TimeControl(base=120.0, increment=0.0, moves=None))
        >>> TimeControl.parse("40/5")
        TimeControl(base=300.0, increment=0.0, moves=40)
        """
        match = _CONTROL.fullmatch("".join(text.split()))
        if match is None:
            examples = "5+3 (minutes and seconds a move), 10s+0.1s, 2m or 40/5"
            raise ValueError(f"expected a time control such as {examples}, got {quote(text)}")
        moves, base, base_unit, increment, increment_unit = match.groups()
        return cls(
            float(base) * UNITS[base_unit or "m"],
            float(increment or 0) * UNITS[increment_unit or "s"],
            None if moves is None else int(moves),
        )

    @classmethod
    def from_data(cls, data: object) -> Self:
        """Return the time control of a text; raises ValueError."""
        return cls.parse(data if isinstance(data, str) else quote(data))

    def to_data(self) -> str:
        """Return the text of the time control, for JSON."""
        return str(self)

    def __str__(self) -> str:
        """Return a short text that ``parse`` reads: ``5+3``, ``10s+0.1s``, ``2m``, ``40/5m``."""
        moves = "" if self.moves is None else f"{self.moves}/"
        minutes = self.base / 60
        if self.base >= 60 and round(minutes, 1) == minutes:
            return f"{moves}{minutes:g}+{self.increment:g}" if self.increment else f"{moves}{minutes:g}m"
        return f"{moves}{self.base:g}s" + (f"+{self.increment:g}s" if self.increment else "")

    @property
    def tag(self) -> str:
        """The time control in seconds, as in the tag of a game file: ``300+3``, ``40/300``."""
        moves = "" if self.moves is None else f"{self.moves}/"
        return f"{moves}{self.base:g}" + (f"+{self.increment:g}" if self.increment or self.moves is None else "")

    @classmethod
    def from_tag(cls, tag: str) -> Self:
        """Return the time control of a game file's tag; raises ValueError."""
        match = _TAG.fullmatch(tag.strip())
        if match is None:
            raise ValueError(f"expected a time control in seconds such as 300+3 or 40/300, got {quote(tag)}")
        moves, base, increment = match.groups()
        return cls(float(base), float(increment or 0), None if moves is None else int(moves))


@dataclass(frozen=True)
class ClockState:
    """The time left on both clocks, and the moves each side has made on its clock."""

    left: Mapping[Side, float]
    moves: Mapping[Side, int]


class Clock:
    """Two clocks; at most one of them runs.

    ``start`` lets a side's clock run, ``press`` ends its move, ``pause`` stops it in the middle of a move. A
    ``snapshot`` can be restored, so that a takeback gives both sides their time back. With a time control for one
    side only, the other plays without a clock and always has infinite time left.
    """

    def __init__(
        self,
        control: TimeControl | Mapping[Side, TimeControl],
        state: ClockState | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        controls = dict.fromkeys(Side, control) if isinstance(control, TimeControl) else dict(control)
        self.controls: Mapping[Side, TimeControl] = controls
        self.running: Side | None = None
        left = {side: controls[side].base if side in controls else inf for side in Side}
        self._state = state or ClockState(left, dict.fromkeys(Side, 0))
        self._since = 0.0
        self._now = now

    def left(self, side: Side) -> float:
        """Return the seconds that a side has left now; 0 if its time is up."""
        used = self._now() - self._since if self.running is side else 0.0
        return max(0.0, self._state.left[side] - used)

    def start(self, side: Side) -> None:
        """Let the clock of a side run; if it runs already, it continues."""
        if self.running is not side:
            self.pause()
            self.running, self._since = side, self._now()

    def press(self, side: Side, seconds: float | None = None) -> None:
        """End a move of a side: charge the time since ``start``, or the ``seconds`` given, and add the increment."""
        left = self.left(side) if seconds is None else max(0.0, self._state.left[side] - seconds)
        control, made = self.controls.get(side), self._state.moves[side] + 1
        if control is not None:
            left += control.increment
            if control.moves is not None and made % control.moves == 0:
                left += control.base
        self.running = None
        self._state = ClockState({**self._state.left, side: left}, {**self._state.moves, side: made})

    def pause(self) -> None:
        """Stop the clock that runs without ending the move."""
        if self.running is not None:
            left = {**self._state.left, self.running: self.left(self.running)}
            self._state, self.running = ClockState(left, self._state.moves), None

    def snapshot(self) -> ClockState:
        """Return the state of both clocks now."""
        return ClockState({side: self.left(side) for side in Side}, self._state.moves)

    def restore(self, state: ClockState) -> None:
        """Set both clocks to an earlier state; none runs afterwards."""
        self._state, self.running = state, None

    def reset_copy(self) -> Clock:
        """Return new clocks with the same time controls and full time."""
        return Clock(self.controls, now=self._now)

    def is_timed(self, side: Side) -> bool:
        """Whether a side has a clock."""
        return side in self.controls

    def reading(self, side: Side) -> ClockReading:
        """Return the times on both clocks for the player of a timed side; an untimed opponent has 0 seconds."""
        control, made = self.controls[side], self._state.moves[side]
        left, increments = [0.0, 0.0], [0.0, 0.0]
        for each, own in self.controls.items():
            left[each.number], increments[each.number] = self.left(each), own.increment
        return ClockReading(
            (left[0], left[1]),
            (increments[0], increments[1]),
            None if control.moves is None else control.moves - made % control.moves,
        )


def format_seconds(seconds: float) -> str:
    """Return a time as a clock shows it: ``4:58``, and with tenths in the last twenty seconds: ``0:07.3``."""
    if seconds < 20:
        return f"0:{int(seconds * 10) / 10:04.1f}"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"
