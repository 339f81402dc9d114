"""Threads beside the event loop: pools of workers shared fairly among the clients, and one thread for the store.

Clients take turns, regardless of the length of their queues. A preemptible job (an analysis) is asked to stop after
a second when others wait, and is then queued again. Long jobs that cannot be preempted (a review, a proof) never
occupy the last worker, so that moves and hints always get through; on a network no client holds all workers.
"""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from noughts.engine import Engine
from noughts.store import Store
from noughts.store.database import store_errors
from noughts.study.advice import ENGINE_MB, Advisor
from noughts.web.limits import Rate, TokenBuckets
from noughts.web.refusals import Reason, ServerClosing, TookTooLong, TooManyRequests

__all__ = ["Abandoned", "PoolLoad", "StoreThread", "Task", "WorkerPool"]

T = TypeVar("T")
TURN_SECONDS = 1.0
"""Time a preemptible job keeps its worker while others wait."""
TICK_SECONDS = 0.05
MAX_WAITING_JOBS = 1000
SLACK_SECONDS = 10.0
"""Time by which a job may exceed its own estimate, since the machine may be busy."""
STUCK_SECONDS = 30.0
"""Time after which a worker whose job was refused as late counts as lost."""
NICENESS = 5
"""Workers run at a lower priority than the event loop, which must confirm a move at once."""
DEFAULT_RATE = Rate(7200, 2)
"""Seconds of work granted to a client."""
MAX_BATCH = 1000
"""Writes committed together."""


# Thread bridge


class Outcome(NamedTuple):
    """Result or error of work done in another thread, and the future that waits for it."""

    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None

    def resolve(self) -> None:
        """Resolve the future unless it was cancelled; must be called in the thread of its loop."""
        if self.future.done():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


def resolve_in_loop(loop: asyncio.AbstractEventLoop, outcomes: list[Outcome]) -> None:
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


class Abandoned(Exception):
    """The client no longer waits for the answer."""


class Task:
    """A job from the worker's point of view: engine, store and advisor, and whether to stop."""

    def __init__(self, client: str, is_long: bool, is_preemptible: bool, seconds: float) -> None:
        self.client, self.is_long, self.is_preemptible, self.seconds = client, is_long, is_preemptible, seconds
        self.started: float | None = None
        self.is_abandoned = False
        """The client no longer waits for the answer."""
        self.was_preempted = False
        """The job was asked to make room for others."""
        self.is_stopped = False
        """The client wants the result found so far."""
        self.ahead = 0
        """Number of jobs ahead of this one when it was queued."""
        self._worker: _Worker | None = None

    @property
    def should_continue(self) -> bool:
        """Whether there is still a reason to work on the job."""
        return not (self.is_abandoned or self.was_preempted or self.is_stopped)

    @property
    def engine(self) -> Engine:
        """The worker's engine."""
        assert self._worker is not None
        if self._worker.engine is None:
            self._worker.engine = self._make_engine()
        return self._worker.engine

    def _make_engine(self) -> Engine:
        """Return a new engine with the settings of the server."""
        assert self._worker is not None
        return Engine(hash_mb=ENGINE_MB, book=self._worker.book)

    @property
    def store(self) -> Store:
        """The worker's connection to the store; raises StoreError."""
        assert self._worker is not None
        if self._worker.store is None:
            self._worker.store = Store(self._worker.store_path)
        return self._worker.store

    @property
    def advisor(self) -> Advisor:
        """The worker's advisor, with its engine and its store; raises StoreError."""
        assert self._worker is not None
        if self._worker.advisor is None:
            self._worker.advisor = Advisor(self.engine, self.store, _log_warning)
        return self._worker.advisor

    def make_advisor(self) -> Advisor:
        """Return an advisor with an engine of its own, and the worker's store; raises StoreError."""
        return Advisor(self._make_engine(), self.store, _log_warning)

    def check(self, *_: object) -> None:
        """Raise Abandoned if the job should stop: a progress callback for work that cannot be interrupted."""
        if not self.should_continue:
            raise Abandoned

    def interrupt(self) -> None:
        """Stop a running search. Must be called with the pool's lock held, or the worker's next job might be hit."""
        worker = self._worker
        running = None if worker is None else worker.advisor or worker.engine
        if running is not None:
            running.stop()


def _log_warning(text: str) -> None:
    """Log a failure that does not cost the answer."""
    logging.getLogger(__name__).warning("%s", text)


class _Worker:
    """State that a thread keeps between jobs; its parts are opened when first needed."""

    def __init__(self, store_path: Path | None, book: bool) -> None:
        self.store_path = store_path
        self.book = book
        self.engine: Engine | None = None
        self.store: Store | None = None
        self.advisor: Advisor | None = None


class _Job:
    def __init__(self, task: Task, work: Callable[[Task], Any], loop: asyncio.AbstractEventLoop) -> None:
        self.task, self.work, self.loop = task, work, loop
        self.future: asyncio.Future[Any] = loop.create_future()

    def resolve(self, result: Any, error: BaseException | None) -> None:
        resolve_in_loop(self.loop, [Outcome(self.future, result, error)])


class PoolLoad(NamedTuple):
    """Workers of a pool, those that are busy, and jobs that wait for one."""

    workers: int
    busy: int
    waiting: int


class WorkerPool:
    """A few worker threads and a queue for each client.

    ``reserved`` workers are never held by a single client; ``rate`` limits the seconds of work of each client.
    """

    def __init__(
        self,
        workers: int = 2,
        waiting: int = 6,
        rate: Rate = DEFAULT_RATE,
        turn_seconds: float = TURN_SECONDS,
        name: str = "noughts-worker",
        niceness: int = NICENESS,
        reserved: int = 0,
        store: Path | None = None,
        book: bool = True,
    ) -> None:
        self._store = store
        self._book = book
        self._max_waiting, self._turn_seconds, self._niceness = waiting, turn_seconds, niceness
        self._max_long = max(1, workers - 1)
        self._max_running = max(1, workers - reserved)
        self._used = TokenBuckets(rate)
        self._change = threading.Condition()
        self._queues: dict[str, deque[_Job]] = {}
        self._running: list[_Job] = []
        self._is_closed = False
        self._threads = [
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True) for number in range(workers)
        ]
        self._supervisor = threading.Thread(target=self._supervise, name=f"{name}-supervisor", daemon=True)
        for thread in (*self._threads, self._supervisor):
            thread.start()

    async def run(
        self,
        client: str,
        work: Callable[[Task], T],
        is_long: bool = False,
        is_preemptible: bool = False,
        on_queued: Callable[[Task], object] | None = None,
        seconds: float = 0.0,
    ) -> T:
        """Return the result of the work when its turn has come; raises TooManyRequests, or what the work raises.

        ``on_queued`` receives the task. If the caller is cancelled, the work is dropped or interrupted. Work that
        takes longer than ``seconds`` and some slack raises TookTooLong here, even if its thread is still running.
        """
        job = _Job(Task(client, is_long, is_preemptible, seconds + SLACK_SECONDS), work, asyncio.get_running_loop())
        self._enqueue(job)
        if on_queued is not None:
            on_queued(job.task)
        try:
            result: T = await job.future
        except asyncio.CancelledError:
            self._abandon(job)
            raise
        return result

    def _enqueue(self, job: _Job) -> None:
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

    def _abandon(self, job: _Job) -> None:
        with self._change:
            job.task.is_abandoned = True
            jobs = self._queues.get(job.task.client)
            if jobs and job in jobs:
                jobs.remove(job)
                if not jobs:
                    del self._queues[job.task.client]
            job.task.interrupt()

    def stop(self, task: Task) -> None:
        """Ask a job for the result found so far."""
        with self._change:
            task.is_stopped = True
            task.interrupt()
            self._change.notify_all()

    def close(self) -> None:
        """Interrupt all jobs and stop the workers."""
        with self._change:
            self._is_closed = True
            dropped = [*self._running, *(job for jobs in self._queues.values() for job in jobs)]
            self._queues.clear()
            for job in self._running:
                job.task.is_abandoned = True
                job.task.interrupt()
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
            stuck = sum(_is_stuck(job.task) for job in self._running)
            return not self._is_closed and sum(thread.is_alive() for thread in self._threads) > stuck

    def join(self, seconds: float) -> bool:
        """Wait for the workers to stop; return whether all have."""
        deadline = time.monotonic() + seconds
        threads = (*self._threads, self._supervisor)
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in threads)

    # In the threads

    def _work(self) -> None:
        _lower_priority(self._niceness)
        worker = _Worker(self._store, self._book)
        while (job := self._next_job(worker)) is not None:
            self._run_job(job)
        if worker.store is not None:
            worker.store.close()

    def _run_job(self, job: _Job) -> None:
        started = time.monotonic()
        result, error = capture(partial(job.work, job.task))
        with self._change:
            self._running.remove(job)
            job.task._worker = None
            self._used.of(job.task.client).spend(time.monotonic() - started)
            self._change.notify_all()
        job.resolve(result, error)

    def _next_job(self, worker: _Worker) -> _Job | None:
        with self._change:
            while True:
                if self._is_closed:
                    return None
                job = self._pick()
                if job is not None:
                    job.task.started, job.task._worker = time.monotonic(), worker
                    self._running.append(job)
                    return job
                self._change.wait()

    def _pick(self) -> _Job | None:
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

    def _supervise(self) -> None:
        """Preempt jobs while others wait. Interrupts are repeated, since one that comes too early is lost."""
        with self._change:
            while not self._is_closed:
                self._refuse_late_jobs()
                if not self._queues and all(job.task.should_continue for job in self._running):
                    self._change.wait(1.0)
                    continue
                for job in self._running:
                    if self._queues and self._has_had_its_turn(job):
                        job.task.was_preempted = True
                    if not job.task.should_continue:
                        job.task.interrupt()
                self._change.wait(TICK_SECONDS)

    def _refuse_late_jobs(self) -> None:
        for job in self._running:
            started, now = job.task.started, time.monotonic()
            if not job.task.is_abandoned and started is not None and now - started > job.task.seconds:
                job.task.is_abandoned = True
                job.resolve(None, TookTooLong())

    def _has_had_its_turn(self, job: _Job) -> bool:
        started = job.task.started
        return job.task.is_preemptible and started is not None and time.monotonic() - started > self._turn_seconds


def _is_stuck(task: Task) -> bool:
    """Return whether a job has been refused as late, and still runs long after that."""
    started = task.started
    return started is not None and time.monotonic() - started > task.seconds + STUCK_SECONDS


def _lower_priority(niceness: int) -> None:
    if sys.platform != "linux":  # only Linux has priorities per thread
        return
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)


# The store


@dataclass
class _StoreJob:
    work: Callable[[Any], Any]
    is_write: bool
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]


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

    async def _submit(self, work: Callable[[Any], T], is_write: bool) -> T:
        loop = asyncio.get_running_loop()
        job = _StoreJob(work, is_write, loop, loop.create_future())
        self._jobs.put(job)
        result: T = await job.future
        return result

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
            resolve_in_loop(job.loop, [Outcome(job.future, *capture(partial(_read, job.work, store)))])
        self._commit(store, writes)
        return True

    def _commit(self, store: Store, writes: list[_StoreJob]) -> None:
        """Write all jobs in one transaction; if one of them fails, each in its own."""
        if not writes:
            return
        _, error = capture(lambda: _write(store, [job.work for job in writes]))
        if error is None or len(writes) == 1:
            resolve_in_loop(writes[0].loop, [Outcome(job.future, None, error) for job in writes])
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
