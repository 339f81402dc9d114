"""Grading in a process of its own, with limits on its time and memory."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import signal
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, Protocol, TextIO

from noughts.study.grading.report import Grade

__all__ = ["DEFAULT_MEMORY_MB", "DEFAULT_SECONDS", "Checkpoint", "Limits", "can_fork", "run_within"]

DEFAULT_SECONDS = 60.0
DEFAULT_MEMORY_MB = 1024
MAX_SECONDS = 86_400.0
END_SECONDS = 5.0
"""Time to wait for a killed process to end."""
OUTPUT_CHARACTERS = 2_000
"""Printed characters of a submission that are shown; the rest is dropped."""


class Limits(NamedTuple):
    """Limits on the grading of one submission."""

    seconds: float | None = DEFAULT_SECONDS
    memory_mb: int = DEFAULT_MEMORY_MB
    """Memory beyond that of the grader itself."""


Checkpoint = Callable[[Grade], object]


class Work(Protocol):
    """What is run in the process: see ``Assignment``."""

    def run(self, progress: Callable[[str], object] | None = None, checkpoint: Checkpoint | None = None) -> Grade:
        """Return the grade; ``progress`` is called with each position, ``checkpoint`` with a part of the grade."""

    def broken_off(self, position: str, message: str, diagnosis: str, so_far: Grade | None = None) -> Grade:
        """Return the grade of a submission that could not be graded to the end."""


def run_within(work: Work, limits: Limits) -> Grade:
    """Run the grading in a process with limits, and return the grade."""
    seconds = MAX_SECONDS if limits.seconds is None else limits.seconds
    if not 0 < seconds <= MAX_SECONDS:
        raise ValueError(f"expected a number of seconds above 0 and up to {MAX_SECONDS:,.0f}, got {seconds}")
    if limits.memory_mb < 1:
        raise ValueError(f"expected at least 1 MB of memory, got {limits.memory_mb}")
    context: Any = multiprocessing.get_context("fork" if can_fork() else "spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_grade, args=(work, seconds, limits.memory_mb, theirs), daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the child uses no thread and no lock of ours
        _start(process)
    theirs.close()
    try:
        return _outcome(work, ours, process, seconds)
    finally:
        _end(process)
        ours.close()


def _start(process: Any) -> None:
    try:
        process.start()
    except (AttributeError, TypeError, pickle.PicklingError):
        raise ValueError(
            "on this system a search with a time limit must be importable; noughts grade FILE.py:FUNCTION takes any"
        ) from None


def _end(process: Any) -> None:
    """End the process with everything that it has started in its session."""
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join(END_SECONDS)


def can_fork() -> bool:
    """Whether a function that cannot be imported can be graded in a process of its own."""
    return "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"


def _outcome(work: Work, ours: Connection, process: Any, seconds: float) -> Grade:
    deadline = time.monotonic() + seconds
    reached, so_far = "", None
    try:
        while ours.poll(max(0.0, deadline - time.monotonic())):
            message = json.loads(ours.recv_bytes())
            if "grade" in message:
                return Grade.from_data(message["grade"])
            if "so_far" in message:
                so_far = Grade.from_data(message["so_far"])
            reached = message.get("position", reached)
    except EOFError:
        process.join(END_SECONDS)
        if process.exitcode is not None and process.exitcode < 0:
            return work.broken_off(
                reached, f"the process was ended by {_signal_name(-process.exitcode)}", "memory", so_far
            )
        message = f"the search ended the process with exit code {process.exitcode}"
        return work.broken_off(reached, message, "ends-process", so_far)
    why = f"no answer: the search was stopped after {seconds:g} s of grading"
    return work.broken_off(reached, why, "endless-loop", so_far)


def _signal_name(number: int) -> str:
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


def _grade(work: Work, seconds: float, memory_mb: int, theirs: Connection) -> None:
    """Grade in the child; each position is sent to the parent before the submission sees it."""
    _isolate(seconds)
    _limit_memory(memory_mb)
    with suppress(OSError):  # standard error is closed
        os.dup2(2, 1)  # programs that the submission starts must not write into our report
    sys.stdin = open(os.devnull)  # noqa: SIM115
    sys.stdout = sys.stderr = _Excerpt(sys.stderr)

    def send(**message: Any) -> None:
        theirs.send_bytes(json.dumps(message).encode())

    grade = work.run(lambda text: send(position=text), lambda grade: send(so_far=grade.to_data()))
    send(grade=grade.to_data())


def _isolate(seconds: float) -> None:
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback
    if sys.platform != "win32":
        os.setsid()
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(ceil(seconds + END_SECONDS))  # in case the parent is killed and cannot end it


def _limit_memory(megabytes: int) -> None:
    """Limit the memory of this process, where the system can: on Linux its data, elsewhere its addresses."""
    if sys.platform == "win32":
        return
    import resource

    kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    most = _used_bytes() + (megabytes << 20)
    with suppress(ValueError, OSError):
        resource.setrlimit(kind, (most, most))


def _used_bytes() -> int:
    """Return the bytes of data of this process, which a fork shares with its parent."""
    if sys.platform != "linux":
        return 0
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


class _Excerpt:
    """Writes the beginning of a text and drops the rest, for submissions that print at every node."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._left = stream, OUTPUT_CHARACTERS

    def write(self, text: str) -> int:
        """Write the text, or its beginning."""
        if self._left > 0:
            self._stream.write(text[: self._left])
            self._left -= len(text)
            if self._left <= 0:
                self._stream.write("\n... (the rest of its output is not shown)\n")
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
