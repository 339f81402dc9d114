"""Notebooks for Otter-Grader and nbgrader: the exercise, its solution, and one graded cell for each property."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import NamedTuple

from noughts.json_types import Json, JsonObject
from noughts.teaching.autograder.project import Project, ProjectQuestion
from noughts.teaching.autograder.settings import AutograderSettings
from noughts.teaching.autograder.templates import read_template
from noughts.teaching.autograder.wheels import FOLDER, Wheels
from noughts.teaching.grading import Property

__all__ = ["Exercise", "load_exercise", "make_nbgrader", "make_otter"]

NotebookCell = JsonObject
MARGIN_SECONDS = 90
"""Time for a cell to run, beyond the limit on the submission."""
EXERCISES = Path(__file__).parent / "exercises"
SOLUTION = re.compile(r"^( *)# BEGIN SOLUTION\n", re.MULTILINE)
PROMPT = r'''\1""" # BEGIN PROMPT
\1raise NotImplementedError
\1""" # END PROMPT
\1# BEGIN SOLUTION NO PROMPT
'''


class Exercise(NamedTuple):
    """The text of an exercise, and its code with the solution between ``# BEGIN SOLUTION`` and ``# END SOLUTION``."""

    text: str
    code: str

    def with_prompt(self) -> str:
        """Return the code with Otter's mark of the line that replaces each solution."""
        return SOLUTION.sub(PROMPT, self.code)


def load_exercise(settings: AutograderSettings) -> Exercise:
    """Return the exercise of a task in a style; raises ValueError if there is none."""
    style = settings.style or "noughts"
    if style != "noughts" and (style, settings.task) != ("cs50", "minimax"):
        raise ValueError(f"expected the style noughts, or cs50 for minimax, in a notebook, got {style}")
    name = "cs50" if style == "cs50" else settings.name
    source = (EXERCISES / f"{name}.py").read_text(encoding="utf-8")
    docstring = ast.parse(source).body[0]
    text = ast.get_docstring(ast.parse(source)) or ""
    code = "\n".join(source.splitlines()[docstring.end_lineno :]).strip() + "\n"
    return Exercise(text, code)


def make_otter(project: Project, wheels: Wheels) -> dict[str, bytes]:
    """Return the master notebook of an assignment, for ``otter assign``."""
    name = project.name
    # A container of Otter installs packages before it has the files of the assignment, so the notebook installs wheels.
    packages = f"files:\n  - {FOLDER}" if wheels else f"requirements:\n  - {wheels.pip_arguments('')[-1]}"
    cells = [
        _raw(read_template("otter_assignment.yaml", name=name, packages=packages)),
        *_introduction(project, wheels),
        *(cell for question in project.questions for cell in _otter_question(question)),
    ]
    return {f"{name}.ipynb": _format(cells), **wheels.files}


def _otter_question(question: ProjectQuestion) -> list[NotebookCell]:
    settings = question.settings
    exercise = load_exercise(settings)
    return [
        _text(question, exercise),
        _raw(f"# BEGIN QUESTION\nname: {_question_name(question)}\n"),
        _raw("# BEGIN SOLUTION"),
        _code(exercise.with_prompt()),
        _raw("# END SOLUTION"),
        _raw("# BEGIN TESTS"),
        *(_code(_otter_test(settings, each)) for each in settings.properties),
        _raw("# END TESTS"),
        _raw("# END QUESTION"),
    ]


def _otter_test(settings: AutograderSettings, each: Property) -> str:
    call = indent(_check_code(settings, each), "    ")
    return read_template(
        "otter_test.py.txt",
        id=each.id,
        points=f"{settings.shares()[each.id]:g}",
        hidden=str(each.id in settings.hidden).lower(),
        description=each.description,
        function=settings.function,
        call=call,
    )


def make_nbgrader(project: Project, wheels: Wheels) -> dict[str, bytes]:
    """Return the files of a course with the source of an assignment, for ``nbgrader generate_assignment``."""
    name = project.name
    cells = _introduction(project, wheels)
    cells += [cell for question in project.questions for cell in _nbgrader_question(question)]
    seconds = max(question.settings.wall_seconds for question in project.questions)
    config = read_template("nbgrader_config.py.txt", timeout=int(seconds) + MARGIN_SECONDS)
    folder = f"source/{name}"
    files = {f"{folder}/{path}": content for path, content in wheels.files.items()}
    return {"nbgrader_config.py": config.encode(), f"{folder}/{name}.ipynb": _format(cells), **files}


def _nbgrader_question(question: ProjectQuestion) -> list[NotebookCell]:
    settings, name = question.settings, _question_name(question)
    exercise = load_exercise(settings)
    solution = exercise.code.replace("# BEGIN SOLUTION", "### BEGIN SOLUTION").replace("# END", "### END")
    return [
        _text(question, exercise),
        _code(solution, nbgrader=_nbgrader(name, solution=True)),
        *_nbgrader_tests(settings, name),
    ]


def _question_name(question: ProjectQuestion) -> str:
    return f"{question.id}_{question.settings.name}".strip("_")


def _introduction(project: Project, wheels: Wheels) -> list[NotebookCell]:
    """Return the title of a project of several questions, and the cell that installs the wheels, if there are any."""
    cells = [] if project.is_single else [_markdown(f"# {project.title}")]
    if not wheels:
        return cells
    install = read_template("notebook_installation.py.txt", arguments=repr(wheels.pip_arguments(FOLDER)))
    return [*cells, _code(install)]


def _nbgrader_tests(settings: AutograderSettings, name: str) -> Iterator[NotebookCell]:
    shares = settings.shares()
    for each in settings.properties:
        code = _check_code(settings, each)
        if each.id in settings.hidden:
            code = f"### BEGIN HIDDEN TESTS\n{code}\n### END HIDDEN TESTS"
        source = f"# {each.id}: {each.description}\n{code}"
        yield _code(source, nbgrader=_nbgrader(f"{name}-{each.id}", points=shares[each.id]))


def _nbgrader(id: str, points: float | None = None, solution: bool = False) -> JsonObject:
    """Return the metadata of a cell, version 3: a solution, or a locked test that is worth points."""
    data: JsonObject = {
        "grade": not solution,
        "grade_id": id,
        "locked": not solution,
        "schema_version": 3,
        "solution": solution,
    }
    return {**data, "task": False} if points is None else {**data, "task": False, "points": points}


def _check_code(settings: AutograderSettings, each: Property) -> str:
    """Return the statements that check one property of the student's function."""
    options = {"style": settings.style, "game": settings.game, "depth": settings.depth}
    given: dict[str, object] = {"task": settings.task, **{name: value for name, value in options.items() if value}}
    given |= {"seconds": settings.seconds, "memory_mb": settings.memory_mb}
    arguments = ", ".join([settings.function, repr(each.id), *(f"{name}={value!r}" for name, value in given.items())])
    return f"from noughts.teaching.autograder import check\n\ncheck({arguments})"


def _text(question: ProjectQuestion, exercise: Exercise) -> NotebookCell:
    title = (
        f"## {question.id}: {question.title} ({question.settings.points:g} points)"
        if question.id
        else f"# {question.title}"
    )
    return _markdown(f"{title}\n\n{exercise.text}")


def _markdown(source: str) -> NotebookCell:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def _raw(source: str) -> NotebookCell:
    return {"cell_type": "raw", "metadata": {}, "source": source.rstrip("\n")}


def _code(source: str, **metadata: Json) -> NotebookCell:
    source = source.rstrip("\n")
    return {"cell_type": "code", "execution_count": None, "metadata": metadata, "outputs": [], "source": source}


def _format(cells: list[NotebookCell]) -> bytes:
    """Return a notebook; cells are numbered, so that equal settings give equal bytes."""
    notebook = {
        "cells": [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells, 1)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return (json.dumps(notebook, indent=1) + "\n").encode()
