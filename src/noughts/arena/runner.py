"""Runs a tournament: hands tasks to workers and stores each result at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import closing
from math import inf
from time import monotonic
from typing import Protocol

from noughts.arena.plan import Plan, Scoring
from noughts.arena.schedule import Key, Schedule, ScheduledGame, make_schedule
from noughts.arena.tournaments import Result, Tournaments
from noughts.arena.worker import ArenaError
from noughts.process.tasks import TaskError, Tasks

__all__ = ["Run", "Watcher", "Workers"]


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


Workers = Tasks[ScheduledGame]
"""Call a function that plays a task and returns its ``Result``."""


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
        self._most_seconds = inf
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
        return [self.results[key] for key in sorted(self.results) if self.schedule.counts(key)]

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

    def play(self, workers: Workers, watchers: Iterable[Watcher] = (), seconds: float = inf) -> None:
        """Play all tasks that are left; raises ArenaError.

        After ``seconds`` no playthrough begins, and those in progress are finished. If it is interrupted, all results
        so far are stored and the workers ended.
        """
        watching = list(watchers)
        self._most_seconds = seconds
        with closing(workers), self.tournaments.lock(self.number):
            self._play(workers, watching)

    def _play(self, workers: Workers, watching: list[Watcher]) -> None:
        self.began = monotonic()
        try:
            for watcher in watching:
                watcher.begin(self)
            for results in self._collect(workers):
                self._store(results, watching)
            if self.schedule.is_decided or not self._pending:
                self.tournaments.finish(self.number)
        except TaskError as error:
            raise ArenaError(str(error)) from None
        finally:
            for watcher in watching:
                watcher.end(self)

    def _collect(self, workers: Workers) -> Iterator[list[Result]]:
        in_progress = 0
        while True:
            while self._pending and workers.free and self.seconds < self._most_seconds:
                task = self._pending.popleft()
                workers.submit(task, task)
                in_progress += 1
            # When a sequential test is decided, pairs in progress are not waited for.
            if not in_progress or self.schedule.is_decided:
                return
            results = workers.collect()
            in_progress -= len(results)
            yield [result for _, result in results]

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
