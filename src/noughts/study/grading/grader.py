"""Grading a submission, in this process or in one of its own with limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from noughts.games import Game
from noughts.study.grading.exam import Exam, Progress, describe_error, diagnose_error
from noughts.study.grading.heuristic import examine_heuristic
from noughts.study.grading.judge import judge_of, unfinished_positions
from noughts.study.grading.mcts import examine_mcts
from noughts.study.grading.ordering import examine_order
from noughts.study.grading.playing import examine_player
from noughts.study.grading.process import DEFAULT_MEMORY_MB, Checkpoint, Limits, run_within
from noughts.study.grading.report import Diagnosis, Failure, Grade
from noughts.study.grading.rules import examine_rules
from noughts.study.grading.searches import examine_search
from noughts.study.grading.submission import LoadedSubmission, Submission, load_function
from noughts.study.grading.tasks import TASKS, Task, find_task
from noughts.textbook import Evaluate, evaluate_outcome

__all__ = ["Assignment", "grade"]


def grade(
    search: Callable[..., Any] | Submission,
    game: str | None = None,
    prunes: bool = True,
    seconds: float | None = None,
    depth: int | None = None,
    evaluate: Evaluate | None = None,
    *,
    task: str | None = None,
    memory_mb: int | None = None,
) -> Grade:
    """Grade a function, or the function of a ``Submission``, by the properties of a task of ``TASKS``.

    Without a task it is ``depth-limited`` if a depth is given, ``minimax`` with ``prunes=False``, else ``alphabeta``
    (``minimax`` in styles whose searches return no value). A search is tried on the unfinished positions of a small
    game, one of each symmetric kind. It is called with a position and must return a ``Result``, or a tuple that begins
    with the value (from X's side) and the move. It may play and undo on the position or make new ones with ``after``;
    visited nodes are counted by watching it do so. In ``minimax`` it may visit as many nodes as plain minimax.
    Otherwise it may visit, over all positions, twice as many as alpha-beta with row-by-row order and a full window for
    each root move; a search that visits five times as many on one position is stopped, which ends the grading. Small
    positions come first, so the reported position is usually one of the simplest that show the mistake; soon after the
    first failure the grading ends.

    With a ``depth`` the search is also called with ``depth=``, must use ``evaluate`` (its own file's function of that
    name, or else ``evaluate_lines``, unless given) at that depth, and is tried on 60 positions of random playthroughs,
    so any game can be used.

    With ``seconds`` or ``memory_mb`` the grading runs in a separate process that is killed after that time and cannot
    use more memory. Without them, a search that loops without touching the position is never stopped.
    """
    if depth is not None and depth < 1:
        raise ValueError(f"expected a depth of 1 or more, got {depth}")
    if task is None:
        task = "depth-limited" if depth is not None else None if prunes else "minimax"
    elif task != "depth-limited" and depth is not None:
        raise ValueError(f"expected no depth for the task {task}, got {depth}")
    chosen = None if task is None else find_task(task)
    if evaluate is not None and (chosen is None or chosen.depth is None):
        raise ValueError("expected a depth with an evaluation: without a depth only the outcome counts")
    assignment = Assignment(search, chosen, Game(game).id if game else None, depth, evaluate)
    assignment.check()
    if seconds is None and memory_mb is None:
        return assignment.run()
    return run_within(assignment, Limits(seconds, memory_mb or DEFAULT_MEMORY_MB))


EXAMINERS: dict[str, Callable[[Exam], None]] = {
    "minimax": examine_search,
    "alphabeta": examine_search,
    "depth-limited": examine_search,
    "ordering": examine_order,
    "heuristic": examine_heuristic,
    "mcts": examine_mcts,
    "player": examine_player,
}


@dataclass(frozen=True)
class Assignment:
    """A submission, and the task to grade it by."""

    search: Callable[..., Any] | Submission
    task: Task | None
    game: str | None = None
    depth: int | None = None
    evaluate: Evaluate | None = None

    @property
    def name(self) -> str:
        """The name of the submission."""
        return str(getattr(self.search, "__name__", "search"))

    def check(self) -> None:
        """Raise ValueError if the game is too large to grade on.

        The exact values are computed here, so that the processes that grade inherit them.
        """
        task = self.task or TASKS["alphabeta"]
        if task.depth is None:
            judge = judge_of(Game(self.game or task.game), None, evaluate_outcome)
            for text in unfinished_positions(judge.game):
                judge.value(judge.game.parse(text))
                if EXAMINERS[task.id] is examine_search:
                    judge.nodes_allowed(text, task.id != "minimax")

    def run(self, progress: Progress | None = None, checkpoint: Checkpoint | None = None) -> Grade:
        """Load the submission, try it on every position and return the grade.

        ``checkpoint`` is called with the grade of the rules, before the rest is tried.
        """
        try:
            loaded = self._load()
        except (Exception, SystemExit) as error:  # a finding about the submission, not an error of ours
            return self.broken_off("", describe_error(error), diagnose_error(error))
        game = Game(self.game or ("3x3" if loaded.style.is_3x3_only else loaded.task.game))
        depth = loaded.task.depth if self.depth is None else self.depth
        exam = Exam(loaded, game, depth, self.evaluate, progress)
        try:
            if examine_rules(exam):
                if checkpoint is not None:
                    checkpoint(exam.grade)
                EXAMINERS[loaded.task.id](exam)
        except Exception as error:  # an answer that cannot even be compared or shown, such as 10**5000
            exam.fail("runs", "", f"its answer cannot be read: {type(error).__name__}", "answer-form")
        return exam.grade

    def _load(self) -> LoadedSubmission:
        if isinstance(self.search, Submission):
            return self.search.load(self.task)
        return load_function(self.search, self.task)

    def broken_off(self, position: str, message: str, diagnosis: str, so_far: Grade | None = None) -> Grade:
        """Return the grade of a submission that could not be graded to the end."""
        task = self.task or TASKS["alphabeta"]
        grade = so_far or Grade(self.name, task.id, "noughts", self.game or task.game, 0, task.properties, self.depth)
        grade.checked.add("runs")
        grade.failures["runs"] = Failure("runs", position, message)
        grade.diagnosis = Diagnosis.of(diagnosis)
        return grade
