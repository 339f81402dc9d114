"""Proves openings: after the first moves, the side that made the last of them wins.

The jobs of all openings are done in one order: short ones first, so that the easy openings are finished before much
time is spent on the hard positions of the others. The certificate of a finished opening is written by a worker.
"""

from __future__ import annotations

import heapq
import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from noughts.games import Game
from noughts.games.position_text import canonical
from noughts.process.tasks import Tasks
from noughts.proof.jobs.journal import Journal
from noughts.proof.jobs.planned_win import ROUNDS, PlannedWin, answer_quietly
from noughts.proof.jobs.tree import JobNode
from noughts.proof.jobs.worker import Answer

__all__ = ["OpeningJob", "OpeningSolver", "PlannedOpening"]

STAGE_SECONDS = (10.0, 30.0)
"""The longest rounds of the first stages; all longer ones are the last stage."""
STAGES_PER_PLAN = 2
"""The second answer to a position is tried this many stages after the first one."""
FLUSH_SECONDS = 1.0
"""Time between two writes of the journals."""
GRACE_SECONDS = 2.0
"""Time for the last answers, after the jobs had to end."""


class PlannedOpening:
    """Moves of a game, of which the last one is to be proved a win, with its journal and its certificate in a folder.

    ``moves`` are names of cells separated by spaces; raises ValueError if they are not legal.
    """

    def __init__(self, game: Game, moves: str, folder: Path) -> None:
        *before, answer = moves.split() or [""]
        self.position = game.start()
        for move in before:
            self.position.play(move)
        self.answer = game.parse_cell(answer)
        self.position.after(self.answer)
        self.moves = " ".join([*before, answer])
        self.name = "-".join([*before, answer])
        self.folder = folder

    @property
    def certificate(self) -> Path:
        return self.folder / f"{self.name}.ngp.xz"

    @cached_property
    def group(self) -> str:
        """The position before the answer, up to symmetry: one answer that wins is enough."""
        return canonical(self.position).text

    def load(self) -> PlannedWin:
        """Return the win as far as the journal has it."""
        path = self.folder / f"{self.name}.journal"
        assert self.position.turn is not None
        journal = Journal(path, self.position, is_new=not path.exists())
        return PlannedWin(self.position, [(self.position, self.answer)], self.position.turn, journal)


def write_certificate(game: str, moves: str, folder: str) -> None:
    """Write the certificate of an opening whose positions are all proven, from its journal."""
    opening = PlannedOpening(Game.from_data(json.loads(game)), moves, Path(folder))
    opening.load().proof().save(opening.certificate)


class OpeningJob(NamedTuple):
    """A search, in the order in which jobs are done: numbers of the opening and of its answer, round, position."""

    stage: int
    group: int
    plan: int
    round: int
    leaf: int


class _Group:
    """The openings that answer the same position."""

    def __init__(self, openings: Sequence[PlannedOpening]) -> None:
        self.openings = openings
        self.wins: list[PlannedWin] = []
        self.is_done = any(opening.certificate.exists() for opening in openings)


class OpeningSolver:
    """Proves openings by tasks that call functions with arguments, see ``operator.call``.

    Openings that answer the same position are tried in their order, and one is enough. ``report`` gets a line for each
    event.
    """

    def __init__(
        self,
        openings: Iterable[PlannedOpening],
        tasks: Tasks[OpeningJob | PlannedOpening],
        memory_mb: int,
        report: Callable[[str], object] = lambda line: None,
    ) -> None:
        groups: dict[str, list[PlannedOpening]] = {}
        for opening in openings:
            groups.setdefault(opening.group, []).append(opening)
        self._groups = [_Group(group) for group in groups.values()]
        self._tasks, self._memory_mb, self._report = tasks, memory_mb, report
        self._loaded = 0
        self._waiting: list[OpeningJob] = []
        self._running: dict[OpeningJob, bool] = {}
        """Jobs in progress, and whether the end of the time cuts them short."""
        self._next_rounds: dict[tuple[int, int, int], int] = {}
        self._writing = 0
        self._flushed_at = monotonic()
        self._ends = 0.0

    @property
    def are_proven(self) -> bool:
        """Whether all openings are proven, or another answer to the same position is."""
        return all(group.is_done for group in self._groups)

    def solve(self, seconds: float) -> None:
        """Work until all openings are proven, all rounds are done, or the time is over."""
        self._ends = monotonic() + seconds
        while True:
            left = self._ends - monotonic()
            if left > 0:
                self._submit(left)
            if not self._writing and (not self._running or left < -GRACE_SECONDS):
                break
            self._collect()
        self.flush()

    def describe_open(self) -> list[str]:
        """Return a line for each answer that was tried and is not proven: how far it is, and the open replies."""
        return [
            f"{opening.name}: {len(win.leaves) - len(win.open_leaves)} of {len(win.leaves)} positions proven, "
            f"{win.jobs} jobs, {win.processor_seconds:.0f} s; open: {_replies(win, win.open_leaves)}"
            for group in self._groups
            for opening, win in zip(group.openings, group.wins, strict=False)
            if win.jobs
        ]

    # The next job

    def _submit(self, left: float) -> None:
        while self._tasks.free and (job := self._next_job()) is not None:
            win, leaf = self._find(job)
            settings = ROUNDS[job.round]
            self._running[job] = settings.seconds > left
            self._next_rounds[job.group, job.plan, job.leaf] = job.round + 1
            settings = settings._replace(seconds=min(settings.seconds, left))
            self._tasks.submit(job, answer_quietly, *win.job(leaf, settings, self._memory_mb))

    def _next_job(self) -> OpeningJob | None:
        while True:
            is_all_loaded = self._loaded == len(self._groups)
            if self._waiting and (is_all_loaded or self._waiting[0].stage == 0):
                job = heapq.heappop(self._waiting)
                if self._is_needed(job):
                    return job
            elif is_all_loaded:
                return self._extra_job()
            else:
                self._load(self._loaded)
                self._loaded += 1

    def _extra_job(self) -> OpeningJob | None:
        """The next round of a position that is being searched, for a worker that has nothing else to do."""
        jobs = [self._job(job.group, job.plan, job.leaf, self._next_round(job)) for job in self._running
                if self._is_needed(job) and self._next_round(job) < len(ROUNDS)]  # fmt: skip
        return min(jobs, key=lambda job: job.round, default=None)

    def _load(self, number: int) -> None:
        group = self._groups[number]
        if group.is_done:
            return
        for plan, opening in enumerate(group.openings):
            win = opening.load()
            group.wins.append(win)
            if win.is_proven:
                self._finish(group, plan)
                return
            for place, leaf in enumerate(win.leaves):
                if not leaf.is_solved:
                    self._wait(number, plan, place, win.failures(leaf))

    def _wait(self, group: int, plan: int, leaf: int, number: int) -> None:
        self._next_rounds[group, plan, leaf] = number
        if number < len(ROUNDS):
            heapq.heappush(self._waiting, self._job(group, plan, leaf, number))

    def _job(self, group: int, plan: int, leaf: int, number: int) -> OpeningJob:
        stage = STAGES_PER_PLAN * plan + bisect_left(STAGE_SECONDS, ROUNDS[number].seconds)
        return OpeningJob(stage, group, plan, number, leaf)

    def _next_round(self, job: OpeningJob) -> int:
        return self._next_rounds[job.group, job.plan, job.leaf]

    def _find(self, job: OpeningJob) -> tuple[PlannedWin, JobNode]:
        win = self._groups[job.group].wins[job.plan]
        return win, win.leaves[job.leaf]

    def _is_needed(self, job: OpeningJob) -> bool:
        return not self._groups[job.group].is_done and not self._find(job)[1].is_solved

    # Answers

    def _collect(self) -> None:
        for task, result in self._tasks.collect():
            if isinstance(task, PlannedOpening):
                self._writing -= 1
                self._report(f"{task.name}: written")
            else:
                self._record(task, result)
        if monotonic() - self._flushed_at > FLUSH_SECONDS:
            self.flush()

    def _record(self, job: OpeningJob, answer: Answer) -> None:
        is_cut_short = self._running.pop(job)
        if not self._is_needed(job):
            return
        win, leaf = self._find(job)
        if answer.can_win or not is_cut_short:
            win.record(leaf, answer)
        if answer.can_win and job.round > 0:
            settings = ROUNDS[job.round]
            self._report(
                f"{self._groups[job.group].openings[job.plan].name}: {_replies(win, [leaf])} won with width "
                f"{settings.width}, {settings.reply_moves:,} moves a reply, in {answer.seconds:.1f} s"
            )
        if win.is_proven:
            self._finish(self._groups[job.group], job.plan)
        elif not answer.can_win and not is_cut_short and self._next_round(job) == job.round + 1:
            self._wait(job.group, job.plan, job.leaf, job.round + 1)

    def _finish(self, group: _Group, plan: int) -> None:
        opening, win = group.openings[plan], group.wins[plan]
        self._report(
            f"{opening.name}: proven, {len(win.leaves)} positions, {win.jobs} jobs, {win.processor_seconds:.0f} s"
        )
        win.journal.flush()
        game = json.dumps(opening.position.game.to_data())
        self._tasks.submit(opening, write_certificate, game, opening.moves, str(opening.folder))
        self._writing += 1
        group.is_done = True
        group.wins.clear()

    def flush(self) -> None:
        """Bring all answers to the disk."""
        for group in self._groups:
            for win in group.wins:
                win.journal.flush()
        self._flushed_at = monotonic()


def _replies(win: PlannedWin, leaves: Iterable[JobNode]) -> str:
    moves = [leaf.position.moves[-1] for leaf in leaves if leaf.position.moves]
    return " ".join(map(win.position.game.format_cell, moves))
