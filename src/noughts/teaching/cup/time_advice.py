"""Advice about the time limit of a cup, from the trials of submissions that missed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.games.quoting import count, shorten
from noughts.teaching.cup.submissions import CupSubmission

__all__ = ["TimeAdvice", "advise_time"]

MARGIN = 1.5
"""A limit is this many times the longest trial: two programs may share a processor in the cup."""
STEPS = (0.5, 1, 2, 3, 5, 8, 10, 15, 20, 30, 45, 60)
"""Limits that people choose, in seconds."""
MAX_NAMES = 5


@dataclass(frozen=True)
class TimeAdvice:
    """A limit for those that missed the one of the cup; None if no trial ended in time."""

    limit: float
    """The limit of the cup."""
    seconds: float | None
    """The advised limit for a move."""
    slowest: float | None
    """The longest trial that ended."""
    late: tuple[str, ...]
    """The submissions that missed the limit and would do with the advised one."""
    never: tuple[str, ...]
    """Those whose trial did not end in time."""

    def __str__(self) -> str:
        missed = count(len(self.late) + len(self.never), "submission")
        head = f"{missed} missed the limit of {self.limit:g} s"
        never = f"no answer in a trial of more time: {_names(self.never)}" if self.never else ""
        if self.seconds is None:
            return f"{head}; {never}"
        which = f"{len(self.late)} of them" if self.never else "it" if len(self.late) == 1 else "all of them"
        advice = f"--seconds {self.seconds:g} would do for {which}: the first move took up to {self.slowest:.1f} s"
        return "; ".join(part for part in (head, advice, never) if part)


def advise_time(submissions: Sequence[CupSubmission], limit: float) -> TimeAdvice | None:
    """Return advice about the time limit, or None if every submission that was checked kept to it."""
    times = {each.name: each.trial_seconds for each in submissions if each.was_late}
    if not times:
        return None
    known = {name: seconds for name, seconds in times.items() if seconds is not None}
    never = tuple(name for name in times if name not in known)
    if not known:
        return TimeAdvice(limit, None, None, (), never)
    slowest = max(known.values())
    wanted = max(MARGIN * slowest, limit)
    seconds = next((step for step in STEPS if step >= wanted and step > limit), round(wanted + 1))
    return TimeAdvice(limit, seconds, slowest, tuple(known), never)


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(shorten(name, 30) for name in names[:MAX_NAMES])
    return f"{shown} and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else shown
