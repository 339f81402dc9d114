"""The files that a program in the sandbox may read: those of the system, its own, and what its organiser allows."""

from __future__ import annotations

import os
import re
import shutil
import site
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from noughts.process.environment import find_commands

__all__ = [
    "check_program",
    "find_programs",
    "is_shared",
    "is_visible",
    "named_files",
    "needed_files",
    "outermost",
    "system_files",
]

SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
SYSTEM_FILES = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "R", "java*", "perl", "php")
"""Files in /etc that libraries and interpreters need, as patterns."""
SHARED_FOLDERS = ("/dev/shm", "/etc", "/home", "/proc", "/run", "/sys", "/tmp", "/var/tmp")
FOLDERS_OF_HOMES = ("/home", "/Users")
PYTHON = re.compile(r"python[\d.]*")
SCRIPT = re.compile(r".+\.(py|pyz|[cm]?js|sh|rb|pl|lua|php|[rR]|jl|java|jar|class|exe)")
"""Names of programs that are an argument of their interpreter."""
ASK_PYTHON = "import sys; print(sys.executable, sys.prefix, sys.base_prefix, sep='\\n')"
ASK_SECONDS = 10


# Programs


def find_programs(name: str, folder: Path) -> list[Path]:
    """Return the programs that a command may mean, the best first; raises OSError if there is none."""
    found = [shutil.which(folder / name)] if "/" in name else find_commands(name)
    programs = [Path(os.path.abspath(path)) for path in found if path is not None]
    if not programs:
        raise FileNotFoundError("no such file")
    return programs


def needed_files(name: str, program: Path) -> tuple[Path, list[Path]]:
    """Return the program to run for a program, and the files that it needs beyond those that every sandbox has.

    Only a program of the search path is followed where it leads: a link elsewhere may be a stranger's.
    """
    if "/" not in name and PYTHON.fullmatch(name) and _is_script(program) and (answer := _ask_python(str(program))):
        return Path(answer[0]), [Path(path) for path in answer[1:]]
    needed = [program, *_python_folders(program)]
    if "/" not in name:
        needed.append(program.resolve())
    return program, [path if path.is_dir() or is_shared(path.parent) else path.parent for path in needed]


def _is_script(program: Path) -> bool:
    with program.open("rb") as file:
        return file.read(2) == b"#!"


def _python_folders(program: Path) -> list[Path]:
    """Return the virtual environment of a Python, and the installation that it leads to."""
    if not PYTHON.fullmatch(program.name):
        return []
    prefixes = [(program.parent.parent, "pyvenv.cfg"), (program.resolve().parent.parent, "lib/python3*")]
    return [prefix for prefix, mark in prefixes if any(prefix.glob(mark)) and not is_shared(prefix)]


def is_visible(program: Path, visible: Sequence[Path]) -> bool:
    """Whether a program, and the file that it leads to, are in a sandbox."""
    return _is_below(program, visible) and _is_below(program.resolve(), visible)


def check_program(program: Path, visible: Sequence[Path]) -> None:
    """Raise OSError unless a program, and the file that it leads to, are in the sandbox."""
    if not is_visible(program, visible):
        outside = program.resolve() if _is_below(program, visible) else program
        raise FileNotFoundError(f"{outside} lies outside its sandbox; --readable makes more files visible")


@cache
def _ask_python(program: str) -> list[str]:
    """Return the executable and the prefixes of a Python; empty if it does not answer.

    The ``python3`` of a version manager is a script, which would not find Python inside. It is yours: a file of a
    stranger is never run here.
    """
    words = [program, "-I", "-c", ASK_PYTHON]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=ASK_SECONDS, check=True, cwd="/")
    except (OSError, subprocess.SubprocessError):
        return []
    return done.stdout.splitlines()


# Files


def is_shared(folder: Path) -> bool:
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


def named_files(words: Sequence[str], folder: Path) -> Iterator[Path]:
    """Yield the files that the arguments of a command name, and the folder of a script where that is not shared.

    A link is left out: it may be a stranger's, and lead anywhere.
    """
    for part in dict.fromkeys(part for word in words for part in (word, word.rpartition(":")[0]) if part):
        path = Path(os.path.abspath(folder / part))
        if _is_file(path) and not path.is_symlink() and not _leads_out(path, folder):
            yield path.parent if SCRIPT.fullmatch(path.name) and not is_shared(path.parent) else path


def _leads_out(path: Path, folder: Path) -> bool:
    """Whether links in a folder lead from a path in it to a file elsewhere."""
    return path.is_relative_to(folder) and not path.resolve().is_relative_to(folder.resolve())


def _is_file(path: Path) -> bool:
    """Whether a word is the path of a file: it may also be a whole program, too long for a path."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def outermost(paths: Iterable[Path]) -> list[Path]:
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
    if not is_shared(prefix):
        return [prefix]
    return [prefix / name for name in ("bin", "lib", "lib64") if (prefix / name).is_dir()]


def system_files() -> list[Path]:
    """Return the files that every sandbox has."""
    folders = [path for path in map(Path, SYSTEM_FOLDERS) if path.exists()]
    files = [path for pattern in SYSTEM_FILES for path in sorted(Path("/etc").glob(pattern))]
    own = [path for path in _own_files() if not any(path.is_relative_to(folder) for folder in folders)]
    return [*folders, *files, *own]
