"""Jobs in the engine pool."""

from __future__ import annotations

import time
from collections.abc import Callable

from pydantic import BaseModel

from noughts.web.questions import Answer, Job, Report
from noughts.web.workers import Task, WorkerPool

__all__ = ["run_job"]


def ignore(_: BaseModel) -> None:
    """Ignore a progress report."""


async def run_job(
    pool: WorkerPool,
    client: str,
    job: Job[Answer],
    report: Report = ignore,
    on_queued: Callable[[Task], object] | None = None,
) -> Answer:
    """Return the answer of a job, which is queued again after each preemption; raises as ``WorkerPool.run`` does."""
    deadline = time.monotonic() + job.seconds
    tasks: list[Task] = []

    def note_task(task: Task) -> None:
        tasks.append(task)
        if on_queued is not None:
            on_queued(task)

    while True:
        answer = await pool.run(
            client, lambda task: job.work(task, report), job.is_long, job.is_preemptible, note_task, job.seconds
        )
        task = tasks.pop()
        if not task.was_preempted or task.is_stopped or time.monotonic() >= deadline:
            return answer
