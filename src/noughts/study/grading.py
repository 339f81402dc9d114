"""Grading a search: which property fails, and on which position; if asked, in a process that is killed in time.

>>> from noughts.study import grade
>>> from noughts.textbook import alphabeta
>>> print(grade(alphabeta).passed)
True
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from noughts.games import Game, Position, Side
from noughts.study.search_check import Failure, Judge, SearchCheck
from noughts.textbook import Evaluate, evaluate_lines, evaluate_outcome
from noughts.textbook.common import plies_to_search

__all__ = ["PROPERTIES", "Failure", "Grade", "SearchFile", "Task", "grade", "run_within"]
PROPERTIES = {
    "runs": "it returns a value and a move, and raises nothing",
    "undo": "it leaves the position as it was",
    "value": "its value is that of minimax",
    "cuts": "what it prunes does not change the value",
    "move": "its move is one of the best",
    "nodes": "it visits few enough nodes",
}
"""The properties that are checked, in this order."""
MAX_POSITIONS = 20_000
SAMPLE_SIZE = 60
"""With a depth, a search is tried on this many positions of random playthroughs."""
FROM_THE_SIDE_TO_MOVE = "every value is right for the side to move: return it from X's side instead, +1 when X wins"
WITH_THE_WRONG_SIGN = "every value has the wrong sign: +1 means that X wins, -1 that O does"
Progress = Callable[[str], object]
"""Called with the position string of each position before the search is tried on it."""
MAX_SECONDS = 86_400.0
END_SECONDS = 5.0
"""Time to wait for a killed process to end."""


def grade(
    search: Callable[..., Any],
    game: str = "3x3",
    prunes: bool = True,
    seconds: float | None = None,
    depth: int | None = None,
    evaluate: Evaluate | None = None,
) -> Grade:
    """Grade a search on every unfinished position of a small game, one of each symmetric kind.

    The search is called with a position and must return a ``Result``, or a tuple that begins with the value (from X's
    side) and the move. It may play and undo on the position or make new ones with ``after``; visited nodes are
    counted by watching it do so. With ``prunes=False`` it may visit as many nodes as plain minimax. Otherwise it may
    visit, over all positions, twice as many as alpha-beta with row-by-row order and a full window for each root move; a
    search that visits five times as many on one position is stopped, which ends the grading. Small positions come
    first, so the reported position is usually one of the simplest that show the mistake.

    With a ``depth`` the search is also called with ``depth=``, must use ``evaluate`` (``evaluate_lines`` unless given)
    at that depth, and is tried on 60 positions of random playthroughs, so any game can be used.

    With ``seconds`` the grading runs in a separate process that is killed after that time; a search that is still
    running then fails. Without it, a search that loops without touching the position is never stopped.
    """
    if depth is not None and depth < 1:
        raise ValueError(f"expected a depth of 1 or more, got {depth}")
    if depth is None and evaluate is not None:
        raise ValueError("expected a depth with an evaluation: without a depth only the outcome counts")
    task = Task(search, Game(game).id, prunes, depth, evaluate)
    if seconds is None:
        return task.run()
    return run_within(task, seconds)


@dataclass(slots=True)
class Grade:
    """The outcome of grading. Print it for the full report."""

    name: str
    game: str
    positions: int
    failures: dict[str, list[Failure]] = field(default_factory=dict)
    checked: set[str] = field(default_factory=set)
    depth: int | None = None
    advice: str = ""
    """The mistake that explains all wrong values, if there is a single one; else empty."""

    @property
    def passed(self) -> bool:
        """Whether every property holds on every position."""
        return not self.failures

    def __str__(self) -> str:
        held = len(self.checked - set(self.failures))
        title = f"{self.name}: {held} of {len(PROPERTIES)} properties hold on {self.positions} positions of {self.game}"
        lines = [title + ("" if self.depth is None else f" at depth {self.depth}")]
        lines += [line for name in PROPERTIES for line in self._lines(name)]
        return "\n".join([*lines, *([f"  {self.advice}"] if self.advice else [])])

    def to_data(self) -> dict[str, Any]:
        """Return the grade as plain data, for JSON."""
        return {
            "name": self.name,
            "game": self.game,
            "depth": self.depth,
            "positions": self.positions,
            "passed": self.passed,
            "properties": {name: self._state(name) for name in PROPERTIES},
            "failures": [
                {"property": name, "count": len(found), "position": found[0].position, "message": found[0].message}
                for name, found in self.failures.items()
            ],
            "advice": self.advice,
        }

    def _state(self, name: str) -> str:
        return "fails" if name in self.failures else "holds" if name in self.checked else "unchecked"

    def _lines(self, name: str) -> list[str]:
        found = self.failures.get(name, [])
        if not found:
            sign, doubt = ("✓", "") if name in self.checked else ("·", " (could not be checked)")
            return [f"  {sign} {name}: {PROPERTIES[name]}{doubt}"]
        lines = [f"  ✗ {name}: {PROPERTIES[name]}", f"      {found[0].position}   {found[0].message}"]
        return lines + ([f"      and on {len(found) - 1:,} more"] if len(found) > 1 else [])

    __repr__ = __str__


@dataclass(frozen=True)
class Task:
    """A search to grade, and how to grade it."""

    search: Callable[..., Any]
    game: str
    prunes: bool = True
    depth: int | None = None
    evaluate: Evaluate | None = None

    @property
    def name(self) -> str:
        """The name of the search."""
        return str(getattr(self.search, "__name__", "search"))

    @property
    def judge(self) -> Judge:
        """The judge of the values the search must find."""
        default = evaluate_outcome if self.depth is None else evaluate_lines
        return judge_of(Game(self.game), self.depth, self.evaluate or default)

    def texts(self) -> list[str]:
        """Return the positions to try the search on."""
        rules = Game(self.game)
        if self.depth is not None:
            return sample_positions(rules)
        # Without pruning, the empty board alone would take longer than all other positions together.
        return [text for text in unfinished_positions(rules) if self.prunes or text != rules.start().text]

    def run(self, progress: Progress | None = None) -> Grade:
        """Try the search on every position and return the outcome."""
        judge, texts = self.judge, self.texts()
        outcome = Grade(self.name, self.game, len(texts), depth=self.depth)
        visited: dict[str, int] = {}
        signs = _Signs()
        for text in texts:
            if progress is not None:
                progress(text)
            check = SearchCheck(self.search, judge, text, self.prunes)
            failure = check.run()
            visited[text] = check.nodes
            signs.add(check)
            reached = list(PROPERTIES).index(failure.property if failure else "move")
            outcome.checked |= set(list(PROPERTIES)[: reached + 1])
            if failure is not None:
                outcome.failures.setdefault(failure.property, []).append(failure)
            if failure is not None and failure.property == "nodes":
                return outcome
        outcome.advice = signs.advice
        if outcome.checked > {"runs", "undo"}:
            _check_nodes(outcome, judge, visited, self.prunes)
        return outcome


class _Signs:
    """Distinguishes values with the wrong sign from other wrong values."""

    def __init__(self) -> None:
        self._negated: set[Side | None] = set()
        self._right: set[Side | None] = set()
        self._is_other = False

    def add(self, check: SearchCheck) -> None:
        """Record the value that the search gave for a position, unless the exact one is 0."""
        if check.value is None or not (exact := check.judge.value(check.position)):
            return
        turn = check.position.turn
        if check.value == exact:
            self._right.add(turn)
        elif check.value == -exact:
            self._negated.add(turn)
        else:
            self._is_other = True

    @property
    def advice(self) -> str:
        """The change to make, if one mistake explains every wrong value; else empty."""
        if self._is_other or self._negated & self._right:
            return ""
        return {(Side.O,): FROM_THE_SIDE_TO_MOVE, (Side.O, Side.X): WITH_THE_WRONG_SIGN}.get(
            tuple(sorted(side for side in self._negated if side is not None)), ""
        )


def _check_nodes(outcome: Grade, judge: Judge, visited: dict[str, int], prunes: bool) -> None:
    outcome.checked.add("nodes")
    allowed = {text: judge.nodes_allowed(text, prunes) for text in visited}
    total, most = sum(visited.values()), sum(allowed.values())
    if total > most:
        worst = max(visited, key=lambda text: visited[text] / allowed[text])
        message = f"{visited[worst]:,} nodes here, {total:,} in all, expected at most {most:,}"
        outcome.failures.setdefault("nodes", []).append(Failure("nodes", worst, message))


@lru_cache(maxsize=8)
def judge_of(game: Game, depth: int | None, evaluate: Evaluate) -> Judge:
    """Return the judge of a game; it is cached, so that later gradings reuse its values."""
    return Judge(game, depth, evaluate)


@lru_cache(maxsize=8)
def unfinished_positions(game: Game) -> list[str]:
    """Return every unfinished position, one of each symmetric kind, the fullest boards first."""
    seen: dict[int, str] = {}
    _collect(game.start(), seen)
    if len(seen) > MAX_POSITIONS:
        most = f"{MAX_POSITIONS:,}"
        raise ValueError(f"expected a game of at most {most} positions to grade on without a depth, got {game.id}")
    return _fullest_first(game, seen.values())


@lru_cache(maxsize=8)
def sample_positions(game: Game) -> list[str]:
    """Return some unfinished positions of random playthroughs with a fixed seed, the fullest boards first."""
    random, seen = Random(1), dict[int, str]()
    for _ in range(SAMPLE_SIZE * 10):
        position = game.start()
        for _ in range(random.randrange(game.cells)):
            if not position.is_over:
                position.play(random.choice(position.legal_moves))
        if not position.is_over and len(seen) < SAMPLE_SIZE:
            seen[position.canonical_hash] = position.text
    return _fullest_first(game, seen.values())


def _fullest_first(game: Game, texts: Iterable[str]) -> list[str]:
    return sorted(texts, key=lambda text: _count_empty(game.parse(text)))


def _collect(position: Position, seen: dict[int, str]) -> None:
    if position.is_over or position.canonical_hash in seen or len(seen) > MAX_POSITIONS:
        return
    seen[position.canonical_hash] = position.text
    for move in position.legal_moves:
        position.play(move)
        _collect(position, seen)
        position.undo()


def _count_empty(position: Position) -> int:
    return plies_to_search(position, None)


def run_within(task: Task, seconds: float) -> Grade:
    """Run a task in a process that is killed after ``seconds``, and return the grade."""
    if not 0 < seconds <= MAX_SECONDS:
        raise ValueError(f"expected a number of seconds above 0 and up to {MAX_SECONDS:,.0f}, got {seconds}")
    task.texts()  # raises ValueError if the game is too large; the child inherits the result
    context: Any = multiprocessing.get_context("fork" if _can_fork() else "spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_grade, args=(task, seconds, theirs), daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the child uses no thread and no lock of ours
        _start(process)
    theirs.close()
    try:
        return _outcome(task, ours, process, time.monotonic() + seconds, seconds)
    finally:
        process.kill()
        process.join(END_SECONDS)
        ours.close()


def _start(process: Any) -> None:
    try:
        process.start()
    except (AttributeError, TypeError, pickle.PicklingError):
        raise ValueError(
            "on this system a search with a time limit must be importable; noughts grade FILE.py:FUNCTION takes any"
        ) from None


def _can_fork() -> bool:
    return "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"


def _outcome(task: Task, ours: Connection, process: Any, deadline: float, seconds: float) -> Grade:
    reached = task.texts()[0]
    try:
        while ours.poll(max(0.0, deadline - time.monotonic())):
            message = ours.recv()
            if isinstance(message, Grade):
                return message
            reached = message
    except EOFError:
        process.join(END_SECONDS)
        return _broken_off(task, reached, f"the search ended the process with exit code {process.exitcode}")
    return _broken_off(task, reached, f"no answer: the search was stopped after {seconds:g} s of grading")


def _broken_off(task: Task, text: str, why: str) -> Grade:
    failures = {"runs": [Failure("runs", text, why)]}
    return Grade(task.name, Game(task.game).id, len(task.texts()), failures, {"runs"}, task.depth)


def _grade(task: Task, seconds: float, theirs: Connection) -> None:
    """Grade in the child; each position is sent to the parent before the search sees it."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback
    if hasattr(signal, "alarm"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(ceil(seconds + END_SECONDS))  # in case the parent is killed and cannot end it
    with redirect_stdout(sys.stderr):  # the output of a search is not part of the report
        outcome = task.run(progress=theirs.send)
    theirs.send(outcome)


@dataclass
class SearchFile:
    """A search in a Python file, loaded on its first call, in the process that grades it."""

    path: Path
    name: str
    _function: Any = field(default=None, repr=False)
    _error: Exception | None = field(default=None, repr=False)

    @property
    def __name__(self) -> str:
        return f"{self.path}:{self.name}"

    def __call__(self, position: Any, **options: Any) -> Any:
        """Call the search; if the file cannot be loaded, every call raises the exception."""
        if self._function is None and self._error is None:
            try:
                self._function = self._load()
            except Exception as error:
                self._error = error
        if self._error is not None:
            raise self._error
        return self._function(position, **options)

    def _load(self) -> Any:
        spec = spec_from_file_location("graded_search", self.path)
        if spec is None or spec.loader is None:
            raise ImportError(f"expected a Python file, got {self.path}")
        module = module_from_spec(spec)
        sys.path.insert(0, str(self.path.parent.resolve()))  # so that it can import modules beside it
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        function = getattr(module, self.name, None)
        if not callable(function):
            known = sorted(name for name, each in vars(module).items() if callable(each) and not name.startswith("_"))
            raise ImportError(f"{self.path} has no function {self.name}; it has {', '.join(known) or 'none'}")
        return function
