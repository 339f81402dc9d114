"""A lock that an engine or a solver holds while it searches."""

from __future__ import annotations

import os
from threading import Lock, get_ident
from types import TracebackType

__all__ = ["Exclusive"]


class Exclusive:
    """A lock for an engine or a solver: ``with`` waits until other threads are done.

    Raises RuntimeError if that would be a deadlock: in a progress callback of the holder itself.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = Lock()
        self._holder: int | None = None
        self._process = os.getpid()

    @property
    def is_mine(self) -> bool:
        """Whether the current thread holds the lock, that is, runs in its own progress callback."""
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
        """Free the lock if its holder does not exist in this process because of a fork; return whether that was so.

        The object that the holder was using is then in an unknown state and must not be used again.
        """
        if self._process == os.getpid():
            return False
        self._process = os.getpid()
        if not self._lock.locked() or self._holder == get_ident():
            return False
        self._lock = Lock()
        self._holder = None
        return True
