"""Projects: several functions of one submission, graded as questions with points."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from noughts.json_types import JsonObject
from noughts.schema import plain, read
from noughts.teaching.autograder.marks import Mark, explain, mark
from noughts.teaching.autograder.settings import AutograderSettings
from noughts.teaching.grading import STYLES, Grade
from noughts.teaching.grading.tasks import RULES, find_task

__all__ = ["RULES_PART", "Project", "ProjectGrade", "ProjectQuestion", "QuestionResult", "grade_project"]

RULES_PART = "rules"
"""The part of a submission that is the functions of the rules; every other part is a task."""
RULES_TITLE = "Rules of the game"
RULES_TASK = "minimax"
"""The task by which the rules are graded if the project has no other question."""


@dataclass(frozen=True)
class ProjectQuestion:
    """A question: a part of the submission, and the settings it is graded by."""

    id: str
    """``q1``, ``q2`` and so on; empty if there is only one question."""
    part: str
    """A task, or ``RULES_PART``."""
    settings: AutograderSettings

    @property
    def title(self) -> str:
        return RULES_TITLE if self.part == RULES_PART else find_task(self.part).title

    @property
    def label(self) -> str:
        """The question in a few words, such as ``q2 minimax``."""
        return f"{self.id} {self.part}".strip()

    def mark(self, grade: Grade) -> list[Mark]:
        """Return the marks of the properties that count in this question; their points are always those of it."""
        settings = self.settings
        marks = [each for each in mark(grade, settings.points, settings.weights) if each.max_points]
        if marks:
            return marks
        reason = explain(grade, "runs") if "runs" in grade.failures else f"The submission has no {self.title.lower()}."
        return [Mark(self.part, self.title, 0.0, settings.points, reason)]


@dataclass(frozen=True)
class Project:
    """The questions of an autograder, in their order."""

    questions: tuple[ProjectQuestion, ...]

    @classmethod
    def of_task(cls, settings: AutograderSettings) -> Project:
        """Return the project of a single task."""
        return cls((ProjectQuestion("", settings.task, settings),))

    @classmethod
    def of_parts(cls, points: Mapping[str, float], common: AutograderSettings, hidden: Sequence[str] = ()) -> Project:
        """Return a project with a question for each part, in their order, and its points.

        ``common`` has the limits and the style of all questions, and ``hidden`` their hidden properties. The rules
        count in their own question alone. Raises ValueError if a part is unknown or cannot be graded in the style.
        """
        tasks = [part for part in points if part != RULES_PART]
        if RULES_PART in points and common.style is not None and not STYLES[common.style].rules:
            known = ", ".join(style.id for style in STYLES.values() if style.rules)
            raise ValueError(f"expected a style with functions of the rules, one of {known}, got {common.style}")
        questions = []
        for number, (part, share) in enumerate(points.items(), 1):
            task = find_task((tasks or [RULES_TASK])[0] if part == RULES_PART else part)
            without = (each.id for each in task.properties) if part == RULES_PART else RULES
            settings = replace(common, task=task.id, points=share)
            weights = {id: 0.0 for id in without if id in settings.property_ids}
            hides = tuple(id for id in hidden if id in settings.property_ids and id not in weights)
            questions.append(ProjectQuestion(f"q{number}", part, replace(settings, weights=weights, hidden=hides)))
        for id in hidden:
            if not any(id in question.settings.hidden for question in questions):
                raise ValueError(f"expected a property of one of the questions to hide, got {id!r}")
        return cls(tuple(questions))

    @property
    def is_single(self) -> bool:
        """Whether it is a single task, without questions that students see."""
        return not self.questions[0].id

    @property
    def name(self) -> str:
        """Its name in Python."""
        return self.questions[0].settings.name if self.is_single else "project"

    @property
    def title(self) -> str:
        return self.questions[0].title if self.is_single else "Project"

    @property
    def points(self) -> float:
        return sum(question.settings.points for question in self.questions)

    @property
    def wall_seconds(self) -> float:
        """The limit on a submission by the wall clock: each question has its own."""
        return sum(question.settings.wall_seconds for question in self.questions)

    @property
    def has_hidden(self) -> bool:
        return any(question.settings.hidden for question in self.questions)

    def to_json(self) -> str:
        """Return the project as JSON; see ``load``."""
        return json.dumps(plain(self), indent=2) + "\n"

    @classmethod
    def load(cls, path: Path) -> Project:
        """Return the project of a JSON file; raises ValueError."""
        return read(cls, json.loads(path.read_text(encoding="utf-8")))


class QuestionResult(NamedTuple):
    """The grade of a question, and its marks."""

    question: ProjectQuestion
    grade: Grade
    marks: list[Mark]

    @property
    def points(self) -> float:
        return round(sum(each.points for each in self.marks), 2)

    @property
    def max_points(self) -> float:
        return self.question.settings.points


@dataclass(frozen=True)
class ProjectGrade:
    """The questions of one submission. Print it for the full report."""

    name: str
    results: list[QuestionResult]

    @property
    def points(self) -> float:
        return round(sum(result.points for result in self.results), 2)

    @property
    def max_points(self) -> float:
        return sum(result.max_points for result in self.results)

    @property
    def passed(self) -> bool:
        """Whether every property of every question holds."""
        return all(each.passed for result in self.results for each in result.marks)

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.points:g} of {self.max_points:g} points"]
        for result in self.results:
            question = result.question
            lines.append(f"  {question.id} {question.title}: {result.points:g} of {result.max_points:g}")
            for each in result.marks:
                lines.append(f"    {'✓' if each.passed else '✗'} {each.id}: {each.description}")
                lines += [f"        {line}" for line in each.message.splitlines()]
        return "\n".join(lines)

    def to_data(self) -> JsonObject:
        """Return the questions and their marks as plain data, for JSON."""
        return {
            "name": self.name,
            "points": self.points,
            "max_points": self.max_points,
            "passed": self.passed,
            "questions": [_question_data(result) for result in self.results],
        }


def _question_data(result: QuestionResult) -> JsonObject:
    return {
        "id": result.question.id,
        "part": result.question.part,
        "points": result.points,
        "max_points": result.max_points,
        "marks": [each._asdict() for each in result.marks],
    }


def grade_project(project: Project, grade_by: Callable[[AutograderSettings], Grade]) -> list[QuestionResult]:
    """Grade each question; the rules are taken from the grade of another question, which checks them too."""
    grades = {each.part: grade_by(each.settings) for each in project.questions if each.part != RULES_PART}
    results = []
    for question in project.questions:
        grade = grades.get(question.part) or next(filter(_has_rules, grades.values()), None)
        if grade is None:
            grade = grade_by(question.settings)
        results.append(QuestionResult(question, grade, question.mark(grade)))
    return results


def _has_rules(grade: Grade) -> bool:
    return any(each.id in RULES for each in grade.properties)
