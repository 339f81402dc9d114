"""A tournament on a Ray cluster: the same tasks, played by whichever machine has a core free.

Workers return results to this process, which keeps them; a worker or a machine that dies loses nothing but the
playthroughs it was at, and they are given out again.
"""

from __future__ import annotations

import json
import signal
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import monotonic
from typing import Any

from noughts.arena.plan import Plan
from noughts.arena.records import Played
from noughts.arena.runner import TICK, ArenaError
from noughts.arena.schedule import Key, Task

__all__ = ["RayCrew", "check_ray"]

DEATHS = 10
"""How often the worker of one playthrough may die before it is our fault."""
AHEAD = 2
"""Tasks given out for each core, so that none waits for the next."""
LOOK_AGAIN = 5.0
"""Seconds between two looks at how many cores there are."""


class RayCrew:
    """Workers on the cluster of ``RAY_ADDRESS``, of ``ray start`` on this machine, or of this machine alone."""

    def __init__(self, plan: Plan, size: int | None = None) -> None:
        self._ray = check_ray()
        self._plan = json.dumps(plan.to_data())
        self._size = size
        self._under_way: dict[Any, Task] = {}
        self._again: deque[Task] = deque()
        self._deaths: dict[Key, int] = {}
        self._cores, self._looked = 1, -LOOK_AGAIN
        self._is_ours = not self._ray.is_initialized()
        if self._is_ours:
            self._connect()
        # No retries by Ray: it would count a machine that was switched off as a failure of the task.
        self._play = self._ray.remote(num_cpus=1, max_retries=0)(play_there)

    def _connect(self) -> None:
        try:
            with _interrupted_later():
                self._ray.init(logging_level="ERROR", log_to_driver=False)
        except KeyboardInterrupt:
            self._ray.shutdown()
            raise
        except (ConnectionError, RuntimeError, ValueError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ArenaError(f"expected a Ray cluster that can be reached, got {reason}") from None

    @property
    def free(self) -> int:
        """How many more tasks the cluster would take."""
        if monotonic() - self._looked > LOOK_AGAIN:
            self._looked = monotonic()
            self._cores = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        most = self._size or AHEAD * self._cores
        return max(0, most - len(self._under_way) - len(self._again))

    def submit(self, task: Task) -> None:
        """Hand it to the cluster."""
        self._under_way[self._play.remote(self._plan, list(task.key), task.x, task.o)] = task

    def collect(self) -> list[Played]:
        """Return what has been finished within a moment; what died is handed out again."""
        while self._again:
            self.submit(self._again.popleft())
        refs = list(self._under_way)
        ready, _ = self._ray.wait(refs, num_returns=1, timeout=TICK)
        if ready:
            ready, _ = self._ray.wait(refs, num_returns=len(refs), timeout=0)
        found = (self._result(ref) for ref in ready)
        return [played for played in found if played is not None]

    def _result(self, ref: Any) -> Played | None:
        task = self._under_way.pop(ref)
        errors = self._ray.exceptions
        try:
            return Played.from_data(json.loads(self._ray.get(ref)))
        except errors.RayTaskError as error:
            raise ArenaError(f"a worker of the cluster failed: {_last_line(error)}") from None
        except errors.RayError as error:
            self._give_out_again(task, error)
        return None

    def _give_out_again(self, task: Task, error: Exception) -> None:
        deaths = self._deaths[task.key] = self._deaths.get(task.key, 0) + 1
        if deaths >= DEATHS:
            raise ArenaError(f"the worker died {deaths} times in playthrough {task.key}: {_last_line(error)}")
        self._again.append(task)

    def close(self) -> None:
        """Stop what is still under way and let go of the cluster."""
        for ref in self._under_way:
            self._ray.cancel(ref, force=True)
        self._under_way.clear()
        if self._is_ours:
            self._ray.shutdown()


def check_ray() -> Any:
    """Return the module of Ray; raises ArenaError where it is not installed."""
    try:
        import ray
    except ImportError:
        raise ArenaError("--on ray needs Ray, which is not installed: pip install 'noughts[ray]' brings it") from None
    return ray


@contextmanager
def _interrupted_later() -> Iterator[None]:
    """Hold Ctrl-C back until the block is done: half a connection to a cluster crashes on the way out."""
    caught: list[int] = []
    is_heard = current_thread() is main_thread() and signal.getsignal(signal.SIGINT) != signal.SIG_IGN
    before = signal.signal(signal.SIGINT, lambda number, _: caught.append(number)) if is_heard else None
    try:
        yield
    finally:
        if is_heard:
            signal.signal(signal.SIGINT, before)
    if caught:
        raise KeyboardInterrupt


def _last_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[-1] if lines else type(error).__name__


def play_there(plan: str, key: list[int], x: int, o: int) -> str:
    """Play one task on a worker of the cluster. Nothing stays behind: its bots are ended before it returns."""
    from noughts.arena.match import Table

    table = Table(Plan.from_data(json.loads(plan)))
    try:
        return json.dumps(table.play(Task(Key(*key), x, o)).to_data())
    finally:
        table.close()
