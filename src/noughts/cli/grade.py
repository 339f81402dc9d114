"""``noughts grade``: checks a search in a Python file, and reports where it is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import click

from noughts.cli.options import complete_game
from noughts.games import find_game
from noughts.games.quoting import quote
from noughts.study.comparison import EVALUATIONS
from noughts.study.grading import PROPERTIES, Grade, SearchFile, grade

__all__ = ["command"]

DEFAULT_FUNCTION = "search"
DEFAULT_SECONDS = 60.0


@click.command(name="grade")
@click.argument("searches", metavar="FILE.py[:FUNCTION]...", nargs=-1, required=True)
@click.option(
    "--game",
    default="3x3",
    show_default=True,
    metavar="GAME",
    shell_complete=complete_game,
    help="Game to grade on, an id.",
)
@click.option("--depth", "-d", type=click.IntRange(1, 64), help="Search with depth=, on 60 positions of any game.")
@click.option(
    "--evaluate", "-e", type=click.Choice(list(EVALUATIONS)), help="Evaluation at the depth.  [default: lines]"
)
@click.option("--no-pruning", is_flag=True, help="The search is plain minimax: it may visit every node.")
@click.option(
    "--seconds",
    "-s",
    type=click.FloatRange(0, 86_400, min_open=True),
    default=DEFAULT_SECONDS,
    show_default=True,
    help="Time limit for grading each search.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    searches: tuple[str, ...],
    game: str,
    depth: int | None,
    evaluate: str | None,
    no_pruning: bool,
    seconds: float,
    as_json: bool,
) -> int:
    """Grade the search FUNCTION (search by default) of a Python file; the exit code is 1 if a property fails.

    It is called with a position and returns (value, move), the value from X's side. Each search runs in a separate
    process. Several are listed in a table.

    \b
    noughts grade alphabeta.py
    noughts grade homework/*.py --seconds 20
    noughts grade limited.py:search --game 4x4:3 --depth 4
    """
    if evaluate is not None and depth is None:
        raise click.UsageError("expected --depth with --evaluate: without a depth only the outcome counts")
    files = [_parse(text) for text in searches]
    rules = find_game(game)
    grades = []
    for file in files:
        grades.append(
            grade(file, rules.id, not no_pruning, seconds, depth, EVALUATIONS[evaluate] if evaluate else None)
        )
        if not as_json and len(files) == 1:
            click.echo(grades[0])
    if as_json:
        click.echo(json.dumps([found.to_data() for found in grades], indent=2))
    elif len(files) > 1:
        click.echo(_table(grades))
    return 0 if all(found.passed for found in grades) else 1


def _parse(text: str) -> SearchFile:
    """Return the search that ``FILE.py`` or ``FILE.py:FUNCTION`` names."""
    path, colon, name = text.rpartition(":")
    if not colon or not name.isidentifier():
        path, name = text, DEFAULT_FUNCTION
    if not Path(path).is_file():
        raise click.UsageError(f"there is no file {quote(path, 80)}")
    return SearchFile(Path(path), name)


def _table(grades: list[Grade]) -> str:
    from noughts.cli.output import format_table, terminal_width

    rows = [(found.name, "passed" if found.passed else "failed", _why(found)) for found in grades]
    return format_table(("search", "result", "why"), rows, max(terminal_width(), 200))


def _why(found: Grade) -> str:
    if found.advice:
        return found.advice
    failures = (found.failures[name][0] for name in PROPERTIES if name in found.failures)
    return next((f"{each.property}: {each.position}   {each.message}" for each in failures), "")
