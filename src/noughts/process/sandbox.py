"""The sandbox around a program that is not ours: bubblewrap, with an allow list of files.

Inside there are the system's libraries and interpreters, this Python, the program's own folder, all read-only, and an
empty private ``/tmp``, which is also HOME. There is no network, no other process and no socket of the host. A filter
refuses dangerous system calls.

If root starts a program, it runs as a user without rights, also where there is no sandbox; in the sandbox root prepares
the files.
"""

from __future__ import annotations

import os
import re
import shutil
import site
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import chain, count
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from noughts.process.environment import allowed_environment, find_command, find_commands
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
FOLDERS_OF_HOMES = ("/home", "/Users")
HOME = "/tmp"
SHELL = "/bin/sh"
NOBODY = 65534
"""The user and the group that every Unix reserves for programs without rights."""
FIRST_USER = 0x70000000
"""The first of 2^28 users and groups that no system gives to people, services or containers."""
PROGRAMS_OF_A_PROCESS = 64
"""Programs that one process runs as different users at the same time."""
PROCESS_FACTOR = 4
"""How many times its limit of processes and threads the kernel allows a program, until they are counted."""
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
DROP_RIGHTS = ("--clear-groups", "--inh-caps=-all", "--no-new-privs")
"""Options of setpriv."""
PYTHON = re.compile(r"python[\d.]*")
SCRIPT = re.compile(r".+\.(py|pyz|[cm]?js|sh|rb|pl|lua|php|[rR]|jl|java|jar|class|exe)")
"""Names of programs that are an argument of their interpreter."""
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
        if self.is_on and (why := why_no_programs() or why_no_sandbox()):
            raise ValueError(f"{why}; without a sandbox programs run with your rights: --no-sandbox allows that")
        if not self.is_on and is_root() and not self.allow_root and find_command("setpriv") is None:
            raise ValueError(f"programs cannot run as nobody, which needs util-linux (setpriv); {ALLOW_ROOT}")

    def finds(self, program: str) -> bool:
        """Whether a program of the search path can be run."""
        readable = [Path(path).expanduser().absolute() for path in self.readable]
        return any(not self.is_on or _is_below(Path(found), readable) for found in find_commands(program))

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
        if (tool == "bwrap" or is_root()) and find_command(tool) is None:
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
        yield Confinement(list(words), folder) if keeps_user else _as_nobody(words, folder, staging)
        return
    paths = [] if _is_shared(folder) else [folder]
    paths += [Path(path).expanduser().absolute() for path in sandbox.readable]
    found = _find_programs(words[0], folder)
    if sandbox.trusts_command:
        program, needed = _needed_files(words[0], found[0])
        visible = _outermost([*paths, *needed, *_named_files(words[1:], folder)])
    else:
        visible = _outermost(paths)
        program = next((each for each in found if _is_visible(each, visible)), found[0])
    _check_program(program, visible)
    binds = [Bind(_readable_source(path, staging), path) for path in visible]
    with _open_filter() as descriptors:
        command = _bubblewrap_command([str(program), *words[1:]], folder, binds, descriptors, processes)
        yield Confinement(command, folder, descriptors)


def _as_nobody(words: Sequence[str], folder: Path, staging: Staging) -> Confinement:
    """Return how to run a command without rights, with a copy of its folder if other users may not enter that."""
    place = folder if _can_nobody("-r", folder) and is_open_to_others(folder) else staging.copy(folder)
    words = [word.replace(str(folder), str(place), 1) if word.startswith(f"{folder}/") else word for word in words]
    program = shutil.which(place / words[0]) if "/" in words[0] else find_command(words[0])
    if program is None:
        raise FileNotFoundError("no such file")
    if not _can_nobody("-x", Path(program)):
        raise PermissionError(f"programs that root starts run as nobody, who may not run {program}; {ALLOW_ROOT}")
    return Confinement([*_drop_rights(), program, *words[1:]], place, environment={"HOME": HOME})


def _can_nobody(option: str, path: Path) -> bool:
    """Whether a user without rights may read (``-r``) or run (``-x``) a file."""
    words = [*_drop_rights(), "test", option, str(path)]
    return subprocess.run(words, cwd="/", timeout=PROBE_SECONDS, check=False).returncode == 0


def _drop_rights() -> list[str]:
    user = _new_user()
    setpriv = os.path.realpath(find_command("setpriv") or "setpriv")
    return [setpriv, f"--reuid={user}", f"--regid={user}", *DROP_RIGHTS, "--"]


def _new_user() -> int:
    """Return a user that no other program runs as, so that none can use up another's share of the kernel's limits.

    It is nobody where the system has no such users, as in some containers.
    """
    number = os.getpid() * PROGRAMS_OF_A_PROCESS + next(_programs) % PROGRAMS_OF_A_PROCESS
    user = FIRST_USER + number
    return user if all(_is_mapped(user, f"/proc/self/{kind}_map") for kind in ("uid", "gid")) else NOBODY


_programs = count()


@cache
def _is_mapped(user: int, path: str) -> bool:
    """Whether a user or group exists in this process's user namespace."""
    try:
        rows = [[int(word) for word in line.split()] for line in Path(path).read_text().splitlines()]
    except OSError:
        return False
    return any(first <= user < first + number for first, _, number in rows)


def _find_programs(name: str, folder: Path) -> list[Path]:
    """Return the programs that a command may mean, the best first; raises OSError if there is none."""
    found = [shutil.which(folder / name)] if "/" in name else find_commands(name)
    programs = [Path(os.path.abspath(path)) for path in found if path is not None]
    if not programs:
        raise FileNotFoundError("no such file")
    return programs


def _needed_files(name: str, program: Path) -> tuple[Path, list[Path]]:
    """Return the program to run for a program, and the files that it needs beyond those that every sandbox has.

    Only a program of the search path is followed where it leads: a link elsewhere may be a stranger's.
    """
    if "/" not in name and PYTHON.fullmatch(name) and _is_script(program) and (answer := _ask_python(str(program))):
        return Path(answer[0]), [Path(path) for path in answer[1:]]
    needed = [program, *_python_folders(program)]
    if "/" not in name:
        needed.append(program.resolve())
    return program, [path if path.is_dir() or _is_shared(path.parent) else path.parent for path in needed]


def _is_script(program: Path) -> bool:
    with program.open("rb") as file:
        return file.read(2) == b"#!"


def _python_folders(program: Path) -> list[Path]:
    """Return the virtual environment of a Python, and the installation that it leads to."""
    if not PYTHON.fullmatch(program.name):
        return []
    prefixes = [(program.parent.parent, "pyvenv.cfg"), (program.resolve().parent.parent, "lib/python3*")]
    return [prefix for prefix, mark in prefixes if any(prefix.glob(mark)) and not _is_shared(prefix)]


def _is_visible(program: Path, visible: Sequence[Path]) -> bool:
    return _is_below(program, visible) and _is_below(program.resolve(), visible)


def _check_program(program: Path, visible: Sequence[Path]) -> None:
    """Raise OSError unless a program, and the file that it leads to, are in the sandbox."""
    if not _is_visible(program, visible):
        outside = program.resolve() if _is_below(program, visible) else program
        raise FileNotFoundError(f"{outside} lies outside its sandbox; --readable makes more files visible")


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


@cache
def _ask_python(program: str) -> list[str]:
    """Return the executable and the prefixes of a Python; empty if it does not answer.

    The ``python3`` of a version manager is a script, which would not find Python inside. It is yours: a file of a
    stranger is never run here.
    """
    words = [program, "-I", "-c", ASK_PYTHON]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=PROBE_SECONDS, check=True, cwd="/")
    except (OSError, subprocess.SubprocessError):
        return []
    return done.stdout.splitlines()


def _readable_source(path: Path, staging: Staging) -> Path:
    return staging.copy(path) if is_root() and not is_open_to_others(path) else path


def _is_shared(folder: Path) -> bool:
    """Whether a folder is, or contains, a home or a folder of the whole system: too much to show to a program."""
    homes = [Path.home(), _home_of_owner(folder)]
    shared = [*map(Path, SHARED_FOLDERS), *homes, *(home.resolve() for home in homes)]
    places = {folder, folder.resolve()}
    return any(str(place.parent) in FOLDERS_OF_HOMES for place in places) or any(
        path.is_relative_to(place) for path in shared for place in places
    )


def _home_of_owner(folder: Path) -> Path:
    import pwd  # not at the top: Windows lacks it

    try:
        home = pwd.getpwuid(folder.stat().st_uid).pw_dir
    except (KeyError, OSError):
        return Path.home()
    return Path(home) if len(home) > 1 else Path.home()


def _named_files(words: Sequence[str], folder: Path) -> Iterator[Path]:
    """Yield the files that the arguments of a command name, and the folder of a script where that is not shared.

    A link is left out: it may be a stranger's, and lead anywhere.
    """
    for part in dict.fromkeys(part for word in words for part in (word, word.rpartition(":")[0]) if part):
        path = Path(os.path.abspath(folder / part))
        if _is_file(path) and not path.is_symlink() and not _leads_out(path, folder):
            yield path.parent if SCRIPT.fullmatch(path.name) and not _is_shared(path.parent) else path


def _leads_out(path: Path, folder: Path) -> bool:
    """Whether links in a folder lead from a path in it to a file elsewhere."""
    return path.is_relative_to(folder) and not path.resolve().is_relative_to(folder.resolve())


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
    """The files of this Python, of the packages that its user has installed, and of this package."""
    prefixes = dict.fromkeys(map(Path, (sys.prefix, sys.exec_prefix, sys.base_prefix)))
    found = [part for prefix in prefixes for part in _parts_of(prefix)]
    found += [Path(user_site)] if (user_site := site.getusersitepackages()) in sys.path else []
    return (*found, Path(__file__).parents[1])


def _parts_of(prefix: Path) -> list[Path]:
    """Return a prefix, or only its programs and libraries if it is a home."""
    if not _is_shared(prefix):
        return [prefix]
    return [prefix / name for name in ("bin", "lib", "lib64") if (prefix / name).is_dir()]


def _bubblewrap_command(
    words: Sequence[str], folder: Path, binds: Sequence[Bind], descriptors: Sequence[int], processes: int | None
) -> list[str]:
    walls = ["--die-with-parent"]
    if processes and (prlimit := find_command("prlimit")):  # inside, where its processes alone count
        words = [os.path.realpath(prlimit), f"--nproc={PROCESS_FACTOR * processes}", "--", *words]
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
    if site.getusersitepackages() in sys.path:
        walls += ["--setenv", "PYTHONUSERBASE", site.getuserbase()]
    place = folder if any(folder.is_relative_to(bind.place) for bind in binds) else Path(HOME)
    output = next(number for number in SHELL_DESCRIPTORS if number not in descriptors)
    inside = [SHELL, "-c", INSIDE.format(output), *words]
    bubblewrap = find_command("bwrap") or "bwrap"
    return [SHELL, "-c", OUTSIDE.format(output), bubblewrap, *walls, "--chdir", str(place), "--", *inside]


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
