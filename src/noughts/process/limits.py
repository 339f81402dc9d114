"""Limits on the resources and the time of a program."""

from __future__ import annotations

from time import monotonic
from typing import NamedTuple

__all__ = ["GRACE_SECONDS", "MEGABYTE", "Deadline", "Limits"]

MEGABYTE = 1 << 20
GRACE_SECONDS = 0.3
"""Default for how late an answer may be, everywhere: allows for pipes and a busy machine."""


class Limits(NamedTuple):
    """Limits on a bot's program; the defaults suit programs in any language. None means unlimited."""

    memory_mb: int | None = 1024
    """Memory of all its processes together, and data of each of them."""
    processes: int | None = 128
    """Processes and threads together."""
    file_mb: int | None = 64
    """Size of the largest file it may write."""
    namespace: bool = True
    """Whether to run it in a PID namespace of its own where the system allows that (Linux)."""
    grace_seconds: float = GRACE_SECONDS
    """Added to its time for a move before it counts as late: allows for pipes and scheduling."""
    start_seconds: float = 10.0
    """Time to start and to answer the greeting."""
    hang_seconds: float = 60.0
    """Time for a move without a time limit, as with a limit on nodes or depth."""
    quit_seconds: float = 0.5
    """Time between asking it to exit and killing it."""
    line_bytes: int = 100_000
    """Length of the longest line it may write."""
    output_bytes: int = 8 * MEGABYTE
    """Output for one move, separately on standard output and standard error."""

    first_seconds: float = 3.0
    """Added to the time of its first answer where the protocol has no greeting that would show when it is ready."""

    def check(self) -> Limits:
        """Return these limits; raises ValueError when one is not above 0 (some may be 0)."""
        for name, value in self._asdict().items():
            least = 0 if name in ("namespace", "grace_seconds", "quit_seconds", "first_seconds") else 1e-9
            if value is not None and not value >= least:
                raise ValueError(f"expected {name} above 0, got {value}")
        return self


class Deadline(NamedTuple):
    """A moment on the monotonic clock, and the seconds it was set to, for messages."""

    at: float
    seconds: float

    @classmethod
    def within(cls, seconds: float, grace_seconds: float = 0.0) -> Deadline:
        """Return the moment ``seconds + grace_seconds`` from now; messages do not mention the grace."""
        return cls(monotonic() + seconds + grace_seconds, seconds)

    @property
    def left(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self.at - monotonic())
