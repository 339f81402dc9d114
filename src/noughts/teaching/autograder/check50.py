"""check50: a folder with ``.cs50.yaml`` and checks, one for each property."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from noughts.teaching.autograder.marks import UNPROVEN, state_of
from noughts.teaching.autograder.project import Project
from noughts.teaching.autograder.running import grade_folder
from noughts.teaching.autograder.settings import AutograderSettings
from noughts.teaching.autograder.templates import read_template
from noughts.teaching.autograder.wheels import Wheels
from noughts.teaching.grading import Grade, Property

__all__ = ["find_failure", "find_first_failure", "grade_here", "make_check50"]

CHECKS_FILE = "__init__.py"
CONFIG_FILE = ".cs50.yaml"
SETTINGS_FILE = "settings.json"
ReasonAndHint = tuple[str, str | None]
"""The reason for a failure, and a hint or None."""
DEFAULT_FILES = {"cs50": "tictactoe.py"}
MARGIN_SECONDS = 90
"""Time for the grader to start and end, beyond the limit on the submission: more than it takes for itself."""


def make_check50(project: Project, wheels: Wheels) -> dict[str, bytes]:
    """Return the files of a problem, for ``check50 --dev FOLDER`` or a repository of problems.

    check50 installs packages from PyPI alone, so a problem that carries wheels asks it for none.
    """
    settings = project.questions[0].settings
    file = settings.file or DEFAULT_FILES.get(settings.style or "", f"{settings.name}.py")
    settings = replace(settings, file=file)
    checks = read_template(
        "check50_checks.py.txt",
        title=settings.task,
        file=file,
        timeout=int(settings.wall_seconds) + MARGIN_SECONDS,
        checks="\n\n\n".join(map(_check, settings.properties)),
    )
    contents = {
        CONFIG_FILE: read_template("cs50.yaml", file=file, dependencies=_dependencies(wheels)),
        CHECKS_FILE: checks,
        SETTINGS_FILE: settings.to_json(),
    }
    return {name: content.encode() for name, content in contents.items()} | wheels.files


def _dependencies(wheels: Wheels) -> str:
    """Return the packages that check50 is to install, as a list in YAML."""
    return " []" if wheels else f"\n    - {wheels.pip_arguments('')[-1]}"


def _check(each: Property) -> str:
    return read_template("check50_check.py.txt", id=each.id, description=each.description).rstrip()


def grade_here(checks_file: str) -> Grade:
    """Grade the submission in the current folder by the settings beside the file of checks."""
    return grade_folder(AutograderSettings.load(Path(checks_file).with_name(SETTINGS_FILE)), Path.cwd())


def find_first_failure(grade: Grade) -> ReasonAndHint | None:
    """Return why no property holds; returns None if one does, so that the checks of properties make sense."""
    if any(grade.state(each.id) == "holds" for each in grade.properties):
        return None
    return find_failure(grade, grade.gravest_failures[0].property)


def find_failure(grade: Grade, property: str) -> ReasonAndHint | None:
    """Return why a property fails; returns None if it does not."""
    state = state_of(grade, property)
    if state == "holds":
        return None
    if state == "unchecked":
        return (UNPROVEN if property in grade.claimed else "not checked, because another property fails"), None
    failure = grade.failures[property]
    return ": ".join(failure.lines()), None if failure.diagnosis is None else failure.diagnosis.text
