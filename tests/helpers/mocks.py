"""Programs that fail, the reason expected for each, and a check that they leave nothing behind."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from noughts.players import Limits
from noughts.process.sandbox import Sandbox
from paths import TESTS
from processes import running_with
from waiting import holds_within, wait_until

__all__ = [
    "ATTACKS",
    "EXPECTED",
    "LIMITS",
    "LONG_SECONDS",
    "MOCK",
    "QUIET",
    "SHORT_SECONDS",
    "UNCONFINED",
    "WAYS",
    "command",
    "is_unlocked",
    "nothing_left",
    "seconds_for",
]

MOCK = TESTS / "players" / "mockbots" / "mock.py"
EXPECTED = {
    "crash-at-start": "crash",
    "crash-in-the-middle": "crash",
    "segfault": "crash",
    "leave": "crash",
    "hang": "time",
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
    "hog-memory-files": "crash",
    "swarm": "limit",
    "fill-disk": "crash",
}
"""The reason expected for each way to fail in the sandbox, within the limits below."""
QUIET = ("good", "chatty-stderr", "fork-children", "daemonise", "ignore-signals", "share-fairly")
"""Ways to misbehave that are not failures: they play to the end."""
ATTACKS = ("kill-the-parent", "kill-both-supervisors", "stop-the-parent", "stop-both-supervisors")
"""Ways to attack the processes that supervise a bot."""
WAYS: dict[str, str | None] = {
    **EXPECTED,
    **dict.fromkeys((*QUIET, *ATTACKS)),
    "fill-page-tables": "limit",
    "fill-sockets": "limit",
    "leave-connections": "limit",
    "make-files": "limit",
    "many-threads": "limit",
    "zombies": "limit",
    "odd-name": None,
    "stop-itself": "time",
    "trickle": "time",
    "flood-before-asked": "garbage",
    "nested": "garbage",
    "huge-number": "garbage",
    "half-a-character": "illegal",
}
"""The reason expected for each way in the sandbox; None for those that play to the end."""
LIMITS = Limits(
    memory_mb=200,
    processes=40,
    file_mb=4,
    output_bytes=1 << 20,
    line_bytes=1 << 16,
    quit_seconds=0.1,
    first_seconds=0.2,
)
UNCONFINED = Sandbox.off(allow_root=True)
"""For tests of the protections that hold without a sandbox, too."""
SHORT_SECONDS = 0.5
"""Time for a move of the programs that take too long."""
LONG_SECONDS = 20.0
"""Time for all others, because the machine may be busy."""


def command(way: str) -> str:
    return f"{sys.executable} -S -E {MOCK} {way}"


def seconds_for(way: str) -> float:
    """Return the seconds for a move that expose a way to fail."""
    return SHORT_SECONDS if WAYS.get(way) == "time" else LONG_SECONDS


def is_unlocked(path: Path, seconds: float = LONG_SECONDS) -> bool:
    """Whether every process that holds a lock on the file has ended, or ends soon."""

    def can_lock() -> bool:
        with suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return False

    with path.open("rb+") as file:
        return holds_within(can_lock, seconds)


@contextmanager
def nothing_left() -> Iterator[None]:
    """Check that all processes started within the block are gone at its end, and all files closed."""
    token = f"LC_NOUGHTS_{uuid4().hex}"  # programs are given variables of this form
    os.environ[token] = "1"
    files = len(os.listdir("/proc/self/fd"))
    try:
        yield
    finally:
        del os.environ[token]
    wait_until(lambda: not running_with(token), LONG_SECONDS, "the end of all processes")
    assert len(os.listdir("/proc/self/fd")) == files
