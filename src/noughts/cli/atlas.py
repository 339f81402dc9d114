"""``noughts atlas``: builds, shows and checks the atlas of solved games."""

from __future__ import annotations

import csv
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from noughts.cli.groups import HelpfulGroup
from noughts.cli.options import json_option, memory_option, on_option, seconds_option
from noughts.cli.output import print_json, print_message, table_width, warn
from noughts.cli.progress import ProgressDisplay
from noughts.cli.resumable_solve import Terminated, signals_raise
from noughts.cli.tables import Words, format_table
from noughts.cli.types import File, WholeNumberRange
from noughts.games.quoting import count
from noughts.invocation import command_line

if TYPE_CHECKING:
    from noughts.atlas import Build, Record, RecordComparison

DEFAULT_SECONDS, DEFAULT_MEMORY_MB = 1.0, 64
SAMPLE = 30
VALUES = ("win", "draw", "loss")
FAILED, UNDECIDED = 1, 3
"""Exit codes."""
FOLDER = File(file_okay=False, dir_okay=True)

folder_option = click.option(
    "--from", "folder", type=FOLDER, metavar="FOLDER", help="Folder of the records, instead of those in the package."
)
checker_option = click.option(
    "--checker", type=File(exists=True), metavar="PROGRAM",
    help="Check with the second checker, which make checker builds; Python then checks only small certificates.",
)  # fmt: skip


@click.group(name="atlas", cls=HelpfulGroup)
def command() -> None:
    """The atlas: whole families of small games, solved, with verified certificates."""


# --- build ------------------------------------------------------------------------------------------------------------


@command.command("build")
@click.argument("names", nargs=-1, metavar="[FAMILY]...")
@click.option("--output", "-o", type=FOLDER, required=True, metavar="FOLDER", help="Folder of the records.")
@seconds_option("Processor time for each game; checking its certificate is not counted.", 1e6, DEFAULT_SECONDS)
@memory_option(DEFAULT_MEMORY_MB, "Size of the tables of each process.")
@click.option("--jobs", "-j", type=WholeNumberRange(1, 256), help="Processes; by default one for each processor.")
@on_option("Here, or on a Ray cluster.")
@click.option("--proofs", type=FOLDER, metavar="FOLDER", help="Keep the certificates in this folder.")
@checker_option
@json_option("Print each new record as a line of JSON.")
def build(names: tuple[str, ...], output: Path, seconds: float, memory: int, jobs: int | None, **rest: Any) -> int:
    """Solve the games of some families, by default of all, and record the results.

    Each game is solved in a process with the limits given; its certificate is verified, and only its hash is kept.
    A build can be interrupted or killed at any time: the same command continues. Proven games are not solved again;
    the others are tried again only with a larger budget.

    The exit code is 1 if a certificate was refused, or a value contradicts a published one without an explanation.

    \b
    noughts atlas build -o atlas
    noughts atlas build boards gravity -o atlas --seconds 10 --jobs 4 --proofs certificates
    """
    from noughts.atlas import Budget, Build, CertificateRefused, Checks, Records, find_families
    from noughts.games.file_lock import locked_file
    from noughts.process.tasks import TaskError

    where = "ray" if rest["on"] == "ray" else f"local:{jobs or os.cpu_count() or 1}"
    chosen = find_families(names)
    progress = _Progress(rest["as_json"])
    for folder in (output, rest["proofs"]):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    checks = Checks(rest["checker"] and rest["checker"].absolute(), proofs=rest["proofs"])
    try:
        with locked_file(output / ".lock"), signals_raise():
            running = Build(chosen, Records(output), Budget(seconds, memory), checks)
            running.run(where, progress.update)
            running.sort()
    except BlockingIOError:
        raise click.UsageError(f"another build is writing to {output}; wait for it or choose another folder") from None
    except CertificateRefused as error:
        warn(str(error))
        return FAILED
    except TaskError as error:
        raise click.ClickException(str(error)) from None
    except (KeyboardInterrupt, Terminated) as end:
        progress.clear()
        print_message(f"interrupted; the same command continues in {output}")
        return Terminated.of(end).code
    finally:
        progress.clear()
    return _report(running)


class _Progress:
    """Shows how far a build is and, if asked to, prints the new records."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._printed = 0
        self._display = ProgressDisplay("atlas")

    def update(self, build: Build) -> None:
        if self._as_json:
            for record in build.done[self._printed :]:
                print_json(record)
        self._printed = len(build.done)
        proven = sum(record.is_proven for record in build.done)
        last = build.done[-1].game if build.done else ""
        self._display.show_count(len(build.done), len(build.left), f"{proven:,} proven", last)

    def clear(self) -> None:
        self._display.clear()


def _report(build: Build) -> int:
    """Print the result of a build and what is wrong with it; returns the exit code."""
    records = [record for task in build.tasks if (record := build.records.get(task.game)) is not None]
    proven = sum(record.is_proven for record in records)
    print_message(f"{count(len(records), 'game')}, {proven:,} proven, {len(build.done):,} of them tried now")
    return FAILED if _report_contradictions(records) else 0


def _report_contradictions(records: Iterable[Record]) -> int:
    """Print the published values that records contradict; returns the number of those not explained."""
    from noughts.atlas import DISAGREEMENTS, contradiction

    unexplained = 0
    for record in records:
        text = contradiction(record)
        if text is not None:
            unexplained += record.game not in DISAGREEMENTS
            warn(f"{text}; {DISAGREEMENTS.get(record.game, 'not explained')}")
    return unexplained


# --- show -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FamilySize:
    """A family with the number of its games."""

    family: str
    games: int
    about: str


@command.command("families")
@json_option("Print JSON, one object per line and family.")
def list_families(as_json: bool) -> None:
    """List the families with the number of their games."""
    from noughts.atlas import FAMILIES

    rows = [FamilySize(each.name, len(list(each.games())), each.about) for each in FAMILIES.values()]
    if as_json:
        for row in rows:
            print_json(row)
        return
    table = [(row.family, str(row.games), row.about) for row in rows]
    click.echo(format_table(["family", "games", "about"], table, table_width(), words=Words.WRAPPED))


@command.command("game")
@click.argument("name")
@click.option("--output", "-o", type=File(".json"), help="Write the game to a file; otherwise it is printed.")
def game_file(name: str, output: Path | None) -> None:
    """Write the game with this NAME as a file for solve, play and the other commands.

    \b
    noughts atlas game el:5x4 -o el.json
    noughts solve el.json --proof el.ngp
    """
    from noughts.atlas import make_game
    from noughts.games import save_game

    game = make_game(name)
    if output is None:
        print_json(game.to_data())
    else:
        save_game(game, output)


@command.command("show")
@click.argument("pattern", required=False)
@folder_option
@click.option(
    "--family", "-f", "names", multiple=True, metavar="FAMILY", help="Only games of this family; may be repeated."
)
@click.option("--value", type=click.Choice(VALUES), help="Only games with this value for the first player.")
@click.option(
    "--new/--known", "is_new", default=None, help="Only games without (--new) or with (--known) a published value."
)
@click.option("--undecided", is_flag=True, help="Only games without a certificate.")
@click.option(
    "--sort",
    type=click.Choice(["game", "nodes", "seconds", "bytes"]),
    help="Sort by this, largest first, instead of by family.",
)
@click.option("--limit", "-n", type=WholeNumberRange(1, 10**9), help="Show at most this many games.")
@json_option("Print JSON, one object per line and game.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV with a header.")
def show(pattern: str | None, folder: Path | None, as_json: bool, as_csv: bool, **filters: Any) -> None:
    """Show the records, or those whose game matches PATTERN, such as '5x*' or 'el:*'.

    \b
    noughts atlas show --family gravity --value loss
    noughts atlas show 'tippy:*' --json
    noughts atlas show --sort nodes --limit 10
    """
    if as_json and as_csv:
        raise click.UsageError("expected --json or --csv, got both")
    records = _filter(_records(folder), pattern, **filters)
    rows = [_row(record) for record in records]
    if as_json:
        for row in rows:
            print_json(row)
    elif as_csv:
        writer = csv.DictWriter(sys.stdout, [*COLUMNS, "command"], extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows({**row, "checked_by": " ".join(row.get("checked_by", []))} for row in rows)
    else:
        click.echo(_table(rows))
        click.echo(_summary(records), err=True)


COLUMNS = (
    "game", "family", "value", "opening", "nodes", "seconds", "proof_nodes", "bytes", "sha256", "checked_by", "known",
    "source", "reason", "version",
)  # fmt: skip


def _records(folder: Path | None) -> list[Record]:
    from noughts.atlas import Records
    from noughts.atlas.records import SHIPPED

    records = list(Records(folder or SHIPPED))
    if not records:
        raise click.UsageError(
            f"there are no records in {folder}; {command_line('atlas', 'build', '-o', folder)} makes them"
        )
    return records


def _filter(
    records: Iterable[Record], pattern: str | None, *, names: tuple[str, ...], value: str | None, is_new: bool | None,
    undecided: bool, sort: str | None, limit: int | None,
) -> list[Record]:  # fmt: skip
    from noughts.atlas import find_families, known_value

    wanted = {family.name for family in find_families(names)}
    found = [
        record
        for record in records
        if (record.family in wanted or not names)
        and (pattern is None or fnmatchcase(record.game, pattern))
        and (value is None or record.value == value)
        and (is_new is None or is_new == (known_value(record.game) is None))
        and not (undecided and record.is_proven)
    ]
    if sort is not None:
        found.sort(key=lambda record: _sort_key(record, sort), reverse=sort != "game")
    return found[:limit]


def _sort_key(record: Record, field: str) -> str | float:
    if field == "bytes":
        return record.certificate.bytes if record.certificate else 0
    found: str | float = getattr(record, field)
    return found


def _row(record: Record) -> dict[str, Any]:
    from noughts.atlas import known_value

    known = known_value(record.game)
    return record.to_data() | ({"known": known.value, "source": known.source} if known else {})


def _table(rows: list[dict[str, Any]]) -> str:
    cells = [
        (
            row["game"],
            row.get("value", "?"),
            row.get("opening", ""),
            f"{row['nodes']}",
            f"{row['seconds']:.3f}",
            str(row.get("bytes", "")),
            row.get("sha256", row.get("reason", ""))[:12],
            row.get("source", "")
            + (f": {row['known']}" if row.get("known", row.get("value")) != row.get("value") else ""),
        )
        for row in rows
    ]
    headers = ["game", "value", "opening", "nodes", "seconds", "bytes", "sha256", "published"]
    return format_table(headers, cells, table_width())


def _summary(records: list[Record]) -> str:
    values = Counter(str(record.value) for record in records if record.is_proven)
    parts = [count(values[value], value) for value in VALUES if values[value]]
    open_games = sum(not record.is_proven for record in records)
    return ", ".join(
        [count(len(records), "game"), *parts, *([f"{open_games:,} without a certificate"] if open_games else [])]
    )


# --- check ------------------------------------------------------------------------------------------------------------


@command.command("check")
@click.argument("size", required=False, type=WholeNumberRange(1, 10**9), metavar="[N]")
@click.option("--all", "is_all", is_flag=True, help="Check all records.")
@folder_option
@checker_option
@json_option("Print JSON, one object per line and game.")
def check(size: int | None, is_all: bool, folder: Path | None, checker: Path | None, as_json: bool) -> int:
    """Solve N games of all families again, by default 30, and compare them with their records.

    The value must be the same, and the new certificate must pass the checker. If the solver has changed, parts of the
    certificate that differ are listed. The same N always picks the same games.
    The exit code is 1 if a value or a certificate is wrong, or contradicts a published value without an explanation.

    \b
    noughts atlas check
    noughts atlas check 100 --from atlas
    """
    from noughts.atlas import CertificateRefused, Checks, compare, sample

    if is_all and size is not None:
        raise click.UsageError("expected N or --all, got both")
    records = _records(folder)
    chosen = [record for record in records if record.is_proven] if is_all else sample(records, size or SAMPLE)
    checks = Checks(checker and checker.absolute())
    found: list[RecordComparison] = []
    wrong = _report_contradictions(records)
    display = ProgressDisplay("atlas")
    for number, record in enumerate(chosen):
        display.show_count(number, len(chosen), record.game)
        try:
            comparison = compare(record, checks)
        except CertificateRefused as error:
            display.clear()
            warn(str(error))
            wrong += 1
            continue
        found.append(comparison)
        display.clear()
        _print_comparison(comparison, as_json)
    confirmed = sum(comparison.is_confirmed for comparison in found)
    same = sum(not comparison.differences for comparison in found)
    print_message(f"{count(len(chosen), 'game')}: {confirmed:,} confirmed, {same:,} of them with the same certificate")
    return FAILED if wrong or confirmed < len(chosen) else 0


@dataclass(frozen=True)
class CheckedRecord:
    """Whether a second solve of a game confirmed its record, and the parts of the certificate that differ."""

    game: str
    confirmed: bool
    differences: Sequence[str]


def _print_comparison(comparison: RecordComparison, as_json: bool) -> None:
    record, differences = comparison.old, comparison.differences
    if as_json:
        print_json(CheckedRecord(record.game, comparison.is_confirmed, differences))
        return
    verdict = "confirmed" if comparison.is_confirmed else "WRONG"
    click.echo(f"{record.game}: {record.value} {verdict}" + (f"; {', '.join(differences)}" if differences else ""))
