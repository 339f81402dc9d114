"""One thread at a time."""

from __future__ import annotations

import os
from threading import Lock, get_ident
from types import TracebackType

__all__ = ["Exclusive"]


class Exclusive:
    """A lock for an engine or a solver: ``with`` waits until other threads are done.

    Raises RuntimeError where that would be forever: in the holder's own progress callback.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = Lock()
        self._holder: int | None = None
        self._process = os.getpid()

    @property
    def is_mine(self) -> bool:
        """Whether this very thread holds it: it is in its own progress callback."""
        return self._holder == get_ident()

    def __enter__(self) -> None:
        if self.is_mine:
            raise RuntimeError(f"this {self._name} is waiting for its own progress callback; use another one there")
        self._lock.acquire()
        self._holder = get_ident()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._holder = None
        self._lock.release()

    def recover_from_fork(self) -> bool:
        """Free the lock if its holder was left behind by a fork, and return whether it was.

        What the holder worked on is then as the fork found it, and must not be used again.
        """
        if self._process == os.getpid():
            return False
        self._process = os.getpid()
        if not self._lock.locked() or self._holder == get_ident():
            return False
        self._lock = Lock()
        self._holder = None
        return True
