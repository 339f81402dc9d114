"""The command line of bubblewrap, which makes the sandbox."""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from noughts.process.environment import find_command
from noughts.process.rights import drop_rights, is_root
from noughts.process.seccomp import filter_program
from noughts.process.visible_files import system_files

__all__ = ["HOME", "Bind", "bubblewrap_command", "open_filter"]

HOME = "/tmp"
SCRATCH_FOLDERS = (HOME, "/dev/shm")
SCRATCH_BYTES = 64 << 20
"""Space for files in each scratch folder; it is memory that no other limit counts."""
PROCESS_FACTOR = 4
"""How many times its limit of processes and threads the kernel allows a program, until they are counted."""
COUNTS_BY_NAMESPACE = (5, 14)
"""The first Linux that counts the processes of a user in each user namespace alone."""
SHELL = "/bin/sh"
OUTSIDE = 'exec "$0" "$@" {0}>&1 >/dev/null'
INSIDE = 'exec "$0" "$@" >&{0} {0}>&-'
"""Bubblewrap keeps its own standard output open, which would hide that the program has closed its output. So the
program's output is passed around it, as another descriptor."""
SHELL_DESCRIPTORS = range(3, 10)
"""Those that a shell can redirect."""


class Bind(NamedTuple):
    """A file or folder of the host, and its place in the sandbox."""

    source: Path
    place: Path


@contextmanager
def open_filter() -> Iterator[list[int]]:
    """Yield a descriptor from which bubblewrap reads the filter of system calls; none on an unknown processor."""
    program = filter_program()
    if program is None:
        yield []
        return
    reader, writer = os.pipe()
    try:
        with os.fdopen(writer, "wb") as file:
            file.write(program)
        yield [reader]
    finally:
        os.close(reader)


def bubblewrap_command(
    words: Sequence[str], folder: Path, binds: Sequence[Bind], descriptors: Sequence[int], processes: int | None
) -> list[str]:
    """Return the command that runs a command in a folder, in a sandbox with some files beyond those of the system."""
    options = ["--die-with-parent"]
    if processes and _counts_alone() and (prlimit := find_command("prlimit")):
        words = [os.path.realpath(prlimit), f"--nproc={PROCESS_FACTOR * processes}", "--", *words]
    if is_root():  # no user namespace, in which the program would still be root to the host's files
        options += [f"--unshare-{name}" for name in ("ipc", "pid", "net", "uts", "cgroup-try")]
        options += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        words = [*drop_rights(), *words]
    else:
        options += ["--unshare-all", "--cap-drop", "ALL"]
    for descriptor in descriptors:
        options += ["--seccomp", str(descriptor)]
    scratch = (("--perms", "1777", "--size", str(SCRATCH_BYTES), "--tmpfs", place) for place in SCRATCH_FOLDERS)
    options += ["--dev", "/dev", "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", *chain(*scratch)]
    options += [
        "--remount-ro",
        "/dev",
        *_bind_options([*(Bind(path, path) for path in system_files()), *binds]),
        "--remount-ro",
        "/",
    ]
    options += ["--setenv", "HOME", HOME, "--setenv", "TMPDIR", HOME]
    if site.getusersitepackages() in sys.path:
        options += ["--setenv", "PYTHONUSERBASE", site.getuserbase()]
    place = folder if any(folder.is_relative_to(bind.place) for bind in binds) else Path(HOME)
    output = next(number for number in SHELL_DESCRIPTORS if number not in descriptors)
    inside = [SHELL, "-c", INSIDE.format(output), *words]
    bubblewrap = find_command("bwrap") or "bwrap"
    return [SHELL, "-c", OUTSIDE.format(output), bubblewrap, *options, "--chdir", str(place), "--", *inside]


def _counts_alone() -> bool:
    """Whether the kernel counts the processes in the sandbox apart from others of the same user."""
    version = tuple(int(part) for part in os.uname().release.split("-")[0].split(".")[:2] if part.isdigit())
    return is_root() or version >= COUNTS_BY_NAMESPACE


def _bind_options(binds: Sequence[Bind]) -> Iterator[str]:
    """Yield bubblewrap's options for read-only files, whose parent folders anyone may enter."""
    made: set[Path] = set()
    for source, place in sorted(binds, key=lambda bind: bind.place):
        for parent in reversed(place.parents):
            if parent not in made and parent != Path("/"):
                made.add(parent)
                yield from ("--perms", "0755", "--dir", str(parent))
        if place.is_symlink() and source == place and place.parent == Path("/"):
            yield from ("--symlink", os.readlink(place), str(place))
        else:
            yield from ("--ro-bind", str(source), str(place))
