"""An exam: asks a submission about positions, reads its answers, and collects the failures in a grade."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple, TypeVar, cast

from noughts.games import Game, Position
from noughts.games.quoting import escape_control_characters, quote, shorten
from noughts.json_types import Json, JsonObject
from noughts.teaching.grading.answers import Malformed, decode, encode, is_number
from noughts.teaching.grading.cells import Cells
from noughts.teaching.grading.client import SubmissionClient
from noughts.teaching.grading.diagnosis.diagnoses import DIAGNOSES
from noughts.teaching.grading.report import Diagnosis, Grade, PropertyFailure
from noughts.teaching.grading.runtime.calls import CallNode
from noughts.teaching.grading.runtime.recording_position import VisitedNode
from noughts.teaching.grading.runtime.server import SubmissionQuestion
from noughts.teaching.grading.styles import STYLES, SubmissionStyle
from noughts.teaching.grading.tasks import Assignment, default_task
from noughts.teaching.grading.trees import decode_calls, decode_visits, horizon
from noughts.textbook import Evaluate, evaluate_lines

__all__ = [
    "DEPTH_NAMES",
    "CallReply",
    "Exam",
    "RuleReply",
    "Subject",
    "SubmissionError",
    "SubmissionFailed",
    "load_subject",
    "show",
]

MAX_MESSAGE = 300
MAX_NAME = 200
MAX_CALL = 600
MAX_PLACE = 80
"""Characters of the name of a file, and of a line of its source."""
MAX_LINE = 10_000_000
DEPTH_NAMES = ("depth", "max_depth", "d", "limit", "plies")
"""The names of the parameter for the depth."""
T = TypeVar("T")


class SubmissionError(NamedTuple):
    """An exception that a submission raised: one line of text with its place, and the id of its diagnosis."""

    text: str
    diagnosis: str


class SubmissionFailed(Exception):
    """The submission raised an exception where there is nothing to ask it after that."""

    def __init__(self, error: SubmissionError, position: str = "") -> None:
        super().__init__(error.text)
        self.error, self.position = error, position


class Subject(NamedTuple):
    """The function of a submission, as the submission describes it."""

    style: SubmissionStyle
    task: Assignment
    function: str
    parameters: tuple[str, ...] | None
    """The names of its parameters, or None if they are not known."""
    required: tuple[str, ...] | None
    """The names of those without a default."""
    has_rules: bool
    has_evaluation: bool
    marks: dict[str | None, object]
    """Its marks for X, O and an empty cell."""
    taken: str = ""
    """What was taken for what, if the names of the submission did not say it."""


@dataclass(slots=True)
class CallReply:
    """The result of one call: its answer, or the exception it raised, and its effect on the position."""

    answer: object = None
    error: SubmissionError | None = None
    unreadable: str = ""
    """Why the answer cannot be written as data, in a few words."""
    changes: str = ""
    nodes: int = 1
    was_stopped: bool = False
    """Whether it visited more nodes than allowed."""
    tree: VisitedNode | None = None
    """The moves that it tried, if they were recorded; each is legal."""


class RuleReply(NamedTuple):
    """The answer of a function of the rules; the boards are those of ``result``."""

    answer: object
    error: SubmissionError | None
    before: Cells | None
    after: Cells | None
    is_same: bool
    has_changed: bool
    """Whether the state that it was called with has changed."""
    turn: object
    """The side to move after ``result``, by the submission's own function; None if it is not known."""


@dataclass(slots=True)
class _Asked:
    """A question, and its answer when it has been read."""

    question: SubmissionQuestion
    answer: JsonObject | None = field(default=None)


def load_subject(client: SubmissionClient, question: SubmissionQuestion, task: Assignment | None) -> Subject:
    """Let the submission be loaded, as the question says; raises SubmissionFailed, Malformed and SubmissionStopped."""
    client.ask([{"ask": "load", "task": task.id if task else None, **question}])
    data = client.read()
    if (error := _error(data)) is not None:
        raise SubmissionFailed(error)
    style = STYLES.get(_get(data, "style", str))
    parameters, required = _names(data.get("parameters")), _names(data.get("required"))
    marks = data.get("marks")
    if style is None or not isinstance(marks, list) or len(marks) != 3:
        raise Malformed("the submission has an unknown style")
    name = _get(data, "function", str)
    if not name.isprintable() or len(name) > MAX_NAME:
        raise Malformed("the name of the function is not a name")
    x, o, empty = map(decode, marks)
    if style.id in {"own", "aima"}:
        style = style.with_moves(_get(data, "has_pairs", bool), 1 if _get(data, "first", int) else 0)
    return Subject(
        style,
        task or default_task(style.has_values),
        name,
        parameters,
        required,
        _get(data, "has_rules", bool),
        _get(data, "has_evaluation", bool),
        {"X": x, "O": o, None: empty},
        _text(data, "taken", ""),
    )


def _get(data: JsonObject, name: str, kind: type[T], default: T | None = None) -> T:
    value = data.get(name, default)
    if type(value) is not kind:
        raise Malformed(f"the answer has no {name}")
    return value


def _names(data: Json) -> tuple[str, ...] | None:
    if data is None:
        return None
    if not isinstance(data, list) or not all(type(name) is str for name in data):
        raise Malformed("the parameters of the function have an unknown form")
    return tuple(map(str, data))


def _error(data: JsonObject) -> SubmissionError | None:
    if "error" not in data:
        return None
    error = data["error"]
    if not isinstance(error, dict):
        raise Malformed("the error has an unknown form")
    diagnosis = _get(error, "diagnosis", str)
    place = _place(error.get("place"))
    text = _text(error, "text", limit=MAX_MESSAGE - len(place)) + place
    return SubmissionError(text, diagnosis if diagnosis in DIAGNOSES else "raises")


def _place(data: Json) -> str:
    """Return the line of the program at which an exception was raised, to follow its text; empty if it is not known."""
    if data is None:
        return ""
    if not isinstance(data, dict):
        raise Malformed("the place of an error has an unknown form")
    line = _get(data, "line", int)
    if not 0 < line <= MAX_LINE:
        raise Malformed("the line of an error is out of range")
    file, source = (_text(data, name, limit=MAX_PLACE) for name in ("file", "source"))
    return f" at {file}, line {line}" + (f": {source}" if source else "")


def _text(data: JsonObject, name: str, default: str | None = None, limit: int = MAX_MESSAGE) -> str:
    """Return a text of the submission as a part of one line: short, without control characters."""
    text = _get(data, name, str, default)[: 2 * limit]
    return shorten(escape_control_characters(" ".join(text.split())), limit, "...")


class Exam:
    """A submission that can be asked, the rules to examine it by, and its grade so far."""

    def __init__(
        self,
        client: SubmissionClient,
        subject: Subject,
        name: str,
        game: Game,
        depth: int | None,
        evaluate: Evaluate | None,
    ) -> None:
        self.subject, self.style, self.task = subject, subject.style, subject.task
        self.game, self.depth = game, depth
        self._client = client
        self._in_flight: deque[_Asked] = deque()
        self._last_asked: dict[tuple[str, str], SubmissionQuestion] = {}
        """The last question whose answer was taken, by the function of the rules (or "") and the position."""
        self._failed: dict[str, SubmissionQuestion] = {}
        """The question at which each property failed."""
        self.has_own_evaluation = evaluate is None and depth is not None and subject.has_evaluation
        self._own_values: dict[int, int] = {}
        self.evaluate: Evaluate = evaluate or (self._evaluate if self.has_own_evaluation else evaluate_lines)
        properties = self.style.properties(self.task, subject.has_rules)
        self.grade = Grade(name, self.task.id, self.style.id, game.id, 0, properties, depth, taken=subject.taken)
        self._ids = {each.id for each in properties}
        self.repair_question: Callable[[Iterable[str]], SubmissionQuestion] | None = None
        """Asks for a repair, tested first on these positions, where it fails; None if the task has no repairs."""

    # Questions

    @property
    def reached(self) -> str:
        """The first position without an answer, or ""."""
        return str(self._in_flight[0].question["position"]) if self._in_flight else ""

    def _ask(self, questions: Iterable[SubmissionQuestion]) -> Iterator[tuple[SubmissionQuestion, JsonObject]]:
        """Yield questions with their answers; some are asked in advance, so that neither side waits for the other."""
        waiting: deque[_Asked] = deque()
        left = iter(questions)
        while batch := [_Asked(question) for question in islice(left, self._client.batch)]:
            self._client.ask([asked.question for asked in batch])
            self._in_flight.extend(batch)
            waiting.extend(batch)
            while len(waiting) >= 2 * self._client.batch:
                yield self._take(waiting.popleft())
            if self._client.batch == 1:
                yield self._take(waiting.popleft())
        while waiting:
            yield self._take(waiting.popleft())

    def _take(self, asked: _Asked) -> tuple[SubmissionQuestion, JsonObject]:
        while asked.answer is None:
            self._in_flight[0].answer = self._client.read()
            self._in_flight.popleft()
        self._last_asked[asked.question.get("rule", ""), asked.question["position"]] = asked.question
        return asked.question, asked.answer

    def question(
        self,
        text: str,
        *more: object,
        limit: int | None = None,
        random_seed: int | None = None,
        with_moves: bool = False,
        named: Mapping[str, int] | None = None,
    ) -> SubmissionQuestion:
        """Return the question to call the function for a position; with a limit on the nodes its moves are recorded."""
        return {
            "ask": "call",
            "game": self.game.id,
            "position": text,
            "more": encode(more),
            "limit": limit,
            "seed": random_seed,
            "with_moves": with_moves,
            "named": dict(named or {}),
        }

    def ask_all(self, questions: Iterable[SubmissionQuestion]) -> Iterator[CallReply]:
        """Yield the replies to questions, in order; raises SubmissionStopped and Malformed."""
        for question, data in self._ask(questions):
            yield self._read_reply(question, data)

    def ask(self, question: SubmissionQuestion) -> CallReply:
        """Return the reply to a question; raises SubmissionStopped and Malformed."""
        return next(self.ask_all([question]))

    def _read_reply(self, question: SubmissionQuestion, data: JsonObject) -> CallReply:
        limit = question["limit"]
        reply = CallReply(error=_error(data), nodes=_get(data, "nodes", int), unreadable=_text(data, "unreadable", ""))
        if reply.nodes < 1:
            raise Malformed("a number of nodes is not positive")
        reply.was_stopped = _get(data, "stopped", bool, False) or (limit is not None and reply.nodes > limit)
        reply.changes = "" if reply.was_stopped else _text(data, "changes", "")
        reply.answer = decode(data.get("answer"))
        if limit is not None and self.style.has_our_positions and not reply.was_stopped and "visits" in data:
            reply.tree = decode_visits(data["visits"], self.game.parse(question["position"]), reply.nodes - 1)
        return reply

    def ask_rule(self, name: str, calls: Iterable[tuple[str, tuple[object, ...]]]) -> Iterator[RuleReply]:
        """Yield the answers of a function of the rules on positions of 3x3, each with more arguments."""
        questions: Iterator[SubmissionQuestion] = (
            {"ask": "rule", "rule": name, "game": "3x3", "position": text, "more": encode(more)} for text, more in calls
        )
        for _, data in self._ask(questions):
            before, after = (_cells(data.get(key)) for key in ("before", "after"))
            error = _error(data)
            if error is None and "unreadable" in data:
                error = SubmissionError(_unreadable(_text(data, "unreadable")), "answer-form")
            is_same, has_changed = (_get(data, key, bool, False) for key in ("same", "changed"))
            answer, turn = decode(data.get("answer")), decode(data.get("turn"))
            yield RuleReply(answer, error, before, after, is_same, has_changed, turn)

    def replace_rule(self, name: str, is_ours: bool = True) -> None:
        """Let our function of the rules take the place of the submission's own, or put the own one back."""
        list(self._ask([{"ask": "replace", "rule": name, "is_ours": is_ours, "position": ""}]))

    def ask_calls(self, question: SubmissionQuestion) -> CallNode | None:
        """Return the tree of the calls of the student's own functions, or None if the calls do not show it."""
        ((_, data),) = self._ask([question | {"ask": "calls"}])
        return decode_calls(data.get("calls"), self.game.parse(question["position"]), self.style)

    def add_calls(self) -> None:
        """Add to each failure the call that shows it, as the student would type it."""
        failures = self.grade.failures
        wanted = {id: question for id, question in self._failed.items() if id in failures and not failures[id].call}
        questions = [question | {"ask": "typed"} for question in wanted.values()]
        for id, (_, data) in zip(wanted, self._ask(questions), strict=True):
            failures[id] = replace(failures[id], call=_text(data, "text", limit=MAX_CALL))

    def prepare_evaluation(self, texts: Iterable[str], depth: int) -> None:
        """Ask for the submission's own evaluation of all positions at a depth below others."""
        questions: Iterator[SubmissionQuestion] = (
            {"ask": "evaluate", "game": self.game.id, "position": text, "depth": depth} for text in texts
        )
        for question, data in self._ask(questions):
            error, values = _error(data), data.get("values")
            if error is not None:
                raise SubmissionFailed(error)
            hashes = [position.hash for position in horizon(self.game.parse(question["position"]), depth)]
            if not isinstance(values, list) or len(values) != len(hashes):
                raise Malformed("the values of an evaluation are not as many as its positions")
            for hash, value in zip(hashes, map(decode, values), strict=True):
                if not is_number(value):
                    message = f"expected a number from its evaluation, got {show(value)}"
                    raise SubmissionFailed(SubmissionError(message, "not-a-number"))
                self._own_values[hash] = cast(int, value)  # a float is compared like an integer

    def _evaluate(self, position: Position) -> int:
        """Return the value of a position by the evaluation that the submission defines for its own search."""
        if position.hash not in self._own_values:
            self.prepare_evaluation([position.text], 0)
        return self._own_values[position.hash]

    # Findings

    def holds(self, *ids: str) -> None:
        """Record that properties were checked."""
        self.grade.checked.update(id for id in ids if id in self._ids)

    def claim(self, id: str) -> None:
        """Record that a property rests on the program's own count."""
        if id in self._ids:
            self.grade.claimed.add(id)

    def note(self, text: str) -> None:
        """Record a remark that costs no points, once."""
        if text not in self.grade.notes:
            self.grade.notes.append(text)

    def fail(self, id: str, position: str, message: str, diagnosis: str | None = None) -> None:
        """Record the first failure of a property, and its diagnosis."""
        self.holds(id)
        if id in self._ids and id not in self.grade.failures:
            named = Diagnosis.of(diagnosis) if diagnosis is not None else None
            text = shorten(message, MAX_MESSAGE, "...")
            self.grade.failures[id] = PropertyFailure(id, position, text, diagnosis=named)
            rule = id if id in self.style.rules else ""
            if (rule, position) in self._last_asked:
                self._failed[id] = self._last_asked[rule, position]

    def diagnose(self, property: str, diagnosis: str) -> None:
        """Record the mistake behind the failure of a property, if the property fails."""
        if property in self.grade.failures:
            failure = self.grade.failures[property]
            self.grade.failures[property] = replace(failure, diagnosis=Diagnosis.of(diagnosis))

    def check_reply(self, position: str, reply: CallReply) -> bool:
        """Record whether the call raised nothing, left the position as it was and has a readable answer."""
        if reply.error is not None and reply.error.diagnosis == "memory":
            raise SubmissionFailed(reply.error, position)
        if reply.error is not None and not reply.changes:
            self.fail("runs", position, reply.error.text, reply.error.diagnosis)
            return False
        self.holds("runs", "undo")
        if reply.changes:
            after = f", then {reply.error.text}" if reply.error is not None else ""
            self.fail("undo", position, reply.changes + after, self.diagnosis_of_change)
        elif reply.unreadable:
            self.fail("runs", position, _unreadable(reply.unreadable), "answer-form")
        return not reply.changes and not reply.unreadable

    @property
    def diagnosis_of_change(self) -> str:
        """The mistake behind a position that is left changed."""
        return "forgets-undo" if self.style.has_our_positions else "changes-board"


def _cells(data: Json) -> Cells | None:
    if data is None:
        return None
    if not isinstance(data, list) or not all(mark in (None, "X", "O", "?") for mark in data):
        raise Malformed("a board has an unknown form")
    return tuple(None if mark is None else str(mark) for mark in data)


def _unreadable(name: str) -> str:
    return f"its answer cannot be read: {shorten(name, MAX_MESSAGE, '...')}"


def show(value: object) -> str:
    """Return a value of the submission in a message, shortened."""
    return shorten(str(value), MAX_MESSAGE, "...") if isinstance(value, int | float) else quote(repr(value), 60)[1:-1]
