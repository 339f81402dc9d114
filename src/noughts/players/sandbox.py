"""Bubblewrap around a bot: no network, a file system that can only be read, nobody else's processes to be seen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path

__all__ = ["sandboxed", "why_no_sandbox"]

HIDDEN = (Path("/tmp"), Path("/run"), Path("/dev/shm"))
"""What is empty in there. Where sockets lie, services outside could be asked to do what the bot may not."""
SCRATCH_BYTES = 64 << 20
"""What can be written in each of these; it is memory that no other limit counts."""
PROBE_SECONDS = 10
OUTSIDE = ("sh", "-c", 'exec "$0" "$@" 3>&1 >/dev/null')
INSIDE = ("sh", "-c", 'exec "$0" "$@" >&3 3>&-')
"""Bubblewrap keeps its own standard output open. So the bot's output goes around it, as descriptor 3: otherwise nothing
would show when the bot closes it."""


@cache
def why_no_sandbox() -> str | None:
    """Return None where bubblewrap works, else one line that says why not. Tried once."""
    if shutil.which("bwrap") is None:
        return "expected bubblewrap (the program bwrap) for a sandbox, got a system without it"
    try:
        tried = subprocess.run(
            sandboxed(["true"], Path("/")), capture_output=True, text=True, timeout=PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"expected bubblewrap to work, got {error}"
    if tried.returncode:
        return f"expected bubblewrap to work, got {(tried.stderr.strip() or 'a failure').splitlines()[-1]}"
    return None


def sandboxed(words: Sequence[str], folder: Path) -> list[str]:
    """Return the command that runs a command in a sandbox, in a folder.

    What the command itself needs of the folders that are empty in there is shown to it.
    """
    shown = sorted({root for path in (folder, Path(sys.prefix), *_files(words, folder)) if (root := _root(path))})
    binds = [part for root in shown for part in ("--ro-bind", str(root), str(root))]
    walls = ["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    walls += ["--cap-drop", "ALL"]  # or else a bot of root's could mount the file system anew, to write to it
    scratch = [("--size", str(SCRATCH_BYTES), "--tmpfs", str(hidden)) for hidden in HIDDEN if hidden.is_dir()]
    walls += [*chain(*scratch), "--remount-ro", "/dev"]
    return [*OUTSIDE, "bwrap", *walls, *binds, "--chdir", str(folder), "--", *INSIDE, *words]


def _files(words: Sequence[str], folder: Path) -> list[Path]:
    program = shutil.which(words[0])
    found = [Path(program)] if program else []
    named = [part for word in words for part in (word, word.rpartition(":")[0]) if part]
    return found + [folder / part for part in named if (folder / part).exists()]


def _root(path: Path) -> Path | None:
    """The part of a path right below a folder that is hidden, or None when it lies elsewhere."""
    whole = Path(os.path.abspath(path))  # links stay: the command names them
    for hidden in HIDDEN:
        if whole != hidden and whole.is_relative_to(hidden):
            return hidden / whole.relative_to(hidden).parts[0]
    return None
