"""The sandbox around a program: bubblewrap, without network, with a read-only file system, alone among processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path

__all__ = ["sandbox_command", "why_no_programs", "why_no_sandbox"]

HIDDEN_FOLDERS = (Path("/tmp"), Path("/run"), Path("/dev/shm"))
"""Empty in the sandbox. They hold sockets, by which a bot could ask services outside to act for it."""
SCRATCH_BYTES = 64 << 20
"""Space for files in each hidden folder; it is memory that no other limit counts."""
PROBE_SECONDS = 10
OUTSIDE = ("sh", "-c", 'exec "$0" "$@" 3>&1 >/dev/null')
INSIDE = ("sh", "-c", 'exec "$0" "$@" >&3 3>&-')
"""Bubblewrap keeps its own standard output open, which would hide that the bot has closed its output. So the bot's
output is passed around it, as descriptor 3."""


def why_no_programs() -> str | None:
    """Return None where programs can be run under supervision, else the reason in one line."""
    if sys.platform != "win32":
        return None
    return "running bots as programs needs Linux or macOS: this system has no process groups"


@cache
def why_no_sandbox() -> str | None:
    """Return None where bubblewrap works, else the reason in one line. Tried once per process."""
    if shutil.which("bwrap") is None:
        return "sandbox needs bubblewrap (bwrap), which is not installed"
    try:
        probe = subprocess.run(
            sandbox_command(["true"], Path("/")), capture_output=True, text=True, timeout=PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"sandbox does not work: {error}"
    if probe.returncode:
        return f"sandbox does not work: {(probe.stderr.strip() or 'bwrap failed').splitlines()[-1]}"
    return None


def sandbox_command(words: Sequence[str], folder: Path) -> list[str]:
    """Return the command that runs a command in a sandbox, in a folder.

    The files that the command names stay visible, also below hidden folders.
    """
    visible = sorted({root for path in (folder, Path(sys.prefix), *_files(words, folder)) if (root := _root(path))})
    binds = [part for root in visible for part in ("--ro-bind", str(root), str(root))]
    walls = ["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    walls += ["--cap-drop", "ALL"]  # or else a bot run by root could remount the file system to write to it
    scratch = [("--size", str(SCRATCH_BYTES), "--tmpfs", str(path)) for path in HIDDEN_FOLDERS if path.is_dir()]
    walls += [*chain(*scratch), "--remount-ro", "/dev"]
    return [*OUTSIDE, "bwrap", *walls, *binds, "--chdir", str(folder), "--", *INSIDE, *words]


def _files(words: Sequence[str], folder: Path) -> list[Path]:
    """Return the program and the files that a command names."""
    program = shutil.which(words[0])
    found = [Path(program)] if program else []
    named = [part for word in words for part in (word, word.rpartition(":")[0]) if part]
    return found + [folder / part for part in named if (folder / part).exists()]


def _root(path: Path) -> Path | None:
    """Return the part of a path directly below a hidden folder, or None when it lies elsewhere."""
    absolute = Path(os.path.abspath(path))  # symbolic links are not resolved: the command names them
    for hidden in HIDDEN_FOLDERS:
        if absolute != hidden and absolute.is_relative_to(hidden):
            return hidden / absolute.relative_to(hidden).parts[0]
    return None
