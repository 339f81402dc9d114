"""Atomic file writes: at any moment, either the complete old or the complete new contents are on disk."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EINVAL, ENOTSUP, EROFS
from threading import get_ident
from time import time
from typing import BinaryIO

__all__ = ["FilePath", "atomic_file", "write_file"]

LEFTOVER_SECONDS = 3600
"""Temporary files older than this were left by a killed process: no save takes that long."""
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
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as file:  # a device or a pipe cannot be replaced
                yield file
            return
        with _file_beside(target) as file:
            yield file
    except OSError as error:
        if error.filename is None or error.filename.startswith(target):
            error.filename, error.filename2 = os.fspath(path), None  # not the temporary file
        raise


@contextmanager
def _file_beside(target: str) -> Iterator[BinaryIO]:
    _remove_leftovers(target)
    beside = f"{target}.{os.getpid()}-{get_ident()}.tmp"
    try:
        with open(beside, "wb") as file:
            yield file
            file.flush()
            _wait_for_disk(file.fileno())  # the contents must be on disk before the rename
        if os.path.exists(target):
            os.chmod(beside, os.stat(target).st_mode & 0o7777)
        os.replace(beside, target)
        _wait_for_folder(os.path.dirname(target))
    finally:
        with suppress(OSError):
            os.remove(beside)


def _remove_leftovers(target: str) -> None:
    """Remove temporary files that killed processes left behind."""
    folder, name = os.path.split(target)
    pattern = re.compile(rf"{re.escape(name)}\.[0-9]+-[0-9]+\.tmp")
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if pattern.fullmatch(entry.name) and time() - entry.stat().st_mtime > LEFTOVER_SECONDS:
                os.remove(entry.path)


def _wait_for_disk(descriptor: int) -> None:
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (EINVAL, ENOTSUP, EROFS):  # not supported by the file system
            raise


def _wait_for_folder(folder: str) -> None:
    """Flush the new name to disk, on systems where folders can be opened."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
