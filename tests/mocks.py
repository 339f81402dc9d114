"""The bots that fail, how each is to be judged, and what must be left of them: nothing."""

from __future__ import annotations

import fcntl
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from noughts.players import Limits
from processes import running_with

__all__ = [
    "ATTACKS",
    "EXPECTED",
    "LIMITS",
    "LONG",
    "PATIENCE",
    "QUIET",
    "command",
    "is_unlocked",
    "nothing_left",
    "patience",
]

MOCK = Path(__file__).parent / "mockbots" / "mock.py"
EXPECTED = {
    "crash-at-start": "crash",
    "crash-in-the-middle": "crash",
    "segfault": "crash",
    "leave": "crash",
    "hang": "time",
    "hang-at-start": "time",
    "spin": "time",
    "slow": "time",
    "deaf": "time",
    "illegal": "illegal",
    "nowhere": "illegal",
    "number-for-a-move": "garbage",
    "garbage": "garbage",
    "binary": "garbage",
    "flood-a-line": "flood",
    "flood-lines": "garbage",
    "flood-stderr": "flood",
    "close-stdout": "crash",
    "leave-to-a-child": "crash",
    "twice": "garbage",
    "hog-memory": "crash",
    "share-memory": "limit",
    "hog-shared-memory": "limit",
    "hog-memory-files": "limit",
    "swarm": "limit",
    "fill-disk": "crash",
}
"""The reason each way to fail is a forfeit for, within the limits below."""
QUIET = ("good", "chatty-stderr", "fork-children", "daemonise", "ignore-signals", "share-fairly")
"""Ways that are bad manners, but play to the end."""
ATTACKS = ("kill-the-parent", "kill-both-supervisors", "stop-the-parent", "stop-both-supervisors")
"""Ways to get rid of the processes that watch a bot."""
LIMITS = Limits(
    memory_mb=200,
    processes=40,
    file_mb=4,
    output_bytes=1 << 20,
    line_bytes=1 << 16,
    quit_seconds=0.1,
    first_seconds=0.2,
)
PATIENCE = 1.0
"""Seconds for a move of those that take too long."""
LONG = 20.0
"""Seconds for all others: this machine may be busy."""


def command(way: str) -> str:
    return f"{sys.executable} -S -E {MOCK} {way}"


def patience(way: str) -> float:
    """Return how many seconds for a move show what the way is."""
    return PATIENCE if EXPECTED.get(way) == "time" else LONG


def is_unlocked(path: Path, seconds: float = 2.0) -> bool:
    """Whether every process that has a locked file open is gone, or goes soon."""
    deadline = time.monotonic() + seconds
    with path.open("rb+") as file:
        while time.monotonic() < deadline:
            with suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            time.sleep(0.02)
    return False


@contextmanager
def nothing_left() -> Iterator[None]:
    """Check that what is started meanwhile is gone at the end, with every open file."""
    token = f"NOUGHTS_MOCK_{uuid4().hex}"
    os.environ[token] = "1"
    files = len(os.listdir("/proc/self/fd"))
    try:
        yield
    finally:
        del os.environ[token]
    deadline = time.monotonic() + LONG
    while (left := running_with(token)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not left
    assert len(os.listdir("/proc/self/fd")) == files
