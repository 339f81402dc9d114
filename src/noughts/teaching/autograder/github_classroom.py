"""GitHub Classroom: a workflow that grades the repository of a student and reports the points.

The reporter of GitHub Classroom is an action that reads the result of each test from an environment variable: JSON in
base64. It counts passed tests alone within one result, so that each property is a result of its own.
"""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from noughts.json_types import JsonObject
from noughts.teaching.autograder.marks import Mark, mark
from noughts.teaching.autograder.running import grade_folder
from noughts.teaching.autograder.settings import AutograderSettings
from noughts.teaching.autograder.templates import read_template
from noughts.teaching.autograder.wheels import FOLDER, Wheels
from noughts.teaching.grading import Grade

__all__ = ["format_outputs", "main", "make_github_classroom"]

HOME = ".github/classroom"
WORKFLOW = ".github/workflows/classroom.yml"
SETTINGS_FILE = f"{HOME}/settings.json"
MARGIN_MINUTES = 10
"""Time for the workflow to install noughts, beyond the limit on the submission."""


def make_github_classroom(settings: AutograderSettings, wheels: Wheels) -> dict[str, bytes]:
    """Return the files for the template repository of an assignment."""
    runners = [each.id for each in settings.properties]
    workflow = read_template(
        "classroom.yml",
        title=settings.task,
        minutes=int(settings.seconds) // 60 + MARGIN_MINUTES,
        python=f"3.{wheels.minor}",
        arguments=" ".join(wheels.pip_arguments(f"{HOME}/{FOLDER}")),
        settings=SETTINGS_FILE,
        results="\n".join(f"          {id.upper()}_RESULTS: ${{{{ steps.grade.outputs.{id} }}}}" for id in runners),
        runners=",".join(runners),
    )
    files = {f"{HOME}/{name}": content for name, content in wheels.files.items()}
    return {WORKFLOW: workflow.encode(), SETTINGS_FILE: settings.to_json().encode(), **files}


def format_outputs(grade: Grade, settings: AutograderSettings) -> str:
    """Return the outputs of the step that grades: a line ``property=result`` for each property."""
    marks = {each.id: each for each in mark(grade, settings.points, settings.weights)}
    return "".join(f"{each.id}={_encode(_result(each.id, marks.get(each.id)))}\n" for each in settings.properties)


def _result(property: str, given: Mark | None) -> JsonObject:
    """Return the result of one property; one that could not be checked counts for nothing."""
    if given is None:
        test: JsonObject = {"name": property, "status": "pass", "score": 0}
        return {"version": 1, "status": "pass", "max_score": 0, "tests": [test]}
    status = "pass" if given.passed else "fail"
    name = f"{given.id}: {given.description}"
    test = {"name": name, "status": status, "score": given.points, "message": given.message}
    return {"version": 1, "status": status, "max_score": given.max_points, "tests": [test]}


def _encode(result: JsonObject) -> str:
    return b64encode(json.dumps(result).encode()).decode()


def main(arguments: Sequence[str]) -> None:
    """Grade a repository: the arguments are the file of settings, the submission's folder and the file of outputs."""
    settings, submission, outputs = map(Path, arguments)
    loaded = AutograderSettings.load(settings)
    grade = grade_folder(loaded, submission.absolute())
    print(grade)
    with outputs.open("a", encoding="utf-8") as file:
        file.write(format_outputs(grade, loaded))


if __name__ == "__main__":
    main(sys.argv[1:])
