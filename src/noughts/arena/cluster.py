"""Tasks on a Ray cluster, on any machine with a free core: those of a tournament, and others.

Workers return results to this process, which stores them. If a worker or a machine dies, only its tasks in progress are
lost, and they are submitted again.
"""

from __future__ import annotations

import json
import signal
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import monotonic
from typing import Any, Generic, TypeVar

from noughts.arena.plan import Plan
from noughts.arena.runner import POLL_SECONDS, ArenaError
from noughts.arena.schedule import Key
from noughts.arena.schedule import Task as ArenaTask
from noughts.arena.tournaments import Result
from noughts.arena.worker import Worker

__all__ = ["RayTasks", "RayWorkers", "import_ray"]

Task = TypeVar("Task", bound=Hashable)

MAX_WORKER_DEATHS = 10
"""Workers that may die in the same task before all is given up."""
TASKS_PER_CORE = 2
"""Tasks submitted for each core, so that no core waits for the next one."""
CORE_COUNT_SECONDS = 5.0
"""Time between two queries for the number of cores."""


class RayTasks(Generic[Task]):
    """Calls of a function on the cluster of ``RAY_ADDRESS`` or of ``ray start`` here, else on this machine alone.

    A task stands for its call; ``describe`` names it in messages.
    """

    def __init__(
        self, function: Callable[..., Any], describe: Callable[[Task], str] = str, size: int | None = None
    ) -> None:
        self._ray = import_ray()
        self._describe = describe
        self._size = size
        self._in_progress: dict[Any, tuple[Task, tuple[Any, ...]]] = {}
        self._resubmitted: deque[tuple[Task, tuple[Any, ...]]] = deque()
        self._deaths: dict[Task, int] = {}
        self._cores, self._counted_cores_at = 1, -CORE_COUNT_SECONDS
        self._has_connected = not self._ray.is_initialized()
        if self._has_connected:
            self._connect()
        # No retries by Ray, which would count a machine that was switched off as a failure of the task.
        self._call = self._ray.remote(num_cpus=1, max_retries=0)(function)

    def _connect(self) -> None:
        try:
            with _delay_interrupt():
                self._ray.init(logging_level="ERROR", log_to_driver=False)
        except KeyboardInterrupt:
            self._ray.shutdown()
            raise
        except (ConnectionError, RuntimeError, ValueError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ArenaError(f"cannot connect to the Ray cluster: {reason}") from None

    @property
    def free(self) -> int:
        """The number of tasks that can be submitted now."""
        if monotonic() - self._counted_cores_at > CORE_COUNT_SECONDS:
            self._counted_cores_at = monotonic()
            self._cores = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        most = self._size or TASKS_PER_CORE * self._cores
        return max(0, most - len(self._in_progress) - len(self._resubmitted))

    def submit(self, task: Task, *arguments: Any) -> None:
        """Call the function with these arguments."""
        self._in_progress[self._call.remote(*arguments)] = (task, arguments)

    def collect(self) -> list[tuple[Task, Any]]:
        """Wait for ``POLL_SECONDS`` at most and return the new results; tasks of dead workers are submitted again."""
        while self._resubmitted:
            task, arguments = self._resubmitted.popleft()
            self.submit(task, *arguments)
        refs = list(self._in_progress)
        ready, _ = self._ray.wait(refs, num_returns=1, timeout=POLL_SECONDS)
        if ready:
            ready, _ = self._ray.wait(refs, num_returns=len(refs), timeout=0)
        return [found for ref in ready for found in self._results(ref)]

    def _results(self, ref: Any) -> list[tuple[Task, Any]]:
        """The task and its result; nothing if its worker died."""
        task, arguments = self._in_progress.pop(ref)
        errors = self._ray.exceptions
        try:
            return [(task, self._ray.get(ref))]
        except errors.RayTaskError as error:
            raise ArenaError(f"a worker of the cluster failed: {_last_line(error)}") from None
        except errors.RayError as error:
            deaths = self._deaths[task] = self._deaths.get(task, 0) + 1
            if deaths >= MAX_WORKER_DEATHS:
                name = self._describe(task)
                raise ArenaError(f"the worker died {deaths} times in {name}: {_last_line(error)}") from None
            self._resubmitted.append((task, arguments))
        return []

    def close(self) -> None:
        """Cancel the tasks in progress and disconnect."""
        for ref in self._in_progress:
            self._ray.cancel(ref, force=True)
        self._in_progress.clear()
        if self._has_connected:
            self._ray.shutdown()


class RayWorkers:
    """Workers for the tasks of a tournament on a cluster."""

    def __init__(self, plan: Plan, size: int | None = None) -> None:
        self._plan = json.dumps(plan.to_data())
        self._tasks = RayTasks[Key](_play_task, lambda key: f"playthrough {tuple(key)}", size)

    @property
    def free(self) -> int:
        """The number of tasks that can be submitted now."""
        return self._tasks.free

    def submit(self, task: ArenaTask) -> None:
        self._tasks.submit(task.key, self._plan, list(task.key), task.x, task.o)

    def collect(self) -> list[Result]:
        """Wait for ``POLL_SECONDS`` at most and return the new results."""
        return [Result.from_data(json.loads(text)) for _, text in self._tasks.collect()]

    def close(self) -> None:
        """Cancel the tasks in progress and disconnect."""
        self._tasks.close()


def import_ray() -> Any:
    """Return the module ``ray``; raises ArenaError if it is not installed."""
    try:
        import ray
    except ImportError:
        raise ArenaError(
            "--on ray needs Ray, which is not installed; install it with pip install 'noughts[ray]'"
        ) from None
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


def _last_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[-1] if lines else type(error).__name__


def _play_task(plan: str, key: list[int], x: int, o: int) -> str:
    """Play one task on a worker of the cluster; all its bots have ended when it returns."""
    worker = Worker(Plan.from_data(json.loads(plan)))
    try:
        return json.dumps(worker.play(ArenaTask(Key(*key), x, o)).to_data())
    finally:
        worker.close()
