"""Files that keep other processes out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["locked_file", "try_lock"]


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Hold the lock on a file, which is made if necessary; raises BlockingIOError if another process holds it.

    The system releases the lock when the process ends, also when it is killed.
    """
    with path.open("a+b") as file:
        try_lock(file)
        yield


if sys.platform == "win32":
    import msvcrt

    LOCKED_BYTE = (1 << 31) - 1
    """Far behind the contents, since Windows refuses to read and write what is locked."""

    def try_lock(file: IO[bytes]) -> None:
        """Lock an open file until it is closed; raises BlockingIOError if it is locked, OSError if it cannot be."""
        file.seek(LOCKED_BYTE)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(error.errno, "locked by another process") from None
        finally:
            file.seek(0)

else:
    import fcntl

    def try_lock(file: IO[bytes]) -> None:
        """Lock an open file until it is closed; raises BlockingIOError if it is locked, OSError if it cannot be."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
