"""Builds the atlas: solves the games that are left in other processes, and adds each record at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from noughts import __version__
from noughts.atlas.families import GameFamily
from noughts.atlas.records import Budget, Record, Records
from noughts.atlas.worker import BY_VERIFY, Checks, GameToSolve, solve_game, solve_within_limits
from noughts.process.tasks import open_tasks, run_tasks

__all__ = ["Build"]


class Build:
    """The games of some families that have no record yet, or only one with a smaller budget."""

    def __init__(
        self, families: Iterable[GameFamily], records: Records, budget: Budget, checks: Checks = BY_VERIFY
    ) -> None:
        self.records = records
        self.tasks = [GameToSolve(game, family.name, budget) for family in families for game in family.games()]
        self.left = [task for task in self.tasks if not _is_finished(records.get(task.game), budget)]
        self.done: list[Record] = []
        """The records that this build has added."""
        self._checks = checks

    def run(self, on: str = "local:1", on_progress: Callable[[Build], object] = lambda build: None) -> None:
        """Solve all games that are left, on workers as for ``open_tasks``; ``on_progress`` is called often.

        Killed at any moment, all records so far are on disk. Raises CertificateRefused.
        """
        function = solve_game if on == "ray" else solve_within_limits
        tasks = open_tasks(on, function, lambda task: str(task.game), _give_up)
        calls = ((task, (task, self._checks)) for task in self.left)
        for _, record in run_tasks(tasks, calls, lambda: on_progress(self)):
            self.records.add(record)
            self.done.append(record)

    def sort(self) -> None:
        """Rewrite the file of records in the order of the families."""
        self.records.sort(task.game for task in self.tasks)


def _is_finished(record: Record | None, budget: Budget) -> bool:
    """Whether a game need not be solved with this budget: it is proven, or an earlier budget was as large."""
    return record is not None and (record.is_proven or not budget.is_larger_than(record.budget))


def _give_up(task: GameToSolve) -> Record:
    return Record(task.game, task.family, task.budget, __version__, reason="the process that solved it died")
