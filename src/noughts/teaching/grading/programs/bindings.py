"""Bindings: the functions of a submission, called in its style. Used in the process of the submission only.

A binding turns a position into the arguments of the student's function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import CodeType
from typing import NamedTuple

from noughts.games import Position
from noughts.teaching.grading.cells import Cells
from noughts.teaching.grading.runtime.modules import Modules
from noughts.teaching.grading.runtime.recording_position import NodeCount, RecordingPosition, VisitedNode
from noughts.teaching.grading.runtime.reference_rules import ReferenceRules
from noughts.teaching.grading.styles import STYLES, SubmissionStyle

__all__ = ["Arguments", "Binding", "NoughtsBinding", "RuleCall", "SubmittedFunction"]

SubmittedFunction = Callable[..., object]


class Arguments(NamedTuple):
    """A position as the arguments of a function, and the means to see what the function did with it."""

    values: tuple[object, ...]
    changes: Callable[[], str]
    """Says how the function has left the position changed; empty if it is as it was."""
    tree: VisitedNode | None = None
    """The moves that the function tries, if the style can see them."""


class RuleCall(NamedTuple):
    """The state that a function of the rules was called with, its answer, and whether it has changed the state."""

    state: object
    answer: object
    has_changed: bool

    @classmethod
    def of(cls, function: SubmittedFunction, state: object, *more: object) -> RuleCall:
        """Call a function with a state."""
        before = repr(state)
        answer = function(state, *more)
        return cls(state, answer, repr(state) != before)


class Binding:
    """The names that a submission defines, called in a style."""

    style: SubmissionStyle

    def __init__(self, names: Modules) -> None:
        self.names = names
        self.count = NodeCount(1 << 60)
        self.marks: dict[str | None, object] = {"X": "X", "O": "O", None: None}
        self.reference = ReferenceRules(self)
        self._replaced: dict[str, SubmittedFunction] = {}
        """The submission's own functions in whose place there are ours."""

    @classmethod
    def fits(cls, names: Modules, function: SubmittedFunction | None) -> bool:
        """Whether a file that defines these names is written in this style; a function may have been named."""
        raise NotImplementedError

    def function(self, name: str) -> SubmittedFunction:
        """Return a function that the submission defines."""
        found = self.names[name]
        assert callable(found)
        return found

    def adapt(self, function: SubmittedFunction) -> SubmittedFunction:
        """Return a function that is called with the arguments of this style and returns answers of this style."""
        return function

    @property
    def has_rules(self) -> bool:
        """Whether the submission brings the functions of the rules with it."""
        return bool(self.style.rules)

    @property
    def taken(self) -> str:
        """What was taken for what, where the names of the submission do not say it."""
        return ""

    def arguments(self, position: Position, is_watched: bool) -> Arguments:
        """Return a position as arguments; if it is watched, and the style can do that, moves are recorded."""
        raise NotImplementedError

    def moves_argument(self, position: Position) -> tuple[object, ...]:
        """Return the legal moves as the second argument of an order, in the style whose orders take it."""
        return ()

    def cells_of(self, state: object) -> Cells | None:
        """Return the marks on the board of a state, or None if it is not a state."""
        raise NotImplementedError

    def call_rule(self, name: str, position: Position, *more: object) -> RuleCall:
        """Call a function of the rules that the submission defines for a position."""
        raise NotImplementedError

    def state_after(self, state: object, cell: int) -> object:
        """Return the state after a legal move to a cell, in a state of the submission."""
        raise NotImplementedError

    def turn_of(self, state: object) -> object:
        """Return the side to move in a state, by the submission's own function."""
        raise NotImplementedError

    def note_answer(self, rule: str, answer: object) -> None:
        """Remember the form of an answer, so that ours has the same."""
        if rule == "actions" and type(answer) in (list, tuple, set):
            self.reference.container = type(answer)

    def replace_rule(self, name: str, is_ours: bool) -> None:
        """Put our function of the rules in the place of the submission's own, or the own one back."""
        if is_ours and name not in self._replaced:
            self._replaced[name] = self._exchange(name, self.reference.function(name))
        elif not is_ours and name in self._replaced:
            self._exchange(name, self._replaced.pop(name))

    def plans(self) -> Iterator[None]:
        """Try one after the other of the ways to call a function, if it was found by trials; otherwise the only one."""
        yield

    def rerun(self, codes: Iterable[CodeType]) -> None:
        """Run other code in place of the main module, with all rules of its own."""
        for name in list(self._replaced):
            self.replace_rule(name, is_ours=False)
        self._run(codes)

    def _run(self, codes: Iterable[CodeType]) -> None:
        self.names.rerun(codes)

    def _exchange(self, name: str, function: SubmittedFunction) -> SubmittedFunction:
        """Replace a function of the rules wherever the submission uses it; return the one that was there."""
        raise NotImplementedError


class NoughtsBinding(Binding):
    """Functions of a ``noughts`` position."""

    style = STYLES["noughts"]

    @classmethod
    def fits(cls, names: Modules, function: SubmittedFunction | None) -> bool:
        return True

    def arguments(self, position: Position, is_watched: bool) -> Arguments:
        watched = RecordingPosition(position, self.count)
        text = position.text

        def changes() -> str:
            if position.text == text:
                return ""
            moves = ", ".join(position.format_move(move) for move in position.moves)
            return f"left on the board: {moves}" if moves else "the board has changed"

        return Arguments((watched,), changes, watched.tree) if is_watched else Arguments((position,), changes)

    def cells_of(self, state: object) -> Cells | None:
        if not isinstance(state, Position | RecordingPosition):
            return None
        return tuple(None if mark is None else str(mark) for mark in state.cells)
