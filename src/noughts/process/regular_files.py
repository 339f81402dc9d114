"""The regular files of a folder that strangers can write to: no link leads out of it, even if it is made meanwhile."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

__all__ = ["RegularFile", "TooLarge", "copy_files", "regular_files"]

MAX_DEPTH = 64
"""Folders within folders."""
CHUNK_BYTES = 1 << 20
OPENS_FOLDERS = os.open in os.supports_dir_fd
"""Whether folders have descriptors; not on Windows, where a link that is made meanwhile is followed."""
TOO_DEEP = f"expected at most {MAX_DEPTH} folders within folders, got more"


class TooLarge(OSError):
    """More files or bytes than allowed, or too many folders within folders."""


class RegularFile(NamedTuple):
    """An open file, its name in the folder, and its status."""

    name: str
    opened: BinaryIO
    status: os.stat_result

    def chunks(self) -> Iterator[bytes]:
        """Yield its contents, without those that were added since it was opened."""
        left = self.status.st_size
        while left > 0 and (chunk := self.opened.read(min(left, CHUNK_BYTES))):
            left -= len(chunk)
            yield chunk


def regular_files(
    path: Path, max_files: int, max_bytes: int, skips: Callable[[str], bool] = lambda folder: False
) -> Iterator[RegularFile]:
    """Yield a regular file, or those of a folder and of all folders in it that are not skipped, in the order of names.

    Links, devices and sockets are left out, and so are further names of other users' files: to make one, a user need
    not be able to read the file. Raises TooLarge and OSError.
    """
    files, size = 0, 0
    for file in _walk(path, skips) if OPENS_FOLDERS else _walk_by_paths(path, skips):
        files, size = files + 1, size + file.status.st_size
        if files > max_files or size > max_bytes:
            raise TooLarge(f"expected at most {max_files:,} files and {max_bytes >> 20} MB, got more")
        yield file


def copy_files(files: Iterable[RegularFile], target: Path) -> None:
    """Copy files to a new folder; every user may read the copies, and run those that were programs."""
    _make_folder(target)
    for file in files:
        copied = target / file.name
        _make_folder(copied.parent)
        with copied.open("xb") as out:
            out.writelines(file.chunks())
        copied.chmod(0o755 if file.status.st_mode & stat.S_IXUSR else 0o644)


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir()
        folder.chmod(0o755)


def _walk(path: Path, skips: Callable[[str], bool]) -> Iterator[RegularFile]:
    descriptor = _open(str(path), None)
    if descriptor is None:
        return
    status = os.fstat(descriptor)
    if stat.S_ISDIR(status.st_mode):
        yield from _walk_folder(descriptor, "", status.st_uid, skips)
    else:
        yield from _file(descriptor, path.name, path.parent.stat().st_uid)


def _walk_folder(
    folder: int, prefix: str, owner: int, skips: Callable[[str], bool], depth: int = 1
) -> Iterator[RegularFile]:
    """Yield the files of an open folder, which is closed at the end."""
    try:
        if depth > MAX_DEPTH:
            raise TooLarge(TOO_DEEP)
        for name in sorted(os.listdir(folder), key=os.fsencode):
            descriptor = _open(name, folder)
            if descriptor is None:
                continue
            if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
                yield from _file(descriptor, prefix + name, owner)
            elif skips(name):
                os.close(descriptor)
            else:
                yield from _walk_folder(descriptor, f"{prefix}{name}/", owner, skips, depth + 1)
    finally:
        os.close(folder)


def _walk_by_paths(path: Path, skips: Callable[[str], bool], name: str = "", depth: int = 1) -> Iterator[RegularFile]:
    if path.is_dir() and not path.is_symlink():
        if depth > MAX_DEPTH:
            raise TooLarge(TOO_DEEP)
        for inner in sorted(path.iterdir()):
            if not (inner.is_dir() and skips(inner.name)):
                yield from _walk_by_paths(inner, skips, f"{name}/{inner.name}" if name else inner.name, depth + 1)
    elif path.is_file() and not path.is_symlink():
        with path.open("rb") as opened:
            yield RegularFile(name or path.name, opened, os.fstat(opened.fileno()))


def _file(descriptor: int, name: str, owner: int) -> Iterator[RegularFile]:
    """Yield an open file, which is closed at the end; nothing for another name of another user's file."""
    with os.fdopen(descriptor, "rb") as opened:
        status = os.fstat(descriptor)
        if stat.S_ISREG(status.st_mode) and (status.st_nlink == 1 or status.st_uid == owner):
            yield RegularFile(name, opened, status)


def _open(name: str, folder: int | None) -> int | None:
    """Return a descriptor of a regular file or a folder; None for anything else."""
    status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        return None
    return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
