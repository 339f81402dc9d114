"""Recognises the style of a submission by the names that it defines. Used in the process of the submission only."""

from __future__ import annotations

from contextlib import suppress
from inspect import isfunction

from noughts.teaching.grading.programs.aima_binding import AimaBinding
from noughts.teaching.grading.programs.bindings import Binding, NoughtsBinding, SubmittedFunction
from noughts.teaching.grading.programs.board_bindings import BOARD_FUNCTIONS, BoardBinding, CourseBinding, Cs50Binding
from noughts.teaching.grading.programs.own_binding import OwnBinding
from noughts.teaching.grading.programs.own_programs import find_search
from noughts.teaching.grading.programs.program_code import classes, signature_of, takes
from noughts.teaching.grading.runtime.modules import Modules
from noughts.teaching.grading.tasks import TASKS, Assignment

__all__ = ["find_binding"]

BINDINGS: tuple[type[Binding], ...] = (CourseBinding, Cs50Binding, AimaBinding)
"""Those that are recognised by names, in the order in which they are tried."""


def find_binding(
    names: Modules, function: SubmittedFunction | None = None, task: Assignment | None = None, style: str | None = None
) -> Binding:
    """Return the binding for a submission; a function, a task and a style may have been named.

    Raises ImportError if the submission cannot be graded in the style.
    """
    for kind in BINDINGS:
        if style == kind.style.id:
            return _bind(kind, names)
        if style is None and kind.fits(names, function):
            return kind(names)
    task = task or TASKS["minimax"]
    if style == "own":
        OwnBinding.style.function_names(task)
    is_own = style is None and task.id in OwnBinding.style.functions and not _uses_our_positions(names, function)
    if is_own or style == "own":
        found = find_search(names, task, function)
        if found:
            return OwnBinding(names, found)
        if style == "own" or _needs_more(function or _first_usual(names, task)):
            raise ImportError(NO_SEARCH)
    return NoughtsBinding(names)


NO_SEARCH = (
    "none of its functions returned a legal move on three boards; name the one that takes a board and returns a move:"
    " FILE.py:FUNCTION"
)


def _first_usual(names: Modules, task: Assignment) -> object:
    """Return the function that has a usual name of the task, or None."""
    return next((names[name] for name in task.functions if name in names), None)


def _needs_more(function: object) -> bool:
    """Whether it is a function that cannot be called with a position alone."""
    return isfunction(function) and not takes(function, 1)


def _bind(kind: type[Binding], names: Modules) -> Binding:
    """Return a binding of a style that was named; raises ImportError if functions that it needs are missing."""
    if issubclass(kind, BoardBinding):
        wanted = [*BOARD_FUNCTIONS, *(["initial_state"] if kind is CourseBinding else [])]
        names.import_more([name for name in wanted if name not in names])
        missing = [name for name in wanted if not callable(names.get(name))]
        if missing:
            raise ImportError(f"the style of {kind.style.title} needs the functions {', '.join(missing)}")
    return kind(names)


def _uses_our_positions(names: Modules, function: SubmittedFunction | None) -> bool:
    """Whether a submission imports noughts, or its function, or its player's ``choose``, takes a position by name."""
    if any(str(getattr(each, "__module__", "")).split(".")[0] == "noughts" for each in names.values()):
        return True
    if any("pos" in name.lower() for name, _ in classes(names)):
        return False  # its positions are of a class of its own
    usual = {name for task in TASKS.values() for name in task.functions}
    asked = [function] if function is not None else [names.get(name) for name in usual]
    for each in asked:
        with suppress(TypeError, ValueError):
            choose = getattr(each, "choose", None) if isinstance(each, type) else None
            parameters = list(signature_of(choose or each).parameters)[choose is not None :]
            if parameters and parameters[0].startswith("pos"):
                return True
    return False
