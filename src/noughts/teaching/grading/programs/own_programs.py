"""Finds the search of a program with boards, moves and names of its own, by trying its functions on three boards.

Used in the process of the submission only.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from numbers import Real
from time import process_time
from typing import NamedTuple

from noughts.games import Game
from noughts.teaching.grading.judge import judge_of
from noughts.teaching.grading.programs.boards import BoardReader
from noughts.teaching.grading.programs.call_plans import Moment, calls
from noughts.teaching.grading.programs.move_forms import FORMS, MoveForm, readers_of
from noughts.teaching.grading.programs.program_code import classes, code_of, functions, methods
from noughts.teaching.grading.programs.state_makers import StateMaker, find_state_makers
from noughts.teaching.grading.programs.trials import TrialFailed, trial
from noughts.teaching.grading.runtime.modules import Modules
from noughts.teaching.grading.tasks import Assignment
from noughts.textbook import evaluate_outcome

__all__ = ["FoundSearch", "find_search"]

TRIAL_POSITIONS = ("3/xoo/1x1 x", "xxo/3/x1o o", "2o/2x/x1o x")
"""Each has one best move, which is another one if the other side is to move; no cell is empty on all of them.

The scores of a win at once, 1, 9 and 10, are not legal moves on the second one, where there is such a win.
"""
FUNCTION_SECONDS, ALL_TRIALS_SECONDS = 0.8, 3.0
"""Processor time for all calls of a function, and for all calls."""
MAX_PLANS = 48
ILLEGAL = -1
"""In place of the number of best moves: not all moves are legal."""
MAX_KEPT = 8
"""Of the ways to call a function, the likeliest are kept: those of a wrong program may be wrong ones."""
PRUNING_WORDS = ("alphabeta", "alpha_beta", "alpha", "ab", "prun", "pruning")
SEARCH_WORDS = (
    "minimax",
    "minmax",
    "mini_max",
    "min_max",
    "negamax",
    "best",
    "optimal",
    "search",
    "choose",
    "ai",
    "computer",
    "cpu",
    "bot",
    "agent",
    "get_move",
    "find_move",
    "select",
    "decide",
    "next_move",
    "pick",
    "make_decision",
)
"""Parts of the names of functions that choose a move, the likeliest first."""
NOT_SEARCH = (
    "random",
    "human",
    "available",
    "legal",
    "valid",
    "possible",
    "print",
    "draw",
    "show",
    "display",
    "evaluate",
    "score",
    "main",
    "test",
    "check",
    "is_",
    "undo",
)


class FoundSearch(NamedTuple):
    """The function that searches, and how it is called and read."""

    maker: StateMaker
    call: Callable[[Moment], object]
    name: str
    read: Callable[[object], object]
    """Takes the move out of an answer."""
    form: MoveForm
    task: str

    def cell(self, moment: Moment, answer: object, before: Sequence[object] | None) -> int | None:
        """Return the cell of the move in an answer, or of the one that was made on the board; None without one."""
        cell = self.form.read(self.read(answer)) if answer is not None else None
        return self.made(moment, before) if cell is None and answer is None else cell

    def made(self, moment: Moment, before: Sequence[object] | None) -> int | None:
        """Return the cell of the only move that was made on the board, by the side to move; None without one."""
        return _made(self.maker.reader, moment, before)

    @property
    def taken(self) -> str:
        """What was taken for what, in a few words."""
        return f"{self.name} for {self.task}" + (f", {self.maker.move} for result" if self.maker.move else "")


def find_search(modules: Modules, task: Assignment, function: Callable[..., object] | None) -> list[FoundSearch]:
    """Return the search of a program, with the likeliest way to call it first.

    There is none if none of its functions returns legal moves on three boards.
    """
    return _Finder(modules, task).find(function)


class _Finder:
    def __init__(self, modules: Modules, task: Assignment) -> None:
        self._modules, self._task = modules, task
        self._deadline = process_time() + ALL_TRIALS_SECONDS
        self._judge = judge_of(Game("3x3"), None, evaluate_outcome)
        self._positions = [self._judge.game.parse(text) for text in TRIAL_POSITIONS]
        self._makers = [*find_state_makers(modules, self._positions)]

    def find(self, function: Callable[..., object] | None) -> list[FoundSearch]:
        """Return the ways to call the search; one that returns illegal moves is taken if there is no other."""
        illegal: list[FoundSearch] = []
        for name, kind, callee in self._candidates(function):
            is_certain = function is not None or _rank(name, self._task) < len(SEARCH_WORDS)
            plans: list[tuple[int, FoundSearch]] = []
            is_recursive = (code := code_of(callee)) is not None and code.co_name in code.co_names
            for right, found in self._try_function(name, kind, callee, not is_recursive):
                plans.append((right, found))
                if right == len(self._positions):
                    break
            if is_certain and not illegal:
                illegal = [found for right, found in plans if right == ILLEGAL]
            plans = [plan for plan in plans if plan[0] != ILLEGAL]
            by_moves = [plan for plan in plans if plan[1].maker.move]
            plans = sorted(by_moves or plans, key=lambda plan: -plan[0])  # its own moves know the marks and the turn
            if plans and (is_certain or plans[0][0] == len(self._positions)):
                return [found for _, found in plans[:MAX_KEPT]]
        return illegal[:MAX_KEPT]

    def _candidates(
        self, function: Callable[..., object] | None
    ) -> list[tuple[str, type | None, Callable[..., object]]]:
        """Return functions and methods that may be the search, with the class of a method, the likeliest first."""
        if function is not None:
            return [(str(getattr(function, "__name__", "search")), None, function)]
        found: list[tuple[str, type | None, Callable[..., object]]] = [
            (name, None, each) for name, each in functions(self._modules)
        ]
        found += [(name, kind, each) for _, kind in classes(self._modules) for name, each in methods(kind)]
        found = [each for each in found if _is_searchable(*each)]
        return sorted(found, key=lambda each: _rank(each[0], self._task))

    def _try_function(
        self, name: str, kind: type | None, callee: Callable[..., object], may_be_number: bool
    ) -> Iterator[tuple[int, FoundSearch]]:
        deadline = min(process_time() + FUNCTION_SECONDS, self._deadline)
        for maker in self._makers:
            for shown, call in islice(calls(name, kind, callee), MAX_PLANS):
                if process_time() > deadline:
                    return
                yield from self._try_call(maker, shown, call, may_be_number)

    def _try_call(
        self, maker: StateMaker, shown: str, call: Callable[[Moment], object], may_be_number: bool
    ) -> Iterator[tuple[int, FoundSearch]]:
        """Yield the ways to read the answers of a call as moves, with the number of best ones, or ILLEGAL.

        A number from a function that calls itself is a score, not a move.
        """
        answers = []
        for position in self._positions:
            try:
                with trial():
                    moment = maker.moment(position)
                    before = maker.reader.read(moment.state)
                    answer = call(moment)
            except TrialFailed:
                return
            made = _made(maker.reader, moment, before) if answer is None else None
            if (answer is None and made is None) or (isinstance(answer, Real) and not may_be_number):
                return
            answers.append((position, answer, made))
        forms = FORMS if maker.reader.kind != "map" else (*FORMS, MoveForm(keys=maker.reader.keys))
        for form, read in product(forms, readers_of(answers[0][1])):
            cells = [made if answer is None else form.read(read(answer)) for _, answer, made in answers]
            if None in cells:
                continue
            right = ILLEGAL
            if all(cell is not None and at.is_legal(cell) for cell, (at, _, _) in zip(cells, answers, strict=True)):
                right = sum(cell in self._judge.best_moves(at) for cell, (at, _, _) in zip(cells, answers, strict=True))
            yield right, FoundSearch(maker, call, shown, read, form, self._task.id)


def _rank(name: str, task: Assignment) -> int:
    """Return the place of a function among those that may be the search, the likeliest first."""
    lower = name.lower().strip("_")
    words = lower.split("_")
    prunes = any(word in lower if len(word) > 5 else word in words for word in PRUNING_WORDS)
    places = (i for i, word in enumerate(SEARCH_WORDS, 1) if (word in lower if len(word) > 3 else word in words))
    place = next(places, len(SEARCH_WORDS) + 1)
    if prunes:
        place = 0 if task.id != "minimax" else len(SEARCH_WORDS) - 1
    return place


def _is_searchable(name: str, kind: type | None, callee: Callable[..., object]) -> bool:
    """Whether a function can be tried: it does not ask a human, and its name does not say that it does another job."""
    code = code_of(callee)
    if code is None or "input" in code.co_names or any(word in name.lower() for word in NOT_SEARCH):
        return False
    return kind is not None or code.co_argcount > 0 or bool(code.co_flags & inspect.CO_VARARGS)


def _made(reader: BoardReader, moment: Moment, before: Sequence[object] | None) -> int | None:
    """Return the cell that has been marked by the side to move on the board of a state, if it is the only change."""
    after = reader.read(moment.state)
    if before is None or after is None:
        return None
    changed = [cell for cell in range(9) if before[cell] != after[cell]]
    return changed[0] if len(changed) == 1 and after[changed[0]] == moment.own else None
