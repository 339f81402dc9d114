"""Gradescope: a zip with ``setup.sh`` and ``run_autograder``, which writes ``results.json``."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from html import escape
from pathlib import Path
from typing import Any

from noughts.games.atomic_file import write_file
from noughts.json_types import JsonObject
from noughts.teaching.autograder.archives import make_zip
from noughts.teaching.autograder.marks import Mark, mark, without_hidden
from noughts.teaching.autograder.project import Project, QuestionResult, grade_project
from noughts.teaching.autograder.running import grade_folder
from noughts.teaching.autograder.settings import AutograderSettings
from noughts.teaching.autograder.templates import read_template
from noughts.teaching.autograder.wheels import FOLDER, Wheels
from noughts.teaching.grading import Grade
from noughts.teaching.grading.html_report import failure_html, summary_html

__all__ = ["format_project_results", "format_results", "main", "make_gradescope"]

ARCHIVE = "autograder.zip"
SETTINGS_FILE = "settings.json"
PROGRAMS = ("setup.sh", "run_autograder")
VISIBLE, HIDDEN = "visible", "after_published"
"""The visibilities of tests in ``results.json``: a hidden one is shown with the published grades."""


def make_gradescope(project: Project, wheels: Wheels) -> dict[str, bytes]:
    """Return the archive to upload, which installs noughts from its wheels or from PyPI."""
    files = {
        "setup.sh": _setup(wheels).encode(),
        "run_autograder": read_template("run_autograder").encode(),
        SETTINGS_FILE: project.to_json().encode(),
        **wheels.files,
    }
    return {ARCHIVE: make_zip(files, PROGRAMS)}


def _setup(wheels: Wheels) -> str:
    """Return the program that installs noughts with a Python that fits its wheel."""
    version = f"3.{wheels.minor}"
    return read_template(
        "setup.sh",
        python=version if wheels.is_for_one_python else f"{version} or newer",
        limit=f"[:2] != (3, {wheels.minor})" if wheels.is_for_one_python else f" < (3, {wheels.minor})",
        version=version,
        arguments=" ".join(wheels.pip_arguments(f'"$source"/{FOLDER}')),
    )


def format_project_results(results: Sequence[QuestionResult], seconds: float) -> dict[str, Any]:
    """Return the content of ``results.json`` for the questions of a project, whose tests are numbered 1.1, 1.2 …"""
    output: list[str] = []
    tests: list[JsonObject] = []
    extra: JsonObject = {}
    found: dict[str, Any] = {}
    for number, result in enumerate(results, 1):
        question = result.question
        sharing = [other for other in results if other.grade is result.grade]
        found = format_results(result.grade, _hiding(sharing, question.settings), seconds, result.marks)
        points = "" if question.settings.hidden else f": {result.points:g}/{result.max_points:g}"
        output.append(f"<h3>{escape(question.label)}{points}</h3>")
        if result is sharing[-1]:  # the rules share the report of another question
            output.append(found["output"])
        for test in found["tests"]:
            tests.append({**test, "number": f"{number}.{test['number']}", "name": f"{question.id} {test['name']}"})
        extra[question.id] = found["extra_data"]
    score = round(sum(result.points for result in results), 2)
    return {**found, "score": score, "output": "".join(output), "extra_data": extra, "tests": tests}


def _hiding(sharing: Sequence[QuestionResult], settings: AutograderSettings) -> AutograderSettings:
    """Return settings that hide what any of the questions that share a grade hides."""
    hidden = {id for each in sharing for id in each.question.settings.hidden} & settings.property_ids
    return replace(settings, hidden=tuple(sorted(hidden)))


def format_results(
    grade: Grade, settings: AutograderSettings, seconds: float, marks: Sequence[Mark] | None = None
) -> dict[str, Any]:
    """Return the content of ``results.json`` for a grade; the marks are those of all its properties unless given."""
    marks = mark(grade, settings.points, settings.weights) if marks is None else marks
    return {
        "score": round(sum(each.points for each in marks), 2),
        "execution_time": round(seconds, 1),
        "output": summary_html(without_hidden(grade, settings.hidden)),
        "output_format": "html",
        "test_output_format": "html",
        "test_name_format": "text",
        "visibility": VISIBLE,
        "stdout_visibility": "hidden",
        "extra_data": {
            "task": grade.task,
            "style": grade.style,
            "diagnosis": None if grade.diagnosis is None else asdict(grade.diagnosis),
            "sandbox": grade.sandbox,
        },
        "tests": [_test(number, each, grade, each.id in settings.hidden) for number, each in enumerate(marks, 1)],
    }


def _test(number: int, each: Mark, grade: Grade, is_hidden: bool) -> JsonObject:
    return {
        "number": str(number),
        "name": f"{each.id}: {each.description}",
        "score": each.points,
        "max_score": each.max_points,
        "status": "passed" if each.passed else "failed",
        "output": failure_html(grade, each.id, each.message) if each.message else "",
        "visibility": HIDDEN if is_hidden else VISIBLE,
    }


def main(arguments: Sequence[str]) -> None:
    """Grade a submission: the arguments are the file of settings, the submission's folder and the file to write."""
    settings, submission, results = map(Path, arguments)
    began = time.monotonic()
    project = Project.load(settings)
    graded = grade_project(project, lambda question: grade_folder(question, submission))
    seconds = time.monotonic() - began
    if project.is_single:
        found = format_results(graded[0].grade, project.questions[0].settings, seconds)
    else:
        found = format_project_results(graded, seconds)
    content = json.dumps(found, indent=2)
    results.parent.mkdir(parents=True, exist_ok=True)
    write_file(results, content + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
