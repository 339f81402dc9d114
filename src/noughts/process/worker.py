"""A worker: another Python process that answers through pipes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO

from noughts.process.failure import FailureReason, PlayerFailed
from noughts.process.limits import Deadline, Limits

__all__ = ["UnsupervisedProgram", "WorkerProcess"]


class WorkerProcess:
    """Runs a module with arguments; a thread calls ``read`` with its output, which ends when the process does.

    A thread for each, because Windows cannot wait for several pipes. The process has its own session: Ctrl-C is for
    ours, not for a worker in the middle of its work. It must exit when its standard input ends. Its modules are never
    taken from the folder in which we happen to run.
    """

    def __init__(
        self, module: str, *arguments: str, read: Callable[[IO[bytes]], None], folder: Path | None = None
    ) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._reader = Thread(target=read, args=(self._process.stdout,), daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process runs; one that was just killed may do so for a moment."""
        return self._process.poll() is None

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


class UnsupervisedProgram:
    """A module that answers lines with lines, like a ``Program``, on systems that cannot supervise programs.

    Of the limits only those on time and on the length of a line hold, and processes that it starts outlive it.
    """

    stderr_head = ""
    """Its standard error is that of this process."""
    processor_seconds = None
    """Such systems do not show it."""

    def __init__(self, module: str, limits: Limits, folder: Path) -> None:
        self.limits = limits.check()
        self._module, self._folder = module, folder
        self._lines: Queue[bytes | None] = Queue(maxsize=1000)
        self._worker: WorkerProcess | None = None

    def start(self) -> None:
        self._worker = WorkerProcess(self._module, read=self._read, folder=self._folder)

    def _read(self, out: IO[bytes]) -> None:
        while line := out.readline(self.limits.line_bytes + 1):
            self._lines.put(line)
        self._lines.put(None)

    def send(self, text: str, deadline: Deadline) -> None:
        assert self._worker is not None
        self._worker.send(text.encode())

    def receive(self, deadline: Deadline) -> str:
        """Return the next line, without its end; raises PlayerFailed when none comes in time."""
        try:
            line = self._lines.get(timeout=deadline.left)
        except Empty:
            raise PlayerFailed(f"no answer within {deadline.seconds:g} s", FailureReason.TIME) from None
        if line is None:
            raise PlayerFailed("the program ended", FailureReason.CRASH)
        if not line.endswith(b"\n"):
            raise PlayerFailed(f"an endless line of over {self.limits.line_bytes} bytes", FailureReason.FLOOD)
        return line.decode(errors="replace").rstrip("\r\n")

    def close(self, quit_seconds: float | None = None) -> None:
        if self._worker is not None:
            Thread(target=self._drain, daemon=True).start()  # its reader may be waiting for room
            self._worker.close()
            self._worker = None

    def _drain(self) -> None:
        while self._lines.get() is not None:
            pass
