"""``noughts arena``: tournaments, ratings, sequential tests and checks of bots."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from noughts.cli.arena_cup import cup_command
from noughts.cli.groups import BotCommand, HelpfulGroup
from noughts.cli.live_page import page_options, serve_live, stay
from noughts.cli.options import Flags, add_options, json_option, on_option, sandbox_of, sandbox_options, seed_option
from noughts.cli.output import Deleted, print_event, print_json, say, table_width
from noughts.cli.saved_table import title_with_id
from noughts.cli.tables import format_table
from noughts.cli.types import (
    BOT,
    GAME_NAME,
    NUMBER,
    TOURNAMENT,
    TOURNAMENT_OR_FILE,
    WHOLE_NUMBER,
    File,
    NumberRange,
    ReportFile,
    WholeNumberRange,
    one_of,
)
from noughts.games.quoting import quote
from noughts.games.titles import title_of_id
from noughts.invocation import command_line
from noughts.settings.kinds import Address

if TYPE_CHECKING:
    from noughts.arena.live_page import LivePage
    from noughts.arena.plan import Plan
    from noughts.arena.runner import Run, Workers
    from noughts.arena.tournaments import Tournaments, TournamentSummary

UNDECIDED = 3
"""The exit code of a test that accepted neither hypothesis; 0 is H1, 1 is H0."""
STORE_TIMEOUT_SECONDS = 60.0
"""Time to wait while another program writes to the store."""
PLAN_MODULE = "noughts.arena.plan"
PROTOCOL = one_of(PLAN_MODULE, "BOT_PROTOCOLS")
REPORT_FILE = ReportFile(".html", ".ngn")

STORE = click.option(
    "--store", "store_file", type=File(".sqlite3"), metavar="FILE",
    help="Use this SQLite file instead of your own store.",
)  # fmt: skip
JSON = json_option("Print events as JSON, one per line.")
RUN_OPTIONS = (
    click.option("--concurrency", "-c", type=WholeNumberRange(1, 1024), help="Playthroughs at the same time."),
    on_option("Play on this machine or on a Ray cluster."),
    click.option(
        "--report", type=REPORT_FILE, metavar="FILE",
        help="Also write a report (.html or .ngn)."
    ),
    STORE,
    click.option("--page", is_flag=True, help="Show the tournament live in the browser; needs the extra web."),
    page_options,
    JSON,
)  # fmt: skip
PLAN_OPTIONS = (
    click.option("--game", type=GAME_NAME, metavar="GAME", help="An id, an alias or a game file."),
    click.option("--seconds", type=NUMBER, help="Seconds per move."),
    click.option("--clock", metavar="TIME", help="A time control: 5+3 (minutes and seconds), 10s+0.1s, 2m, 40/5."),
    click.option("--nodes", type=WHOLE_NUMBER, help="Nodes per move."),
    click.option("--depth", type=WHOLE_NUMBER, help="Search depth in plies."),
    click.option("--margin", type=NUMBER, help="Seconds by which an answer may be late."),
    click.option("--patience", type=NUMBER, help="Seconds after which a bot without a clock counts as hanging."),
    click.option("--startup", type=NUMBER, help="Extra seconds for the first answer of a program."),
    click.option(
        "--openings", "file", type=File(resolve_path=True, as_text=True, dir_okay=True), metavar="FILE",
        help="Openings: moves or positions, one per line, or an .ngn file."
    ),
    click.option("--plies", type=WHOLE_NUMBER, help="Length of random openings; 0 is the empty board."),
    click.option("--balance", type=WHOLE_NUMBER, help="Highest score of a random opening that counts as even."),
    seed_option("Seed of the openings and of built-in players."),
    sandbox_options,
    click.option("--no-book", "book", flag_value=False, default=None, help="Let master play without its book."),
    click.option(
        "--protocol", type=PROTOCOL, metavar="PROTOCOL",
        help="Protocol of the programs: auto, json, ugi, uci, gomocup or codingame."
    ),
)  # fmt: skip


@click.group(name="arena", cls=HelpfulGroup)
def command() -> None:
    """Run tournaments between bots, rate them, test whether a change makes a bot stronger, and check bots."""


command.add_command(cup_command)


@command.command(name="run", short_help="Run a tournament from a TOML file or from flags.")
@click.argument("plan_file", metavar="[FILE]", required=False, type=File(".toml", exists=True))
@click.option(
    "--bot", "bots", type=BOT, multiple=True, metavar="NAME=CMD", help="A bot, or the name of a level; at least two."
)
@click.option(
    "--format", type=one_of(PLAN_MODULE, "Format"), metavar="FORMAT", help="round-robin, gauntlet or knockout."
)
@click.option(
    "--challenger",
    "challengers",
    type=BOT,
    multiple=True,
    metavar="NAME",
    help="A bot that meets all others (gauntlet).",
)
@click.option("--rounds", type=WHOLE_NUMBER, help="Openings per pairing, each played with both sides.")
@click.option(
    "--scoring",
    type=one_of(PLAN_MODULE, "Scoring"),
    metavar="SCORING",
    help="result (1, ½, 0) or points (of the game).",
)
@add_options(PLAN_OPTIONS)
@add_options(RUN_OPTIONS)
def run_command(plan_file: Path | None, **flags: Any) -> int:
    """Run the tournament of a TOML FILE or of flags. Flags take precedence over the file."""
    return _start(_make_plan(plan_file, flags), plan_file, flags)


@command.command(name="sprt", short_help="Test whether one bot is stronger than another.")
@click.argument("first", type=BOT)
@click.argument("second", type=BOT)
@click.option("--elo0", type=NUMBER, default=0.0, show_default=True, help="H0: FIRST is this much stronger.")
@click.option("--elo1", type=NUMBER, default=5.0, show_default=True, help="H1: FIRST is this much stronger.")
@click.option("--alpha", type=NUMBER, default=0.05, show_default=True, help="Probability to accept H1 if H0 is true.")
@click.option("--beta", type=NUMBER, default=0.05, show_default=True, help="Probability to accept H0 if H1 is true.")
@click.option("--pairs", type=WHOLE_NUMBER, default=50_000, show_default=True, help="Maximum number of pairs.")
@add_options(PLAN_OPTIONS)
@add_options(RUN_OPTIONS)
def sprt_command(first: str, second: str, **flags: Any) -> int:
    """Test with as few playthroughs as possible whether bot FIRST is stronger than SECOND (each NAME=CMD or a level).

    The exit code is 0 if H1 is accepted, 1 if H0 is accepted, 3 if neither is.
    """
    return _start(_make_plan(None, flags | {"bots": (first, second), "format": "sprt"}), None, flags)


@command.command(name="resume", short_help="Resume a tournament.")
@click.argument("which", type=TOURNAMENT_OR_FILE, required=False, metavar="[ID|FILE]")
@add_options(RUN_OPTIONS)
def resume_command(which: str | None, **flags: Any) -> int:
    """Resume a tournament, given by its number or its file; by default the latest unfinished one."""
    with _open_tournaments(flags["store_file"]) as tournaments:
        number = _find_tournament(tournaments, which)
        plan = tournaments.plan(number)
        workers = _make_workers(plan, flags)
        with _serve_page(plan, workers, flags) as page:
            return _play(tournaments, number, plan, workers, page, flags)


@command.command(name="list")
@STORE
@json_option("Print the list as JSON.")
def list_command(store_file: Path | None, as_json: bool) -> None:
    """List all tournaments, the latest first."""
    with _open_tournaments(store_file, read_only=True) as tournaments:
        summaries = tournaments.list()
    if as_json:
        print_json([vars(each) for each in summaries])
    elif not summaries:
        click.echo("no tournaments yet", err=True)
    else:
        headers = ("id", "name", "state", "played", "game", "format", "bots", "started")
        rows, wider = ([_summary_row(each, name) for each in summaries] for name in (title_of_id, title_with_id))
        click.echo(format_table(headers, rows, table_width(), wider=wider))


def _summary_row(found: TournamentSummary, title: Callable[[str], str]) -> tuple[str, ...]:
    state, started = "finished" if found.is_finished else "unfinished", found.started[:16].replace("T", " ")
    numbers = str(found.id), found.name, state, str(found.played)
    return (*numbers, title(found.game), found.format, str(found.bots), started)


@command.command(name="show")
@click.argument("number", type=TOURNAMENT, metavar="ID")
@STORE
@json_option("Print the standings as JSON.")
def show_command(number: int, store_file: Path | None, as_json: bool) -> None:
    """Show the table of a tournament."""
    from noughts.arena.standings import Standings
    from noughts.cli.arena_output import print_standings

    run = _load_run(number, store_file)
    if as_json:
        print_json(Standings(run.plan, run.counted).to_data())
    else:
        print_standings(run)


@dataclass(frozen=True)
class WrittenReport:
    """The file that a tournament was written to."""

    tournament: int
    playthroughs: int
    file: str


@command.command(name="report", short_help="Write a report as an HTML page or an .ngn file.")
@click.argument("number", type=TOURNAMENT, metavar="ID")
@click.option(
    "--output", "-o", type=REPORT_FILE, required=True, metavar="FILE",
    help="A page (.html) with plots and all playthroughs, or the playthroughs alone (.ngn).",
)  # fmt: skip
@STORE
@json_option("Print what was written as JSON.")
def report_command(number: int, output: Path, store_file: Path | None, as_json: bool) -> None:
    """Write a tournament as one self-contained HTML page, or its playthroughs as an .ngn file."""
    run = _load_run(number, store_file)
    _write_report(run, output)
    if as_json:
        print_json(WrittenReport(number, len(run.counted), str(output)))


@command.command(name="delete")
@click.argument("number", type=TOURNAMENT, metavar="ID")
@STORE
@json_option("Print what was deleted as JSON.")
@click.confirmation_option("--yes", prompt="delete this tournament for good?")
def delete_command(number: int, store_file: Path | None, as_json: bool) -> None:
    """Delete a tournament and all its playthroughs."""
    with _open_tournaments(store_file) as tournaments:
        tournaments.delete(number)
    click.echo(f"tournament {number} is deleted", err=True)
    if as_json:
        print_json(Deleted(number))


@command.command(name="check", cls=BotCommand, short_help="Check whether a bot is ready for a tournament.")
@click.argument("bot_command", type=BOT, metavar="CMD")
@click.option(
    "--game",
    "games",
    type=GAME_NAME,
    multiple=True,
    metavar="GAME",
    help="A game to check; may be repeated.",
)
@click.option(
    "--protocol",
    type=PROTOCOL,
    metavar="PROTOCOL",
    default="auto",
    show_default=True,
    help="json, ugi, uci, gomocup or codingame.",
)
@click.option("--seconds", type=NumberRange(0.001, 3600), default=1.0, show_default=True, help="Seconds per move.")
@click.option(
    "--startup", type=NumberRange(0, 600), default=3.0, show_default=True, help="Extra seconds for the first move."
)
@sandbox_options
@json_option("Print the results as JSON.")
def check_command(
    bot_command: str,
    games: tuple[str, ...],
    protocol: str,
    seconds: float,
    startup: float,
    sandbox: bool | None,
    readable: tuple[str, ...],
    allow_root: bool | None,
    as_json: bool,
) -> int:
    """Check that a bot speaks a protocol, answers in time in every kind of position, restarts and exits.

    The exit code is 1 if a check failed.
    """
    from noughts.arena.check import check_bot
    from noughts.cli.arena_output import print_check

    checks = []
    progress = partial(say, err=True)
    confined = sandbox_of(sandbox, readable, allow_root)
    for check in check_bot(bot_command, list(games), protocol, seconds, confined, startup, progress):
        checks.append(check)
        if not as_json:
            print_check(check)
    failed = sum(not check.passed for check in checks)
    if as_json:
        print_json(checks)
    else:
        verdict = f"not ready: {failed} of {len(checks)} checks failed"
        click.echo(verdict if failed else f"ready: {len(checks)} checks passed")
    return 1 if failed else 0


# Plans


def _make_plan(file: Path | None, flags: Flags) -> Plan:
    """Return the plan of a file and flags; its mistakes are printed and end the command."""
    from noughts.arena.plan import load_data, override, read_plan

    with _report_mistakes():
        data = load_data(file) if file else {}
        bots = [_parse_bot(text) for text in flags.get("bots", ())]
        challengers = list(flags.get("challengers", ()))
        readable = [str(Path(path).resolve()) for path in flags.get("readable", ())]
        lists = {"bots": bots, "challengers": challengers, "readable": readable}
        override(data, flags | {key: found or None for key, found in lists.items()})
        return read_plan(data, file.parent if file else Path.cwd(), str(file) if file else "")


def _parse_bot(text: str) -> dict[str, str]:
    """The bot of ``name=command``, or of a command or level alone."""
    match = re.fullmatch(r"([^\s=]+)=(.+)", text, re.DOTALL)
    return {"name": match[1], "run": match[2]} if match else {"run": text}


@contextmanager
def _report_mistakes() -> Iterator[None]:
    """Print a line for each mistake of a plan, and exit with the code of bad usage."""
    from noughts.arena.plan import InvalidPlan

    try:
        yield
    except InvalidPlan as error:
        for mistake in error.mistakes:
            say(f"noughts: {mistake}", err=True)
        raise click.exceptions.Exit(2) from None


# Running


@contextmanager
def _arena_errors() -> Iterator[None]:
    """Turn an error of the arena or of its workers into the one line with which the command ends."""
    from noughts.process.tasks import TaskError

    try:
        yield
    except TaskError as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def _open_tournaments(path: Path | None, read_only: bool = False) -> Iterator[Tournaments]:
    from noughts.arena.tournaments import Tournaments
    from noughts.store import Store

    with Store(path, read_only=True) if read_only else Store(path) as store:
        store.set_busy_timeout(STORE_TIMEOUT_SECONDS)
        yield Tournaments(store)


def _load_run(number: int, store_file: Path | None) -> Run:
    """Return a stored tournament with its results."""
    from noughts.arena.runner import Run

    with _open_tournaments(store_file, read_only=True) as tournaments:
        return Run(tournaments, number, tournaments.plan(number))


def _start(plan: Plan, file: Path | None, flags: Flags) -> int:
    from noughts.arena.worker import probe_entrants

    _check_ray_is_installed(flags)
    with _report_mistakes():
        plan = probe_entrants(plan, partial(say, err=True))
    with _open_tournaments(flags["store_file"]) as tournaments:
        workers = _make_workers(plan, flags)  # these may fail, so they come before the tournament is stored
        with _serve_page(plan, workers, flags) as page:
            number = tournaments.add(plan, str(file.resolve()) if file else None)
            return _play(tournaments, number, plan, workers, page, flags)


def _play(
    tournaments: Tournaments, number: int, plan: Plan, workers: Workers, page: list[LivePage], flags: Flags
) -> int:
    from noughts.arena.runner import Run
    from noughts.arena.worker import ArenaError
    from noughts.cli.arena_output import make_watcher, print_standings

    run = Run(tournaments, number, plan)
    resume = _resume_line(number, flags)
    try:
        run.play(workers, [make_watcher(flags["as_json"]), *page])
    except KeyboardInterrupt:
        stored = f"{tournaments.summary(number).played} of {run.total} playthroughs are stored"
        click.echo(f"interrupted: {stored}; {resume} plays the rest", err=True)
        return 130
    except BrokenPipeError:
        # The reader of the events has gone; the exit code of a test must not claim that H1 was accepted.
        click.echo(f"the output was closed; {resume} plays the rest", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return _exit_code(run)
    except ArenaError as error:
        raise click.ClickException(f"{error}; {resume} continues from the results so far") from None
    if not flags["as_json"]:
        print_standings(run)
    if flags["report"]:
        _write_report(run, flags["report"])
    if page and flags["stay"]:
        stay(partial(say, err=True))
    return _exit_code(run)


@contextmanager
def _serve_page(plan: Plan, workers: Workers, flags: Flags) -> Iterator[list[LivePage]]:
    """Serve the live page if it was asked for; yields it as a list of watchers."""
    from noughts.arena.live_page import LivePage
    from noughts.arena.worker import LocalWorkers

    if not flags["page"]:
        yield []
        return
    page = LivePage(plan.name, plan)
    if isinstance(workers, LocalWorkers):  # on a cluster there are no boards, only results
        page.follow(lambda: workers.progress)
    with serve_live(page, Address(flags["host"], flags["port"])) as served:
        if flags["as_json"]:
            print_event("page", url=served.url)
        else:
            click.echo(f"live page: {served.url}", err=True)
        yield [page]


def _resume_line(number: int, flags: Flags) -> str:
    """Return the command that plays the rest of a tournament, with the options that are not saved with it."""
    options = {"--store": flags["store_file"], "--concurrency": flags["concurrency"], "--report": flags["report"]}
    given = [word for name, value in options.items() if value is not None for word in (name, value)]
    where = ["--on", flags["on"]] if flags["on"] != "local" else []
    return command_line("arena", "resume", number, *given, *where)


def _check_ray_is_installed(flags: Flags) -> None:
    """Fail at once, before any bot is started, if Ray is missing."""
    if flags["on"] == "ray":
        from noughts.process.tasks import import_ray

        with _arena_errors():
            import_ray()


def _make_workers(plan: Plan, flags: Flags) -> Workers:
    """Return the workers; nothing is played yet."""
    if flags["on"] == "ray":
        from noughts.arena.worker import RayWorkers

        click.echo("connecting to the Ray cluster ...", err=True)
        with _arena_errors():
            return RayWorkers(plan, flags["concurrency"])
    from noughts.arena.worker import LocalWorkers

    return LocalWorkers(plan, flags["concurrency"] or plan.concurrency, reports_moves=flags["page"])


def _exit_code(run: Run) -> int:
    from noughts.arena.schedule import SprtSchedule

    if not isinstance(run.schedule, SprtSchedule):
        return 0
    return {"H1": 0, "H0": 1, None: UNDECIDED}[run.schedule.test.accepted]


def _write_report(run: Run, output: Path) -> None:
    from noughts.games import save
    from noughts.games.atomic_file import write_file

    if output.suffix.lower() == ".ngn":
        save([result.playthrough(run.plan) for result in run.counted], output)
    else:
        from noughts.arena.report import report_html

        write_file(output, report_html(run))
    click.echo(f"wrote {output}", err=True)


def _find_tournament(tournaments: Tournaments, which: str | None) -> int:
    if which is not None and which.isascii() and which.isdigit() and len(which) < 19:
        return int(which)
    summaries = sorted(tournaments.list(), key=lambda each: each.is_finished)  # the latest unfinished one comes first
    if which is None:
        if not summaries or summaries[0].is_finished:
            raise click.ClickException("there is no unfinished tournament")
        return summaries[0].id
    path = str(Path(which).resolve())
    found = next((each.id for each in summaries if each.source == path), None)
    if found is None:
        raise click.ClickException(f"expected the number or the file of a stored tournament, got {quote(which)}")
    _warn_if_changed(tournaments, found, Path(which))
    return found


def _warn_if_changed(tournaments: Tournaments, number: int, file: Path) -> None:
    """A tournament continues with the plan it began with; say so if the file has changed since."""
    from noughts.arena.plan import InvalidPlan, load_plan

    try:
        is_same = tournaments.plan(number).follows(load_plan(file))
    except (InvalidPlan, OSError):
        is_same = False
    if not is_same:
        click.echo(f"{file} has changed; tournament {number} continues with the plan it began with", err=True)
