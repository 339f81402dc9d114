"""Files with the state of a solver: the bytes of the core, then a checksum of all of them."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from os import PathLike, fspath
from typing import BinaryIO

from noughts.games.files import replaced_file

__all__ = ["read_snapshot", "with_checksum", "write_snapshot"]

MAGIC = b"noughts solve "
CHECKSUM_BYTES = 32
PIECE = 1 << 20

FilePath = str | PathLike[str]


def with_checksum(body: bytes) -> bytes:
    """Return the whole file of a body, as ``read_snapshot`` accepts it."""
    return body + blake2b(body, digest_size=CHECKSUM_BYTES).digest()


def write_snapshot(path: FilePath, save: Callable[[Callable[[bytes], object]], None]) -> None:
    """Write what ``save(write)`` writes; an old file is replaced only when everything is written. Raises OSError."""
    checksum = blake2b(digest_size=CHECKSUM_BYTES)
    with replaced_file(path) as file:

        def write(piece: bytes) -> None:
            file.write(piece)
            checksum.update(piece)

        save(write)
        file.write(checksum.digest())


def read_snapshot(path: FilePath, load: Callable[[Callable[[int], bytes]], None]) -> None:
    """Let ``load(read)`` read the body of a file; raises OSError when the file is damaged.

    The checksum is compared first, so that ``load`` never sees damaged bytes. It raises RuntimeError at a body that it
    does not accept.
    """
    with open(path, "rb") as file:
        left = _check(path, file)
        file.seek(0)

        def read(size: int) -> bytes:
            nonlocal left
            piece = file.read(min(size, left))
            left -= len(piece)
            return piece

        try:
            load(read)
        except RuntimeError as error:
            raise OSError(f"{fspath(path)}: {error}") from None


def _check(path: FilePath, file: BinaryIO) -> int:
    """Compare the checksum; returns how many bytes the body has."""
    if file.read(len(MAGIC)) != MAGIC:
        raise OSError(f"{fspath(path)}: expected a saved solve, got another file")
    checksum, size, last = blake2b(MAGIC, digest_size=CHECKSUM_BYTES), len(MAGIC), b""
    while piece := file.read(PIECE):
        data = last + piece
        checksum.update(data[:-CHECKSUM_BYTES])
        size += max(0, len(data) - CHECKSUM_BYTES)
        last = data[-CHECKSUM_BYTES:]
    if checksum.digest() != last:
        raise OSError(f"{fspath(path)} is damaged: its checksum does not fit its contents; solve without it")
    return size
