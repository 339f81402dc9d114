"""Grading the files of a submission with ``noughts grade``, in a process that may be killed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from noughts.study.autograder.settings import Settings
from noughts.study.grading.submission import find_main_file

__all__ = ["grade_folder"]

START_SECONDS = 60.0
"""Time for the grader to start and end, beyond the limit on the submission."""


def grade_folder(settings: Settings, folder: Path) -> dict[str, Any]:
    """Grade the submission in a folder and return the data of its grade, even if the submission loops or crashes."""
    path = _find_file(settings, folder)
    if path is None:
        wanted = settings.file or "a Python file"
        return settings.ungraded(f"expected {wanted} in the submission, found {_list_files(folder)}", "not-found")
    with TemporaryFile() as report:  # not a pipe, which a process left behind would keep open
        try:
            code = _run(settings, folder, path.name, report)
        except subprocess.TimeoutExpired:
            return settings.ungraded(f"no answer: the search was stopped after {settings.seconds:g} s", "endless-loop")
        report.seek(0)
        return settings.require_style(_read(settings, report.read(), code))


def _find_file(settings: Settings, folder: Path) -> Path | None:
    if settings.file is None:
        return find_main_file(folder)
    wanted = folder / settings.file
    files = sorted(folder.glob("*.py"))
    return wanted if wanted.is_file() else files[0] if len(files) == 1 else None


def _list_files(folder: Path) -> str:
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    return ", ".join(names[:10]) or "nothing"


def _run(settings: Settings, folder: Path, name: str, report: IO[bytes]) -> int:
    # -B: the folder stays as it was. -P: a file of the submission named like a module is not imported in its place.
    command = [sys.executable, "-B", "-P", "-m", "noughts", "grade", *_options(settings), "--", name]
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=report)
    try:
        return process.wait(settings.seconds + START_SECONDS)
    finally:
        process.kill()
        process.wait(START_SECONDS)


def _options(settings: Settings) -> Iterator[str]:
    yield from ("--json", "--task", settings.task)
    yield from ("--seconds", f"{settings.seconds:g}", "--memory", str(settings.memory_mb))
    if settings.game is not None:
        yield from ("--game", settings.game)
    if settings.depth is not None:
        yield from ("--depth", str(settings.depth))


def _read(settings: Settings, report: bytes, code: int) -> dict[str, Any]:
    """Return the grade that was printed, or one that says why there is none."""
    try:
        (data,) = json.loads(report)
    except ValueError:
        return settings.ungraded(f"the grader was ended with exit code {code}", "ends-process")
    return dict(data)
