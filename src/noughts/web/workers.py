"""Threads beside the event loop: pools of workers shared fairly among the clients, and one thread for the store.

Clients take turns, regardless of the length of their queues. A preemptible job (an analysis) is asked to stop after
a second when others wait, and is then queued again. Long jobs that cannot be preempted (a review, a proof) never
occupy the last worker, so that moves and hints always get through; on a network no client holds all workers.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

from noughts.ask.question import ignore
from noughts.store import Store
from noughts.store.database import store_errors
from noughts.web.errors import Abandoned, Reason, ServerClosing, TookTooLong, TooManyRequests
from noughts.web.limits import Rate, TokenBuckets

__all__ = ["AnyTask", "PoolLoad", "PoolWorker", "StoreThread", "Task", "ThreadWorker", "WorkerPool"]

T = TypeVar("T")
W = TypeVar("W", bound="PoolWorker")
TURN_SECONDS = 1.0
"""Time a preemptible job keeps its worker while others wait."""
TICK_SECONDS = 0.05
MAX_WAITING_JOBS = 1000
SLACK_SECONDS = 10.0
"""Time by which a job may exceed its deadline while it waits for a processor, since the machine may be busy."""
STUCK_SECONDS = 30.0
"""Time after which a thread whose job was refused as late counts as lost."""
DEFAULT_RATE = Rate(7200, 2)
"""Seconds of work granted to a client."""
MAX_BATCH = 1000
"""Writes committed together."""


# Thread bridge


class JobResult(NamedTuple):
    """Result or error of work done in another thread, and the future that waits for it."""

    future: asyncio.Future[object]
    result: object = None
    error: BaseException | None = None

    def resolve(self) -> None:
        """Resolve the future unless it was cancelled; must be called in the thread of its loop."""
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


def resolve_in_loop(loop: asyncio.AbstractEventLoop, outcomes: list[JobResult]) -> None:
    """Resolve futures from another thread, all in one callback."""

    def resolve() -> None:
        for outcome in outcomes:
            outcome.resolve()

    with suppress(RuntimeError):  # the loop is closed: the server has stopped
        loop.call_soon_threadsafe(resolve)


def capture(work: Callable[[], T]) -> tuple[T | None, BaseException | None]:
    """Return the result of work, or the exception that it raised."""
    try:
        return work(), None
    except BaseException as error:
        return None, error


# Pools


class PoolWorker(Protocol):
    """The part of a worker that does the jobs of its thread, one after another."""

    grace_seconds: float
    """Time between the deadline of a job and its end by force."""

    @property
    def is_started(self) -> bool:
        """Whether it can begin a job at once."""

    @property
    def is_working(self) -> bool:
        """Whether it can do jobs at all."""

    def start(self) -> None:
        """Get ready for jobs, in the thread of the worker; must not wait for long."""

    def interrupt(self, task: AnyTask) -> None:
        """Ask the running job to stop, for the reason that the task has; called by other threads, must not wait."""

    def seconds_delayed(self) -> float:
        """Return the time for which the machine was too busy to do the running job."""

    def kill(self) -> bool:
        """End the running job by force, by another thread; return False if that is impossible."""

    def close(self) -> None:
        """Free everything, in the thread of the worker."""


class ThreadWorker:
    """Does jobs in the thread itself: they can be asked to stop, but not be ended by force."""

    is_started = is_working = True

    def __init__(self, grace_seconds: float = SLACK_SECONDS) -> None:
        self.grace_seconds = grace_seconds

    def start(self) -> None:
        """Do nothing: the thread is there."""

    def interrupt(self, task: AnyTask) -> None:
        """Do nothing: jobs look at their task."""

    def seconds_delayed(self) -> float:
        return 0.0

    def kill(self) -> bool:
        return False

    def close(self) -> None:
        """Do nothing."""


class Task(Generic[W]):
    """A job from the worker's point of view: the worker that does it, and whether to stop."""

    def __init__(
        self, lock: threading.Condition, client: str, is_long: bool, is_preemptible: bool, seconds: float
    ) -> None:
        self._lock, self.client, self.is_long, self.is_preemptible = lock, client, is_long, is_preemptible
        self._seconds = self._allowed = seconds
        self.started: float | None = None
        self.is_abandoned = False
        """The client no longer waits for the answer."""
        self.was_preempted = False
        """The job was asked to make room for others."""
        self.is_stopped = False
        """The client wants the result found so far."""
        self.is_late = False
        """The job was asked to stop because its time was up."""
        self.was_killed = False
        """The job was refused, and ended by force if that is possible."""
        self.ahead = 0
        """Number of jobs ahead of this one when it was queued."""
        self._worker: W | None = None

    @property
    def should_continue(self) -> bool:
        """Whether there is still a reason to work on the job."""
        return not (self.is_abandoned or self.was_preempted or self.is_stopped or self.is_late)

    @property
    def worker(self) -> W:
        """The worker of the running job."""
        assert self._worker is not None
        return self._worker

    def begin(self, seconds: float | None = None) -> None:
        """Count the time of the job from now, or of its next part, for which there are ``seconds``."""
        self.started = time.monotonic()
        self._allowed = 0.0 if self.is_abandoned else self._seconds if seconds is None else seconds

    def abandon(self) -> None:
        """Note that the answer is no longer wanted: the job must stop now, as if its time were up."""
        self.is_abandoned = True
        self._allowed += min(0.0, self.seconds_late)

    @property
    def seconds_late(self) -> float:
        """Time since the deadline of the running job; negative before it."""
        return 0.0 if self.started is None else time.monotonic() - self.started - self._allowed

    def stop(self) -> None:
        """Ask for the result found so far."""
        with self._lock:
            self.is_stopped = True
            self.interrupt()

    def check(self, *_: object) -> None:
        """Raise Abandoned if the job should stop: a progress callback for work that cannot be interrupted."""
        if not self.should_continue:
            raise Abandoned

    def interrupt(self) -> None:
        """Ask a running job to stop. Must be called with the pool's lock held, or the next job might be hit."""
        if self._worker is not None:
            self._worker.interrupt(self)


AnyTask = Task[Any]


class _Job(Generic[W]):
    def __init__(self, task: Task[W], work: Callable[[Task[W]], object], loop: asyncio.AbstractEventLoop) -> None:
        self.task, self.work, self.loop = task, work, loop
        self.future: asyncio.Future[object] = loop.create_future()

    def resolve(self, result: object, error: BaseException | None) -> None:
        resolve_in_loop(self.loop, [JobResult(self.future, result, error)])


class PoolLoad(NamedTuple):
    """Workers of a pool, those that are busy, and jobs that wait for one."""

    workers: int
    busy: int
    waiting: int


class WorkerPool(Generic[W]):
    """A few workers, each with a thread, and a queue for each client.

    ``reserved`` workers are never held by a single client; ``used`` limits the seconds of work of each client, and may
    be shared by several pools.
    """

    def __init__(
        self,
        workers: list[W],
        waiting: int = 6,
        used: TokenBuckets | None = None,
        turn_seconds: float = TURN_SECONDS,
        name: str = "noughts-worker",
        reserved: int = 0,
    ) -> None:
        self._workers = workers
        self._max_waiting, self._turn_seconds = waiting, turn_seconds
        self._max_long = max(1, len(workers) - 1)
        self._max_running = max(1, len(workers) - reserved)
        self._used = used or TokenBuckets(DEFAULT_RATE)
        self._change = threading.Condition()
        self._queues: dict[str, deque[_Job[W]]] = {}
        self._running: list[_Job[W]] = []
        self._idle: list[W] = []
        self._to_start = 0
        self._is_closed = False
        self._threads = [
            threading.Thread(target=self._work, args=(worker,), name=f"{name}-{number}", daemon=True)
            for number, worker in enumerate(workers)
        ]
        self._supervisor = threading.Thread(target=self._supervise, name=f"{name}-supervisor", daemon=True)
        for thread in (*self._threads, self._supervisor):
            thread.start()

    @property
    def workers(self) -> list[W]:
        """The workers, busy or not."""
        return list(self._workers)

    def warm_up(self) -> None:
        """Start a worker soon if none is, so that the first job does not wait for it."""
        with self._change:
            if not any(worker.is_started for worker in self._workers):
                self._to_start = 1
                self._change.notify_all()

    async def run(
        self,
        client: str,
        work: Callable[[Task[W]], T],
        is_long: bool = False,
        is_preemptible: bool = False,
        on_queued: Callable[[Task[W]], object] = ignore,
        seconds: float = 0.0,
    ) -> T:
        """Return the result of the work when its turn has come; raises TooManyRequests, or what the work raises.

        ``on_queued`` receives the task. If the caller is cancelled, the work is dropped or interrupted. Work that
        takes longer than ``seconds`` and the grace of its worker raises TookTooLong, and is ended by force if possible.
        """
        job = _Job(Task[W](self._change, client, is_long, is_preemptible, seconds), work, asyncio.get_running_loop())
        self._enqueue(job)
        on_queued(job.task)
        try:
            result = await job.future
        except asyncio.CancelledError:
            self._abandon(job)
            raise
        return cast(T, result)

    def _enqueue(self, job: _Job[W]) -> None:
        with self._change:
            jobs = self._queues.get(job.task.client, ())
            waiting = sum(map(len, self._queues.values()))
            wait = self._used.of(job.task.client).take(0.0)
            if self._is_closed:
                raise ServerClosing
            if wait:
                raise TooManyRequests("your engine time is used up", wait, reason=Reason.ENGINE_TIME)
            if len(jobs) >= self._max_waiting or waiting >= MAX_WAITING_JOBS:
                raise TooManyRequests("too many requests at once", reason=Reason.QUEUE)
            job.task.ahead = waiting + max(0, len(self._running) + 1 - len(self._threads))
            self._queues.setdefault(job.task.client, deque()).append(job)
            self._change.notify_all()

    def _abandon(self, job: _Job[W]) -> None:
        with self._change:
            job.task.abandon()
            jobs = self._queues.get(job.task.client)
            if jobs and job in jobs:
                jobs.remove(job)
                if not jobs:
                    del self._queues[job.task.client]
            job.task.interrupt()
            self._change.notify_all()

    def close(self) -> None:
        """End all jobs, by force if possible, and stop the workers."""
        with self._change:
            self._is_closed = True
            dropped = [*self._running, *(job for jobs in self._queues.values() for job in jobs)]
            self._queues.clear()
            for job in self._running:
                job.task.abandon()
                job.task.interrupt()
                job.task.worker.kill()
            self._change.notify_all()
        for job in dropped:
            job.resolve(None, ServerClosing())  # now: some jobs cannot be interrupted

    @property
    def is_closed(self) -> bool:
        """Whether the pool is shutting down, or has."""
        return self._is_closed

    def load(self) -> PoolLoad:
        """Return how busy the workers are."""
        with self._change:
            waiting = sum(map(len, self._queues.values()))
            return PoolLoad(len(self._threads), len(self._running), waiting)

    def is_working(self) -> bool:
        """Return whether at least one worker can take jobs, now or when the present one ends in time."""
        with self._change:
            stuck = [job.task.worker for job in self._running if _is_stuck(job.task)]
            return not self._is_closed and any(
                thread.is_alive() and worker.is_working and worker not in stuck
                for thread, worker in zip(self._threads, self._workers, strict=True)
            )

    def join(self, seconds: float) -> bool:
        """Wait for the workers to stop; return whether all have."""
        deadline = time.monotonic() + seconds
        threads = (*self._threads, self._supervisor)
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in threads)

    # In the threads of the workers

    def _work(self, worker: W) -> None:
        while (job := self._next_job(worker)) is not None:
            self._run_job(job)
        worker.close()

    def _run_job(self, job: _Job[W]) -> None:
        started = time.monotonic()
        result, error = capture(partial(job.work, job.task))
        with self._change:
            self._running.remove(job)
            job.task._worker = None
            self._used.of(job.task.client).spend(time.monotonic() - started)
            self._change.notify_all()
        is_late = job.task.is_late and isinstance(error, Abandoned)
        job.resolve(result, TookTooLong() if is_late else error)

    def _next_job(self, worker: W) -> _Job[W] | None:
        """Wait for a job, and for requests to start; return None when the pool is closed."""
        while True:
            with self._change:
                self._idle.append(worker)
                while not (self._is_closed or self._to_start):
                    job = self._pick_for(worker)
                    if job is not None:
                        self._idle.remove(worker)
                        job.task._worker = worker
                        job.task.begin()
                        self._running.append(job)
                        return job
                    self._change.wait()
                self._idle.remove(worker)
                if self._is_closed:
                    return None
                self._to_start -= 1
            worker.start()

    def _pick_for(self, worker: W) -> _Job[W] | None:
        """Take a job for an idle worker; one that must be started first leaves it to those that need not."""
        if not worker.is_started and any(other.is_started for other in self._idle):
            return None
        return self._pick()

    def _pick(self) -> _Job[W] | None:
        """Take the first job that may run now from the first client in line, who then goes to the end of the line."""
        may_be_long = sum(job.task.is_long for job in self._running) < self._max_long
        running = Counter(job.task.client for job in self._running)
        for client, jobs in self._queues.items():
            if running[client] >= self._max_running:
                continue
            job = next((job for job in jobs if may_be_long or not job.task.is_long), None)
            if job is not None:
                jobs.remove(job)
                del self._queues[client]
                if jobs:
                    self._queues[client] = jobs
                return job
        return None

    # In the thread of the supervisor

    def _supervise(self) -> None:
        """Preempt jobs while others wait, and end those that are late."""
        with self._change:
            while not self._is_closed:
                for job in self._running:
                    if self._queues and self._has_had_its_turn(job):
                        job.task.was_preempted = True
                        job.task.interrupt()
                    self._end_if_late(job)
                self._change.wait(TICK_SECONDS if self._running else 1.0)

    def _end_if_late(self, job: _Job[W]) -> None:
        """Ask a job that is late to stop, and end it by force when it has had all of its grace."""
        task, worker = job.task, job.task.worker
        if task.seconds_late <= worker.grace_seconds / 2:
            return
        late = task.seconds_late
        net = late if late > SLACK_SECONDS else late - worker.seconds_delayed()
        if net > worker.grace_seconds / 2 and not task.is_late:
            task.is_late = True
            task.interrupt()
        if net > worker.grace_seconds and not task.was_killed:
            task.was_killed = True
            job.resolve(None, TookTooLong())
            worker.kill()

    def _has_had_its_turn(self, job: _Job[W]) -> bool:
        task = job.task
        is_due = task.started is not None and time.monotonic() - task.started > self._turn_seconds
        return task.is_preemptible and not task.was_preempted and is_due


def _is_stuck(task: AnyTask) -> bool:
    """Return whether a job has been refused as late, and still runs long after that."""
    return task.seconds_late > SLACK_SECONDS + STUCK_SECONDS


# The store


@dataclass
class _StoreJob:
    work: Callable[[Store], object]
    is_write: bool
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[object]


class StoreThread:
    """Runs work on the store in a thread of its own, in order; small writes that arrive together share a commit.

    Without the shared commits one disk could not keep up with two hundred games. Raises StoreError if the store
    cannot be opened.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._jobs: queue.SimpleQueue[_StoreJob | None] = queue.SimpleQueue()
        self._opened: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="noughts-store", daemon=True)
        self._thread.start()
        error = self._opened.get()
        if error is not None:
            raise error

    async def run(self, work: Callable[[Store], T]) -> T:
        """Return the result of the work, with everything it wrote on disk; raises what it raises, or StoreError."""
        return await self._submit(work, is_write=False)

    async def write(self, work: Callable[[Store], object]) -> None:
        """Return when everything the work wrote is on disk. It must not begin or end a transaction.

        Raises StoreError.
        """
        await self._submit(work, is_write=True)

    async def _submit(self, work: Callable[[Store], T], is_write: bool) -> T:
        loop = asyncio.get_running_loop()
        job = _StoreJob(work, is_write, loop, loop.create_future())
        self._jobs.put(job)
        return cast(T, await job.future)

    @property
    def waiting(self) -> int:
        """Number of jobs that wait for the thread."""
        return self._jobs.qsize()

    def close(self) -> None:
        """Finish the submitted work and close the store."""
        self._jobs.put(None)
        self._thread.join()

    # In the thread

    def _run(self) -> None:
        try:
            store = Store(self._path)
        except BaseException as error:
            self._opened.put(error)
            return
        self._opened.put(None)
        with store:
            while self._serve(store, self._next_batch()):
                pass

    def _next_batch(self) -> list[_StoreJob | None]:
        """Wait for a job, and take those that are already queued behind it."""
        jobs = [self._jobs.get()]
        with suppress(queue.Empty):
            while len(jobs) < MAX_BATCH and jobs[-1] is not None:
                jobs.append(self._jobs.get_nowait())
        return jobs

    def _serve(self, store: Store, jobs: list[_StoreJob | None]) -> bool:
        """Do the jobs, with consecutive writes in one transaction; return False when the thread should end."""
        writes: list[_StoreJob] = []
        for job in jobs:
            if job is not None and job.is_write:
                writes.append(job)
                continue
            self._commit(store, writes)
            writes = []
            if job is None:
                return False
            resolve_in_loop(job.loop, [JobResult(job.future, *capture(partial(_read, job.work, store)))])
        self._commit(store, writes)
        return True

    def _commit(self, store: Store, writes: list[_StoreJob]) -> None:
        """Write all jobs in one transaction; if one of them fails, each in its own."""
        if not writes:
            return
        _, error = capture(lambda: _write(store, [job.work for job in writes]))
        if error is None or len(writes) == 1:
            resolve_in_loop(writes[0].loop, [JobResult(job.future, None, error) for job in writes])
            return
        for job in writes:
            self._commit(store, [job])


def _read(work: Callable[[Store], T], store: Store) -> T:
    with store_errors(store.path):
        return work(store)


def _write(store: Store, works: list[Callable[[Store], object]]) -> None:
    with store.transaction():
        for work in works:
            work(store)
