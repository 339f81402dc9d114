"""Submissions: Python files, read into memory before the first of them runs, and written out for one run."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from noughts.games.quoting import escape_control_characters
from noughts.process.regular_files import MAX_DEPTH, TooLarge, regular_files
from noughts.teaching.grading.styles import usual_names

__all__ = ["Submission", "choose_main_file", "find_main_file", "is_project", "python_files"]

MAIN_FILES = ("submission.py", "tictactoe.py", "main.py")
"""The file of a submission that is a folder with several files."""
MAX_BYTES, MAX_FILES = 8 << 20, 1000
"""The largest submission, with everything that comes with it."""
TOO_LARGE = (
    f"expected a submission of at most {MAX_BYTES >> 20} MB, {MAX_FILES:,} files"
    f" and {MAX_DEPTH} folders within folders, got more"
)
IGNORED = frozenset({"__pycache__", "__MACOSX"})
IMPORT = re.compile(r"(?:^|;)[ \t]*(?:from[ \t]+(\w+)[\w.]*[ \t]+import\b|import[ \t]+([^#;\n]+))", re.MULTILINE)
"""Finds imports without parsing, which can take 500 times the memory of a hostile source."""


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

    parts: tuple[Path, ...] = ()
    """Files of the folder that belong to the submission; without any, all files in it do."""

    @property
    def __name__(self) -> str:
        return f"{self.shown_path}:{self.function}" if self.function else self.shown_path

    @property
    def shown_path(self) -> str:
        """Its path for reports: a student who chooses the name of a file must not forge a line."""
        return escape_control_characters(str(self.path))

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
                reader.add_modules(self.path.name)
            elif self.parts:
                for part in self.parts:
                    reader.add_modules(part.relative_to(self.folder).as_posix())
            else:
                reader.add("")
        except TooLarge:
            return replace(self, files={}, problem=(TOO_LARGE, "too-large"))
        except OSError as error:
            return replace(self, files={}, problem=(f"cannot read its files: {error.strerror}", "not-found"))
        if self.main not in reader.files:
            got = escape_control_characters(self.path.name)
            return replace(self, files={}, problem=(f"expected a Python file, got {got}", "not-found"))
        return replace(self, files=reader.files)

    @contextmanager
    def unpack(self) -> Iterator[Path]:
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
    """Reads files of a folder, up to a total number and size; links and devices are left out."""

    def __init__(self, root: Path, excluded: set[Path]) -> None:
        self.files: dict[str, bytes] = {}
        self._root, self._excluded = root.absolute(), excluded
        self._bytes_left = MAX_BYTES

    def add_modules(self, main: str) -> None:
        """Read a module and, in turn, those beside it that it imports; the main one may be a link of the teacher's."""
        self.add(main, (self._root / main).resolve())
        beside = {path.name for path in self._root.iterdir() if not path.is_symlink()}
        waiting = deque([main])
        while waiting:
            source = self.files.get(waiting.popleft(), b"")
            for name in _imports(source.decode(errors="replace")):
                found = next((each for each in (f"{name}.py", name) if each in beside), None)
                if found is not None and found not in self.files:
                    beside.remove(found)
                    self.add(found)
                    waiting.append(found)

    def add(self, name: str, path: Path | None = None) -> None:
        """Read a file, or all files below a folder."""
        path = path or self._root / name
        is_folder = path.is_dir()
        for file in regular_files(path, MAX_FILES - len(self.files), self._bytes_left, _is_ignored):
            full_name = str(PurePosixPath(name, file.name)) if is_folder else name
            if self._root / full_name not in self._excluded:
                self.files[full_name] = content = b"".join(file.chunks())
                self._bytes_left -= len(content)


def _is_ignored(folder: str) -> bool:
    return folder in IGNORED or folder.startswith(".")


def _imports(source: str) -> set[str]:
    """Return the first names of the modules that the lines of a source seem to import."""
    found = set()
    for match in IMPORT.finditer(source):
        names = match[1] or match[2]
        found |= {name.strip().partition(" ")[0].partition(".")[0] for name in names.split(",")}
    return found


def python_files(folder: Path) -> list[Path]:
    """Return the Python files in a folder, without links and folders."""
    return sorted(path for path in folder.glob("*.py") if path.is_file() and not path.is_symlink())


def find_main_file(folder: Path, task: str | None = None) -> Path | None:
    """Return the file to grade of a submission that is a folder, or None if there is no Python file in it."""
    return choose_main_file(python_files(folder), task)


def choose_main_file(files: Sequence[Path], task: str | None = None) -> Path | None:
    """Return the file that defines a function of the task by a usual name, or has a usual name itself, or the first."""
    ranked = sorted(files, key=lambda file: MAIN_FILES.index(file.name) if file.name in MAIN_FILES else len(MAIN_FILES))
    ids = ("minimax", "alphabeta") if task is None else (task,)
    names = {name for id in ids for name in usual_names(id)}
    definition = re.compile(rf"^def (?:{'|'.join(map(re.escape, sorted(names)))})\b".encode(), re.MULTILINE)
    return next((file for file in ranked if definition.search(_head(file))), ranked[0] if ranked else None)


def _head(file: Path) -> bytes:
    """Return the contents of a file, up to the size of a submission."""
    try:
        with file.open("rb") as stream:
            return stream.read(MAX_BYTES)
    except OSError:  # reading the submission reports it
        return b""


def is_project(files: Sequence[Path]) -> bool:
    """Whether files are those of one program: each imports another one, or is imported by it."""
    stems = {file.stem for file in files}
    linked: list[set[str]] = []
    for file in files:
        group = {file.stem, *(_imports(_head(file).decode(errors="replace")) & stems)}
        apart = [each for each in linked if not each & group]
        linked = [*apart, group.union(*(each for each in linked if each & group))]
    return len(linked) == 1 and len(files) > 1
