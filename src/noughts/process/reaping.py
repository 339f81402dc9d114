"""Ends processes that have lost their parent."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from contextlib import suppress
from time import monotonic, sleep

__all__ = ["become_subreaper", "kill_orphans", "kill_tree"]

KILL_SECONDS = 5.0
"""Time after which to give up on processes that survive SIGKILL."""
KILL_POLL_SECONDS = 0.002
_is_subreaper = False


def become_subreaper() -> None:
    """Adopt every process below this one that loses its parent (Linux), so that ``kill_orphans`` finds it.

    Only for a process that starts nothing but bots: any other child would be killed as well.
    """
    global _is_subreaper
    if sys.platform == "win32":
        return
    from noughts.process.supervisor import become_reaper

    become_reaper()
    _is_subreaper = True


def kill_orphans(supervisors: Collection[int]) -> None:
    """Kill every process below this one that is neither a supervisor nor below one; only for a subreaper."""
    if _is_subreaper:
        kill_tree(os.getpid(), supervisors)


def kill_tree(root: int, spared: Collection[int] = ()) -> None:
    """Kill every process below ``root`` except those in ``spared`` and below them."""
    from noughts.process.supervisor import descendants, kill_all

    def scan() -> list[int]:
        kept = {each for pid in spared for each in (pid, *descendants(pid))}
        return [pid for pid in descendants(root) if pid not in kept and not _has_ended(pid)]

    deadline = monotonic() + KILL_SECONDS
    # A process that changes its parent during a scan may be missed.
    while monotonic() < deadline and (found := scan() or scan()):
        kill_all(found)
        sleep(KILL_POLL_SECONDS)


def _has_ended(pid: int) -> bool:
    """Whether a process is gone or a zombie; reaps an adopted zombie."""
    with suppress(OSError):  # not our child, or gone
        os.waitpid(pid, os.WNOHANG)
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except OSError:
        return True
