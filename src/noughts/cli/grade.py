"""``noughts grade``: checks submissions in Python, and reports where and why they are wrong."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import click

from noughts.cli.grade_project import print_projects, question_option
from noughts.cli.options import Command, json_option, sandbox_of, sandbox_options, seconds_option
from noughts.cli.output import BOLD, RED, explained, paint, say, show_status, stdout_capabilities
from noughts.cli.tables import TableWriter
from noughts.cli.types import GAME, File, ReportFile, WholeNumberRange
from noughts.games import Game
from noughts.games.atomic_file import write_file
from noughts.games.quoting import count, escape_lines, quote
from noughts.process.sandbox import NO_SANDBOX
from noughts.schema import encode
from noughts.teaching.autograder.project import Project, ProjectGrade, grade_project
from noughts.teaching.autograder.settings import AutograderSettings
from noughts.teaching.comparison import EVALUATIONS
from noughts.teaching.gradebook import format_gradebook, row_of
from noughts.teaching.grading import DIAGNOSES, STYLES, TASKS, Grade, Submission, grade
from noughts.teaching.grading.client import DEFAULT_MEMORY_MB, DEFAULT_SECONDS
from noughts.teaching.grading.html_report import class_html
from noughts.teaching.grading.submission import choose_main_file, find_main_file, is_project, python_files
from noughts.teaching.grading.tasks import parse_points
from noughts.teaching.tree.files import SUFFIXES, check_suffix
from noughts.teaching.tree.search_tree import WRONG

__all__ = ["command", "graded_game", "limit_options"]

INDENT = " │├└─"
"""The characters before the words in a line of a report."""
HEADERS = ("submission", "points", "result", "why")


def graded_game(game: Game | None) -> str | None:
    """Return the id of the game to grade on; raises ValueError for a custom game, which has none."""
    if game is not None and game.is_custom:
        raise ValueError(f"expected a game with an id to grade on, got the custom game {quote(game.id)}")
    return game.id if game else None


def limit_options(function: Command) -> Command:
    """Add the options --seconds and --memory: the limits of each submission."""
    seconds = seconds_option(
        "Processor time for each submission; the limit by the wall clock is five times as long.",
        86_400,
        DEFAULT_SECONDS,
    )
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
@click.option(
    "--style", type=click.Choice(list(STYLES)), help="Style of the submissions.  [default: recognised by their names]"
)
@click.option(
    "--together/--each",
    "is_together",
    default=None,
    help="Grade files, or the files of a folder, as one submission, or each on its own.  [default: together if the"
    " files of a folder import each other]",
)
@click.option("--no-pruning", is_flag=True, help="The same as --task minimax.")
@question_option
@click.option("--points", metavar="PROPERTY=N,...", help="Points of properties, such as winner=2,nodes=3.")
@limit_options
@sandbox_options
@click.option(
    "--tree",
    type=File(*SUFFIXES, ".json"),
    help="File for the tree of the search where it fails: .svg, .png, .html, .txt, .json and others.",
)
@click.option(
    "--report", type=ReportFile(".html"), help="File for a page with every report, positions and trees as pictures."
)
@click.option(
    "--csv", "gradebook", type=ReportFile(".csv"), help="File for a gradebook: student, total, max, and each property."
)
@json_option()
def command(
    submissions: tuple[str, ...],
    task: str | None,
    game: Game | None,
    depth: int | None,
    evaluate: str | None,
    style: str | None,
    is_together: bool | None,
    no_pruning: bool,
    questions: dict[str, float],
    points: str | None,
    seconds: float,
    memory: int,
    sandbox: bool | None,
    readable: tuple[str, ...],
    allow_root: bool | None,
    tree: Path | None,
    report: Path | None,
    gradebook: Path | None,
    as_json: bool,
) -> int:
    """Grade submissions in Python; the exit code is 1 if a property fails.

    A submission is a function that takes a position and returns (value, move), with the value from X's side. The
    functions of CS50 AI's tictactoe, of AIMA's Game class and of noughts.textbook.functional are accepted as they are.
    In any other program the function that returns a legal move on three boards is graded; the report names it. Each
    submission runs in a sandbox of its own. Several submissions are listed in a table, as soon as each is graded.

    \b
    noughts grade alphabeta.py
    noughts grade tictactoe.py --task minimax --tree mistake.svg
    noughts grade project/ --task alphabeta
    noughts grade rules.py search.py --together
    noughts grade homework/ --task alphabeta --seconds 20 --report class.html --csv grades.csv
    noughts grade homework/ -q rules=4 -q minimax=6 -q alphabeta=5 -q heuristic=5
    noughts grade limited.py:search --game 4x4:3 --depth 4
    noughts grade tictactoe.py --points winner=2,nodes=0
    """
    if evaluate is not None and depth is None and task != "depth-limited":
        raise click.UsageError("expected --depth with --evaluate: without a depth only the outcome counts")
    if no_pruning and task not in (None, "minimax"):
        raise click.UsageError(f"expected --task {task} or --no-pruning, got both")
    if questions and (task or game or depth or evaluate or no_pruning or tree or report):
        raise click.UsageError(
            "expected no --task, --game, --depth, --evaluate, --no-pruning, --tree or --report with --question"
        )
    if tree is not None:
        check_suffix(tree, (".json",))
    chosen_points = parse_points(points, task) if points is not None else {}
    confined = replace(sandbox_of(sandbox, readable, allow_root), trusts_command=False)
    confined.check()
    if is_together:
        found = [_parse_together(submissions, task)]
    else:
        found = [each for text in submissions for each in _parse(text, task, is_each=is_together is False)]
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
                style=style,
            )
            show_status("")
            yield graded

    def grade_projects(project: Project) -> Iterator[ProjectGrade]:
        for number, submission in enumerate(found, 1):

            def grade_question(
                settings: AutograderSettings, number: int = number, one: Submission = submission
            ) -> Grade:
                show_status(f"{number} of {len(found)}: {one.__name__}, {settings.task}")
                return grade(one, seconds=seconds, task=settings.task, memory_mb=memory, sandbox=confined)

            graded = ProjectGrade(submission.__name__, grade_project(project, grade_question))
            show_status("")
            yield graded

    names = [submission.__name__ for submission in found]
    grades: list[Grade] | list[ProjectGrade]
    if questions:
        project = Project.of_parts(questions, AutograderSettings("minimax"))
        made = grade_projects(project)
        grades = _print_json(made, len(found)) if as_json else print_projects(made, names, project)
    else:
        grades = one_task = _print_json(grade_all(), len(found)) if as_json else _print(grade_all(), names)
        if tree is not None:
            _save_tree(one_task[0], tree)
        if report is not None:
            write_file(report, class_html(one_task))
            click.echo(f"{report}: {count(len(one_task), 'report')}", err=True)
    if gradebook is not None:
        _save_gradebook(_students(found), grades, gradebook)
    return 0 if all(each.passed for each in grades) else 1


def _parse(text: str, task: str | None, is_each: bool) -> Iterator[Submission]:
    """Yield the submissions of ``FILE.py``, ``FILE.py:FUNCTION`` or a folder."""
    if Path(text).is_dir():
        yield from _in_folder(Path(text), task, is_each)
        return
    yield Submission(*_split(text))


def _split(text: str) -> tuple[Path, str | None]:
    """Return the file and the function of ``FILE.py`` or ``FILE.py:FUNCTION``."""
    path, colon, name = text.rpartition(":")
    if not colon or not name.isidentifier():
        path, name = text, ""
    if not Path(path).is_file():
        raise click.UsageError(f"there is no file {quote(path, 80)}")
    return Path(path), name or None


def _parse_together(texts: tuple[str, ...], task: str | None) -> Submission:
    """Return the one submission of a folder, or of several files in a folder; one of them may name the function."""
    if len(texts) == 1 and Path(texts[0]).is_dir():
        folder = Path(texts[0])
        main = find_main_file(folder, task)
        if main is None:
            raise click.UsageError(f"there is no Python file in {quote(texts[0], 80)}")
        return Submission(main, folder=folder)
    if any(Path(text).is_dir() for text in texts):
        raise click.UsageError("expected one folder, or files, with --together, got both")
    found = [_split(text) for text in texts]
    if len({path.parent.absolute() for path, _ in found}) > 1:
        raise click.UsageError("expected files of the same folder with --together, got files of several folders")
    named = [(path, name) for path, name in found if name is not None]
    if len(named) > 1:
        raise click.UsageError(f"expected one function with --together, got {len(named)}")
    files = tuple(path for path, _ in found)
    main, name = named[0] if named else (choose_main_file(files, task) or files[0], None)
    return Submission(main, name, folder=main.parent, parts=files)


def _in_folder(folder: Path, task: str | None, is_each: bool) -> Iterator[Submission]:
    """Yield the submissions in a folder: its program, or those of a class, each a Python file or a folder."""
    entries = sorted(entry for entry in folder.iterdir() if not entry.name.startswith((".", "_")))
    files = python_files(folder)
    if not is_each and is_project(files):
        names = ", ".join(file.name for file in files)
        click.echo(f"{names}: one submission, because the files import each other (--each: one each)", err=True)
        yield _parse_together((str(folder),), task)
        return
    found = [each for entry in entries if (each := _in_entry(entry, task)) is not None]
    if not found:
        raise click.UsageError(f"there is no Python file in {quote(str(folder), 80)}")
    yield from found


def _in_entry(entry: Path, task: str | None) -> Submission | None:
    """Return the submission of a student: a file, or a folder with a main file; links do not count."""
    if entry.is_symlink():
        return None
    if entry.is_file():
        return Submission(entry) if entry.suffix == ".py" else None
    main = find_main_file(entry, task) if entry.is_dir() else None
    return None if main is None else Submission(main, folder=entry)


def _students(submissions: Sequence[Submission]) -> list[str]:
    """Return the student of each submission: its folder or its file; the whole path if several have the same name."""
    names = [each.path.stem if each.folder is None else each.folder.name for each in submissions]
    return [
        str(submission.path) if names.count(name) > 1 else name
        for name, submission in zip(names, submissions, strict=True)
    ]


def _save_gradebook(students: Iterable[str], grades: Iterable[Grade | ProjectGrade], path: Path) -> None:
    rows = [row_of(student, graded) for student, graded in zip(students, grades, strict=True)]
    with explained(f"cannot write {path}"):
        write_file(path, format_gradebook(rows))
    click.echo(f"{path}: {count(len(rows), 'student')}", err=True)


AnyGrade = TypeVar("AnyGrade", Grade, ProjectGrade)


def _print_json(grades: Iterable[AnyGrade], number: int) -> list[AnyGrade]:
    """Print a list with one grade to a line, each as soon as it is known; return the grades."""
    done: list[AnyGrade] = []
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
        _print_report(graded)
        return [graded]
    done: list[Grade] = []
    table = TableWriter(HEADERS, (max(map(len, names)), len("100/100"), len("passed")))
    for name, graded in zip(names, grades, strict=True):
        points = f"{graded.points}/{graded.max_points}"
        table.write((name, points, "passed" if graded.passed else "failed", graded.reason))
        done.append(graded)
    say(_summary(done))
    return done


def _print_report(graded: Grade) -> None:
    """Print a report, on a terminal with what is wrong in colour."""
    mark = paint(RED, BOLD) if stdout_capabilities().colours else str
    for line in escape_lines(str(graded)).split("\n"):
        words = line.lstrip(INDENT)
        click.echo(line[: len(line) - len(words)] + (mark(words) if WRONG in words else words))


def _save_tree(graded: Grade, path: Path) -> None:
    trace = graded.trace
    if trace is None:
        click.echo(f"no tree to save in {path}: {'it passed' if graded.passed else 'no search is to blame'}", err=True)
        return
    trace.save(path)
    click.echo(f"{path}: {trace.visited:,} nodes", err=True)


def _summary(grades: list[Grade]) -> str:
    passed = sum(each.passed for each in grades)
    causes = Counter(each.diagnosis.id for each in grades if each.diagnosis is not None)
    lines = [f"{passed} of {len(grades)} passed"]
    if any(each.sandbox is False for each in grades):
        lines.append(NO_SANDBOX)
    repeated = [(id, number) for id, number in causes.most_common() if number > 1]
    return "\n".join(lines + [f"{number} × {id}: {DIAGNOSES[id]}" for id, number in repeated])
