"""Submissions: a function, or a Python file that is loaded in the process that grades it."""

from __future__ import annotations

import sys
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from noughts.study.grading.styles import NoughtsStyle, Style, find_style
from noughts.study.grading.tasks import TASKS, Task

__all__ = ["LoadedSubmission", "Submission", "find_main_file"]

MODULE_NAME = "submission"
MAIN_FILES = ("submission.py", "tictactoe.py", "main.py")
"""The file of a submission that is a folder with several files."""


@dataclass(frozen=True)
class LoadedSubmission:
    """A submission that is ready to be asked: its task, its style and the function to call."""

    task: Task
    style: Style
    function: Callable[..., Any]
    name: str


@dataclass(frozen=True)
class Submission:
    """A function in a Python file; without a name it is looked for by the task."""

    path: Path
    function: str | None = None

    @property
    def __name__(self) -> str:
        return f"{self.path}:{self.function}" if self.function else str(self.path)

    def load(self, task: Task | None) -> LoadedSubmission:
        """Load the file; raises ImportError if the function is missing, and any exception of the file itself."""
        names = self._load_names()
        named = None
        if self.function is not None:
            named = self._find(names, (self.function,))
        kind = find_style(names, named)
        style = kind(names)
        task = task or _default_task(style)
        function = named or self._find(names, style.function_names(task))
        name = self.function or next(key for key, value in names.items() if value is function)
        return LoadedSubmission(task, style, function, f"{self.path}:{name}")

    def _load_names(self) -> MutableMapping[str, Any]:
        spec = spec_from_file_location(MODULE_NAME, self.path)
        if spec is None or spec.loader is None:
            raise ImportError(f"expected a Python file, got {self.path}")
        module = module_from_spec(spec)
        sys.path.insert(0, str(self.path.parent.resolve()))  # so that it can import modules beside it
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return vars(module)

    def _find(self, names: MutableMapping[str, Any], wanted: tuple[str, ...]) -> Callable[..., Any]:
        for is_own in (True, False):  # a function written in the file comes before one that it imports
            for name in wanted:
                found: Callable[..., Any] | None = names.get(name)
                if callable(found) and (getattr(found, "__module__", None) == MODULE_NAME) is is_own:
                    return found
        known = sorted(name for name, each in names.items() if callable(each) and not name.startswith("_"))
        missing = " or ".join(wanted)
        raise ImportError(f"{self.path} has no function {missing}; it has {', '.join(known) or 'no functions'}")


def find_main_file(folder: Path) -> Path | None:
    """Return the file to grade of a submission that is a folder, or None if there is no Python file in it."""
    files = sorted(folder.glob("*.py"))
    return next((file for name in MAIN_FILES for file in files if file.name == name), files[0] if files else None)


def load_function(function: Callable[..., Any], task: Task | None) -> LoadedSubmission:
    """Return a function as a submission, in the style of the names around it."""
    names = getattr(function, "__globals__", {})
    style = NoughtsStyle(names) if _takes_position(function) else find_style(names, function)(names)
    return LoadedSubmission(task or _default_task(style), style, function, str(getattr(function, "__name__", "search")))


def _takes_position(function: Callable[..., Any]) -> bool:
    code = getattr(function, "__code__", None)
    return code is None or code.co_varnames[:1] not in (("board",), ("state",))


def _default_task(style: Style) -> Task:
    return TASKS["alphabeta" if style.has_values else "minimax"]
