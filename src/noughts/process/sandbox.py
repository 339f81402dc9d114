"""The sandbox around a program that is not ours: bubblewrap, with an allow list of files.

Inside there are the system's libraries and interpreters, this Python, the program's own folder, all read-only, and an
empty private ``/tmp``, which is also HOME. There is no network, no other process and no socket of the host. A filter
refuses dangerous system calls.

If root starts a program, it runs as a user without rights, also where there is no sandbox; in the sandbox root prepares
the files.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from noughts.json_types import JsonObject
from noughts.process.bubblewrap import HOME, Bind, bubblewrap_command, open_filter
from noughts.process.environment import allowed_environment, find_command, find_commands
from noughts.process.rights import can_unprivileged, drop_rights, is_root
from noughts.process.staging import Staging, is_open_to_others
from noughts.process.visible_files import (
    check_program,
    find_programs,
    is_shared,
    is_visible,
    named_files,
    needed_files,
    outermost,
)

__all__ = [
    "NO_SANDBOX",
    "STRANGERS",
    "TRUSTED",
    "Confinement",
    "Sandbox",
    "confine",
    "why_no_programs",
    "why_no_sandbox",
]

PROBE_SECONDS = 10
NO_SANDBOX = "no sandbox: programs could read your files and use the network"
"""For reports."""
ALLOW_ROOT = "--allow-root lets them run as root"


@dataclass(frozen=True)
class Sandbox:
    """How a program is confined."""

    is_on: bool = True
    readable: tuple[str, ...] = ()
    """Further files and folders that it may read, as the organiser says."""
    trusts_command: bool = True
    """Whether it may read the files that its command names, and their folders: not if a stranger wrote the command."""
    allow_root: bool = False
    """Whether a program that root starts without a sandbox keeps the rights of root."""

    @classmethod
    def off(cls, allow_root: bool = False) -> Sandbox:
        """Return no sandbox: the program runs with the rights of its user."""
        return cls(is_on=False, allow_root=allow_root)

    def check(self) -> None:
        """Raise ValueError if a program cannot or must not be run this way here."""
        if self.is_on and (why := why_no_programs() or why_no_sandbox()):
            raise ValueError(f"{why}; without a sandbox programs run with your rights: --no-sandbox allows that")
        if not self.is_on and is_root() and not self.allow_root and find_command("setpriv") is None:
            raise ValueError(f"programs cannot run without the rights of root: no util-linux (setpriv); {ALLOW_ROOT}")

    def finds(self, program: str) -> bool:
        """Whether a program of the search path can be run."""
        readable = [Path(path).expanduser().absolute() for path in self.readable]
        return any(not self.is_on or is_visible(Path(found), readable) for found in find_commands(program))

    def to_data(self) -> JsonObject:
        """Return the fields as plain data."""
        return {**vars(self), "readable": list(self.readable)}

    @classmethod
    def from_data(cls, data: dict[str, Any] | bool) -> Sandbox:
        """Return the sandbox of ``to_data``; older files say only whether it is on."""
        if isinstance(data, bool):
            return cls(is_on=data)
        return cls(**{**data, "readable": tuple(data["readable"])})


TRUSTED, STRANGERS = Sandbox(), Sandbox(trusts_command=False)
"""The sandboxes of a program whose command you wrote, and of one whose command a stranger wrote."""


def why_no_programs() -> str | None:
    """Return None where programs can be run under supervision, else the reason in one line."""
    if sys.platform != "win32":
        return None
    return "running bots as programs needs Linux or macOS: this system has no process groups"


@cache
def why_no_sandbox() -> str | None:
    """Return None where the sandbox works, else the reason in one line. Tried once per process."""
    for tool, package in (("bwrap", "bubblewrap"), ("setpriv", "util-linux")):
        if (tool == "bwrap" or is_root()) and find_command(tool) is None:
            return f"the sandbox needs {package} ({tool}), which is not installed"
    staging = Staging()
    try:
        with confine(STRANGERS, [sys.executable, "-I", "-S", "-c", "pass"], Path("/"), staging) as made:
            probe = subprocess.run(
                made.words,
                env=allowed_environment({}),
                pass_fds=made.descriptors,
                capture_output=True,
                text=True,
                timeout=PROBE_SECONDS,
                check=False,
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the sandbox does not work: {error}"
    if probe.returncode:
        return f"the sandbox does not work: {(probe.stderr.strip() or 'bwrap failed').splitlines()[-1]}"
    return None


class Confinement(NamedTuple):
    """The command that runs a program, the folder to run it in, and descriptors and variables that it must inherit."""

    words: list[str]
    folder: Path
    descriptors: Sequence[int] = ()
    environment: Mapping[str, str] = MappingProxyType({})


@contextmanager
def confine(
    sandbox: Sandbox, words: Sequence[str], folder: Path, staging: Staging, processes: int | None = None
) -> Iterator[Confinement]:
    """Yield how to run a command in a folder, in the sandbox unless that is off; start it before the block ends.

    If the program will run as another user, files that only root may read are copied to the staging, which must exist
    as long as the program. ``processes`` is its limit. Raises OSError if the program does not exist, lies outside the
    sandbox, or cannot be run by that user.
    """
    if not sandbox.is_on:
        keeps_user = sandbox.allow_root or not is_root()
        yield Confinement(list(words), folder) if keeps_user else _unprivileged(words, folder, staging)
        return
    paths = [] if is_shared(folder) else [folder]
    paths += [Path(path).expanduser().absolute() for path in sandbox.readable]
    found = find_programs(words[0], folder)
    if sandbox.trusts_command:
        program, needed = needed_files(words[0], found[0])
        visible = outermost([*paths, *needed, *named_files(words[1:], folder)])
    else:
        visible = outermost(paths)
        program = next((each for each in found if is_visible(each, visible)), found[0])
    check_program(program, visible)
    binds = [Bind(_readable_source(path, staging), path) for path in visible]
    with open_filter() as descriptors:
        command = bubblewrap_command([str(program), *words[1:]], folder, binds, descriptors, processes)
        yield Confinement(command, folder, descriptors)


def _unprivileged(words: Sequence[str], folder: Path, staging: Staging) -> Confinement:
    """Return how to run a command without rights, with a copy of its folder if other users may not enter that."""
    place = folder if can_unprivileged("-r", folder) and is_open_to_others(folder) else staging.copy(folder)
    words = [word.replace(str(folder), str(place), 1) if word.startswith(f"{folder}/") else word for word in words]
    program = shutil.which(place / words[0]) if "/" in words[0] else find_command(words[0])
    if program is None:
        raise FileNotFoundError("no such file")
    if not can_unprivileged("-x", Path(program)):
        raise PermissionError(f"programs that root starts run without rights and may not run {program}; {ALLOW_ROOT}")
    return Confinement([*drop_rights(), program, *words[1:]], place, environment={"HOME": HOME})


def _readable_source(path: Path, staging: Staging) -> Path:
    return staging.copy(path) if is_root() and not is_open_to_others(path) else path
