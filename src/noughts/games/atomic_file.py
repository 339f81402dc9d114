"""Atomic file writes: at any moment, either the complete old or the complete new contents are on disk."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EINVAL, ENOTSUP, EROFS
from io import FileIO
from time import time
from typing import IO, BinaryIO

from noughts.games.file_lock import try_lock

__all__ = [
    "FilePath",
    "atomic_file",
    "flush_folder",
    "flush_to_disk",
    "remove_leftovers",
    "temporary_file",
    "write_file",
]

LEFTOVER_SECONDS = 3600
"""Where files cannot be locked while they are renamed (Windows), temporary files older than this are leftovers."""
FilePath = str | os.PathLike[str]


def write_file(path: FilePath, text: str) -> None:
    """Write a text file, in UTF-8."""
    with atomic_file(path) as file:
        file.write(text.encode())


@contextmanager
def atomic_file(path: FilePath) -> Iterator[BinaryIO]:
    """Yield a file that replaces ``path`` when the block ends, after it has been flushed to disk.

    If the block raises or the process dies, the old file remains. Raises OSError, which names ``path``.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with _errors_name(path), open(target, "wb") as file:  # a device or a pipe cannot be replaced
            yield file
        return
    with temporary_file(path) as file:
        yield file
        flush_to_disk(file)  # the contents must be on disk before the rename
        if os.path.exists(target):
            os.chmod(file.name, os.stat(target).st_mode & 0o7777)
        if sys.platform == "win32":  # renames no open file; elsewhere the lock is held until the file has its name
            file.close()
        os.replace(file.name, target)
        flush_folder(target)


@contextmanager
def temporary_file(path: FilePath) -> Iterator[BinaryIO]:
    """Yield a new file beside ``path``, which is removed when the block ends; if the process dies, by the next one.

    Raises OSError, which names ``path``.
    """
    remove_leftovers(path)
    with _errors_name(path):
        file = _open_beside(os.path.realpath(path))
        try:
            with file:
                yield file
        finally:
            with suppress(OSError):
                os.remove(file.name)


@contextmanager
def _errors_name(path: FilePath) -> Iterator[None]:
    """Let system errors name ``path`` instead of no file or the temporary one."""
    try:
        yield
    except OSError as error:
        is_ours = error.filename is None or os.fsdecode(error.filename).startswith(os.path.realpath(path))
        if is_ours and error.errno is not None:
            error.filename, error.filename2 = os.fspath(path), None
        raise


def _open_beside(target: str) -> BinaryIO:
    """Make a temporary file and lock it, so that other processes can tell it from a leftover."""
    while True:
        file = open(f"{target}.{os.getpid()}-{os.urandom(4).hex()}.tmp", "xb")  # noqa: SIM115
        if _is_kept(file):
            return file
        file.close()


def _is_kept(file: BinaryIO) -> bool:
    """Lock a new file; False if another process has taken it for a leftover before it was locked."""
    try:
        try_lock(file)
    except BlockingIOError:
        return False
    except OSError:  # no locks on this file system: there no file is taken for a leftover
        return True
    return os.path.exists(file.name)


def remove_leftovers(path: FilePath) -> None:
    """Remove the temporary files of ``path`` that killed processes left behind, and none that is being written."""
    folder, name = os.path.split(os.path.realpath(path))
    pattern = re.compile(rf"{re.escape(name)}\.[0-9]+-[0-9a-f]+\.tmp")
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if pattern.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _remove_if_abandoned(entry)


def _remove_if_abandoned(entry: os.DirEntry[str]) -> None:
    if sys.platform == "win32":
        if time() - entry.stat().st_mtime > LEFTOVER_SECONDS:
            os.remove(entry.path)
        return
    with open(entry.path, "rb") as file:
        try_lock(file)  # raises if a process is writing it, or if locks are impossible here
        os.remove(entry.path)


def flush_to_disk(file: IO[bytes] | FileIO) -> None:
    """Return when the contents of a file are on disk, if its file system can tell."""
    file.flush()
    _wait_for_disk(file.fileno())


def _wait_for_disk(descriptor: int) -> None:
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (EINVAL, ENOTSUP, EROFS):  # not supported by the file system
            raise


def flush_folder(path: FilePath) -> None:
    """Return when the name of a new file is on disk, on systems where folders can be opened."""
    try:
        descriptor = os.open(os.path.dirname(os.path.realpath(path)), os.O_RDONLY)
    except PermissionError:  # Windows, and folders that can be written to but not read
        return
    try:
        _wait_for_disk(descriptor)
    finally:
        os.close(descriptor)
