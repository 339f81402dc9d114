"""Questions in a pool of engines, in turns if they are preempted."""

from __future__ import annotations

import time
from collections.abc import Callable

from noughts.ask.question import MIN_TURN_SECONDS, AnyJob, AnyQuestion, ignore
from noughts.schema import encode
from noughts.web.engine_process import Ask, EngineProcess
from noughts.web.workers import Task, W, WorkerPool

__all__ = ["run_in_turns", "run_question"]


async def run_question(
    pool: WorkerPool[EngineProcess],
    client: str,
    question: AnyQuestion,
    request: object,
    job: AnyJob,
    report: Callable[[str], object],
    on_queued: Callable[[Task[EngineProcess]], object],
) -> str:
    """Return the answer to a question as JSON; ``job`` says how long it may take. Raises as ``WorkerPool.run`` does.

    ``report`` is called with progress as JSON, in the thread of a worker.
    """
    key = Ask.new_key()

    def work(task: Task[EngineProcess], seconds: float, so_far: str | None) -> str:
        ask = Ask(key, question.name, encode(request), seconds, so_far)
        return task.worker.ask(task, ask, report)

    return await run_in_turns(pool, client, job, work, on_queued)


async def run_in_turns(
    pool: WorkerPool[W],
    client: str,
    job: AnyJob,
    work: Callable[[Task[W], float, str | None], str],
    on_queued: Callable[[Task[W]], object] = ignore,
) -> str:
    """Return the answer of some work, which is queued again after each preemption.

    The work is given the time that is left, and the answer of its last turn.
    """
    assert job.seconds is not None
    deadline = time.monotonic() + job.seconds
    tasks: list[Task[W]] = []
    answer: str | None = None

    def note_task(task: Task[W]) -> None:
        tasks.append(task)
        on_queued(task)

    def turn(task: Task[W]) -> str:
        return work(task, max(MIN_TURN_SECONDS, deadline - time.monotonic()), answer)

    while True:
        answer = await pool.run(client, turn, job.is_long, job.is_preemptible, note_task, job.seconds)
        task = tasks.pop()
        if not task.was_preempted or task.is_stopped or time.monotonic() >= deadline:
            return answer
