"""The sandbox around a program that is not ours: bubblewrap, with an allow list of files.

Inside there are the system's libraries and interpreters, this Python, the program's own folder, all read-only, and an
empty private ``/tmp``, which is also HOME. There is no network, no other process and no socket of the host. A filter
refuses dangerous system calls.

If root starts a program, it runs as ``nobody``, also where there is no sandbox; in the sandbox root prepares the files.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from noughts.process.environment import allowed_environment
from noughts.process.seccomp import filter_program
from noughts.process.staging import Staging, is_open_to_others

__all__ = ["Confinement", "Sandbox", "confine", "is_root", "why_no_programs", "why_no_sandbox"]

SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
SYSTEM_FILES = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "R", "java*", "perl", "php")
"""Files in /etc that libraries and interpreters need, as patterns."""
SCRATCH_FOLDERS = ("/tmp", "/dev/shm")
SCRATCH_BYTES = 64 << 20
"""Space for files in each scratch folder; it is memory that no other limit counts."""
SHARED_FOLDERS = ("/dev/shm", "/etc", "/home", "/proc", "/run", "/sys", "/tmp", "/var/tmp")
HOME = "/tmp"
NOBODY = 65534
"""The user and the group that every Unix reserves for programs without rights."""
PROBE_SECONDS = 10
NO_SANDBOX = "no sandbox: the programs ran with the rights of the user who started them"
"""For reports."""
OUTSIDE = 'exec "$0" "$@" {0}>&1 >/dev/null'
INSIDE = 'exec "$0" "$@" >&{0} {0}>&-'
"""Bubblewrap keeps its own standard output open, which would hide that the program has closed its output. So the
program's output is passed around it, as another descriptor."""
SHELL_DESCRIPTORS = range(3, 10)
"""Those that a shell can redirect."""
ALLOW_ROOT = "--allow-root lets them run as root"
DROP_RIGHTS = (f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=-all", "--no-new-privs")
"""Options of setpriv."""
PYTHON = re.compile(r"python[\d.]*")
ASK_PYTHON = "import sys; print(sys.executable, sys.prefix, sys.base_prefix, sep='\\n')"


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
        if why := why_no_programs():
            raise ValueError(why)
        if self.is_on and (why := why_no_sandbox()):
            raise ValueError(f"{why}; without a sandbox programs run with your rights: --no-sandbox allows that")
        if not self.is_on and is_root() and not self.allow_root and shutil.which("setpriv") is None:
            raise ValueError(f"programs cannot run as nobody, which needs util-linux (setpriv); {ALLOW_ROOT}")

    def finds(self, program: str) -> bool:
        """Whether a program of the search path can be run."""
        found = shutil.which(program)
        readable = [Path(path).expanduser().absolute() for path in self.readable]
        return found is not None and (not self.is_on or _is_below(Path(found), readable))

    def to_data(self) -> dict[str, Any]:
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


def is_root() -> bool:
    """Whether this process has the rights of root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def why_no_programs() -> str | None:
    """Return None where programs can be run under supervision, else the reason in one line."""
    if sys.platform != "win32":
        return None
    return "running bots as programs needs Linux or macOS: this system has no process groups"


@cache
def why_no_sandbox() -> str | None:
    """Return None where the sandbox works, else the reason in one line. Tried once per process."""
    for tool, package in (("bwrap", "bubblewrap"), ("setpriv", "util-linux")):
        if (tool == "bwrap" or is_root()) and shutil.which(tool) is None:
            return f"the sandbox needs {package} ({tool}), which is not installed"
    staging = Staging()
    try:
        with confine(
            Sandbox(trusts_command=False), [sys.executable, "-I", "-S", "-c", "pass"], Path("/"), staging
        ) as made:
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


class Bind(NamedTuple):
    """A file or folder of the host, and its place in the sandbox."""

    source: Path
    place: Path


class Confinement(NamedTuple):
    """The command that runs a program, the folder to run it in, and descriptors and variables that it must inherit."""

    words: list[str]
    folder: Path
    descriptors: Sequence[int] = ()
    environment: Mapping[str, str] = MappingProxyType({})


@contextmanager
def confine(sandbox: Sandbox, words: Sequence[str], folder: Path, staging: Staging) -> Iterator[Confinement]:
    """Yield how to run a command in a folder, in the sandbox unless that is off; start it before the block ends.

    If the program will run as another user, files that only root may read are copied to the staging, which must exist
    as long as the program. Raises OSError if the program does not exist, lies outside the sandbox, or cannot be run by
    that user.
    """
    if not sandbox.is_on:
        keeps_user = sandbox.allow_root or not is_root()
        yield Confinement(list(words), folder) if keeps_user else _as_nobody(words, folder, staging)
        return
    paths = [] if _is_shared(folder) else [folder]
    if sandbox.trusts_command:
        words, named = _find_python(words)
        paths += [*named, *_named_files(words, folder)]
    paths += [Path(path).expanduser().absolute() for path in sandbox.readable]
    visible = _outermost(paths)
    _check_program(words[0], folder, visible)
    binds = [Bind(_readable_source(path, staging), path) for path in visible]
    with _open_filter() as descriptors:
        yield Confinement(_bubblewrap_command(words, folder, binds, descriptors), folder, descriptors)


def _as_nobody(words: Sequence[str], folder: Path, staging: Staging) -> Confinement:
    """Return how to run a command as nobody, with a copy of its folder if nobody may not enter the folder itself."""
    place = folder if _can_nobody("-r", folder) and is_open_to_others(folder) else staging.copy(folder)
    words = [word.replace(str(folder), str(place), 1) if word.startswith(f"{folder}/") else word for word in words]
    program = shutil.which(place / words[0] if "/" in words[0] else words[0])
    if program is None:
        raise FileNotFoundError("no such file")
    if not _can_nobody("-x", Path(program)):
        raise PermissionError(f"programs that root starts run as nobody, who may not run {program}; {ALLOW_ROOT}")
    return Confinement([*_drop_rights(), *words], place, environment={"HOME": HOME})


def _can_nobody(option: str, path: Path) -> bool:
    """Whether nobody may read (``-r``) or run (``-x``) a file."""
    words = [*_drop_rights(), "test", option, str(path)]
    return subprocess.run(words, cwd="/", timeout=PROBE_SECONDS, check=False).returncode == 0


def _drop_rights() -> list[str]:
    return [shutil.which("setpriv") or "setpriv", *DROP_RIGHTS]


def _check_program(name: str, folder: Path, visible: Sequence[Path]) -> None:
    """Raise OSError unless the program of a command exists in the sandbox."""
    found = shutil.which(folder / name if "/" in name else name)
    if found is None:
        raise FileNotFoundError("no such file")
    if not _is_below(Path(os.path.abspath(found)), visible):
        raise FileNotFoundError(f"{found} lies outside its sandbox; --readable makes more files visible")


@contextmanager
def _open_filter() -> Iterator[list[int]]:
    """Yield a descriptor from which bubblewrap reads the filter of system calls; none on an unknown processor."""
    program = filter_program()
    if program is None:
        yield []
        return
    reader, writer = os.pipe()
    try:
        os.write(writer, program)
        os.close(writer)
        yield [reader]
    finally:
        os.close(reader)


def _find_python(words: Sequence[str]) -> tuple[Sequence[str], list[Path]]:
    """Return a command with the real path of the Python that it names, and the folders which that Python needs.

    The ``python3`` of a version manager is a script, which would not find Python inside.
    """
    if not PYTHON.fullmatch(Path(words[0]).name) or (program := shutil.which(words[0])) is None:
        return words, []
    answer = _ask_python(program)
    return ([answer[0], *words[1:]], [Path(path) for path in answer[1:]]) if answer else (words, [])


@cache
def _ask_python(program: str) -> list[str]:
    """Return the executable and the prefixes of a Python; empty if it does not answer."""
    if program == sys.executable:
        return [sys.executable]
    try:
        done = subprocess.run(
            [program, "-c", ASK_PYTHON], capture_output=True, text=True, timeout=PROBE_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return []
    return done.stdout.splitlines()


def _readable_source(path: Path, staging: Staging) -> Path:
    return staging.copy(path) if is_root() and not is_open_to_others(path) else path


def _is_shared(folder: Path) -> bool:
    """Whether a folder is, or contains, a home or a folder of the whole system: too much to show to a program."""
    shared = (*SHARED_FOLDERS, str(Path.home()), os.path.realpath(Path.home()))
    return any(Path(path).is_relative_to(folder) for path in shared)


def _named_files(words: Sequence[str], folder: Path) -> Iterator[Path]:
    """Yield the folder of each file that a command names; the file itself where its folder is too much to show."""
    program = shutil.which(words[0])
    named = [part for word in words for part in (word, word.rpartition(":")[0]) if part]
    for path in [*([Path(program)] if program else []), *(folder / part for part in named)]:
        if _is_file(path):
            for each in {Path(os.path.abspath(path)), path.resolve()}:
                yield each if _is_shared(each.parent) else each.parent


def _is_file(path: Path) -> bool:
    """Whether a word is the path of a file: it may also be a whole program, too long for a path."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Return the paths that exist and lie in none of the others, nor in a folder that every sandbox has."""
    found: list[Path] = []
    for path in sorted(path for path in set(paths) if path.exists()):
        if not _is_below(path, found):
            found.append(path)
    return found


def _is_below(path: Path, visible: Sequence[Path]) -> bool:
    """Whether a path is one of these, or of those that every sandbox has, or lies in one of them."""
    return any(path.is_relative_to(each) for each in (*visible, *map(Path, SYSTEM_FOLDERS), *_own_files()))


@cache
def _own_files() -> tuple[Path, ...]:
    """The files of this Python and of this package."""
    package = Path(__file__).parents[1]
    return tuple(Path(path) for path in dict.fromkeys((sys.prefix, sys.exec_prefix, sys.base_prefix, str(package))))


def _bubblewrap_command(
    words: Sequence[str], folder: Path, binds: Sequence[Bind], descriptors: Sequence[int]
) -> list[str]:
    walls = ["--die-with-parent"]
    if is_root():  # no user namespace, in which the program would still be root to the host's files
        walls += [f"--unshare-{name}" for name in ("ipc", "pid", "net", "uts", "cgroup-try")]
        walls += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        words = [*_drop_rights(), *words]
    else:
        walls += ["--unshare-all", "--cap-drop", "ALL"]
    for descriptor in descriptors:
        walls += ["--seccomp", str(descriptor)]
    scratch = (("--perms", "1777", "--size", str(SCRATCH_BYTES), "--tmpfs", place) for place in SCRATCH_FOLDERS)
    walls += ["--dev", "/dev", "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", *chain(*scratch)]
    walls += ["--remount-ro", "/dev", *_bind_options([*_system_binds(), *binds]), "--remount-ro", "/"]
    walls += ["--setenv", "HOME", HOME, "--setenv", "TMPDIR", HOME]
    place = folder if any(folder.is_relative_to(bind.place) for bind in binds) else Path(HOME)
    output = next(number for number in SHELL_DESCRIPTORS if number not in descriptors)
    inside = ["sh", "-c", INSIDE.format(output), *words]
    return ["sh", "-c", OUTSIDE.format(output), "bwrap", *walls, "--chdir", str(place), "--", *inside]


def _system_binds() -> list[Bind]:
    folders = [path for path in map(Path, SYSTEM_FOLDERS) if path.exists()]
    files = [path for pattern in SYSTEM_FILES for path in sorted(Path("/etc").glob(pattern))]
    own = [path for path in _own_files() if not any(path.is_relative_to(folder) for folder in folders)]
    return [Bind(path, path) for path in (*folders, *files, *own)]


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
