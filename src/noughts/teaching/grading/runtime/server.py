"""The side of the submission: loads it, calls its functions as questions ask, and answers with plain data.

Nothing here judges. Readers must treat the answers as claims: in a process of its own a submission can
change everything in this module.

====================  ====================================================================================
question (``ask``)    answer
====================  ====================================================================================
``load``              the style and its moves, the name and the parameters of the function, whether it has rules and an
                      evaluation, and its marks
``call``              ``answer``, or ``unreadable`` or ``error``; ``changes``, ``nodes``, ``stopped``, ``visits``
``evaluate``          ``values`` by the submission's own evaluation, of the positions at a depth
``rule``              ``answer``; of ``result`` also the boards ``before`` and ``after``, and ``same``
``calls``             ``calls``: the tree of the student's own functions
``typed``             ``text``: a call, or that of a rule, as the student would type it
``replace``           nothing: a function of the rules was replaced by ours, or put back
``repair``            a small change to the program after which it passes tests: ``kind``, ``file``, ``line``; or
                      nothing
====================  ====================================================================================
"""

from __future__ import annotations

import inspect
import pickle
import random
import sys
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path
from time import process_time
from types import CodeType
from typing import NamedTuple, TypedDict, cast

from noughts.games import Game, Position
from noughts.json_types import Json, JsonObject
from noughts.teaching.grading.answers import Unreadable, decode, encode
from noughts.teaching.grading.cells import Cells
from noughts.teaching.grading.programs.bindings import Arguments, Binding, NoughtsBinding, SubmittedFunction
from noughts.teaching.grading.programs.own_binding import OwnBinding
from noughts.teaching.grading.programs.recognition import find_binding
from noughts.teaching.grading.programs.trials import TrialFailed, trial
from noughts.teaching.grading.runtime.call_text import format_call
from noughts.teaching.grading.runtime.calls import record_calls
from noughts.teaching.grading.runtime.edits import Edit, EditableProgram
from noughts.teaching.grading.runtime.error_place import describe_place
from noughts.teaching.grading.runtime.modules import Modules, load_modules
from noughts.teaching.grading.runtime.recording_position import UNLIMITED, NodeCount, TooManyNodes
from noughts.teaching.grading.runtime.time_limit import TooSlow, limited_time
from noughts.teaching.grading.tasks import TASKS, Assignment, default_task
from noughts.teaching.grading.trees import encode_calls, encode_visits, horizon

__all__ = ["RepairTest", "SubmissionQuestion", "SubmissionServer"]

MAX_TREE_NODES = 200_000
"""A larger tree of visited nodes is not sent."""

REPAIR_ROUNDS = ((0.08, slice(0, 2)), (0.08, slice(2, None)), (0.3, slice(0, None)))
"""Processor time for one call of a changed program, and the ways to call it that are tried, likeliest first.

In the last round those are tried again that were slow.
"""

RULE_SECONDS = 2
"""Processor time for one call of a function of the rules, which needs less than a thousandth of it."""

ERRORS: dict[type[BaseException], str] = {
    SyntaxError: "syntax-error",
    NotImplementedError: "not-written",
    RecursionError: "endless-recursion",
    MemoryError: "memory",
    EOFError: "reads-input",
    SystemExit: "exits",
    ImportError: "not-found",
    NameError: "name-error",
    IndexError: "index-error",
    KeyError: "key-error",
    TypeError: "type-error",
    AttributeError: "attribute-error",
    ValueError: "value-error",
}
"""The diagnosis of an exception; of any other it is ``raises``."""


class SubmissionQuestion(TypedDict, total=False):
    """A question, with the fields that its kind needs."""

    ask: str
    """The kind of the question."""
    task: str | None
    file: str
    function: str | None
    style: str | None
    """The id of the style, if it was named."""
    pickled: str
    path: list[str]
    rule: str
    is_ours: bool
    """Whether our function of the rules takes the place of the submission's own."""
    game: str
    position: str
    more: Json
    """More arguments, as ``answers`` writes them."""
    named: dict[str, int]
    depth: int
    limit: int | None
    """The number of nodes to visit; with it the moves are recorded."""
    seed: int | None
    with_moves: bool
    tests: list[RepairTest]
    replaced: list[str]
    """The functions of the rules in whose place there are ours."""
    nodes: int
    """The number of nodes that may be visited in all tests."""
    kinds: list[str]
    """The kinds of changes to try; without any, all."""
    seconds: float


class RepairTest(TypedDict):
    """A position, with the answers that are right on it."""

    position: str
    value: int
    moves: list[int]
    limit: int | None


def _describe_error(error: BaseException) -> JsonObject:
    """Return an exception as data: one line of text, the id of its diagnosis, and where it was raised."""
    name = type(error).__name__
    try:  # the message of a syntax error without its place, which follows
        message = " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())
    except Exception:  # an exception of the submission's own that cannot be shown
        message = ""
    diagnosis = next((id for kind, id in ERRORS.items() if isinstance(error, kind)), "raises")
    text = (f"{name}: {message}" if message else name)[:1000]
    return {"text": text, "diagnosis": diagnosis, "place": describe_place(error)}


class Loaded(NamedTuple):
    """A function of a submission, ready to be called."""

    binding: Binding
    function: SubmittedFunction
    name: str


class SubmissionServer:
    """Answers questions about a function, or about that of a file which the first question names."""

    def __init__(
        self,
        function: SubmittedFunction | None = None,
        caught: tuple[type[BaseException], ...] = (Exception, SystemExit, TooManyNodes),
    ) -> None:
        self._function, self._caught = function, caught
        self._loaded: Loaded | None = None
        self._began = process_time()
        self._answers: dict[str, Callable[[SubmissionQuestion], JsonObject]] = {
            "load": self._load,
            "call": self._call,
            "evaluate": self._evaluate,
            "rule": self._rule,
            "calls": self._calls,
            "typed": self._typed,
            "replace": self._replace,
            "repair": self._repair,
        }

    def answer(self, question: SubmissionQuestion) -> JsonObject:
        return self._answers[question["ask"]](question)

    @property
    def _binding(self) -> Binding:
        assert self._loaded is not None
        return self._loaded.binding

    @contextmanager
    def _findings(self, answer: JsonObject) -> Iterator[None]:
        """Record exceptions of the submission in an answer: they are findings, not errors of ours."""
        try:
            yield
        except TooManyNodes:
            answer["stopped"] = True
        except TooSlow as error:
            answer["error"] = {"text": str(error), "diagnosis": "endless-loop"}
        except self._caught as error:
            answer["error"] = _describe_error(error)

    def _load(self, question: SubmissionQuestion) -> JsonObject:
        answer: JsonObject = {}
        with self._findings(answer):
            task = TASKS[question["task"]] if question["task"] else None
            if question.get("pickled"):
                sys.path[:] = question["path"]
                self._function = pickle.loads(b64decode(question["pickled"]))
            if self._function is not None:
                self._loaded = _load_function(self._function, task, question.get("style"))
            else:
                self._loaded = _load_file(question["file"], question["function"], task, question.get("style"))
            answer |= self._describe(self._loaded)
        return answer

    def _describe(self, loaded: Loaded) -> JsonObject:
        binding = loaded.binding
        return {
            "style": binding.style.id,
            "has_pairs": binding.style.has_pairs,
            "first": binding.style.first,
            "taken": binding.taken,
            "function": loaded.name,
            "parameters": _parameters(loaded.function),
            "required": _parameters(loaded.function, is_required=True),
            "has_rules": binding.has_rules,
            "has_evaluation": callable(binding.names.get("evaluate")),
            "marks": [encode(binding.marks[mark]) for mark in ("X", "O", None)],
        }

    def _call(self, question: SubmissionQuestion) -> JsonObject:
        assert self._loaded is not None
        position = _position(question)
        answer: JsonObject = {}
        if question.get("seed") is not None:
            random.seed(question["seed"])
        count = self._binding.count = NodeCount(UNLIMITED if question["limit"] is None else question["limit"])
        arguments: Arguments | None = None
        with self._findings(answer):
            arguments = self._binding.arguments(position, question["limit"] is not None)
            returned = self._loaded.function(*self._values(arguments, position, question), **question["named"])
            self._encode_answer(answer, returned)
        answer["nodes"] = count.nodes
        if arguments is not None and "stopped" not in answer:
            with self._findings(answer):
                answer["changes"] = arguments.changes()[:1000]
            if arguments.tree is not None and count.nodes <= MAX_TREE_NODES:
                answer["visits"] = encode_visits(arguments.tree)
        return answer

    def _values(self, arguments: Arguments, position: Position, question: SubmissionQuestion) -> tuple[object, ...]:
        moves = self._binding.moves_argument(position) if question.get("with_moves") else ()
        return (*arguments.values, *moves, *_more(question))

    def _encode_answer(self, answer: JsonObject, returned: object) -> None:
        try:
            answer["answer"] = encode(returned)
        except Unreadable as error:
            answer["unreadable"] = str(error)
        except self._caught as error:
            if isinstance(returned, Iterator):  # the student's own code, which runs only when its answer is read
                raise
            answer["unreadable"] = type(error).__name__

    def _evaluate(self, question: SubmissionQuestion) -> JsonObject:
        answer: JsonObject = {}
        values: list[Json] = []
        with self._findings(answer):
            evaluate = self._binding.function("evaluate")
            for position in horizon(_position(question), question["depth"]):
                values.append(encode(evaluate(*self._binding.arguments(position.copy(), is_watched=False).values)))
            answer["values"] = values
        return answer

    def _rule(self, question: SubmissionQuestion) -> JsonObject:
        answer: JsonObject = {}
        name = question["rule"]
        with self._findings(answer), limited_time(RULE_SECONDS):
            state, returned, has_changed = self._binding.call_rule(name, _position(question), *_more(question))
            answer["changed"] = has_changed
            if name == "result":
                answer["before"], answer["after"] = map(_plain_cells, map(self._binding.cells_of, (state, returned)))
                answer["same"] = returned is state
                answer["answer"] = None if returned is None else ["o", repr(returned)[:1000]]
                with suppress(*self._caught):
                    answer["turn"] = encode(self._binding.turn_of(returned))
            else:
                self._encode_answer(answer, returned)
                self._binding.note_answer(name, returned)
        return answer

    def _replace(self, question: SubmissionQuestion) -> JsonObject:
        self._binding.replace_rule(question["rule"], question["is_ours"])
        return {}

    def _repair(self, question: SubmissionQuestion) -> JsonObject:
        """Try small changes to the program, the likeliest first, and return the first that passes all tests.

        Those that are slow are tried again at the end, with more time.
        """
        end = self._began + question["seconds"]
        assert self._loaded is not None
        name, kept = self._loaded.name, self._binding.style.rules
        folder, sources = Path(question["file"]).parent.resolve(), self._binding.names.sources()
        program = EditableProgram(sources)
        kinds = question["kinds"]
        edits = [edit for edit in program.edits(name.rpartition(".")[2], kept) if not kinds or edit.kind in kinds]
        slow: list[Edit] = []
        for seconds, plans in REPAIR_ROUNDS:
            tried = edits if plans.stop or plans.start else slow
            for edit in tried if next(islice(self._binding.plans(), plans.start, None), self) is None else ():
                if process_time() > end:
                    return {}
                codes = program.code(edit)
                passes = codes is not None and self._passes(codes, question, seconds, plans)
                if passes:
                    file = Path(program.file_of(edit)).resolve().relative_to(folder)
                    return {"kind": edit.kind, "line": edit.line, "file": file.as_posix()}
                if passes is None and tried is edits:
                    slow.append(edit)
        return {}

    def _passes(self, codes: list[CodeType], question: SubmissionQuestion, seconds: float, plans: slice) -> bool | None:
        """Whether a program gives the right answers in all tests, called in one of some ways.

        None if it takes longer than some seconds for a call.
        """
        with suppress(TrialFailed):
            with trial():
                self._binding.rerun(codes)
            for rule in question["replaced"]:
                self._binding.replace_rule(rule, is_ours=True)
            for _ in islice(self._binding.plans(), plans.start, plans.stop):
                passes = self._passes_tests(question, seconds)
                if passes is not False:
                    return passes
        return False

    def _passes_tests(self, question: SubmissionQuestion, seconds: float) -> bool | None:
        nodes, tests, game = 0, question["tests"], _game(question["game"])
        for test in tests:
            call: SubmissionQuestion = {**question, "position": test["position"], "limit": test["limit"]}
            with trial(seconds):
                reply = self._call(call)
            nodes += cast(int, reply["nodes"])
            error = reply.get("error")
            if isinstance(error, dict) and error["diagnosis"] == "endless-loop":
                return None
            if not self._is_right(reply, test, game):
                tests.remove(test)
                tests.insert(0, test)  # what shows one mistake often shows the next
                return False
        return nodes <= question["nodes"]

    def _is_right(self, reply: JsonObject, test: RepairTest, game: Game) -> bool:
        """Whether a reply has the value and one of the moves that are right, and left the position as it was."""
        style = self._binding.style
        found = style.unpack(decode(reply["answer"])) if "answer" in reply and not reply.get("changes") else None
        if found is None or (style.has_values and found[0] != test["value"]):
            return False
        return style.cell_of(game.start(), found[1]) in test["moves"]

    def _calls(self, question: SubmissionQuestion) -> JsonObject:
        position = _position(question)
        with suppress(*self._caught, TooManyNodes):
            root = record_calls(self._binding, position, lambda: self._call(question))
            return {"calls": encode_calls(root)}
        return {"calls": None}

    def _typed(self, question: SubmissionQuestion) -> JsonObject:
        assert self._loaded is not None
        position, answer = _position(question), JsonObject()
        with suppress(*self._caught):
            name = question.get("rule") or _typed_name(self._loaded)
            moves = self._binding.moves_argument(position) if question.get("with_moves") else ()
            more = (*moves, *_more(question))
            answer["text"] = format_call(self._binding, name, position, more, question.get("named", {}))
        return {"text": "", **answer}


def _typed_name(loaded: Loaded) -> str:
    """Return how the function is called: by its name, or as a method of a new player."""
    player = getattr(loaded.function, "__self__", None)
    return loaded.name if player is None else f"{type(player).__name__}().{loaded.function.__name__}"


@lru_cache(maxsize=8)
def _game(id: str) -> Game:
    return Game(id)


def _position(question: SubmissionQuestion) -> Position:
    return _game(question["game"]).parse(question["position"])


def _more(question: SubmissionQuestion) -> tuple[object, ...]:
    more = decode(question["more"])
    assert isinstance(more, tuple)
    return more


def _plain_cells(cells: Cells | None) -> Json:
    """Return marks as plain data; a mark that is neither X nor O becomes a question mark."""
    return None if cells is None else [mark if mark in (None, "X", "O") else "?" for mark in cells]


def _parameters(function: SubmittedFunction, is_required: bool = False) -> Json:
    """Return the names of a function's parameters, all or those without a default; None if they are not known."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [each.name for each in found if not is_required or each.default is each.empty]


def _load_file(file: str, name: str | None, task: Assignment | None, style: str | None) -> Loaded:
    """Load a file; raises ImportError if the function is missing, and any exception of the file itself."""
    modules = load_modules(Path(file).resolve())
    named = None if name is None else _find(file, modules, (name,))
    binding = find_binding(modules, named, task, style)
    task = task or default_task(binding.style.has_values)
    if isinstance(binding, OwnBinding):
        return Loaded(binding, binding.adapt(binding.found.call), binding.found.name.partition("(")[0])
    function = named or _find(file, modules, binding.style.function_names(task))
    found = name or next(key for key, value in modules.items() if value is function)
    return Loaded(binding, binding.adapt(_as_player(function) if task.id == "player" else function), found)


def _find(file: str, modules: Modules, wanted: tuple[str, ...]) -> SubmittedFunction:
    found = _look_up(modules, wanted)
    if found is None:
        modules.import_more(wanted)
        found = _look_up(modules, wanted)
    if found is not None:
        return found
    known = sorted(name for name, each in modules.main.items() if callable(each) and not name.startswith("_"))
    missing = " or ".join(wanted[:3])
    raise ImportError(
        f"{Path(file).name} has no function {missing}; it has {', '.join(known) or 'no functions'}. {HOW_TO_NAME}"
    )


HOW_TO_NAME = "Name the function to grade, as in noughts grade FILE.py:FUNCTION, or the style of the file by --style"


def _look_up(modules: Modules, wanted: tuple[str, ...]) -> SubmittedFunction | None:
    for is_main in (True, False):  # a function written in the file comes before one that it imports
        for name in wanted:
            found = modules.get(name)
            if callable(found) and modules.is_main(found) is is_main:
                return found
    return None


def _load_function(function: SubmittedFunction, task: Assignment | None, style: str | None) -> Loaded:
    """Return a function as a submission, in the style of the names around it."""
    names = Modules(getattr(function, "__globals__", {}))
    is_ours = style is None and _takes_position(function)
    binding = NoughtsBinding(names) if is_ours else find_binding(names, function, task, style)
    task = task or default_task(binding.style.has_values)
    name = str(getattr(function, "__name__", "search"))
    return Loaded(binding, binding.adapt(_as_player(function) if task.id == "player" else function), name)


def _takes_position(function: SubmittedFunction) -> bool:
    code = getattr(function, "__code__", None)
    return code is None or code.co_varnames[:1] not in (("board",), ("state",))


def _as_player(player: SubmittedFunction) -> SubmittedFunction:
    """Return the method ``choose`` of a player, made first if it is a class; any other function as it is."""
    if not isinstance(player, type) and not hasattr(player, "choose"):
        return player
    made = player() if isinstance(player, type) else player
    chosen: SubmittedFunction = made.choose
    return chosen
