"""Running processes on this machine, from /proc."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

__all__ = ["Process", "command_of", "running_with"]


class Process(NamedTuple):
    """A running process; a zombie does not count."""

    pid: int
    command: str
    environment: dict[str, str]


def running_with(mark: str) -> list[Process]:
    """List the processes that were started with a text in their environment, regardless of their parents."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes().decode(errors="replace")
        except OSError:  # it has ended, or it is another user's
            continue
        pid = int(folder.name)
        if mark in environment and (command := command_of(pid)):
            entries = (entry.partition("=") for entry in environment.split("\0"))
            found.append(Process(pid, command, {name: value for name, _, value in entries}))
    return found


def command_of(pid: int) -> str:
    """The command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").replace("\0", " ").strip()
    except OSError:
        return ""
