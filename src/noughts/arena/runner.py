"""Runs a tournament: hands tasks to workers, keeps every result at once, replays what a dead worker had."""

from __future__ import annotations

import json
import selectors
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from time import monotonic
from typing import IO, Protocol

from noughts.arena.plan import Plan
from noughts.arena.records import Played, Records
from noughts.arena.schedule import Key, Schedule, Task, make_schedule

__all__ = ["ArenaError", "LocalCrew", "Run", "Watcher"]

TICK = 0.2
"""Seconds between two looks at the clock while nothing arrives."""
DEATHS = 3
"""How often the worker of one playthrough may die before it is our fault."""


class ArenaError(RuntimeError):
    """The tournament cannot go on; what was played is kept."""


class Watcher(Protocol):
    """Whoever wants to know how a tournament goes."""

    def begin(self, run: Run) -> None:
        """It begins, or goes on."""

    def played(self, run: Run, played: Played) -> None:
        """A playthrough was finished and kept."""

    def tick(self, run: Run) -> None:
        """Time has passed."""

    def end(self, run: Run) -> None:
        """Everything has been played, or somebody interrupted."""


class Crew(Protocol):
    """Workers, wherever they are."""

    @property
    def free(self) -> int:
        """How many more tasks they would take."""

    def submit(self, task: Task) -> None:
        """Have it played."""

    def collect(self) -> list[Played]:
        """Wait a moment at most; return what has been finished, which may be nothing."""

    def close(self) -> None:
        """End all workers and their bots, at once."""


class Run:
    """A tournament under way: what was played, what is to be played."""

    def __init__(self, records: Records, number: int, plan: Plan) -> None:
        self.records = records
        self.number = number
        self.plan = plan
        self.schedule: Schedule = make_schedule(plan)
        self.plays: dict[Key, Played] = {played.key: played for played in records.plays(number)}
        self.scores = {key: played.scores(self._scoring) for key, played in self.plays.items()}
        self.kept_before = len(self.plays)
        self.began = monotonic()
        self._waiting: deque[Task] = deque()
        self._learn()

    @property
    def _scoring(self) -> str:
        return "result" if self.plan.sprt else self.plan.scoring

    def _learn(self) -> None:
        """Ask the schedule what is new until it knows no more."""
        while tasks := self.schedule.more(self.scores):
            self._waiting.extend(task for task in tasks if task.key not in self.scores)

    @property
    def total(self) -> int:
        """How many playthroughs there are, as far as is known."""
        return self.schedule.total

    @property
    def counted(self) -> list[Played]:
        """The finished playthroughs that count, in the order of their keys."""
        return [self.plays[key] for key in sorted(self.plays) if self.schedule.counts(key, self.scores)]

    @property
    def seconds(self) -> float:
        """How long this run has taken."""
        return monotonic() - self.began

    @property
    def remaining(self) -> float | None:
        """Seconds it will take at this pace, or None as long as nobody can tell."""
        done = len(self.plays) - self.kept_before
        left = max(0, self.total - len(self.plays))
        return self.seconds / done * left if done else None

    def play(self, crew: Crew, watchers: Iterable[Watcher] = ()) -> None:
        """Play all that is missing. Whatever ends it early, what was finished is kept and the workers are ended."""
        watching = list(watchers)
        with closing(crew), self.records.alone(self.number):
            self._play(crew, watching)

    def _play(self, crew: Crew, watching: list[Watcher]) -> None:
        self.began = monotonic()
        try:
            for watcher in watching:
                watcher.begin(self)
            for arrived in self._results(crew):
                self._keep(arrived, watching)
            self.records.finish(self.number)
        finally:
            for watcher in watching:
                watcher.end(self)

    def _results(self, crew: Crew) -> Iterator[list[Played]]:
        under_way = 0
        while True:
            while self._waiting and crew.free:
                crew.submit(self._waiting.popleft())
                under_way += 1
            if not under_way or self._is_settled:
                return
            arrived = crew.collect()
            under_way -= len(arrived)
            yield arrived

    @property
    def _is_settled(self) -> bool:
        """A test may be decided while further pairs are under way; they are not waited for."""
        return bool(getattr(self.schedule, "is_settled", False))

    def _keep(self, arrived: list[Played], watching: list[Watcher]) -> None:
        if arrived:
            self.records.add(self.number, arrived)
        for played in arrived:
            self.plays[played.key] = played
            self.scores[played.key] = played.scores(self._scoring)
            self._learn()
            for watcher in watching:
                watcher.played(self, played)
        for watcher in watching:
            watcher.tick(self)


class LocalCrew:
    """Worker processes on this machine."""

    def __init__(self, plan: Plan, size: int) -> None:
        self._first_line = json.dumps(plan.to_data())
        self._size = size
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []
        self._deaths: dict[Key, int] = {}

    @property
    def free(self) -> int:
        """How many workers wait for a task, or could be started."""
        return self._size - sum(1 for worker in self._workers if worker.task is not None)

    def submit(self, task: Task) -> None:
        """Give it to a worker that has nothing to do, or to a new one."""
        idle = next((worker for worker in self._workers if worker.task is None), None)
        worker = idle or self._hire()
        worker.give(task)

    def _hire(self) -> _Worker:
        worker = _Worker(self._first_line)
        self._selector.register(worker.out, selectors.EVENT_READ, worker)
        self._workers.append(worker)
        return worker

    def collect(self) -> list[Played]:
        """Return what has been finished within a moment."""
        found = []
        for key, _ in self._selector.select(TICK):
            worker: _Worker = key.data
            line = worker.out.readline()
            task = worker.task
            assert task is not None or not line
            if line.endswith(b"\n"):
                worker.task = None
                found.append(_answer(line))
            else:
                self._bury(worker)
                if task is not None:
                    self._again(task)
        return found

    def _bury(self, worker: _Worker) -> None:
        self._selector.unregister(worker.out)
        self._workers.remove(worker)
        worker.close()

    def _again(self, task: Task) -> None:
        deaths = self._deaths[task.key] = self._deaths.get(task.key, 0) + 1
        if deaths >= DEATHS:
            raise ArenaError(f"the worker died {deaths} times in playthrough {task.key}; noughts arena resume goes on")
        self.submit(task)

    def close(self) -> None:
        """End all workers; their bots' keepers notice and end the bots."""
        for worker in list(self._workers):
            self._bury(worker)
        self._selector.close()


class _Worker:
    def __init__(self, first_line: str) -> None:
        self.task: Task | None = None
        # A session of its own: Ctrl-C is for us, not for the worker in the middle of a playthrough.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "noughts.arena.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self.out: IO[bytes] = self._process.stdout
        self._send(first_line)

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # a dead worker is found when its answer does not come
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()

    def give(self, task: Task) -> None:
        self.task = task
        self._send(json.dumps(task))

    def close(self) -> None:
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()
        self._process.wait()


def _answer(line: bytes) -> Played:
    data = json.loads(line)
    if "error" in data:
        raise ArenaError(data["error"])
    return Played.from_data(data)
