"""``noughts autograder``: writes an autograder for a system that courses use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import click

from noughts.cli.grade import graded_game, limit_options
from noughts.cli.grade_project import question_option
from noughts.cli.options import json_option
from noughts.cli.output import print_result
from noughts.cli.types import GAME, NUMBER, File, WholeNumberRange
from noughts.games import Game
from noughts.games.quoting import count, quote
from noughts.teaching.autograder import TARGETS, AutograderSettings, Project, write_autograder
from noughts.teaching.autograder.settings import DEFAULT_POINTS, SANDBOX_MODES
from noughts.teaching.grading import STYLES, TASKS
from noughts.teaching.grading.tasks import parse_points

DEFAULT_TASK = "minimax"
"""The task of the settings that all questions of a project share."""


def _parse_weights(ctx: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> dict[str, float]:
    weights = {}
    for text in texts:
        id, _, number = text.partition("=")
        try:
            weights[id] = float(number)
        except ValueError:
            raise click.UsageError(f"expected PROPERTY=NUMBER for --weight, got {quote(text, 40)}") from None
    return weights


def _parse_points(text: str | None, task: str | None) -> tuple[float | None, dict[str, int]]:
    """Return the points in all, if they are given, and those of properties; raises ValueError."""
    if text is None or "=" in text:
        return None, parse_points(text, task) if text else {}
    return NUMBER(text), {}


@click.command(name="autograder")
@click.option("--for", "target", type=click.Choice(list(TARGETS)), required=True, help="System to write it for.")
@click.option("--task", "-t", type=click.Choice(list(TASKS)), help="Task to grade by.")
@question_option
@click.option(
    "--output", "-o", "folder", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder to write."
)
@click.option(
    "--style",
    type=click.Choice(list(STYLES)),
    help="Style that submissions must have.  [default: any for gradescope, cs50 for check50, else noughts]",
)
@click.option("--game", metavar="GAME", type=GAME, help="Game to grade on.  [default: the task's]")
@click.option("--depth", "-d", type=WholeNumberRange(1, 64), help="Depth of a depth-limited search.  [default: 3]")
@click.option("--file", metavar="NAME", help="Name of the file that students submit.")
@click.option(
    "--points",
    metavar="N|PROPERTY=N,...",
    help=f"Points in total, or of single properties, such as winner=2,nodes=3.  [default: {DEFAULT_POINTS:g} in total]",
)
@click.option(
    "--weight",
    "weights",
    metavar="PROPERTY=N",
    multiple=True,
    callback=_parse_weights,
    help="Weight of a property; may be repeated.  [default: its points in the task]",
)
@click.option("--equal", is_flag=True, help="Give every property without a --weight the weight 1.")
@limit_options
@click.option(
    "--sandbox",
    type=click.Choice(SANDBOX_MODES),
    help="Whether files are graded in a sandbox where the autograder runs.  [default: if-available]",
)
@click.option(
    "--wheel",
    type=File(".whl", exists=True),
    help="Wheel of noughts to include, with the packages it needs.  [default: pip installs it from PyPI]",
)
@click.option(
    "--hidden",
    metavar="PROPERTY",
    multiple=True,
    help="Property whose test students see only with their published grades; may be repeated.",
)
@click.option("--force", is_flag=True, help="Write into a folder that has files, and replace those of the same name.")
@json_option("Report as JSON.")
def command(
    target: str,
    task: str | None,
    questions: dict[str, float],
    folder: Path,
    style: str | None,
    game: Game | None,
    depth: int | None,
    file: str | None,
    points: str | None,
    weights: dict[str, float],
    equal: bool,
    seconds: float,
    memory: int,
    sandbox: str | None,
    wheel: Path | None,
    hidden: tuple[str, ...],
    force: bool,
    as_json: bool,
) -> None:
    """Write an autograder for a task of noughts grade, or for a project of several questions.

    Submissions are graded by noughts grade within its limits; its findings become the points and messages of the
    system.

    \b
    noughts autograder --for gradescope --task alphabeta -o autograder --points 20
    noughts autograder --for gradescope --task minimax --style cs50 -o cs50 --points winner=2,move=10
    noughts autograder --for check50 --task minimax -o tictactoe
    noughts autograder --for nbgrader --task heuristic -o course --weight sense=4
    noughts autograder --for gradescope --style course -o project -q rules=4 -q minimax=6 -q alphabeta=5 -q heuristic=5
    """
    if (task is None) == (not questions):
        raise click.UsageError(f"expected --task or --question, got {'both' if questions else 'neither'}")
    if questions and (game or depth or points or weights or equal):
        raise click.UsageError("expected no --game, --depth, --points, --weight or --equal with --question")
    if sandbox is not None and not TARGETS[target].has_files:
        raise click.UsageError(f"expected no --sandbox for {target}: a notebook calls the grader from its own process")
    if (points is not None or weights or equal) and not TARGETS[target].has_points:
        raise click.UsageError(
            f"expected no --points, --weight or --equal for {target}, which counts passed checks alone"
        )
    total, own_points = _parse_points(points, task)
    if own_points and (weights or equal):
        raise click.UsageError("expected --points of properties or --weight and --equal, got both")
    settings = AutograderSettings(
        task or DEFAULT_TASK,
        style or TARGETS[target].style,
        graded_game(game),
        depth,
        file,
        DEFAULT_POINTS if total is None else total,
        weights | own_points,
        seconds,
        memory,
        sandbox or "if-available",
        hidden if task else (),
    )
    if own_points:
        settings = replace(settings, points=sum(own_points.get(each.id, each.points) for each in settings.properties))
    if equal:
        settings = settings.with_equal_weights()
    project = Project.of_task(settings) if task else Project.of_parts(questions, settings, hidden)
    files = write_autograder(target, project, folder, wheel=wheel, force=force)
    written = WrittenAutograder(
        target,
        task,
        settings.style,
        settings.function if task else None,
        str(folder),
        [str(path) for path in files],
        project.points,
        settings.shares() if task else questions,
        project.title,
        TARGETS[target].next_step.format(folder=folder, name=project.name),
    )
    print_result(written, _report(written), as_json)


@dataclass(frozen=True)
class WrittenAutograder:
    """An autograder that was written, with the share of each property or question and what to do next."""

    for_: str
    task: str | None
    style: str | None
    function: str | None
    folder: str
    files: list[str]
    points: float
    properties: dict[str, float]
    title: str
    next: str


def _report(written: WrittenAutograder) -> str:
    shares = count(len(written.properties), "property" if written.task else "question")
    title = f"{TARGETS[written.for_].title}: {written.title}, {shares}"
    return "\n".join([title, *(f"  {path}" for path in written.files), written.next])
