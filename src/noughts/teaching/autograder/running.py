"""Grading the files of a submission, as an autograder does."""

from __future__ import annotations

from pathlib import Path

from noughts.games.quoting import escape_control_characters
from noughts.process.sandbox import STRANGERS, Sandbox, why_no_programs, why_no_sandbox
from noughts.teaching.autograder.settings import AutograderSettings
from noughts.teaching.grading import Grade, Submission, grade
from noughts.teaching.grading.submission import find_main_file, python_files

__all__ = ["grade_folder"]


def grade_folder(settings: AutograderSettings, folder: Path) -> Grade:
    """Return the grade of the submission in a folder, even if the submission loops or crashes.

    Raises ValueError if the settings ask for a sandbox and there is none.
    """
    path = _find_file(settings, folder)
    if path is None:
        wanted = settings.file or "a Python file"
        return settings.ungraded(f"expected {wanted} in the submission, found {_list_files(folder)}", "not-found")
    graded = grade(
        Submission(path, folder=folder),
        settings.game,
        seconds=settings.seconds,
        depth=settings.depth,
        task=settings.task,
        memory_mb=settings.memory_mb,
        sandbox=_find_sandbox(settings),
    )
    graded.name = graded.name.removeprefix(f"{folder}/")
    return settings.require_style(graded)


def _find_sandbox(settings: AutograderSettings) -> Sandbox:
    """Return the sandbox that the settings ask for; without one, root gives up its rights unless it must be without."""
    if settings.sandbox == "never":
        return Sandbox.off(allow_root=True)
    is_missing = settings.sandbox == "if-available" and (why_no_programs() or why_no_sandbox())
    return Sandbox.off() if is_missing else STRANGERS


def _find_file(settings: AutograderSettings, folder: Path) -> Path | None:
    if settings.file is None:
        return find_main_file(folder, settings.task)
    files = python_files(folder)
    return next((file for file in files if file.name == settings.file), files[0] if len(files) == 1 else None)


def _list_files(folder: Path) -> str:
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    return escape_control_characters(", ".join(names[:10])) or "nothing"
