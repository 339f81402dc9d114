"""Workers that answer at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from noughts.proof.jobs import worker
from noughts.proof.jobs.worker import answer


class InlineTasks:
    """Workers that answer at once, in this process; after ``most`` answers the driver is interrupted.

    By default they are those of a solve by jobs.
    """

    def __init__(self, function: Callable[..., object] = answer, size: int = 3, most: int = 1 << 30) -> None:
        self._function = function
        self._calls: deque[tuple[Any, tuple[Any, ...]]] = deque()
        self._size, self._most = size, most
        self.answers = 0
        worker._solver.cache_clear()  # a worker that has just begun, with an empty table

    @property
    def free(self) -> int:
        return self._size - len(self._calls)

    def submit(self, task: Any, *arguments: Any) -> None:
        self._calls.append((task, arguments))

    def collect(self) -> list[tuple[Any, Any]]:
        if self.answers >= self._most:
            raise KeyboardInterrupt
        self.answers += 1
        task, arguments = self._calls.popleft()
        return [(task, self._function(*arguments))]

    def close(self) -> None:
        pass
