"""An engine in a process of its own, as the server sees it: it can always be ended, and its memory is bounded."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import IO, NamedTuple

from noughts.process.worker import WorkerProcess
from noughts.store import StoreError
from noughts.web.errors import Abandoned, OutOfMemory, TookTooLong, WebError, WorkerLost
from noughts.web.workers import AnyTask, Task

__all__ = ["Ask", "EndReason", "EngineProcess", "EngineSettings", "ProcessCounts"]

MODULE = "noughts.web.engine_worker"
GRACE_SECONDS = 1.0
"""Time between the deadline of a job and the end of its process."""
PREPARE_SECONDS = 5.0
"""Time for a process to start, and to read the game of a question: the time for the answer counts from there."""

_logger = logging.getLogger(__name__)
_keys = count(1)


class EndReason(StrEnum):
    """Why a process of an engine ended before the server did."""

    LATE = "late"
    """Killed: its job did not stop in time."""
    MEMORY = "memory"
    """Its job needed more memory than is granted."""
    CRASH = "crash"


_MESSAGES = {
    EndReason.LATE: "did not stop in time and was killed",
    EndReason.MEMORY: "needed more memory than web.worker-memory grants",
    EndReason.CRASH: "crashed",
}


class ProcessCounts:
    """Numbers of processes that were started, and that ended, by reason. Used by several threads."""

    def __init__(self) -> None:
        self.started = 0
        self.ended: Counter[str] = Counter(dict.fromkeys(map(str, EndReason), 0))
        self._lock = Lock()

    def start(self) -> None:
        with self._lock:
            self.started += 1

    def end(self, reason: EndReason) -> None:
        with self._lock:
            self.ended[reason] += 1


@dataclass(frozen=True)
class EngineSettings:
    """Settings of a process. ``niceness`` lowers its priority; without ``memory_mb`` its memory is not bounded."""

    store: Path | None = None
    book: bool = True
    memory_mb: int | None = None
    niceness: int = 0
    log_format: str = "text"
    log_level: str = "warning"

    def to_line(self) -> bytes:
        """Return the settings as a line of JSON."""
        return _to_line({**self.__dict__, "store": None if self.store is None else str(self.store)})


def _to_line(data: dict[str, object]) -> bytes:
    return json.dumps(data).encode() + b"\n"


class Ask(NamedTuple):
    """A question for an engine: its request as JSON, the time for it, and the answer of an earlier turn as JSON.

    All turns of a question have the same key, so that a process can continue where it was.
    """

    key: int
    question: str
    request: str
    seconds: float
    so_far: str | None = None

    @staticmethod
    def new_key() -> int:
        """Return a key for a new question."""
        return next(_keys)


class _Interrupt(NamedTuple):
    task: AnyTask


class _Message(NamedTuple):
    kind: str
    text: str


class EngineProcess:
    """A worker whose jobs run in another process, which is started when it is needed and replaced when it ends."""

    grace_seconds = GRACE_SECONDS

    def __init__(self, settings: EngineSettings, counts: ProcessCounts, module: str = MODULE) -> None:
        self._settings, self._counts, self._module = settings, counts, module
        self._process: WorkerProcess | None = None
        self._inbox: SimpleQueue[_Message | _Interrupt | None] = SimpleQueue()
        self._delayed_before = 0.0
        self._end_reason = EndReason.CRASH
        """Why the process has ended, if it has."""
        self.is_working = True

    @property
    def pid(self) -> int | None:
        """The id of the process, if one was started."""
        process = self._process
        return None if process is None else process.pid

    @property
    def is_started(self) -> bool:
        process = self._process
        return process is not None and process.is_alive

    def start(self) -> None:
        """Start the process unless it runs; a failure is logged, and shows when a question is asked."""
        if self.is_started:
            return
        if self._process is not None:
            self._note_end("between two questions")
        inbox = self._inbox = SimpleQueue()
        self._end_reason = EndReason.CRASH
        try:
            self._process = WorkerProcess(self._module, read=lambda out: _read(out, inbox))
        except OSError as error:
            self.is_working = False
            _logger.error("a process for an engine cannot be started: %s", error)
            return
        self.is_working = True
        self._counts.start()
        self._process.send(self._settings.to_line())

    def ask(self, task: Task[EngineProcess], ask: Ask, report: Callable[[str], object]) -> str:
        """Return the answer as JSON; raises WebError, StoreError or Abandoned.

        ``report`` is called with progress as JSON. If the process dies before the question has begun, another one is
        asked once more: the end of the first may have nothing to do with the question.
        """
        answer = self._ask(task, ask, report)
        if answer is None:
            answer = self._ask(task, ask, report)
        if answer is None:
            raise WorkerLost
        return answer

    def _ask(self, task: Task[EngineProcess], ask: Ask, report: Callable[[str], object]) -> str | None:
        """Return the answer, or None if the process died before the question had begun."""
        self.start()
        if self._process is None:
            raise WorkerLost
        has_begun = False
        self._delayed_before = _seconds_delayed(self._process.pid)
        task.begin(PREPARE_SECONDS)
        self._process.send(_to_line(ask._asdict()))
        if not task.should_continue:
            self.interrupt(task)  # again: the inbox of an earlier process may have the request
        while (message := self._inbox.get()) is not None:
            if isinstance(message, _Interrupt):
                if message.task is task:
                    self._process.send(_to_line({"interrupt": ask.key, "why": _why(task)}))
            elif message.kind == "begun":
                self._delayed_before = _seconds_delayed(self._process.pid)
                task.begin()
                has_begun = True
            elif message.kind == "progress":
                report(message.text)
            elif message.kind == "answer":
                return message.text
            elif message.kind == "memory":
                self._end_reason = EndReason.MEMORY
                break
            else:
                raise self._error_of(message)
        error = self._replace(task, ask)
        if isinstance(error, WorkerLost) and not has_begun:
            return None
        raise error

    def _error_of(self, message: _Message) -> Exception:
        """Return the error that a message stands for."""
        if message.kind == "abandoned":
            return Abandoned()
        if message.kind == "refused":
            return WebError(**json.loads(message.text))
        if message.kind == "store":
            return StoreError(json.loads(message.text))
        return RuntimeError(json.loads(message.text))

    def _replace(self, task: Task[EngineProcess], ask: Ask) -> Exception:
        """Start another process for one that has ended; return what that means for its question."""
        reason = self._end_reason
        if task.is_abandoned and not task.was_killed and reason is not EndReason.MEMORY:
            self.close()
            return Abandoned()  # the server is shutting down
        self._note_end(f"question {ask.question}, a request of {len(ask.request)} bytes")
        self.start()
        if task.was_killed:
            return TookTooLong()
        return OutOfMemory() if reason is EndReason.MEMORY else WorkerLost()

    def _note_end(self, occasion: str) -> None:
        """Count and log the end of the process."""
        self.close()
        self._counts.end(self._end_reason)
        _logger.warning("an engine %s: %s", _MESSAGES[self._end_reason], occasion)

    def interrupt(self, task: AnyTask) -> None:
        """Ask the running question to stop."""
        self._inbox.put(_Interrupt(task))

    def seconds_delayed(self) -> float:
        """Return the time for which the process waited for a processor since its question began."""
        pid = self.pid
        return 0.0 if pid is None else _seconds_delayed(pid) - self._delayed_before

    def kill(self) -> bool:
        """Kill the process, which is replaced by its question, or by the next one."""
        process = self._process
        if process is not None:
            self._end_reason = EndReason.LATE
            process.kill()
        return True

    def close(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


def _why(task: AnyTask) -> str:
    """Return the most important reason for a job to stop."""
    if task.is_abandoned or task.is_late:
        return "abandon"
    return "stop" if task.is_stopped else "preempt"


def _read(out: IO[bytes], inbox: SimpleQueue[_Message | _Interrupt | None]) -> None:
    """Put the messages of a process into an inbox, and None when it has ended: ``kind JSON`` on each line."""
    for line in out:
        if not line.endswith(b"\n"):
            break  # it died while writing
        kind, _, text = line.decode().rstrip("\n").partition(" ")
        inbox.put(_Message(kind, text))
    inbox.put(None)


def _seconds_delayed(pid: int) -> float:
    """Return the time for which a process was ready to run, but had no processor (Linux; 0 elsewhere)."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    return 0.0
