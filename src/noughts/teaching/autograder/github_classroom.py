"""GitHub Classroom: a workflow that grades the repository of a student and reports the points.

The reporter of GitHub Classroom is an action that reads the result of each test from an environment variable: JSON in
base64. It counts passed tests alone within one result, so that each property is a result of its own.
"""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from collections.abc import Iterable, Sequence
from pathlib import Path

from noughts.json_types import JsonObject
from noughts.teaching.autograder.marks import Mark
from noughts.teaching.autograder.project import Project, ProjectQuestion, QuestionResult, grade_project
from noughts.teaching.autograder.running import grade_folder
from noughts.teaching.autograder.templates import read_template
from noughts.teaching.autograder.wheels import FOLDER, Wheels

__all__ = ["format_outputs", "main", "make_github_classroom"]

HOME = ".github/classroom"
WORKFLOW = ".github/workflows/classroom.yml"
SETTINGS_FILE = f"{HOME}/settings.json"
MARGIN_MINUTES = 10
"""Time for the workflow to install noughts, beyond the limit on the submission."""


def make_github_classroom(project: Project, wheels: Wheels) -> dict[str, bytes]:
    """Return the files for the template repository of an assignment."""
    runners = [runner for question in project.questions for runner in _runners(question)]
    workflow = read_template(
        "classroom.yml",
        title=project.title,
        minutes=int(project.wall_seconds) // 60 + MARGIN_MINUTES,
        python=f"3.{wheels.minor}",
        arguments=" ".join(wheels.pip_arguments(f"{HOME}/{FOLDER}")),
        settings=SETTINGS_FILE,
        results="\n".join(f"          {id.upper()}_RESULTS: ${{{{ steps.grade.outputs.{id} }}}}" for id in runners),
        runners=",".join(runners),
    )
    files = {f"{HOME}/{name}": content for name, content in wheels.files.items()}
    return {WORKFLOW: workflow.encode(), SETTINGS_FILE: project.to_json().encode(), **files}


def _runners(question: ProjectQuestion) -> dict[str, str]:
    """Return the properties that count in a question by the ids of their results."""
    shares = question.settings.shares()
    return {f"{question.id}_{id}".strip("_"): id for id, share in shares.items() if share}


def format_outputs(results: Iterable[QuestionResult]) -> str:
    """Return the outputs of the step that grades: a line ``runner=result`` for each property of each question.

    If a question could not be graded by its properties, its first result has all of its points.
    """
    lines = []
    for question, _, marks in results:
        runners = _runners(question)
        marked = {each.id: each for each in marks}
        if not marked.keys() <= set(runners.values()):
            marked = {next(iter(runners.values())): marks[0]}
        lines += [f"{runner}={_encode(_result(id, marked.get(id)))}\n" for runner, id in runners.items()]
    return "".join(lines)


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
    results = grade_project(Project.load(settings), lambda question: grade_folder(question, submission.absolute()))
    for result in results:
        print(f"{result.question.label}: {result.points:g}/{result.max_points:g}\n{result.grade}\n")
    with outputs.open("a", encoding="utf-8") as file:
        file.write(format_outputs(results))


if __name__ == "__main__":
    main(sys.argv[1:])
