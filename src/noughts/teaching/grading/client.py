"""Clients of submissions: the grader asks questions, of a function in this process or of a program behind pipes.

Answers from another process are claims of a program that may be hostile. A line is accepted as the answer to a question
only if it carries the random key that was sent with the question, and the number of the question that is next.
"""

from __future__ import annotations

import json
import pickle
import sys
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Protocol, TypeVar

from noughts.json_types import JsonObject
from noughts.process.failure import FailureReason, NotStarted, PlayerFailed
from noughts.process.forked import ForkedProgram, can_fork
from noughts.process.limits import Deadline, Limits
from noughts.process.program import Program
from noughts.process.sandbox import STRANGERS, Sandbox, why_no_programs
from noughts.process.worker import UnsupervisedProgram
from noughts.teaching.grading.programs.bindings import SubmittedFunction
from noughts.teaching.grading.runtime.child import READY, serve
from noughts.teaching.grading.runtime.server import SubmissionQuestion, SubmissionServer

__all__ = [
    "DEFAULT_MEMORY_MB",
    "DEFAULT_SECONDS",
    "WALL_CLOCK",
    "LocalClient",
    "PipeClient",
    "SubmissionClient",
    "SubmissionProgram",
    "SubmissionStopped",
    "check_limits",
    "open_file",
    "open_function",
    "pickle_function",
]

T = TypeVar("T")

DEFAULT_SECONDS = 60.0
WALL_CLOCK = 5
"""Seconds by the wall clock for each second of processor time: for a busy machine, and for programs that sleep."""
LEAST_WAIT = 0.05
"""Seconds between two looks at the processor time of a submission that has almost used its limit."""
DEFAULT_MEMORY_MB = 1024
MAX_SECONDS = 86_400.0
OWN_MEMORY_MB = 64
"""Memory for Python and noughts in the process of a submission, beyond the limit for the submission."""
CHILD = "noughts.teaching.grading.runtime.child"
LIMITS = Limits(start_seconds=60, quit_seconds=0, line_bytes=16 << 20, output_bytes=64 << 20)
DIAGNOSES = {
    (FailureReason.TIME, ""): "endless-loop",
    (FailureReason.CRASH, ""): "ends-process",
    (FailureReason.CRASH, "signal"): "crashes",
    (FailureReason.FLOOD, ""): "floods",
    (FailureReason.FORBIDDEN, ""): "attacks-grader",
    (FailureReason.LIMIT, "memory"): "memory",
    (FailureReason.LIMIT, "processes"): "too-many-processes",
    (FailureReason.LIMIT, "files"): "too-many-files",
}
"""The diagnosis of each way in which a program can fail, and its cause."""


class SubmissionStopped(Exception):
    """The submission cannot answer any more: what happened in one line, and the id of the diagnosis."""

    def __init__(self, message: str, diagnosis: str) -> None:
        super().__init__(message)
        self.diagnosis = diagnosis


class SubmissionClient(Protocol):
    """A submission that can be asked questions: see ``server``."""

    batch: int
    """The number of questions to ask at once."""

    def ask(self, questions: Sequence[SubmissionQuestion]) -> None:
        """Ask questions; their answers are read later. Raises SubmissionStopped."""

    def read(self) -> JsonObject:
        """Return the answer to the next question; raises SubmissionStopped."""

    def close(self) -> None:
        """End the submission."""


class LocalClient:
    """A function in this process, which is trusted: it can reach everything that the grader can."""

    batch = 1

    def __init__(self, server: SubmissionServer) -> None:
        self._server = server
        self._asked: deque[SubmissionQuestion] = deque()

    def ask(self, questions: Sequence[SubmissionQuestion]) -> None:
        """Ask questions; each is answered when its answer is read."""
        self._asked.extend(questions)

    def read(self) -> JsonObject:
        """Return the answer to the next question."""
        return self._server.answer(self._asked.popleft())

    def close(self) -> None:
        """Do nothing: the function lives on."""


class SubmissionProgram(Protocol):
    """The part of ``Program`` and ``UnsupervisedProgram`` that a client uses."""

    limits: Limits

    def start(self) -> None:
        """Start the process."""

    def send(self, text: str, deadline: Deadline) -> None:
        """Write lines; raises PlayerFailed."""

    def receive(self, deadline: Deadline) -> str:
        """Return the next line; raises PlayerFailed."""

    def close(self, quit_seconds: float | None = None) -> None:
        """End the process."""

    @property
    def stderr_head(self) -> str:
        """The first lines that it wrote to standard error."""

    @property
    def processor_seconds(self) -> float | None:
        """The processor time of its processes so far; None where the system does not show it."""


class PipeClient:
    """A submission in a process of its own, which has some seconds of processor time for all its answers.

    By the wall clock it has ``WALL_CLOCK`` times as long. Where the system does not show processor time, only the wall
    clock counts.
    """

    batch = 8

    def __init__(self, process: SubmissionProgram, seconds: float) -> None:
        self._process, self._seconds = process, seconds
        self._asked: deque[tuple[str, int]] = deque()
        try:
            process.start()
        except NotStarted as error:
            raise ValueError(str(error)) from None
        try:
            is_ready = process.receive(Deadline.within(process.limits.start_seconds)) == json.dumps(READY)
        except PlayerFailed as error:
            self.close()
            raise ValueError(
                f"cannot start the process that loads submissions: {error}{self._last_message()}"
            ) from None
        if not is_ready:
            self.close()
            raise ValueError("cannot start the process that loads submissions: it is of another version")
        self._used_at_start = process.processor_seconds
        self._deadline, self._last_moment = Deadline.within(seconds), Deadline.within(WALL_CLOCK * seconds)

    def _last_message(self) -> str:
        lines = self._process.stderr_head.splitlines()
        return f"; {lines[-1]}" if lines else ""

    @property
    def printed(self) -> str:
        """The beginning of what the submission has printed."""
        return self._process.stderr_head

    def ask(self, questions: Sequence[SubmissionQuestion]) -> None:
        """Send questions under a new key; raises SubmissionStopped."""
        key = token_hex(8)
        self._asked.extend((key, number) for number in range(len(questions)))
        line = json.dumps({"key": key, "questions": questions}, separators=(",", ":"))
        self._within_limit(partial(self._process.send, line + "\n"), partial(self._process.send, ""))

    def read(self) -> JsonObject:
        """Return the answer to the next question; raises SubmissionStopped if it is not one, or none comes."""
        expected = self._asked.popleft()
        line = self._within_limit(self._process.receive, self._process.receive)
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            raise SubmissionStopped("a line among its answers is not an answer", "forged-answer") from None
        if not isinstance(data, dict) or (data.get("key"), data.get("number")) != expected:
            raise SubmissionStopped("an answer does not belong to the question that was asked", "forged-answer")
        return data

    def close(self) -> None:
        """End the process with everything that it has started."""
        self._process.close(0)

    def _within_limit(self, begin: Callable[[Deadline], T], resume: Callable[[Deadline], T]) -> T:
        """Wait for a submission until it has used its processor time; raises SubmissionStopped.

        The first deadline is the earliest moment at which that can be; then its processor time is looked at, and what
        is left of it gives the next.
        """
        wait = begin
        while True:
            try:
                return wait(self._deadline)
            except PlayerFailed as error:
                diagnosis = DIAGNOSES[error.reason, error.cause]
                if error.reason is not FailureReason.TIME:
                    raise SubmissionStopped(str(error), diagnosis) from None
                left, why = self._time_left()
                if not left:
                    raise SubmissionStopped(f"no answer: the search was stopped after {why}", diagnosis) from None
                self._deadline, wait = Deadline.within(left), resume

    def _time_left(self) -> tuple[float, str]:
        """Return the seconds in which the submission cannot pass its limit, or 0 and the limit that it has passed."""
        used = self._process.processor_seconds
        if used is None or self._used_at_start is None:
            return 0.0, f"{self._seconds:g} s"
        if not self._last_moment.left:
            return 0.0, f"{self._last_moment.seconds:g} s, in most of which it did not run"
        left = self._seconds - (used - self._used_at_start)
        return (max(left, LEAST_WAIT) if left > 0 else 0.0), f"{self._seconds:g} s of processor time"


# Processes


def check_limits(seconds: float | None, memory_mb: int | None) -> tuple[float, int]:
    """Return the limits on a submission, the defaults for None; raises ValueError."""
    seconds = MAX_SECONDS if seconds is None else seconds
    memory_mb = DEFAULT_MEMORY_MB if memory_mb is None else memory_mb
    if not 0 < seconds <= MAX_SECONDS:
        raise ValueError(f"expected a number of seconds above 0 and up to {MAX_SECONDS:,.0f}, got {seconds}")
    if memory_mb < 1:
        raise ValueError(f"expected at least 1 MB of memory, got {memory_mb}")
    return seconds, memory_mb


def open_file(folder: Path, memory_mb: int, sandbox: Sandbox = STRANGERS) -> SubmissionProgram:
    """Return the process for a submission whose files are in a folder; it sees no other files of submissions."""
    limits = LIMITS._replace(memory_mb=memory_mb + OWN_MEMORY_MB)
    if why_no_programs():
        return UnsupervisedProgram(CHILD, limits, folder)
    # -P: a file of the submission named like a module is not imported in its place.
    return Program([sys.executable, "-P", "-B", "-m", CHILD], limits, sandbox, folder)


def open_function(function: SubmittedFunction, memory_mb: int) -> SubmissionProgram:
    """Return the process for a function: a fork of this one, or where that is not safe, one that imports it."""
    limits = LIMITS._replace(memory_mb=memory_mb)
    if can_fork():
        return ForkedProgram(lambda: serve(SubmissionServer(function, caught=(BaseException,))), limits)
    pickle_function(function)
    return open_file(Path.cwd(), memory_mb, Sandbox.off(allow_root=True))


def pickle_function(function: SubmittedFunction) -> str:
    """Return a function as text for a process that imports it; raises ValueError if it cannot be imported."""
    try:
        pickled = pickle.dumps(function)
    except (AttributeError, TypeError, pickle.PicklingError):
        pickled = b""
    if not pickled or getattr(function, "__module__", "") == "__main__":
        raise ValueError(
            "on this system a search with a time limit must be importable; noughts grade FILE.py:FUNCTION takes any"
        )
    return b64encode(pickled).decode()
