"""The line of a student's program at which an exception was raised. Used in the process of the submission only."""

from __future__ import annotations

import linecache
from pathlib import Path
from traceback import walk_tb

from noughts.json_types import JsonObject
from noughts.teaching.grading.runtime.libraries import is_of_library

__all__ = ["describe_place"]

MAX_SOURCE = 200
CELL = "a cell of the notebook"


def describe_place(error: BaseException) -> JsonObject | None:
    """Return the file, the line and its source where an exception was raised, or None if it is not the student's.

    It is the innermost line in the student's files; of a syntax error, the line that Python could not read.
    """
    try:
        file, line, source = _find_line(error)
    except Exception:  # an exception of the submission's own that cannot be examined
        return None
    return {"file": _shown(file), "line": line, "source": source.strip()[:MAX_SOURCE]} if line else None


def _find_line(error: BaseException) -> tuple[str, int, str]:
    if isinstance(error, SyntaxError) and error.filename and error.lineno and not is_of_library(error.filename):
        return error.filename, error.lineno, error.text or ""
    lines = walk_tb(error.__traceback__)
    own = [(frame, line) for frame, line in lines if not is_of_library(frame.f_code.co_filename)]
    if not own:
        return "", 0, ""
    frame, line = own[-1]
    file = frame.f_code.co_filename
    return file, line, linecache.getline(file, line, frame.f_globals)


def _shown(file: str) -> str:
    return CELL if "ipykernel" in file else Path(file).name
