"""Proves openings: after the first moves, the side that made the last of them wins.

The opening that looks easiest is worked on first. The certificate of a finished opening is written by a worker.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
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

__all__ = ["OpeningJob", "OpeningSolver", "PlannedOpening", "read_openings"]

FLUSH_SECONDS = 1.0
"""Time between two writes of the journals."""
REPORT_SECONDS = 15.0
"""Time between two lines about the openings in progress."""
GRACE_SECONDS = 2.0
"""Time for the last answers, after the jobs had to end."""

ChooseMoves = Callable[[str, str], list[int]]
"""Returns moves to try, best first; the arguments are the JSON text of a game's data and a position string."""


class PlannedOpening:
    """First moves of a game and answers to them, one of which is to be proved a win, with the files in a folder.

    Moves are names of cells separated by spaces; raises ValueError if they are not legal.
    """

    def __init__(self, game: Game, before: str, answers: Iterable[str], folder: Path) -> None:
        self.position = game.start()
        for move in before.split():
            self.position.play(move)
        self.before = before
        self.answers = list(dict.fromkeys(map(game.parse_cell, answers)))
        for answer in self.answers:
            self.position.after(answer)
        self.folder = folder

    @property
    def name(self) -> str:
        return self.before.replace(" ", "-") or "start"

    @property
    def journal(self) -> Path:
        return self.folder / f"{self.name}.journal"

    def certificate(self, answer: int) -> Path:
        moves = [*self.before.split(), self.position.game.format_cell(answer)]
        return self.folder / f"{'-'.join(moves)}.ngp.xz"

    @property
    def written(self) -> Path | None:
        """The certificate, if there is one."""
        return next((path for path in map(self.certificate, self.answers) if path.exists()), None)

    @cached_property
    def image(self) -> str:
        """The position before the answer, up to symmetry."""
        return canonical(self.position).text

    def load(self) -> PlannedWin:
        """Return the win as far as the journal has it."""
        journal = Journal(self.journal, self.position, is_new=not self.journal.exists())
        return PlannedWin(self.position, self.answers, journal)


def read_openings(game: Game, lines: Iterable[str], folder: Path) -> list[PlannedOpening]:
    """Return the openings of lines of moves; lines that differ only in the last move are answers to one position.

    Raises ValueError for moves that are not legal.
    """
    answers: dict[str, list[str]] = {}
    for line in lines:
        if moves := line.split():
            answers.setdefault(" ".join(moves[:-1]), []).append(moves[-1])
    openings = [PlannedOpening(game, before, moves, folder) for before, moves in answers.items()]
    return list({opening.image: opening for opening in reversed(openings)}.values())[::-1]


def write_certificate(game: str, before: str, answers: list[str], folder: str) -> str:
    """Write the certificate of an opening from its journal, which proves it; returns the name of the file."""
    opening = PlannedOpening(Game.from_data(json.loads(game)), before, answers, Path(folder))
    proof = opening.load().proof()
    path = opening.certificate(int(proof.claims[0].nodes[0].split()[1]))
    proof.save(path)
    return path.name


class OpeningJob(NamedTuple):
    """A job of an opening, for a position: a round of searches, or the choice of moves (None)."""

    opening: int
    position: str
    round: int | None


class OpeningSolver:
    """Proves openings by tasks that call functions with arguments, see ``operator.call``.

    ``choose_moves`` is called for positions that short searches do not win. ``report`` gets a line for each event.
    """

    def __init__(
        self,
        openings: Iterable[PlannedOpening],
        tasks: Tasks[OpeningJob | PlannedOpening],
        choose_moves: ChooseMoves,
        memory_mb: int,
        report: Callable[[str], object] = lambda line: None,
    ) -> None:
        self._openings = list(openings)
        self._wins: dict[int, PlannedWin] = {}
        self._to_load = [number for number, opening in enumerate(self._openings) if opening.written is None][::-1]
        self._tasks, self._choose_moves, self._memory_mb, self._report = tasks, choose_moves, memory_mb, report
        self._running: dict[OpeningJob, tuple[JobNode, bool]] = {}
        """Jobs in progress, and whether the end of the time cuts them short."""
        self._writing = 0
        self._flushed_at = self._reported_at = monotonic()
        self._ends = 0.0

    @property
    def are_proven(self) -> bool:
        return not self._to_load and not self._wins

    def solve(self, seconds: float) -> None:
        """Work until all openings are proven or the time is over."""
        self._ends = monotonic() + seconds
        while True:
            left = self._ends - monotonic()
            while left > 0 and self._tasks.free and self._submit(left):
                left = self._ends - monotonic()
            if not self._writing and (not self._running or left < -GRACE_SECONDS):
                break
            self._collect()
        self.flush()

    def describe_open(self) -> list[str]:
        """Return a line for each opening in progress: how far it is, and the replies to the first answer left open."""
        return [
            f"{self._openings[number].name}: {win.jobs:,} jobs, {win.processor_seconds:,.0f} s, {len(win.tree):,} "
            f"positions, proof number {win.tree.root.proof}; open: "
            + " ".join(map(win.position.game.format_cell, win.open_replies))
            for number, win in self._wins.items()
        ]

    # The next job

    def _submit(self, left: float) -> bool:
        """Submit one job; returns whether there was one."""
        if self._to_load:
            self._load(self._to_load.pop())
            return True
        for number in sorted(self._wins, key=lambda number: self._wins[number].tree.root.proof):
            win = self._wins[number]
            if (leaf := win.next_leaf()) is not None:
                self._submit_job(number, win, leaf, left)
                return True
            if win.is_proven:
                self._finish(number)
                return True
        return False

    def _submit_job(self, number: int, win: PlannedWin, leaf: JobNode, left: float) -> None:
        failures = win.failures(leaf)
        win.start(leaf)
        if failures < len(ROUNDS):
            settings = ROUNDS[failures]
            job = OpeningJob(number, leaf.position.text, failures)
            limited = settings._replace(seconds=min(settings.seconds, left))
            self._tasks.submit(job, answer_quietly, *win.search_job(leaf, limited, self._memory_mb))
            self._running[job] = leaf, settings.seconds > left
        else:
            job = OpeningJob(number, leaf.position.text, None)
            self._tasks.submit(job, self._choose_moves, *win.choice_job(leaf))
            self._running[job] = leaf, False

    def _load(self, number: int) -> None:
        win = self._wins[number] = self._openings[number].load()
        if win.is_proven:
            self._finish(number)

    # Answers

    def _collect(self) -> None:
        for task, result in self._tasks.collect():
            if isinstance(task, PlannedOpening):
                self._writing -= 1
                self._report(f"{result}: written")
            else:
                self._record(task, result)
        now = monotonic()
        if now - self._flushed_at > FLUSH_SECONDS:
            self.flush()
        if now - self._reported_at > REPORT_SECONDS:
            self._reported_at = now
            for line in self.describe_open():
                self._report(line)

    def _record(self, job: OpeningJob, result: Answer | list[int]) -> None:
        leaf, is_cut_short = self._running.pop(job)
        win = self._wins.get(job.opening)
        if win is None:
            return
        if not isinstance(result, Answer):
            win.choose(leaf, result)
        elif result.can_win or not is_cut_short:
            win.record(leaf, result)
        else:
            win.stop(leaf)
        if win.is_proven:
            self._finish(job.opening)

    def _finish(self, number: int) -> None:
        opening, win = self._openings[number], self._wins.pop(number)
        self._report(
            f"{opening.name}: proven, {len(win.tree):,} positions, {win.jobs:,} jobs, {win.processor_seconds:,.0f} s"
        )
        win.journal.flush()
        game = opening.position.game
        arguments = opening.before, list(map(game.format_cell, opening.answers)), str(opening.folder)
        self._tasks.submit(opening, write_certificate, json.dumps(game.to_data()), *arguments)
        self._writing += 1

    def flush(self) -> None:
        """Bring all answers to the disk."""
        for win in self._wins.values():
            win.journal.flush()
        self._flushed_at = monotonic()
