"""Processes that a bot has started and that have outlived the processes meant to watch it."""

from __future__ import annotations

import os
import signal
from collections.abc import Collection
from contextlib import suppress
from time import monotonic, sleep

__all__ = ["adopt_orphans", "end_orphans", "end_tree"]

LAST_SECONDS = 5.0
_adopting = False


def adopt_orphans() -> None:
    """Adopt every process below this one that loses its parent (Linux), for ``end_orphans``.

    Only for a process that starts nothing but bots: every other child of its own would be ended as well.
    """
    from noughts.bots.keeper import become_reaper

    global _adopting
    become_reaper()
    _adopting = True


def end_orphans(keepers: Collection[int]) -> None:
    """End every process below this one that is neither a keeper nor below one; nothing without ``adopt_orphans``."""
    if _adopting:
        end_tree(os.getpid(), keepers)


def end_tree(root: int, spared: Collection[int] = ()) -> None:
    """End every process below another: first stopped, so that nothing runs away, then killed."""
    from noughts.bots.keeper import descendants

    deadline = monotonic() + LAST_SECONDS
    while monotonic() < deadline:
        kept = {each for pid in spared for each in (pid, *descendants(pid))}
        family = [pid for pid in descendants(root) if pid not in kept and not _has_ended(pid)]
        if not family:
            return
        for each in (signal.SIGSTOP, signal.SIGKILL):
            for pid in family:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, each)
        sleep(0.002)


def _has_ended(pid: int) -> bool:
    """Whether a process only waits for its parent to notice; an adopted one is noticed here."""
    with suppress(OSError):  # not a child of ours, or gone
        os.waitpid(pid, os.WNOHANG)
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except OSError:
        return True
