"""The processes in which submissions run: programs in a sandbox, and forks for functions of this process."""

from __future__ import annotations

import pickle
import sys
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

from noughts.process import ForkedProgram, Limits, LineProcess, Program, Sandbox, can_fork, why_no_programs
from noughts.process.sandbox import STRANGERS
from noughts.study.grading.answerer import Answerer
from noughts.study.grading.child import serve
from noughts.study.grading.respondent import Lines

__all__ = [
    "DEFAULT_MEMORY_MB",
    "DEFAULT_SECONDS",
    "check_limits",
    "open_file",
    "open_function",
    "pickle_function",
]

DEFAULT_SECONDS = 60.0
DEFAULT_MEMORY_MB = 1024
MAX_SECONDS = 86_400.0
OWN_MEMORY_MB = 64
"""Memory for Python and noughts in the process of a submission, beyond the limit for the submission."""
CHILD = "noughts.study.grading.child"
LIMITS = Limits(start_seconds=60, quit_seconds=0, line_bytes=16 << 20, output_bytes=64 << 20)


def check_limits(seconds: float | None, memory_mb: int | None) -> tuple[float, int]:
    """Return the limits on a submission, the defaults for None; raises ValueError."""
    seconds = MAX_SECONDS if seconds is None else seconds
    memory_mb = DEFAULT_MEMORY_MB if memory_mb is None else memory_mb
    if not 0 < seconds <= MAX_SECONDS:
        raise ValueError(f"expected a number of seconds above 0 and up to {MAX_SECONDS:,.0f}, got {seconds}")
    if memory_mb < 1:
        raise ValueError(f"expected at least 1 MB of memory, got {memory_mb}")
    return seconds, memory_mb


def open_file(folder: Path, memory_mb: int, sandbox: Sandbox = STRANGERS) -> Lines:
    """Return the process for a submission whose files are in a folder; it sees no other files of submissions."""
    limits = LIMITS._replace(memory_mb=memory_mb + OWN_MEMORY_MB)
    if why_no_programs():
        return LineProcess(CHILD, limits, folder)
    # -P: a file of the submission named like a module is not imported in its place.
    return Program([sys.executable, "-P", "-B", "-m", CHILD], limits, sandbox, folder)


def open_function(function: Callable[..., Any], memory_mb: int) -> Lines:
    """Return the process for a function: a fork of this one, or where that is not safe, one that imports it."""
    limits = LIMITS._replace(memory_mb=memory_mb)
    if can_fork():
        return ForkedProgram(lambda: serve(Answerer(function, caught=(BaseException,))), limits)
    pickle_function(function)
    return open_file(Path.cwd(), memory_mb, Sandbox.off(allow_root=True))


def pickle_function(function: Callable[..., Any]) -> str:
    """Return a function as text for a process that imports it; raises ValueError if it cannot be imported."""
    try:
        pickled = pickle.dumps(function)
    except (AttributeError, TypeError, pickle.PicklingError):
        pickled = b""
    if not pickled or getattr(function, "__module__", "") == "__main__":
        raise ValueError(
            "on this system a search with a time limit must be importable; noughts grade FILE.py:FUNCTION takes any"
        )
    return b64encode(pickled).decode()
