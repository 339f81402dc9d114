"""A function of this process, called in a fork of it: for functions that no other process can import.

It is limited, supervised and ended like a program, but begins with a copy of everything in this process: use it
only for trusted functions.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep
from typing import IO, NoReturn, cast

from noughts.process.limits import MEGABYTE, Limits
from noughts.process.program import POLL_SECONDS, Program
from noughts.process.sandbox import Confinement, Sandbox

__all__ = ["ForkedProgram", "can_fork"]


def can_fork() -> bool:
    """Whether this process can be forked safely: libraries of macOS crash in a fork, Windows has none."""
    return sys.platform not in ("win32", "darwin")


class ForkedProgram(Program):
    """A task with the standard streams of a program, from ``start`` to ``close``.

    The process exits when the task returns.
    """

    def __init__(self, task: Callable[[], None], limits: Limits | None = None) -> None:
        limits = limits or Limits()
        if limits.memory_mb is not None:
            limits = limits._replace(memory_mb=limits.memory_mb + _used_megabytes())
        super().__init__([getattr(task, "__name__", "task")], limits, Sandbox.off(allow_root=True))
        self._task = task

    def _launch(self, confinement: Confinement, control: int) -> subprocess.Popen[bytes]:
        pipes = [os.pipe() for _ in range(3)]
        (stdin, our_in), (our_out, stdout), (our_err, stderr) = pipes
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # the fork uses no thread and no lock of ours
            pid = os.fork()
        if pid == 0:
            self._supervise([stdin, stdout, stderr], [our_in, our_out, our_err, self._control.fileno()], control)
        for fd in (stdin, stdout, stderr):
            os.close(fd)
        forked = _Forked(pid, os.fdopen(our_in, "wb", 0), os.fdopen(our_out, "rb", 0), os.fdopen(our_err, "rb", 0))
        return cast("subprocess.Popen[bytes]", forked)

    def _supervise(self, streams: list[int], foreign: list[int], control: int) -> NoReturn:
        """Be the supervisor, in the fork."""
        from noughts.process import supervisor  # not at the top: Windows lacks modules it imports

        code = 1
        try:
            os.setsid()
            for number, fd in enumerate(streams):
                os.dup2(fd, number)
            for fd in (*streams, *foreign):
                os.close(fd)
            limits = self.limits
            bounds = [(limits.memory_mb or 0) * MEGABYTE, limits.processes or 0, (limits.file_mb or 0) * MEGABYTE]
            code = supervisor.supervise(control, limits.namespace, supervisor.Bounds(*bounds), self._become_task)
        finally:
            os._exit(code)

    def _become_task(self, writer: int) -> NoReturn:
        os.close(writer)
        code = 1
        try:
            self._task()
            code = 0
        finally:
            os._exit(code)


class _Forked:
    """The part of ``subprocess.Popen`` that a program uses, for a fork."""

    def __init__(self, pid: int, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]) -> None:
        self.pid, self.stdin, self.stdout, self.stderr = pid, stdin, stdout, stderr
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code; raises TimeoutExpired."""
        deadline = None if timeout is None else monotonic() + timeout
        while self.returncode is None:
            pid, status = os.waitpid(self.pid, 0 if deadline is None else os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
            elif deadline is not None and monotonic() > deadline:
                raise subprocess.TimeoutExpired(["fork"], timeout or 0)
            else:
                sleep(POLL_SECONDS / 50)
        return self.returncode

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


def _used_megabytes() -> int:
    """Return the memory for data of this process, which a fork begins with; 0 where the system does not show it."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE") // MEGABYTE + 1
    except (OSError, ValueError):
        return 0
