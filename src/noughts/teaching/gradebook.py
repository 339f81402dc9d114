"""Gradebooks: the grades of a class as comma-separated values, which spreadsheets and course systems read."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import NamedTuple

from noughts.games.quoting import escape_control_characters
from noughts.teaching.autograder.project import ProjectGrade
from noughts.teaching.grading import Grade

__all__ = ["GradebookRow", "format_gradebook", "row_of"]

FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""A cell that begins with one of these is computed by spreadsheets; a student chooses the name of a file."""


class GradebookRow(NamedTuple):
    """The points of a student in each column, and the most that were possible."""

    student: str
    points: Mapping[str, float]
    max_points: float

    @property
    def total(self) -> float:
        return round(sum(self.points.values()), 2)


def row_of(student: str, grade: Grade | ProjectGrade) -> GradebookRow:
    """Return the row of a grade: a column for each property that counts, or for each question of a project."""
    if isinstance(grade, ProjectGrade):
        points = {result.question.label: result.points for result in grade.results}
    else:
        counted = [each for each in grade.properties if not grade.passed or each.id in grade.checked | grade.claimed]
        points = {each.id: each.points if grade.state(each.id) == "holds" else 0 for each in counted}
    return GradebookRow(student, points, grade.max_points)


def format_gradebook(rows: Iterable[GradebookRow]) -> str:
    """Return a table with the columns student, total, max and those of the rows; a student without a column has none.

    >>> print(format_gradebook([GradebookRow("=ann", {"q1": 2, "q2": 0.5}, 4)]), end="")
    student,total,max,q1,q2
    '=ann,2.5,4,2,0.5
    """
    rows = list(rows)
    columns = list(dict.fromkeys(column for row in rows for column in row.points))
    text = StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["student", "total", "max", *columns])
    for row in rows:
        numbers = [row.total, row.max_points, *(row.points.get(column) for column in columns)]
        table.writerow([_escape(row.student), *("" if number is None else f"{number:g}" for number in numbers)])
    return text.getvalue()


def _escape(text: str) -> str:
    """Return a text that spreadsheets show as it is."""
    text = escape_control_characters(text)
    return f"'{text}" if text.lstrip().startswith(FORMULA_STARTS) else text
