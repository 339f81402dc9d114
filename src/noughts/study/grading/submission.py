"""Submissions: Python files, read into memory before the first of them runs, and written out for one run."""

from __future__ import annotations

import ast
import os
import stat
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

__all__ = ["Submission", "find_main_file"]

MAIN_FILES = ("submission.py", "tictactoe.py", "main.py")
"""The file of a submission that is a folder with several files."""
MAX_BYTES, MAX_FILES = 8 << 20, 1000
"""The largest submission, with everything that comes with it."""
IGNORED = frozenset({"__pycache__", "__MACOSX"})


class TooLarge(ValueError):
    """A submission has more files, or larger ones, than are read."""

    def __init__(self) -> None:
        super().__init__(f"expected a submission of at most {MAX_BYTES >> 20} MB and {MAX_FILES:,} files, got more")


@dataclass(frozen=True)
class Submission:
    """A function in a Python file; without a name it is looked for by the task.

    With a ``folder``, all files in it belong to the submission; without, the file and the modules beside it that it
    imports. Links, devices and sockets do not.
    """

    path: Path
    function: str | None = None
    folder: Path | None = None
    files: Mapping[str, bytes] | None = field(default=None, repr=False)
    """The contents of its files by their paths in its folder, once they are read."""
    problem: tuple[str, str] | None = None
    """Why its files could not be read, in one line, and the id of the diagnosis."""

    @property
    def __name__(self) -> str:
        return f"{self.path}:{self.function}" if self.function else str(self.path)

    @property
    def root(self) -> Path:
        """The folder of its files."""
        return self.path.parent if self.folder is None else self.folder

    @property
    def main(self) -> str:
        """The path of its main file in its folder."""
        return self.path.relative_to(self.root).as_posix()

    def read(self, others: Collection[Path] = ()) -> Submission:
        """Return the submission with its files in memory; those of the other submissions are none of them.

        If they cannot be read, ``problem`` says why.
        """
        if self.files is not None:
            return self
        reader = _Reader(self.root, {path.absolute() for path in others} - {self.path.absolute()})
        try:
            if self.folder is None:
                reader.add_module(self.path.name, follows_link=True)  # the path itself was named by the teacher
            else:
                reader.add_folder("")
        except TooLarge as error:
            return replace(self, files={}, problem=(str(error), "too-large"))
        except OSError as error:
            return replace(self, files={}, problem=(f"cannot read its files: {error.strerror}", "not-found"))
        if self.main not in reader.files:
            return replace(self, files={}, problem=(f"expected a Python file, got {self.path.name}", "not-found"))
        return replace(self, files=reader.files)

    @contextmanager
    def written(self) -> Iterator[Path]:
        """Write the files into a folder that exists while the context is open; any user can read it."""
        with TemporaryDirectory(prefix="noughts-grade-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            folder.chmod(0o755)
            for path, content in (self.files or {}).items():
                file = folder / path
                for parent in reversed(file.relative_to(folder).parents[:-1]):
                    (folder / parent).mkdir(mode=0o755, exist_ok=True)
                file.write_bytes(content)
                file.chmod(0o644)
            yield folder


class _Reader:
    """Reads files of a folder, up to a total size."""

    def __init__(self, root: Path, excluded: set[Path]) -> None:
        self.files: dict[str, bytes] = {}
        self._root, self._excluded = root.absolute(), excluded
        self._left = MAX_BYTES

    def add_folder(self, name: str) -> None:
        """Read all files below a folder."""
        for entry in sorted(os.scandir(self._root / name), key=lambda entry: entry.name):
            path = str(PurePosixPath(name, entry.name))
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in IGNORED and not entry.name.startswith("."):
                    self.add_folder(path)
            elif entry.is_file(follow_symlinks=False):
                self._add_file(path)

    def add_module(self, name: str, follows_link: bool = False) -> None:
        """Read a module and, in turn, those beside it that it imports."""
        if name in self.files or not self._add_file(name, follows_link):
            return
        for imported in _imports(self.files[name]):
            if (self._root / f"{imported}.py").is_file():
                self.add_module(f"{imported}.py")
            elif (self._root / imported).is_dir() and not (self._root / imported).is_symlink():
                self.add_folder(imported)

    def _add_file(self, name: str, follows_link: bool = False) -> bool:
        """Read a regular file; return whether it is one."""
        path = self._root / name
        if path in self._excluded:
            return False
        content = _read_file(path, follows_link, self._left)
        if content is None:
            return False
        self._left -= len(content)
        if self._left < 0 or len(self.files) >= MAX_FILES:
            raise TooLarge
        self.files[name] = content
        return True


def _read_file(path: Path, follows_link: bool, most: int) -> bytes | None:
    """Return the beginning of a regular file, one byte more than the most; None for anything else."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if not follows_link:
        if path.is_symlink():  # where there is no O_NOFOLLOW
            return None
        flags |= getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(path, flags)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(most + 1) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None


def _imports(source: bytes) -> list[str]:
    """Return the first names of the modules that a source imports; none if it is not valid Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= dict.fromkeys(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found[node.module.partition(".")[0]] = None
    return list(found)


def find_main_file(folder: Path) -> Path | None:
    """Return the file to grade of a submission that is a folder, or None if there is no Python file in it."""
    files = sorted(path for path in folder.glob("*.py") if path.is_file() and not path.is_symlink())
    return next((file for name in MAIN_FILES for file in files if file.name == name), files[0] if files else None)
