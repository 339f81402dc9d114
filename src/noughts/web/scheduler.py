"""Who thinks next: a few worker threads shared fairly among the clients.

Clients take turns, whatever the length of their queues. A job that can be divided (an analysis) is asked to end after
a second when somebody else waits, and comes back at the end of the queue. Jobs that cannot be divided and take long
(a review, a proof) never occupy the last worker, so that moves and hints always get through, and on a network no
client has all of them at once.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from noughts.engine import Engine
from noughts.store import Store
from noughts.web.delivery import Answer, deliver, tried
from noughts.web.errors import ShuttingDown, TooLong, TooMany
from noughts.web.limits import Buckets

__all__ = ["Gone", "Scheduler", "Task"]

T = TypeVar("T")
TURN = 1.0
"""Seconds a divisible job keeps its worker while others wait."""
TICK = 0.05
MOST_WAITING = 1000
HASH_MB = 32
SLACK = 10.0
"""Seconds by which work may exceed its time, since the machine may be busy."""
NICENESS = 5
"""Workers give way to the thread that answers: a move is confirmed at once however hard they think."""


class Gone(Exception):
    """Nobody waits for the answer any more."""


class Task:
    """A job as the one who does it sees it: an engine, and whether to stop."""

    def __init__(self, client: str, is_long: bool, is_divisible: bool, seconds: float) -> None:
        self.client, self.is_long, self.is_divisible, self.seconds = client, is_long, is_divisible, seconds
        self.began: float | None = None
        self.is_gone = False
        """Nobody waits for the answer."""
        self.was_divided = False
        """It was asked to make room for others."""
        self.is_stopped = False
        """Whoever asked wants what there is by now."""
        self.ahead = 0
        """How many had to be waited for when it was queued."""
        self._worker: _Worker | None = None

    @property
    def goes_on(self) -> bool:
        """Whether there is still a reason to think."""
        return not (self.is_gone or self.was_divided or self.is_stopped)

    @property
    def engine(self) -> Engine:
        """The worker's engine."""
        assert self._worker is not None
        if self._worker.engine is None:
            self._worker.engine = Engine(hash_mb=HASH_MB)
        return self._worker.engine

    @property
    def store(self) -> Store:
        """The worker's own way to what is kept; raises StoreError."""
        assert self._worker is not None
        if self._worker.store is None:
            self._worker.store = Store(self._worker.path)
        return self._worker.store

    def check(self, *_: object) -> None:
        """Raise Gone when nobody waits; a progress callback for work that has no other way to end."""
        if not self.goes_on:
            raise Gone

    def interrupt(self) -> None:
        """End a running search soon; called with the scheduler's lock, or it might hit the worker's next job."""
        worker = self._worker
        if worker is not None and worker.engine is not None:
            worker.engine.stop()


class _Worker:
    """What a thread keeps from job to job; many threads never need an engine or the store."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.engine: Engine | None = None
        self.store: Store | None = None


class _Job:
    def __init__(self, task: Task, work: Callable[[Task], Any], loop: asyncio.AbstractEventLoop) -> None:
        self.task, self.work, self.loop = task, work, loop
        self.answer: asyncio.Future[Any] = loop.create_future()

    def deliver(self, result: Any, error: BaseException | None) -> None:
        deliver(self.loop, [Answer(self.answer, result, error)])


class Scheduler:
    """A few workers, a queue for each client, and turns."""

    def __init__(
        self,
        workers: int = 2,
        waiting: int = 6,
        seconds: tuple[float, float] = (7200, 2),
        turn: float = TURN,
        name: str = "noughts-worker",
        niceness: int = NICENESS,
        left: int = 0,
        store: Path | None = None,
    ) -> None:
        self._store = store
        self._most_per_client, self._turn, self._niceness = waiting, turn, niceness
        self._longest = max(1, workers - 1)
        self._most_at_once = max(1, workers - left)
        self._spent = Buckets(seconds)
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
        is_divisible: bool = False,
        told: Callable[[Task], object] | None = None,
        seconds: float = 0.0,
    ) -> T:
        """Return what the work returns once its turn has come; raises TooMany, TooLong, or what the work raises.

        ``told`` gets the task when it is queued. When the caller is cancelled, the work is dropped or interrupted.
        Work that takes longer than ``seconds`` and some slack is answered with TooLong, even if its thread still runs.
        """
        job = _Job(Task(client, is_long, is_divisible, seconds + SLACK), work, asyncio.get_running_loop())
        self._enqueue(job)
        if told is not None:
            told(job.task)
        try:
            result: T = await job.answer
        except asyncio.CancelledError:
            self._forget(job)
            raise
        return result

    def _enqueue(self, job: _Job) -> None:
        with self._change:
            queue = self._queues.get(job.task.client, ())
            waiting = sum(map(len, self._queues.values()))
            wait = self._spent.of(job.task.client).take(0.0)
            if self._is_closed:
                raise ShuttingDown
            if wait:
                raise TooMany("expected less engine time from one address; wait a little", wait)
            if len(queue) >= self._most_per_client or waiting >= MOST_WAITING:
                raise TooMany("expected fewer questions at a time; wait for the answers")
            job.task.ahead = waiting + max(0, len(self._running) + 1 - len(self._threads))
            self._queues.setdefault(job.task.client, deque()).append(job)
            self._change.notify_all()

    def _forget(self, job: _Job) -> None:
        with self._change:
            job.task.is_gone = True
            queue = self._queues.get(job.task.client)
            if queue and job in queue:
                queue.remove(job)
                if not queue:
                    del self._queues[job.task.client]
            job.task.interrupt()

    def stop(self, task: Task) -> None:
        """Ask for what there is by now."""
        with self._change:
            task.is_stopped = True
            task.interrupt()
            self._change.notify_all()

    def close(self) -> None:
        """Interrupt everything and end the workers."""
        with self._change:
            self._is_closed = True
            dropped = [*self._running, *(job for queue in self._queues.values() for job in queue)]
            self._queues.clear()
            for job in self._running:
                job.task.is_gone = True
                job.task.interrupt()
            self._change.notify_all()
        for job in dropped:
            job.deliver(None, ShuttingDown())  # at once: some work cannot be interrupted, and would be waited for

    def join(self, seconds: float) -> bool:
        """Wait for the workers to end; return whether all have."""
        ends = time.monotonic() + seconds
        threads = (*self._threads, self._supervisor)
        for thread in threads:
            thread.join(max(0.0, ends - time.monotonic()))
        return not any(thread.is_alive() for thread in threads)

    # In the threads

    def _work(self) -> None:
        _give_way(self._niceness)
        worker = _Worker(self._store)
        while (job := self._next(worker)) is not None:
            self._do(job)
        if worker.store is not None:
            worker.store.close()

    def _do(self, job: _Job) -> None:
        began = time.monotonic()
        result, error = tried(partial(job.work, job.task))
        with self._change:
            self._running.remove(job)
            job.task._worker = None
            self._spent.of(job.task.client).spend(time.monotonic() - began)
            self._change.notify_all()
        job.deliver(result, error)

    def _next(self, worker: _Worker) -> _Job | None:
        with self._change:
            while True:
                if self._is_closed:
                    return None
                job = self._chosen()
                if job is not None:
                    job.task.began, job.task._worker = time.monotonic(), worker
                    self._running.append(job)
                    return job
                self._change.wait()

    def _chosen(self) -> _Job | None:
        """The first job of the first client in line that may run now; the client then goes to the end of the line."""
        may_be_long = sum(job.task.is_long for job in self._running) < self._longest
        held = Counter(job.task.client for job in self._running)
        for client, queue in self._queues.items():
            if held[client] >= self._most_at_once:
                continue
            job = next((job for job in queue if may_be_long or not job.task.is_long), None)
            if job is not None:
                queue.remove(job)
                del self._queues[client]
                if queue:
                    self._queues[client] = queue
                return job
        return None

    def _supervise(self) -> None:
        """Divide long analyses while others wait. Interrupts are repeated: one that comes early is lost."""
        with self._change:
            while not self._is_closed:
                self._refuse_late()
                if not self._queues and not any(not job.task.goes_on for job in self._running):
                    self._change.wait(1.0)
                    continue
                for job in self._running:
                    if self._queues and self._has_had_its_turn(job):
                        job.task.was_divided = True
                    if not job.task.goes_on:
                        job.task.interrupt()
                self._change.wait(TICK)

    def _refuse_late(self) -> None:
        """Answer those whose work takes too long, and interrupt it."""
        for job in self._running:
            began, now = job.task.began, time.monotonic()
            if not job.task.is_gone and began is not None and now - began > job.task.seconds:
                job.task.is_gone = True
                job.deliver(None, TooLong())

    def _has_had_its_turn(self, job: _Job) -> bool:
        began = job.task.began
        return job.task.is_divisible and began is not None and time.monotonic() - began > self._turn


def _give_way(niceness: int) -> None:
    with suppress(AttributeError, OSError):  # threads have a priority of their own on Linux only
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
