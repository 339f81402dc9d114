"""The check that cells of a notebook call: one property of one function."""

from __future__ import annotations

from typing import Any

from noughts.process.forked import can_fork
from noughts.teaching.autograder.marks import explain
from noughts.teaching.autograder.settings import AutograderSettings
from noughts.teaching.grading import Grade, grade
from noughts.teaching.grading.programs.bindings import SubmittedFunction

__all__ = ["check"]


def check(function: SubmittedFunction | None, property: str, task: str, **settings: Any) -> None:
    """Raise AssertionError with the reason if a property of a task does not hold for a function.

    The other arguments are those of ``AutograderSettings``. The function is graded once for all its properties, as long
    as the names of its module or notebook stay the same.
    """
    reason = explain(_grade(function, AutograderSettings(task, **settings)), property)
    if reason:
        raise AssertionError(reason)


class _LastGrade:
    """The last grade, and the names of the notebook when it was made."""

    def __init__(self) -> None:
        self.settings: AutograderSettings | None = None
        self.names: dict[str, object] = {}
        self.grade: Grade | None = None

    def is_of(self, names: dict[str, object], settings: AutograderSettings) -> bool:
        """Whether neither the settings nor the objects that the names stand for have changed."""
        return (
            settings == self.settings
            and names.keys() == self.names.keys()
            and all(value is self.names[name] for name, value in names.items())
        )


_last = _LastGrade()


def _grade(function: SubmittedFunction | None, settings: AutograderSettings) -> Grade:
    if not callable(function):
        return settings.ungraded(f"expected a function {settings.function}, got {function!r}", "not-found")
    names = {"": function, **_own_names(function)}
    if _last.grade is None or not _last.is_of(names, settings):
        _last.settings, _last.names = settings, names
        _last.grade = settings.require_style(_grade_now(function, settings))
    return _last.grade


def _own_names(function: SubmittedFunction) -> dict[str, object]:
    """Return the names beside a function, without those that a notebook changes with every cell."""
    names = getattr(function, "__globals__", {})
    return {name: value for name, value in names.items() if not name.startswith("_") and name not in ("In", "Out")}


def _grade_now(function: SubmittedFunction, settings: AutograderSettings) -> Grade:
    has_limits = can_fork()  # otherwise the function of a notebook cannot be sent to a new process
    return grade(
        function,
        settings.game,
        seconds=settings.seconds if has_limits else None,
        depth=settings.depth,
        task=settings.task,
        memory_mb=settings.memory_mb if has_limits else None,
    )
