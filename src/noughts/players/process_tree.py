"""Ending the processes that a bot has started and that have outlived the processes meant to watch it."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from time import monotonic, sleep

__all__ = ["become_subreaper", "kill_orphans", "kill_tree"]

LAST_SECONDS = 5.0
_is_subreaper = False


def become_subreaper() -> None:
    """Adopt every process below this one that loses its parent (Linux), for ``kill_orphans``.

    Only for a process that starts nothing but bots: any other child of its own would be killed as well.
    """
    from noughts.players.keeper import become_reaper

    global _is_subreaper
    become_reaper()
    _is_subreaper = True


def kill_orphans(keepers: Collection[int]) -> None:
    """Kill every process below this one that is neither a keeper nor below one; does nothing unless a subreaper."""
    if _is_subreaper:
        kill_tree(os.getpid(), keepers)


def kill_tree(root: int, spared: Collection[int] = ()) -> None:
    """Kill every process below another, but not those in ``spared`` and below them."""
    from noughts.players.keeper import descendants, kill_all

    deadline = monotonic() + LAST_SECONDS
    while monotonic() < deadline:
        kept = {each for pid in spared for each in (pid, *descendants(pid))}
        family = [pid for pid in descendants(root) if pid not in kept and not _has_ended(pid)]
        if not family:
            return
        kill_all(family)
        sleep(0.002)


def _has_ended(pid: int) -> bool:
    """Whether a process is gone or a zombie; an adopted zombie is reaped here."""
    with suppress(OSError):  # not a child of ours, or gone
        os.waitpid(pid, os.WNOHANG)
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except OSError:
        return True
