"""Copies of files for a program that runs as another user."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp

from noughts.process.regular_files import TooLarge, copy_files, regular_files

__all__ = ["Staging", "is_open_to_others"]

MAX_FILES = 2_000
MAX_BYTES = 256 << 20


def is_open_to_others(path: Path) -> bool:
    """Whether other users may read a file, or a folder and the files directly in it."""
    status = path.stat()
    if not stat.S_ISDIR(status.st_mode):
        return _is_open(status)
    if not _is_open(status):
        return False
    with os.scandir(path) as entries:
        return all(_is_open(entry.stat(follow_symlinks=False)) for entry in entries if entry.is_file())


def _is_open(status: os.stat_result) -> bool:
    """Whether others may read, and may run or enter it if its owner may."""
    mode = status.st_mode
    return bool(mode & stat.S_IROTH) and (not mode & stat.S_IXUSR or bool(mode & stat.S_IXOTH))


class Staging:
    """A temporary folder for copies, made when it is first needed."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._copies: dict[Path, Path] = {}

    def copy(self, path: Path) -> Path:
        """Return a copy that every user may read, made once; raises OSError, also for too large a folder.

        Links, devices and sockets are left out. The name of its folder is random, and the parent cannot be listed.
        """
        if path not in self._copies:
            if self._folder is None:
                self._folder = Path(mkdtemp(prefix="noughts-"))
                self._folder.chmod(0o711)
            target = self._folder / token_hex()
            _copy(path, target)
            self._copies[path] = target if path.is_dir() else target / path.resolve().name
        return self._copies[path]

    def close(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = None
        self._copies.clear()


def _copy(path: Path, target: Path) -> None:
    try:
        copy_files(regular_files(path.resolve(), MAX_FILES, MAX_BYTES), target)
    except TooLarge as error:
        raise OSError(f"{path} is closed to other users, and cannot be copied: {error}") from None
