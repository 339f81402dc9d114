"""An exam: asks the function of a submission about positions, and collects the failures in a grade."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from noughts.games import Game, Position
from noughts.games.quoting import quote
from noughts.study.grading.report import Diagnosis, Failure, Grade
from noughts.study.grading.submission import LoadedSubmission
from noughts.study.grading.watching import NodeCount, TooManyNodes, VisitedNode
from noughts.textbook import Evaluate, evaluate_lines

__all__ = ["Exam", "Progress", "Reply", "describe_error", "diagnose_error"]

Progress = Callable[[str], object]
"""Called with the position string of each position before the submission is tried on it."""
UNLIMITED = 1 << 60
MAX_MESSAGE = 300


@dataclass(slots=True)
class Reply:
    """The result of one call: its answer, or the exception it raised, and what it did to the position."""

    answer: Any = None
    error: BaseException | None = None
    changes: str = ""
    nodes: int = 1
    tree: VisitedNode | None = None

    @property
    def was_stopped(self) -> bool:
        """Whether it was stopped because it visited too many nodes."""
        return isinstance(self.error, TooManyNodes)


class Exam:
    """A submission, the rules to examine it by, and its grade so far."""

    def __init__(
        self,
        submission: LoadedSubmission,
        game: Game,
        depth: int | None,
        evaluate: Evaluate | None,
        progress: Progress | None = None,
    ) -> None:
        self.style, self.function, self.task = submission.style, submission.function, submission.task
        self.game, self.depth = game, depth
        self.evaluate = evaluate or self._own_evaluation() or evaluate_lines
        self.progress = progress or (lambda text: None)
        properties = self.style.properties(self.task)
        self.grade = Grade(submission.name, self.task.id, self.style.id, game.id, 0, properties, depth)
        self._ids = {each.id for each in properties}

    def _own_evaluation(self) -> Evaluate | None:
        """Return the evaluation that the submission defines for its own depth-limited search."""
        own: Any = self.style.names.get("evaluate")
        if self.depth is None or not callable(own):
            return None
        known: dict[int, int] = {}

        def evaluate(position: Position) -> int:
            if position.hash not in known:
                known[position.hash] = own(*self.style.question(position.copy(), is_watched=False).arguments)
            return known[position.hash]

        return evaluate

    def ask(self, position: Position, *more: Any, limit: int | None = None, **named: Any) -> Reply:
        """Call the function for a position, which it may change only until it returns.

        With a limit on the nodes its moves are watched.
        """
        reply = Reply()
        self.style.count = count = NodeCount(UNLIMITED if limit is None else limit)
        try:
            question = self.style.question(position, is_watched=limit is not None)
            reply.tree = question.tree
            reply.answer = self.function(*question.arguments, *more, **named)
        except (Exception, SystemExit, TooManyNodes) as error:  # a finding about the submission, not an error of ours
            reply.error = error
        reply.nodes = count.nodes
        if not reply.was_stopped:
            reply.changes = question.changes()
        return reply

    def holds(self, *ids: str) -> None:
        """Record that properties were checked."""
        self.grade.checked.update(id for id in ids if id in self._ids)

    def fail(self, id: str, position: str, message: str, diagnosis: str | None = None) -> None:
        """Record the first failure of a property, and its diagnosis if there is none yet."""
        self.holds(id)
        if id in self._ids:
            self.grade.failures.setdefault(id, Failure(id, position, _shorten(message)))
        if diagnosis is not None:
            self.diagnose(diagnosis)

    def diagnose(self, id: str) -> None:
        """Record a diagnosis, if there is none yet."""
        if self.grade.diagnosis is None:
            self.grade.diagnosis = Diagnosis.of(id)

    def check_reply(self, position: str, reply: Reply) -> bool:
        """Record whether the call raised nothing and left the position as it was."""
        if reply.error is not None and not reply.changes:
            self.fail("runs", position, describe_error(reply.error), diagnose_error(reply.error))
            return False
        self.holds("runs", "undo")
        if reply.changes:
            after = f", then {describe_error(reply.error)}" if reply.error is not None else ""
            self.fail("undo", position, reply.changes + after, self.diagnosis_of_change)
        return not reply.changes

    @property
    def diagnosis_of_change(self) -> str:
        """The mistake behind a position that is left changed."""
        return "forgets-undo" if self.style.id == "noughts" else "changes-board"


def describe_error(error: BaseException) -> str:
    """Return an exception in one line."""
    name = type(error).__name__
    try:
        message = " ".join(str(error).split())
    except Exception:  # an exception of the submission's own that cannot be shown
        message = ""
    return f"{name}: {message}" if message else name


def diagnose_error(error: BaseException) -> str:
    """Return the id of the diagnosis of an exception."""
    for kind, id in ERRORS.items():
        if isinstance(error, kind):
            return id
    return "raises"


ERRORS: dict[type[BaseException], str] = {
    SyntaxError: "syntax-error",
    NotImplementedError: "not-written",
    RecursionError: "endless-recursion",
    MemoryError: "memory",
    EOFError: "reads-input",
    SystemExit: "exits",
    ImportError: "not-found",
}


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_MESSAGE else text[: MAX_MESSAGE - 3] + "..."


def show(value: Any) -> str:
    """Return a value of the submission in a message, shortened."""
    return str(value) if isinstance(value, int | float) else quote(repr(value), 60)[1:-1]
