"""``noughts grade --question``: the questions of a project, printed for each submission."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from noughts.cli.output import say
from noughts.cli.tables import TableWriter
from noughts.games.quoting import quote
from noughts.teaching.autograder.project import Project, ProjectGrade
from noughts.teaching.autograder.settings import MAX_POINTS

__all__ = ["print_projects", "question_option"]


def _parse_questions(ctx: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> dict[str, float]:
    """Return the points of each part by its name; raises UsageError."""
    questions: dict[str, float] = {}
    for text in texts:
        part, _, number = text.partition("=")
        try:
            points = float(number)
        except ValueError:
            points = 0.0
        if not 0 < points <= MAX_POINTS:
            raise click.UsageError(f"expected PART=POINTS for --question, such as minimax=6, got {quote(text, 40)}")
        if part in questions:
            raise click.UsageError(f"expected one question about {part}, got two")
        questions[part] = points
    return questions


question_option = click.option(
    "--question",
    "-q",
    "questions",
    metavar="PART=POINTS",
    multiple=True,
    callback=_parse_questions,
    help="A question of a project in place of --task: rules or a task, and its points; may be repeated.",
)


def print_projects(grades: Iterable[ProjectGrade], names: Sequence[str], project: Project) -> list[ProjectGrade]:
    """Print a report, or a row for each of several submissions as soon as it is known; return the grades."""
    if len(names) == 1:
        (graded,) = grades
        say(str(graded))
        return [graded]
    labels = [question.label for question in project.questions]
    table = TableWriter(("submission", "points", *labels), (max(map(len, names)), len("100/100"), *map(len, labels)))
    done: list[ProjectGrade] = []
    for graded in grades:
        done.append(graded)
        shares = (f"{result.points:g}/{result.max_points:g}" for result in graded.results)
        table.write((graded.name, f"{graded.points:g}/{graded.max_points:g}", *shares))
    full = sum(graded.passed for graded in done)
    say(f"{full} of {len(done)} with all points")
    return done
