"""Grading: the judge asks a submission, which runs in a sandbox, in a fork or, if it is trusted, in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass, field

from noughts.games import Game
from noughts.process.forked import can_fork
from noughts.process.sandbox import STRANGERS, Sandbox
from noughts.teaching.grading.answers import Malformed
from noughts.teaching.grading.client import (
    LocalClient,
    PipeClient,
    SubmissionClient,
    SubmissionProgram,
    SubmissionStopped,
    check_limits,
    open_file,
    open_function,
    pickle_function,
)
from noughts.teaching.grading.diagnosis.repairs import is_repairable, record_repair
from noughts.teaching.grading.exams.heuristic import examine_heuristic
from noughts.teaching.grading.exams.mcts import examine_mcts
from noughts.teaching.grading.exams.ordering import examine_order
from noughts.teaching.grading.exams.player import examine_player
from noughts.teaching.grading.exams.rules import examine_rules
from noughts.teaching.grading.exams.searches import examine_search
from noughts.teaching.grading.judge import judge_of, unfinished_positions
from noughts.teaching.grading.programs.bindings import SubmittedFunction
from noughts.teaching.grading.question_runner import Exam, SubmissionFailed, load_subject
from noughts.teaching.grading.report import Diagnosis, Grade, PropertyFailure
from noughts.teaching.grading.runtime.server import SubmissionQuestion, SubmissionServer
from noughts.teaching.grading.styles import STYLES
from noughts.teaching.grading.submission import Submission
from noughts.teaching.grading.tasks import RULES, TASKS, Assignment, find_task, with_points
from noughts.textbook import Evaluate, evaluate_outcome

__all__ = ["GradingJob", "GradingProgress", "grade"]

REPAIR_SECONDS, REPAIR_LIMIT = 2.0, 3.0
"""Processor time for loading a submission and looking for a repair, and for the process that does it."""
DISHONEST = frozenset({"forged-answer", "attacks-grader"})
"""After these, nothing that the submission said before counts."""


def grade(
    search: SubmittedFunction | Submission,
    game: str | None = None,
    prunes: bool = True,
    seconds: float | None = None,
    depth: int | None = None,
    evaluate: Evaluate | None = None,
    *,
    task: str | None = None,
    memory_mb: int | None = None,
    sandbox: Sandbox | None = None,
    points: Mapping[str, int] | None = None,
    style: str | None = None,
) -> Grade:
    """Grade a function, or the function of a ``Submission``, by the properties of a task of ``TASKS``.

    Without a task it is ``depth-limited`` if a depth is given, ``minimax`` with ``prunes=False``, else ``alphabeta``
    (``minimax`` in styles whose searches return no value). A search is tried on the unfinished positions of a small
    game, one of each symmetric kind. It is called with a position and must return a ``Result``, or a tuple that begins
    with the value (from X's side) and the move. It may play and undo on the position or make new ones with ``after``;
    visited nodes are counted by watching it do so. In ``minimax`` it may visit as many nodes as plain minimax.
    Otherwise it may visit, over all positions, twice as many as alpha-beta with row-by-row order and a full window for
    each root move; a search that visits five times as many on one position is stopped, which ends the grading. Small
    positions come first, so the reported position is usually one of the simplest that show the mistake.

    With a ``depth`` the search is also called with ``depth=``, must use ``evaluate`` (its own file's function of that
    name, or else ``evaluate_lines``, unless given) at that depth, and is tried on 60 positions of random playthroughs,
    so any game can be used.

    ``points`` are those of properties by their id, in place of the points of the task.

    A ``Submission`` runs in a process of its own, in the sandbox unless that is off, and is ended after
    ``seconds``; raises ValueError where there is no sandbox. A function cannot be kept apart from this process, so it
    must be trusted: without limits it is called here, and if it loops without touching the position it is never
    stopped; with ``seconds`` or ``memory_mb`` it is called in a fork, which is ended after that time. A ``style`` of
    ``STYLES`` is recognised unless it is given.
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
    if style is not None and style not in STYLES:
        raise ValueError(f"expected a style, one of {', '.join(STYLES)}, got {style!r}")
    job = GradingJob(search, chosen, Game(game).id if game else None, depth, evaluate, points or {}, style)
    job.check()
    if isinstance(search, Submission):
        sandbox = sandbox or STRANGERS
        sandbox.check()
        return job.run_file(search, *check_limits(seconds, memory_mb), sandbox)
    if seconds is None and memory_mb is None:
        return job.run(LocalClient(SubmissionServer(search)))
    return job.run_in_fork(search, *check_limits(seconds, memory_mb))


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
class GradingJob:
    """A submission, and the task to grade it by."""

    search: SubmittedFunction | Submission
    task: Assignment | None
    game: str | None = None
    depth: int | None = None
    evaluate: Evaluate | None = None
    points: Mapping[str, int] = field(default_factory=dict)
    """Points of properties by their id, in place of those of the task."""
    style: str | None = None
    """The id of the style; without it the style is recognised."""

    @property
    def name(self) -> str:
        return str(getattr(self.search, "__name__", "search"))

    def check(self) -> None:
        """Raise ValueError if the game is too large to grade on.

        The exact values are computed here, before the time of a submission begins.
        """
        task = self.task or TASKS["alphabeta"]
        if task.depth is None:
            judge = judge_of(Game(self.game or task.game), None, evaluate_outcome)
            for text in unfinished_positions(judge.game):
                judge.value(judge.game.parse(text))
                if EXAMINERS[task.id] is examine_search:
                    judge.nodes_allowed(text, task.id != "minimax")

    def run_file(self, submission: Submission, seconds: float, memory_mb: int, sandbox: Sandbox) -> Grade:
        """Grade a submission in a process that sees a copy of its files and nothing of the others."""
        submission = submission.read()
        if submission.problem is not None:
            grade = self.incomplete_grade("", *submission.problem)
        else:
            question: SubmissionQuestion = {"file": submission.main, "function": submission.function}
            progress = GradingProgress()
            with submission.unpack() as folder:
                with _open(open_file(folder, memory_mb, sandbox), seconds) as client:
                    grade = self.run(client, question, progress)
                if progress.exam is not None and is_repairable(grade):
                    process = open_file(folder, memory_mb, sandbox)
                    with suppress(SubmissionStopped), _open(process, REPAIR_LIMIT, is_shown=False) as client:
                        self.repair(client, question, progress.exam, grade, submission)
        grade.sandbox = sandbox.is_on
        return grade

    def run_in_fork(self, function: SubmittedFunction, seconds: float, memory_mb: int) -> Grade:
        """Grade a function in a fork of this process, or where that is not safe, in a process that imports it."""
        question: SubmissionQuestion = {}
        if not can_fork():
            question = {"pickled": pickle_function(function), "path": sys.path}
        with _open(open_function(function, memory_mb), seconds) as client:
            return self.run(client, question)

    def repair(
        self, client: SubmissionClient, question: SubmissionQuestion, exam: Exam, grade: Grade, submission: Submission
    ) -> None:
        """Look for a small change to a program after which all its answers are right, and record its place."""
        if exam.repair_question is None:
            return
        with suppress(SubmissionStopped, SubmissionFailed, Malformed):
            question = {**question, "task": exam.task.id, "style": self.style}
            load_subject(client, question, exam.task)
            failed = [each.position for each in grade.failures.values() if each.property not in RULES]
            client.ask([{**exam.repair_question(failed), **question, "seconds": REPAIR_SECONDS}])
            record_repair(grade, client.read(), submission)

    def run(
        self,
        client: SubmissionClient,
        question: SubmissionQuestion | None = None,
        progress: GradingProgress | None = None,
    ) -> Grade:
        """Let the submission be loaded, try it on every position and return the grade."""
        progress = progress or GradingProgress()
        try:
            self._examine(client, question or {}, progress)
        except SubmissionFailed as error:
            return self.incomplete_grade(error.position, *error.error, progress.rules)
        except SubmissionStopped as error:
            so_far = None if error.diagnosis in DISHONEST else progress.rules
            return self.incomplete_grade(progress.reached, str(error), error.diagnosis, so_far)
        except Malformed as error:
            return self.incomplete_grade(progress.reached, str(error), "forged-answer")
        assert progress.exam is not None
        return progress.exam.grade

    def _examine(self, client: SubmissionClient, question: SubmissionQuestion, progress: GradingProgress) -> None:
        subject = load_subject(client, {**question, "style": self.style}, self.task)
        game = Game(self.game or ("3x3" if subject.style.is_3x3_only else subject.task.game))
        depth = subject.task.depth if self.depth is None else self.depth
        path = f"{self.search.shown_path}:" if isinstance(self.search, Submission) else ""
        exam = progress.exam = Exam(client, subject, path + subject.function, game, depth, self.evaluate)
        exam.grade.properties = with_points(exam.grade.properties, self.points)
        examine_rules(exam)
        exam.add_calls()
        progress.rules = deepcopy(exam.grade)
        EXAMINERS[subject.task.id](exam)
        exam.add_calls()
        for name in exam.grade.replaced:
            exam.replace_rule(name, is_ours=False)

    def incomplete_grade(self, position: str, message: str, diagnosis: str, so_far: Grade | None = None) -> Grade:
        """Return the grade of a submission that could not be graded to the end."""
        task = self.task or TASKS["alphabeta"]
        properties = with_points(task.properties, self.points)
        grade = so_far or Grade(self.name, task.id, "noughts", self.game or task.game, 0, properties, self.depth)
        grade.checked.add("runs")
        grade.failures["runs"] = PropertyFailure("runs", position, message, diagnosis=Diagnosis.of(diagnosis))
        return grade


@dataclass
class GradingProgress:
    """How far an exam has come."""

    exam: Exam | None = None
    rules: Grade | None = field(default=None)
    """The grade when the rules had been checked."""

    @property
    def reached(self) -> str:
        """The first position without an answer, or ""."""
        return self.exam.reached if self.exam is not None else ""


@contextmanager
def _open(process: SubmissionProgram, seconds: float, is_shown: bool = True) -> Iterator[PipeClient]:
    """Start a process, end it at the end of the context, and then perhaps show the beginning of what it printed."""
    client = PipeClient(process, seconds)
    try:
        yield client
    finally:
        client.close()
        if is_shown:
            sys.stderr.write(client.printed)
