"""Giving up the rights of root before a program of others runs."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from itertools import count
from pathlib import Path
from random import SystemRandom

from noughts.process.environment import find_command

__all__ = ["can_unprivileged", "drop_rights", "is_root"]

NOBODY = 65534
"""The user and the group that every Unix reserves for programs without rights."""
FIRST_UID = 0x70000000
UIDS = 1 << 28
"""Users and groups that no system gives to people, services or containers."""
OPTIONS = ("--clear-groups", "--inh-caps=-all", "--no-new-privs")
"""Options of setpriv."""
PROBE_SECONDS = 10
_numbers = count(SystemRandom().randrange(UIDS))


def is_root() -> bool:
    """Whether this process has the rights of root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def can_unprivileged(option: str, path: Path) -> bool:
    """Whether a user without rights may read (``-r``) or run (``-x``) a file."""
    words = [*drop_rights(), "test", option, str(path)]
    return subprocess.run(words, cwd="/", timeout=PROBE_SECONDS, check=False).returncode == 0


def drop_rights() -> list[str]:
    """Return the words before a command that let root run it as a user without rights, a different one each time."""
    user = _new_user()
    setpriv = os.path.realpath(find_command("setpriv") or "setpriv")
    return [setpriv, f"--reuid={user}", f"--regid={user}", *OPTIONS, "--"]


def _new_user() -> int:
    """Return a user that no other program runs as, so that one program cannot exhaust the per-user limits of another.

    It is nobody where the system has no such users, as in some containers.
    """
    user = FIRST_UID + next(_numbers) % UIDS
    return user if all(_is_mapped(user, f"/proc/self/{kind}_map") for kind in ("uid", "gid")) else NOBODY


def _is_mapped(user: int, path: str) -> bool:
    """Whether a user or group exists in this process's user namespace."""
    return any(first <= user < first + number for first, number in _mapped_ranges(path))


@cache
def _mapped_ranges(path: str) -> list[tuple[int, int]]:
    try:
        rows = [line.split() for line in Path(path).read_text().splitlines()]
    except OSError:
        return []
    return [(int(first), int(number)) for first, _, number in rows]
