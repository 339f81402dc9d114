"""Grading in a separate process, for searches that never return or that end the interpreter."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import sys
import time
import warnings
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from importlib.util import module_from_spec, spec_from_file_location
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from noughts.games import Game
from noughts.study.grading.check import Failure
from noughts.study.grading.task import Grade, Task

__all__ = ["SearchFile", "run_within"]

MAX_SECONDS = 86_400.0
END_SECONDS = 5.0
"""Time to wait for a killed process to end."""


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
