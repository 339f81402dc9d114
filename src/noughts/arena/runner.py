"""Runs a tournament: hands tasks to workers, stores each result at once, and repeats the task of a worker that died."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from queue import Empty, SimpleQueue
from time import monotonic
from typing import IO, NamedTuple, Protocol

from noughts.arena.plan import Plan, Scoring
from noughts.arena.schedule import Key, Schedule, ScheduledGame, make_schedule
from noughts.arena.tournaments import Result, Tournaments
from noughts.process.tasks import POLL_SECONDS, TaskError
from noughts.process.worker import WorkerProcess

__all__ = ["ArenaError", "LocalWorkers", "Progress", "Run", "Watcher", "Workers"]

MAX_WORKER_DEATHS = 3
"""Workers that may die in the same playthrough before the tournament is given up."""


class ArenaError(TaskError):
    """The tournament cannot continue; its results so far are stored."""


class Watcher(Protocol):
    """Follows a tournament while it is played."""

    def begin(self, run: Run) -> None:
        """The tournament begins or is resumed."""

    def on_result(self, run: Run, result: Result) -> None:
        """A playthrough was finished and stored."""

    def tick(self, run: Run) -> None:
        """Some time has passed."""

    def end(self, run: Run) -> None:
        """The tournament was finished or interrupted."""


class Workers(Protocol):
    """Workers that play tasks, on this machine or others."""

    @property
    def free(self) -> int:
        """The number of tasks that can be submitted now."""

    def submit(self, task: ScheduledGame) -> None: ...

    def collect(self) -> list[Result]:
        """Wait for ``POLL_SECONDS`` at most and return the new results, possibly none."""

    def close(self) -> None:
        """End all workers and their bots at once."""


class Run:
    """A tournament in progress: its results so far and the tasks that are left."""

    def __init__(self, tournaments: Tournaments, number: int, plan: Plan) -> None:
        self.tournaments = tournaments
        self.number = number
        self.plan = plan
        self.schedule: Schedule = make_schedule(plan)
        self.results: dict[Key, Result] = {result.key: result for result in tournaments.results(number)}
        self.scores = {key: result.scores(self._scoring) for key, result in self.results.items()}
        self.played_before = len(self.results)
        self.began = monotonic()
        self._pending: deque[ScheduledGame] = deque()
        self._update_pending()

    @property
    def _scoring(self) -> Scoring:
        return Scoring.RESULT if self.plan.sprt else self.plan.scoring

    def _update_pending(self) -> None:
        while tasks := self.schedule.new_tasks(self.scores):
            self._pending.extend(task for task in tasks if task.key not in self.scores)

    @property
    def total(self) -> int:
        """The number of playthroughs as far as it is known; see ``Schedule``."""
        return self.schedule.total

    @property
    def counted(self) -> list[Result]:
        """The results that count, in the order of their keys."""
        return [self.results[key] for key in sorted(self.results) if self.schedule.counts(key, self.scores)]

    @property
    def seconds(self) -> float:
        """The time since this run began."""
        return monotonic() - self.began

    @property
    def remaining(self) -> float | None:
        """The estimated time left, or None before the first result."""
        done = len(self.results) - self.played_before
        left = max(0, self.total - len(self.results))
        return self.seconds / done * left if done else None

    def play(self, workers: Workers, watchers: Iterable[Watcher] = ()) -> None:
        """Play all tasks that are left. If it is interrupted, all results so far are stored and the workers ended."""
        watching = list(watchers)
        with closing(workers), self.tournaments.lock(self.number):
            self._play(workers, watching)

    def _play(self, workers: Workers, watching: list[Watcher]) -> None:
        self.began = monotonic()
        try:
            for watcher in watching:
                watcher.begin(self)
            for results in self._collect(workers):
                self._store(results, watching)
            self.tournaments.finish(self.number)
        finally:
            for watcher in watching:
                watcher.end(self)

    def _collect(self, workers: Workers) -> Iterator[list[Result]]:
        in_progress = 0
        while True:
            while self._pending and workers.free:
                workers.submit(self._pending.popleft())
                in_progress += 1
            # When a sequential test is decided, pairs in progress are not waited for.
            if not in_progress or self.schedule.is_decided:
                return
            results = workers.collect()
            in_progress -= len(results)
            yield results

    def _store(self, results: list[Result], watching: list[Watcher]) -> None:
        if results:
            self.tournaments.add_results(self.number, results)
        for result in results:
            self.results[result.key] = result
            self.scores[result.key] = result.scores(self._scoring)
            self._update_pending()
            for watcher in watching:
                watcher.on_result(self, result)
        for watcher in watching:
            watcher.tick(self)


class Progress(NamedTuple):
    """A playthrough in progress: its task, the position it began with (None for the empty board) and its moves."""

    task: ScheduledGame
    start: str | None
    moves: tuple[int, ...]


class LocalWorkers:
    """Worker processes on this machine; with ``reports_moves`` they tell what they are playing."""

    def __init__(self, plan: Plan, size: int, reports_moves: bool = False) -> None:
        self._plan_line = json.dumps(plan.to_data())
        self._size = size
        self._reports_moves = reports_moves
        self._lines: SimpleQueue[tuple[_Worker, bytes]] = SimpleQueue()
        self._processes: list[_Worker] = []
        self._deaths: dict[Key, int] = {}

    @property
    def free(self) -> int:
        """The number of processes that are idle or not yet started."""
        return self._size - sum(1 for process in self._processes if process.task is not None)

    @property
    def progress(self) -> list[Progress]:
        """The playthroughs in progress, as far as they are known; none without ``reports_moves``."""
        return [process.progress for process in self._processes if process.progress is not None]

    def submit(self, task: ScheduledGame) -> None:
        """Give a task to an idle process, or start one."""
        idle = next((process for process in self._processes if process.task is None), None)
        (idle or self._start()).submit(task)

    def _start(self) -> _Worker:
        process = _Worker(self._plan_line, self._reports_moves, self._lines)
        self._processes.append(process)
        return process

    def collect(self) -> list[Result]:
        """Wait for ``POLL_SECONDS`` at most and return the new results."""
        results: list[Result] = []
        for process, line in self._new_lines():
            if line and (result := process.receive(line)) is not None:
                results.append(result)
            if not line:
                self._remove(process)
                if process.task is not None:
                    self._resubmit(process.task)
        return results

    def _new_lines(self) -> Iterator[tuple[_Worker, bytes]]:
        """Yield the lines that come within ``POLL_SECONDS``, without waiting for more than one."""
        with suppress(Empty):
            yield self._lines.get(timeout=POLL_SECONDS)
            while True:
                yield self._lines.get_nowait()

    def _remove(self, process: _Worker) -> None:
        self._processes.remove(process)
        process.close()

    def _resubmit(self, task: ScheduledGame) -> None:
        deaths = self._deaths[task.key] = self._deaths.get(task.key, 0) + 1
        if deaths >= MAX_WORKER_DEATHS:
            raise ArenaError(
                f"the worker died {deaths} times in playthrough {tuple(task.key)}; noughts arena resume tries again"
            )
        self.submit(task)

    def close(self) -> None:
        """End all workers; the supervisors of their bots notice and end the bots."""
        for process in list(self._processes):
            self._remove(process)


class _Worker:
    """A worker; the lines that it writes are put into a queue, and an empty one when it has ended."""

    def __init__(self, plan_line: str, reports_moves: bool, lines: SimpleQueue[tuple[_Worker, bytes]]) -> None:
        self.task: ScheduledGame | None = None
        self.progress: Progress | None = None
        self._lines = lines
        self._process = WorkerProcess("noughts.arena.worker", *(["--moves"] if reports_moves else []), read=self._read)
        self._send(plan_line)

    def _read(self, out: IO[bytes]) -> None:
        for line in out:
            if line.endswith(b"\n"):  # else it died while writing
                self._lines.put((self, line))
        self._lines.put((self, b""))

    def _send(self, line: str) -> None:
        self._process.send(line.encode() + b"\n")

    def submit(self, task: ScheduledGame) -> None:
        self.task = task
        self._send(json.dumps(task))

    def receive(self, line: bytes) -> Result | None:
        """Return the result on a line, or note the progress and return None; raises ArenaError."""
        assert self.task is not None
        data = json.loads(line)
        if "progress" in data:
            start, moves = data["progress"]
            self.progress = Progress(self.task, start, tuple(moves))
            return None
        self.task = self.progress = None
        if "error" in data:
            raise ArenaError(data["error"])
        return Result.from_data(data)

    def close(self) -> None:
        self._process.close()
