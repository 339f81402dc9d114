"""What a bot's program may take from the machine, and how patient its host is."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Limits"]

MEGABYTE = 1 << 20


class Limits(NamedTuple):
    """Bounds on a bot's program; the defaults suit a program in any language. None is no bound."""

    memory_mb: int | None = 1024
    """Of all its processes together, and of the data of each."""
    processes: int | None = 128
    """Processes and threads, together."""
    file_mb: int | None = 64
    """The largest file it may write."""
    namespace: bool = True
    """Whether to give it a PID namespace of its own where the system allows that (Linux)."""
    grace: float = 0.1
    """Seconds beyond its time for a move before it counts as late: what the pipes and the machine may take."""
    start_seconds: float = 10.0
    """Until it has started and greeted its host."""
    hang_seconds: float = 60.0
    """For a move that no clock bounds, as with a limit on nodes or depth."""
    quit_seconds: float = 0.5
    """Between asking it to leave and ending it."""
    line_bytes: int = 100_000
    """The longest line it may write."""
    output_bytes: int = 8 * MEGABYTE
    """What it may write for one move, on each of standard output and standard error."""

    first_seconds: float = 3.0
    """More for its first answer where the protocol has no greeting, so that starting cannot be told from thinking."""

    def checked(self) -> Limits:
        """Return these limits; raises ValueError when one is not above 0 (some may be 0)."""
        for name, value in self._asdict().items():
            least = 0 if name in ("namespace", "grace", "quit_seconds", "first_seconds") else 1e-9
            if value is not None and not value >= least:
                raise ValueError(f"expected {name} above 0, got {value}")
        return self
