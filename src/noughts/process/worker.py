"""A worker: another Python process that answers through pipes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import IO

__all__ = ["WorkerProcess"]


class WorkerProcess:
    """Runs a module with arguments; a thread calls ``read`` with its output, which ends when the process does.

    A thread for each, because Windows cannot wait for several pipes. The process has its own session: Ctrl-C is for
    ours, not for a worker in the middle of its work. It must exit when its standard input ends. Its modules are never
    taken from the folder in which we happen to run.
    """

    def __init__(self, module: str, *arguments: str, read: Callable[[IO[bytes]], None]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._reader = Thread(target=read, args=(self._process.stdout,), daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def send(self, message: bytes) -> None:
        """Send a message; a dead worker is noticed when its answer does not come."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write(message)
            self._process.stdin.flush()

    def kill(self) -> None:
        """Kill the process without waiting for its end."""
        self._process.kill()

    def close(self) -> None:
        """Kill the process, and wait until it and the thread have ended."""
        self._process.kill()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()
        self._process.wait()
