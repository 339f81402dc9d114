"""Kills processes of a bot that have outlived its supervisor."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from time import monotonic, sleep

__all__ = ["become_subreaper", "kill_orphans", "kill_tree"]

KILL_SECONDS = 5.0
"""Time after which to give up on processes that survive SIGKILL."""
POLL_SECONDS = 0.002
_is_subreaper = False


def become_subreaper() -> None:
    """Adopt every process below this one that loses its parent (Linux), so that ``kill_orphans`` finds it.

    Only for a process that starts nothing but bots: any other child would be killed as well.
    """
    from noughts.players.programs.supervisor import become_reaper

    global _is_subreaper
    become_reaper()
    _is_subreaper = True


def kill_orphans(supervisors: Collection[int]) -> None:
    """Kill every process below this one that is neither a supervisor nor below one; only for a subreaper."""
    if _is_subreaper:
        kill_tree(os.getpid(), supervisors)


def kill_tree(root: int, spared: Collection[int] = ()) -> None:
    """Kill every process below ``root`` except those in ``spared`` and below them."""
    from noughts.players.programs.supervisor import descendants, kill_all

    deadline = monotonic() + KILL_SECONDS
    while monotonic() < deadline:
        kept = {each for pid in spared for each in (pid, *descendants(pid))}
        found = [pid for pid in descendants(root) if pid not in kept and not _has_ended(pid)]
        if not found:
            return
        kill_all(found)
        sleep(POLL_SECONDS)


def _has_ended(pid: int) -> bool:
    """Whether a process is gone or a zombie; reaps an adopted zombie."""
    with suppress(OSError):  # not our child, or gone
        os.waitpid(pid, os.WNOHANG)
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except OSError:
        return True
