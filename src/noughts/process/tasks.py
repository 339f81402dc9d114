"""Calls of a function in other processes: on this machine, or on any machine with a free core of a Ray cluster.

Results return to this process, which keeps them. If a worker or a machine dies, only its calls in progress are lost,
and they are submitted again. A function with a state, an object with ``__call__``, keeps it in each local process.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from queue import Empty, SimpleQueue
from threading import Thread, current_thread, main_thread
from time import monotonic
from typing import IO, Any, Generic, NamedTuple, Protocol, TypeVar

from noughts.invocation import install_line
from noughts.process.streams import take_output
from noughts.process.worker import WorkerProcess

__all__ = ["LocalTasks", "RayTasks", "TaskError", "Tasks", "import_ray", "open_tasks", "report_progress", "run_tasks"]

Task = TypeVar("Task", bound=Hashable)
Call = tuple[object, ...]
"""The arguments of a call."""
Results = list[tuple[Task, Any]]
"""Tasks with their results."""
GiveUp = Callable[[Task], Any]
"""Returns the result of a task in which too many workers have died."""

POLL_SECONDS = 0.2
"""Time to wait for results."""
MAX_LOCAL_DEATHS = 3
MAX_CLUSTER_DEATHS = 10
"""Workers that may die in the same task before all is given up."""
TASKS_PER_CORE = 2
"""Tasks submitted for each core of a cluster, so that no core waits for the next one."""
CORE_COUNT_SECONDS = 5.0
"""Time between two queries for the number of cores."""
MAX_PROCESSES = 1024


class TaskError(RuntimeError):
    """The tasks cannot continue."""


class Tasks(Protocol[Task]):
    """Calls of one function by workers. A task stands for its call and is returned with the result."""

    @property
    def free(self) -> int:
        """The number of tasks that can be submitted now."""

    def submit(self, task: Task, *arguments: object) -> None:
        """Call the function with these arguments."""

    def collect(self) -> Results[Task]:
        """Wait for ``POLL_SECONDS`` at most and return the new results, possibly none; raises TaskError."""

    def close(self) -> None:
        """End the tasks in progress and all workers."""


def open_tasks(
    on: str,
    function: Callable[..., object],
    describe: Callable[[Any], str] = str,
    give_up: GiveUp[Any] | None = None,
) -> Tasks[Any]:
    """Return the workers named ``local:N``, N processes on this machine, or ``ray``, a cluster.

    The function must be importable by its name; ``describe`` names a task in messages. A task in which too many workers
    have died has the result ``give_up(task)``; without it, all tasks end with a TaskError.
    """
    if on == "ray":
        return RayTasks(function, describe, give_up=give_up)
    return LocalTasks(function, int(on.removeprefix("local:")), describe, give_up)


def run_tasks(
    tasks: Tasks[Task], calls: Iterable[tuple[Task, Call]], on_wait: Callable[[], object] = lambda: None
) -> Iterator[tuple[Task, Any]]:
    """Make all calls and yield each task with its result as soon as it is done; closes the tasks at the end.

    ``on_wait`` is called before each wait for results, and at the end.
    """
    waiting, in_progress = iter(calls), 0
    with closing(tasks):
        while True:
            on_wait()
            while tasks.free and (call := next(waiting, None)) is not None:
                tasks.submit(call[0], *call[1])
                in_progress += 1
            if not in_progress:
                return
            results = tasks.collect()
            in_progress -= len(results)
            yield from results


class _Deaths(Generic[Task]):
    """Counts the workers that died in each task."""

    def __init__(self, most: int, describe: Callable[[Task], str], give_up: GiveUp[Task] | None) -> None:
        self._most, self._describe, self._give_up = most, describe, give_up
        self._counts: dict[Task, int] = {}

    def add(self, task: Task, reason: str = "") -> Results[Task]:
        """Count one more. If there are too many, return the result that stands for the task, or raise TaskError."""
        count = self._counts[task] = self._counts.get(task, 0) + 1
        if count < self._most:
            return []
        if self._give_up is None:
            raise TaskError(f"the worker died {count} times in {self._describe(task)}{reason and ': '}{reason}")
        return [(task, self._give_up(task))]


# --- processes on this machine ---------------------------------------------------------------------------------------


class _Returned(NamedTuple):
    value: object


class _Raised(NamedTuple):
    error: Exception


class _Progress(NamedTuple):
    value: object


_Message = _Returned | _Raised | _Progress | None


class LocalTasks(Generic[Task]):
    """Calls of a function by up to ``size`` processes, which are started when they are needed."""

    def __init__(
        self,
        function: Callable[..., object],
        size: int,
        describe: Callable[[Task], str] = str,
        give_up: GiveUp[Task] | None = None,
    ) -> None:
        if not 1 <= size <= MAX_PROCESSES:
            raise ValueError(f"expected 1 to {MAX_PROCESSES} processes, got {size}")
        self._function, self._size = pickle.dumps(function), size
        self._messages: Messages[Task] = SimpleQueue()
        self._processes: list[_Process[Task]] = []
        self._deaths = _Deaths(MAX_LOCAL_DEATHS, describe, give_up)

    @property
    def free(self) -> int:
        """The number of processes that are idle or not yet started."""
        return self._size - sum(process.call is not None for process in self._processes)

    @property
    def progress(self) -> list[Any]:
        """The last value that each call in progress has given to ``report_progress``, if any."""
        return [process.progress for process in self._processes if process.progress is not None]

    def submit(self, task: Task, *arguments: object) -> None:
        """Give the call to an idle process, or start one."""
        process = next((process for process in self._processes if process.call is None), None)
        if process is None:
            process = _Process(self._function, self._messages)
            self._processes.append(process)
        process.submit(task, arguments)

    def collect(self) -> Results[Task]:
        """Wait for ``POLL_SECONDS`` at most and return the new results; calls of dead processes are made again.

        Raises the exception that the function has raised.
        """
        results = []
        for process, message in self._new_messages():
            if isinstance(message, _Progress):
                process.progress = message.value
                continue
            call, process.call, process.progress = process.call, None, None
            if message is None:
                self._remove(process)
            if call is None:
                continue
            if message is None:
                results += self._after_death(*call)
            elif isinstance(message, _Raised):
                raise message.error
            else:
                results.append((call[0], message.value))
        return results

    def _after_death(self, task: Task, arguments: Call) -> Results[Task]:
        """Submit the task again, unless that is given up: then return its result."""
        results = self._deaths.add(task)
        if not results:
            self.submit(task, *arguments)
        return results

    def _new_messages(self) -> Iterator[tuple[_Process[Task], _Message]]:
        """Yield the messages that come within ``POLL_SECONDS``, without waiting for more than one."""
        with suppress(Empty):
            yield self._messages.get(timeout=POLL_SECONDS)
            while True:
                yield self._messages.get_nowait()

    def _remove(self, process: _Process[Task]) -> None:
        self._processes.remove(process)
        process.close()

    def close(self) -> None:
        """End all processes."""
        for process in list(self._processes):
            self._remove(process)


class _Process(Generic[Task]):
    """A worker; its answers are put into a queue, and None when it has ended."""

    def __init__(self, function: bytes, messages: Messages[Task]) -> None:
        self.call: tuple[Task, Call] | None = None
        self.progress: object = None
        self._messages = messages
        self._worker = WorkerProcess("noughts.process.tasks", read=self._read)
        self._worker.send(pickle.dumps((sys.path, function)))

    def _read(self, out: IO[bytes]) -> None:
        with suppress(EOFError, pickle.UnpicklingError):  # it died while writing
            while True:
                self._messages.put((self, pickle.load(out)))
        self._messages.put((self, None))

    def submit(self, task: Task, arguments: Call) -> None:
        self.call = task, arguments
        self._worker.send(pickle.dumps(arguments))

    def close(self) -> None:
        self._worker.close()


Messages = SimpleQueue[tuple[_Process[Task], _Message]]


_answers: IO[bytes] | None = None
"""The pipe for answers, in a process that was started here."""


def report_progress(value: object) -> None:
    """Set the progress of the current call, see ``LocalTasks.progress``; does nothing on a cluster."""
    if _answers is not None:
        _write(pickle.dumps(_Progress(value)))


def _write(message: bytes) -> None:
    assert _answers is not None
    _answers.write(message)
    _answers.flush()


def _serve() -> None:
    """Answer calls from standard input until it ends; then the process exits, in the middle of a call if need be."""
    global _answers
    _answers = take_output()
    calls: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_read_calls, args=(sys.stdin.buffer, calls), daemon=True).start()
    path, function = calls.get()
    sys.path[:] = path
    load = cache(pickle.loads)
    while True:
        _write(_answer(lambda *arguments: load(function)(*arguments), calls.get()))


def _answer(function: Callable[..., object], arguments: Call) -> bytes:
    try:
        return pickle.dumps(_Returned(function(*arguments)))
    except Exception as error:
        try:
            return pickle.dumps(_Raised(pickle.loads(pickle.dumps(error))))
        except Exception:  # an exception that cannot be sent is sent as text
            return pickle.dumps(_Raised(TaskError(f"a worker failed: {type(error).__name__}: {error}")))


def _read_calls(pipe: IO[bytes], calls: SimpleQueue[Any]) -> None:
    with suppress(EOFError, pickle.UnpicklingError):
        while True:
            calls.put(pickle.load(pipe))
    os._exit(0)


# --- a cluster -------------------------------------------------------------------------------------------------------


class RayTasks(Generic[Task]):
    """Calls of a function on the cluster of ``RAY_ADDRESS`` or of ``ray start`` here, else on this machine alone."""

    def __init__(
        self,
        function: Callable[..., object],
        describe: Callable[[Task], str] = str,
        size: int | None = None,
        give_up: GiveUp[Task] | None = None,
    ) -> None:
        self._ray = import_ray()
        self._size = size
        self._in_progress: dict[object, tuple[Task, Call]] = {}
        self._resubmitted: deque[tuple[Task, Call]] = deque()
        self._deaths = _Deaths(MAX_CLUSTER_DEATHS, describe, give_up)
        self._cores, self._counted_cores_at = 1, -CORE_COUNT_SECONDS
        self._has_connected = not self._ray.is_initialized()
        if self._has_connected:
            self._connect()
        # No retries by Ray, which would count a machine that was switched off as a failure of the task.
        # Ray takes a plain function only.
        self._call = self._ray.remote(num_cpus=1, max_retries=0)(lambda *arguments: function(*arguments))

    def _connect(self) -> None:
        try:
            with _delay_interrupt():
                self._ray.init(logging_level="ERROR", log_to_driver=False)
        except KeyboardInterrupt:
            self._ray.shutdown()
            raise
        except (ConnectionError, RuntimeError, ValueError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise TaskError(f"cannot connect to the Ray cluster: {reason}") from None

    @property
    def free(self) -> int:
        if monotonic() - self._counted_cores_at > CORE_COUNT_SECONDS:
            self._counted_cores_at = monotonic()
            self._cores = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        most = self._size or TASKS_PER_CORE * self._cores
        return max(0, most - len(self._in_progress) - len(self._resubmitted))

    def submit(self, task: Task, *arguments: object) -> None:
        self._in_progress[self._call.remote(*arguments)] = (task, arguments)

    def collect(self) -> Results[Task]:
        """Wait for ``POLL_SECONDS`` at most and return the new results; tasks of dead workers are submitted again."""
        while self._resubmitted:
            task, arguments = self._resubmitted.popleft()
            self.submit(task, *arguments)
        refs = list(self._in_progress)
        ready, _ = self._ray.wait(refs, num_returns=1, timeout=POLL_SECONDS)
        if ready:
            ready, _ = self._ray.wait(refs, num_returns=len(refs), timeout=0)
        return [found for ref in ready for found in self._results(ref)]

    def _results(self, ref: object) -> Results[Task]:
        """The task and its result; nothing if its worker died."""
        task, arguments = self._in_progress.pop(ref)
        errors = self._ray.exceptions
        try:
            return [(task, self._ray.get(ref))]
        except errors.RayTaskError as error:
            raise TaskError(f"a worker of the cluster failed: {_reason(error)}") from None
        except errors.RayError as error:
            results = self._deaths.add(task, _reason(error))
            if not results:
                self._resubmitted.append((task, arguments))
            return results

    def close(self) -> None:
        """Cancel the tasks in progress and disconnect."""
        for ref in self._in_progress:
            self._ray.cancel(ref, force=True)
        self._in_progress.clear()
        if self._has_connected:
            self._ray.shutdown()


def import_ray() -> Any:
    """Return the module ``ray``; raises TaskError if it is not installed."""
    try:
        import ray
    except ImportError:
        raise TaskError(f"--on ray needs Ray, which is not installed: {install_line('ray')}") from None
    return ray


@contextmanager
def _delay_interrupt() -> Iterator[None]:
    """Delay Ctrl-C until the block is done: Ray crashes when it exits half connected."""
    caught: list[int] = []
    is_handled = current_thread() is main_thread() and signal.getsignal(signal.SIGINT) != signal.SIG_IGN
    before = signal.signal(signal.SIGINT, lambda number, _: caught.append(number)) if is_handled else None
    try:
        yield
    finally:
        if is_handled:
            signal.signal(signal.SIGINT, before)
    if caught:
        raise KeyboardInterrupt


def _reason(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[-1] if lines else type(error).__name__


if __name__ == "__main__":
    from noughts.process import tasks

    tasks._serve()  # of the module that the other process has imported, so that its classes are the same
