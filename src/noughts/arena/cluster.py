"""The tasks of a tournament on a Ray cluster, see ``noughts.process.tasks``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from noughts.arena.plan import Plan
from noughts.arena.runner import ArenaError
from noughts.arena.schedule import Key, ScheduledGame
from noughts.arena.tournaments import Result
from noughts.arena.worker import Worker
from noughts.process.tasks import RayTasks, TaskError

__all__ = ["RayWorkers"]


class RayWorkers:
    """Workers for the tasks of a tournament on a cluster."""

    def __init__(self, plan: Plan, size: int | None = None) -> None:
        self._plan = json.dumps(plan.to_data())
        with _arena_errors():
            self._tasks = RayTasks[Key](_play_task, lambda key: f"playthrough {tuple(key)}", size)

    @property
    def free(self) -> int:
        """The number of tasks that can be submitted now."""
        return self._tasks.free

    def submit(self, task: ScheduledGame) -> None:
        self._tasks.submit(task.key, self._plan, list(task.key), task.x, task.o)

    def collect(self) -> list[Result]:
        """Wait for a moment at most and return the new results."""
        with _arena_errors():
            return [Result.from_data(json.loads(text)) for _, text in self._tasks.collect()]

    def close(self) -> None:
        """Cancel the tasks in progress and disconnect."""
        self._tasks.close()


@contextmanager
def _arena_errors() -> Iterator[None]:
    try:
        yield
    except TaskError as error:
        raise ArenaError(str(error)) from None


def _play_task(plan: str, key: list[int], x: int, o: int) -> str:
    """Play one task on a worker of the cluster; all its bots have ended when it returns."""
    worker = Worker(Plan.from_data(json.loads(plan)))
    try:
        return json.dumps(worker.play(ScheduledGame(Key(*key), x, o)).to_data())
    finally:
        worker.close()
