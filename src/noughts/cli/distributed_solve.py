"""A solve by jobs, in processes on this machine or on a cluster."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from noughts.cli.output import warn
from noughts.cli.progress import ProgressDisplay
from noughts.cli.resumable_solve import ResumableSolve, SolveOptions, default_file
from noughts.cli.solve_output import SolveWatcher
from noughts.cli.types import Start
from noughts.games import Position
from noughts.games.quoting import count
from noughts.process.tasks import TaskError, open_tasks
from noughts.proof.jobs import JobSolver, Journal, answer
from noughts.proof.proof import InvalidProof
from noughts.proof.solver import Solution

__all__ = ["DistributedSolve"]


class DistributedSolve(ResumableSolve):
    """A solve by jobs. Its journal has every answer at once, so there is nothing to save at the end."""

    def __init__(self, game: Start, position: Position, options: SolveOptions) -> None:
        self._game, self._position, self._options = game, position, options
        path = self._path()
        path.parent.mkdir(parents=True, exist_ok=True)
        journal = Journal(path, position, is_new=options.resume is None)
        self._jobs = JobSolver(position, journal, options.memory)
        if journal.damaged_lines:
            warn(_describe_damage(path, journal.damaged_lines, self._jobs.dependent_lines))
        self._watcher = SolveWatcher(position, options.events, name=f"{position.game.label} {position.text}")

    def solve(self) -> Solution:
        """Solve within the limit, showing the progress."""
        assert self._options.on is not None
        try:
            with closing(open_tasks(self._options.on, answer, lambda task: f"the job {task[1]}")) as tasks:
                return self._jobs.solve(tasks, self._options.limit, self._watcher.report_jobs)
        except TaskError as error:
            raise click.ClickException(f"{error}; to continue: {self._command()}") from None

    def bounds(self) -> Solution:
        """Return what is known after an interruption."""
        return self._jobs.solution()

    def is_checked(self, solution: Solution) -> bool:
        """Check the joined certificate if answers come from a journal: anything may be written in one.

        Raises InvalidProof, also if there is no certificate to check.
        """
        if not self._jobs.is_resumed:
            return True
        assert self._options.on is not None
        processes = int(self._options.on.removeprefix("local:")) if self._options.on.startswith("local:") else 1
        display = ProgressDisplay("checking the certificate")
        try:
            self._check(solution, display.show_count, processes)
        except ValueError as error:
            raise error if isinstance(error, InvalidProof) else InvalidProof(str(error)) from None
        finally:
            display.clear()
        return True

    def save(self) -> bool:
        """Return whether the journal exists."""
        return self._path().exists()

    def remove_default_file(self) -> None:
        """Remove the journal of a finished solve, if its path was our choice."""
        if self._path() == _journal_file(self._position):
            self._path().unlink(missing_ok=True)

    def _path(self) -> Path:
        return self._options.save or self._options.resume or _journal_file(self._position)


def _journal_file(position: Position) -> Path:
    return default_file(position).with_suffix(".jobs")


def _describe_damage(path: Path, damaged: int, dependent: int) -> str:
    lines = f"{count(damaged, 'damaged line')} ignored"
    more = f", and {count(dependent, 'line')} that cannot be used without" if dependent else ""
    return f"{path}: {lines}{more}; their jobs are done again"
