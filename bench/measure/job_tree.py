"""Simulates a solve by jobs with many workers, by the driver itself with real answers in virtual time.

``python -m bench.measure.job_tree 7x7:5 --first 100`` prints a table for 1 to 100 workers: the time until the value is
known, the speed-up over one solver without jobs, and the load of the driver. A job takes as long as its nodes do.
Its worker begins with an empty table, so that its answer can be used again for other numbers of workers. ``--loss`` is
the share of jobs whose worker dies.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from time import process_time
from typing import Any, NamedTuple

import noughts as no
from noughts.proof.jobs import Answer, JobSolver, answer, worker

WORKERS = (1, 2, 4, 8, 16, 32, 64, 100)
MEMORY_MB = 256


class Answers:
    """Real answers of jobs, each computed once."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], Answer] = {}
        self.seconds = 0.0
        self.nodes = 0

    def __call__(self, *arguments: Any) -> Answer:
        if arguments not in self._known:
            worker._solver.cache_clear()
            began = process_time()
            self._known[arguments] = found = answer(*arguments)
            self.seconds += process_time() - began
            self.nodes += found.nodes
        return self._known[arguments]


class SimulatedTasks:
    """Workers in virtual time; a job takes one unit for each node."""

    def __init__(self, size: int, answers: Answers, loss: float) -> None:
        self._size, self._answers, self._loss = size, answers, loss
        self._running: list[tuple[float, int, Any, Answer]] = []
        self._numbers, self._dice = count(), random.Random(1)
        self.now = self.busy = 0.0
        self.jobs = self.bytes = 0

    @property
    def free(self) -> int:
        """The number of idle workers."""
        return self._size - len(self._running)

    def submit(self, task: Any, *arguments: Any) -> None:
        """Begin a job; a worker that dies loses half of it on average, and another one begins again."""
        found = self._answers(*arguments)
        length = float(found.nodes)
        while self._dice.random() < self._loss:
            length += self._dice.random() * found.nodes
        self.busy += length
        heappush(self._running, (self.now + length, next(self._numbers), task, found))

    def collect(self) -> list[tuple[Any, Any]]:
        """Return the job that ends next."""
        self.now, _, task, found = heappop(self._running)
        self.jobs += 1
        self.bytes += len(json.dumps(found))
        return [(task, found)]

    @property
    def busy_so_far(self) -> float:
        """The time that all workers together have worked."""
        return self.busy - sum(end - self.now for end, *_ in self._running)

    def close(self) -> None:
        """Nothing is left running."""


class Row(NamedTuple):
    """The result for a number of workers; times are in nodes."""

    workers: int
    time: int
    speedup: float
    efficiency: float
    utilisation: float
    jobs: int
    positions: int
    megabytes: float


def simulate(game: str, first: int, loss: float, answers: Answers) -> Iterator[Row]:
    """Yield a row for each number of workers."""
    alone = no.solve(no.Game(game).start(), memory_mb=MEMORY_MB).nodes
    for workers in WORKERS:
        tasks = SimulatedTasks(workers, answers, loss)
        solver = JobSolver(no.Game(game).start(), memory_mb=MEMORY_MB, first_nodes=first)
        solver.solve(tasks)
        positions = sum(map(len, solver._trees.values()))
        speedup = alone / tasks.now
        utilisation = tasks.busy_so_far / (workers * tasks.now)
        yield Row(
            workers, round(tasks.now), speedup, speedup / workers, utilisation, tasks.jobs, positions, tasks.bytes / 1e6
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--first", type=int, default=500, help="nodes of the first job of a position")
    parser.add_argument("--loss", type=float, default=0.0, help="share of jobs whose worker dies")
    options = parser.parse_args()
    answers = Answers()
    print("| workers | time in nodes | speed-up | efficiency | busy | jobs | positions | answers |")
    print("|---|---|---|---|---|---|---|---|")
    for row in simulate(options.game, options.first, options.loss, answers):
        text = f"| {row.workers} | {row.time:,} | {row.speedup:.1f} | {row.efficiency:.0%} | {row.utilisation:.0%} "
        print(f"{text}| {row.jobs:,} | {row.positions:,} | {row.megabytes:.1f} MB |", flush=True)
    print(f"{answers.nodes / answers.seconds:,.0f} nodes a second, certificates included")


if __name__ == "__main__":
    main()
