"""The tree of a student's own search: records the calls of the student's functions and what they return.

A node is a call of a search function for a position: one that is called inside itself, or that returns a number for the
position after a move. Calls for the same position inside each other are one node. This works for every style and needs
no help from the student.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import isnan
from types import CodeType, FrameType

from noughts.games import Position
from noughts.teaching.grading.cells import Cells, cells_of
from noughts.teaching.grading.programs.bindings import Binding
from noughts.teaching.grading.runtime.libraries import is_of_library

__all__ = ["CallNode", "record_calls"]

MAX_CALLS = 20_000
"""Calls that are recorded; a search that makes more is drawn up to there."""
WINDOW_NAMES = (("alpha", "beta"), ("a", "b"), ("lo", "hi"), ("low", "high"))
Window = tuple[float | None, float | None]
"""Alpha and beta; None if a bound is not known."""


@dataclass(slots=True)
class Call:
    """A call of a function of the submission."""

    code: CodeType
    cells: Cells | None
    window: Window
    returned: object = None
    calls: list[Call] = field(default_factory=list)

    def walk(self) -> Iterator[Call]:
        """Yield this call and all inside it."""
        stack = [self]
        while stack:
            call = stack.pop()
            yield call
            stack.extend(reversed(call.calls))


@dataclass(slots=True)
class CallNode:
    """A node of the student's tree: the move to it, its value if one was returned, and its window if it has one."""

    move: int | None
    cells: Cells
    window: Window = (None, None)
    value: float | None = None
    children: list[CallNode] = field(default_factory=list)


def record_calls(binding: Binding, position: Position, call: Callable[[], object]) -> CallNode | None:
    """Return the tree of a call that searches a position, or None if the calls do not show it."""
    recorder = _Recorder(binding)
    before = sys.getprofile()
    sys.setprofile(recorder.handle)
    try:
        call()
    finally:
        sys.setprofile(before)
    cells = cells_of(position)
    root = CallNode(None, cells)
    wanted = _recursive(recorder.top) | _evaluators(binding, recorder.top)
    for each in recorder.top.calls:
        _collect(binding, each, root, wanted)
    return root if root.children else None


class _Recorder:
    """Receives the events of the interpreter."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self.top = Call(_Recorder.__init__.__code__, None, (None, None))
        self._stack = [self.top]
        self._frames: list[FrameType] = []
        self._count = 0

    def handle(self, frame: FrameType, event: str, argument: object) -> None:
        """Record the call or the return of a function of the submission."""
        code = frame.f_code
        if event == "call" and self._count < MAX_CALLS and _is_own(code):
            self._count += 1
            call = Call(code, self._cells(frame), _window(frame.f_locals))
            self._stack[-1].calls.append(call)
            self._stack.append(call)
            self._frames.append(frame)
        elif event == "return" and self._frames and self._frames[-1] is frame:
            self._frames.pop()
            self._stack.pop().returned = argument

    def _cells(self, frame: FrameType) -> Cells | None:
        """Return the board that a function was called with, or that it sees around it."""
        code, names = frame.f_code, frame.f_locals
        for name in (*code.co_varnames[: code.co_argcount], *code.co_freevars):
            cells = self.binding.cells_of(names.get(name))
            if cells is not None:
                return cells
        return None


def _is_own(code: CodeType) -> bool:
    return not is_of_library(code.co_filename) and not code.co_name.startswith("<")


def _window(names: dict[str, object]) -> Window:
    for low, high in WINDOW_NAMES:
        if low in names and high in names:
            return _number(names[low]), _number(names[high])
    return None, None


def _number(bound: object) -> float | None:
    return bound if isinstance(bound, int | float) and not isnan(bound) else None


def _recursive(top: Call) -> set[CodeType]:
    """Return the functions that are called inside themselves."""
    found: set[CodeType] = set()
    open_codes: list[CodeType] = []

    def visit(call: Call) -> None:
        if call.code in open_codes:
            found.update(open_codes[open_codes.index(call.code) :])
        open_codes.append(call.code)
        for each in call.calls:
            visit(each)
        open_codes.pop()

    visit(top)
    return found


def _evaluators(binding: Binding, top: Call) -> set[CodeType]:
    """Return the functions that return a number for the position one move after that of the function around them.

    Functions around them that return a number too are among them.
    """
    found = set()
    for call in top.walk():
        for each in call.calls if call.cells is not None else ():
            is_next = each.cells is not None and _move_between(call.cells or (), each.cells) is not None
            is_rule = each.code.co_name in binding.style.rules
            if is_next and not is_rule and _value_of(binding, each.returned) is not None:
                found.add(each.code)
                found |= {call.code} if _value_of(binding, call.returned) is not None else set()
    return found


def _collect(binding: Binding, call: Call, parent: CallNode, wanted: set[CodeType], is_root: bool = True) -> None:
    node = parent
    if call.cells is not None and (call.code in wanted or is_root):
        if call.cells == parent.cells:
            parent.value = _value_of(binding, call.returned) if parent.value is None else parent.value
            parent.window = call.window if parent.window == (None, None) else parent.window
        elif (move := _move_between(parent.cells, call.cells)) is not None:
            node = CallNode(move, call.cells, call.window, _value_of(binding, call.returned))
            parent.children.append(node)
    for each in call.calls:
        _collect(binding, each, node, wanted, is_root=False)


def _move_between(before: Cells, after: Cells) -> int | None:
    if len(before) != len(after):
        return None
    changed = [cell for cell, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    return changed[0] if len(changed) == 1 and before[changed[0]] is None else None


def _value_of(binding: Binding, returned: object) -> float | None:
    """Return the value in what a function returned: a number, or the first number of a pair."""
    parts = [getattr(returned, "value", returned)]
    if isinstance(returned, tuple | list):
        is_move = not binding.style.has_values and all(isinstance(part, int) for part in returned)
        parts = [] if is_move else list(returned[:2])
    for part in parts:
        if isinstance(part, int | float) and not isinstance(part, bool) and not isnan(part):
            return part
    return None
