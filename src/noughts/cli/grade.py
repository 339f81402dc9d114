"""``noughts grade``: checks submissions in Python, and reports where and why they are wrong."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import click

from noughts.cli.options import Command, json_option, sandbox_of, sandbox_options, seconds_option
from noughts.cli.output import TableWriter, say, show_status
from noughts.cli.types import GAME, File, WholeNumberRange
from noughts.games import Game
from noughts.games.quoting import quote
from noughts.process.sandbox import NO_SANDBOX
from noughts.schema import encode
from noughts.teaching.comparison import EVALUATIONS
from noughts.teaching.grading import DIAGNOSES, TASKS, Grade, Submission, grade
from noughts.teaching.grading.client import DEFAULT_MEMORY_MB, DEFAULT_SECONDS
from noughts.teaching.grading.submission import find_main_file
from noughts.teaching.grading.tasks import parse_points
from noughts.teaching.tree.files import SUFFIXES, check_suffix

__all__ = ["command", "graded_game", "limit_options"]

HEADERS = ("submission", "points", "result", "why")


def graded_game(game: Game | None) -> str | None:
    """Return the id of the game to grade on; raises ValueError for a custom game, which has none."""
    if game is not None and game.is_custom:
        raise ValueError(f"expected a game with an id to grade on, got the custom game {quote(game.id)}")
    return game.id if game else None


def limit_options(function: Command) -> Command:
    """Add the options --seconds and --memory: the limits of each submission."""
    seconds = seconds_option("Time limit for each submission.", 86_400, DEFAULT_SECONDS)
    memory = click.option(
        "--memory", type=WholeNumberRange(1), default=DEFAULT_MEMORY_MB, show_default=True, metavar="MB",
        help="Memory limit for each submission.",
    )  # fmt: skip
    return seconds(memory(function))


@click.command(name="grade")
@click.argument(
    "submissions",
    metavar="FILE.py[:FUNCTION]|FOLDER...",
    type=File(".py", as_text=True, dir_okay=True),
    nargs=-1,
    required=True,
)
@click.option("--task", "-t", type=click.Choice(list(TASKS)), help="Task to grade by.  [default: alphabeta or minimax]")
@click.option(
    "--game", metavar="GAME", type=GAME, help="Game to grade on, an id.  [default: 3x3; depth-limited: 4x4:3]"
)
@click.option("--depth", "-d", type=WholeNumberRange(1, 64), help="Depth of a depth-limited search.  [default: 3]")
@click.option(
    "--evaluate", "-e", type=click.Choice(list(EVALUATIONS)), help="Evaluation at the depth.  [default: lines]"
)
@click.option("--no-pruning", is_flag=True, help="The same as --task minimax.")
@click.option("--points", metavar="PROPERTY=N,...", help="Points of properties, such as winner=2,nodes=3.")
@limit_options
@sandbox_options
@click.option(
    "--tree",
    type=File(*SUFFIXES, ".json"),
    help="File for the tree of the search where it fails: .svg, .png, .html, .txt, .json and others.",
)
@json_option()
def command(
    submissions: tuple[str, ...],
    task: str | None,
    game: Game | None,
    depth: int | None,
    evaluate: str | None,
    no_pruning: bool,
    points: str | None,
    seconds: float,
    memory: int,
    sandbox: bool | None,
    readable: tuple[str, ...],
    allow_root: bool | None,
    tree: Path | None,
    as_json: bool,
) -> int:
    """Grade submissions in Python; the exit code is 1 if a property fails.

    A search is called with a position and returns (value, move), the value from X's side. The functions of CS50 AI's
    tictactoe, of AIMA's Game class and of noughts.textbook.functional are accepted as they are. Each submission runs
    in a sandbox, apart from the grader and the others. Several, or those of a folder, are listed in a table; each is
    printed when it is known.

    \b
    noughts grade alphabeta.py
    noughts grade tictactoe.py --task minimax --tree mistake.svg
    noughts grade homework/ --task alphabeta --seconds 20
    noughts grade limited.py:search --game 4x4:3 --depth 4
    noughts grade tictactoe.py --points winner=2,nodes=0
    """
    if evaluate is not None and depth is None and task != "depth-limited":
        raise click.UsageError("expected --depth with --evaluate: without a depth only the outcome counts")
    if no_pruning and task not in (None, "minimax"):
        raise click.UsageError(f"expected --task {task} or --no-pruning, got both")
    if tree is not None:
        check_suffix(tree, (".json",))
    chosen_points = parse_points(points, task) if points is not None else {}
    confined = replace(sandbox_of(sandbox, readable, allow_root), trusts_command=False)
    confined.check()
    found = [submission for text in submissions for submission in _parse(text)]
    if tree is not None and len(found) > 1:
        raise click.UsageError(f"expected one submission with --tree, got {len(found)}")
    paths = [submission.path for submission in found]
    found = [submission.read(paths) for submission in found]  # all of them, before the first one runs

    def grade_all() -> Iterator[Grade]:
        for number, submission in enumerate(found, 1):
            if len(found) > 1:
                show_status(f"{number} of {len(found)}: {submission.__name__}")
            graded = grade(
                submission,
                graded_game(game),
                not no_pruning,
                seconds,
                depth,
                EVALUATIONS[evaluate] if evaluate else None,
                task=task,
                memory_mb=memory,
                sandbox=confined,
                points=chosen_points,
            )
            show_status("")
            yield graded

    names = [submission.__name__ for submission in found]
    grades = _print_json(grade_all(), len(found)) if as_json else _print(grade_all(), names)
    if tree is not None:
        _save_tree(grades[0], tree)
    return 0 if all(each.passed for each in grades) else 1


def _parse(text: str) -> Iterator[Submission]:
    """Yield the submissions of ``FILE.py``, ``FILE.py:FUNCTION`` or a folder."""
    if Path(text).is_dir():
        yield from _in_folder(Path(text))
        return
    path, colon, name = text.rpartition(":")
    if not colon or not name.isidentifier():
        path, name = text, ""
    if not Path(path).is_file():
        raise click.UsageError(f"there is no file {quote(path, 80)}")
    yield Submission(Path(path), name or None)


def _in_folder(folder: Path) -> Iterator[Submission]:
    """Yield the submissions of a class: each Python file, and the main file of each folder."""
    found = [each for entry in sorted(folder.iterdir()) if (each := _in_entry(entry)) is not None]
    if not found:
        raise click.UsageError(f"there is no Python file in {quote(str(folder), 80)}")
    yield from found


def _in_entry(entry: Path) -> Submission | None:
    """Return the submission of a student: a file, or a folder with a main file; links do not count."""
    if entry.name.startswith((".", "_")) or entry.is_symlink():
        return None
    if entry.is_file():
        return Submission(entry) if entry.suffix == ".py" else None
    main = find_main_file(entry) if entry.is_dir() else None
    return None if main is None else Submission(main, folder=entry)


def _print_json(grades: Iterable[Grade], number: int) -> list[Grade]:
    """Print a list with one grade to a line, each as soon as it is known; return the grades."""
    done: list[Grade] = []
    for graded in grades:
        done.append(graded)
        start, end = "[\n" if len(done) == 1 else "", "\n]" if len(done) == number else ","
        click.echo(f"{start}{encode(graded)}{end}")
        sys.stdout.flush()
    return done


def _print(grades: Iterable[Grade], names: list[str]) -> list[Grade]:
    """Print a report, or a row for each of several grades as soon as it is known; return the grades."""
    if len(names) == 1:
        (graded,) = grades
        say(str(graded))
        return [graded]
    done: list[Grade] = []
    table = TableWriter(HEADERS, (max(map(len, names)), len("100/100"), len("passed")))
    for name, graded in zip(names, grades, strict=True):
        points = f"{graded.points}/{graded.max_points}"
        table.write((name, points, "passed" if graded.passed else "failed", _why(graded)))
        done.append(graded)
    say(_summary(done))
    return done


def _save_tree(graded: Grade, path: Path) -> None:
    trace = graded.trace
    if trace is None:
        click.echo(f"no tree to save in {path}: {'it passed' if graded.passed else 'no search is to blame'}", err=True)
        return
    trace.save(path)
    click.echo(f"{path}: {trace.visited:,} nodes", err=True)


def _why(graded: Grade) -> str:
    failures = [graded.failures[each.id] for each in graded.properties if each.id in graded.failures]
    if graded.diagnosis is not None and graded.diagnosis.id not in ("raises", "not-found", "syntax-error"):
        return graded.diagnosis.sentence
    return next(
        (f"{each.property}: {each.position}{'   ' if each.position else ''}{each.message}" for each in failures), ""
    )


def _summary(grades: list[Grade]) -> str:
    passed = sum(each.passed for each in grades)
    causes = Counter(each.diagnosis.id for each in grades if each.diagnosis is not None)
    lines = [f"{passed} of {len(grades)} passed"]
    if any(each.sandbox is False for each in grades):
        lines.append(NO_SANDBOX)
    repeated = [(id, number) for id, number in causes.most_common() if number > 1]
    return "\n".join(lines + [f"{number} × {id}: {DIAGNOSES[id]}" for id, number in repeated])
