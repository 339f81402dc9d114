"""``noughts arena``: bots meet, and are measured properly."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from noughts.cli.groups import BotGroup
from noughts.cli.output import say
from noughts.games.quoting import terminal_json

if TYPE_CHECKING:
    from noughts.arena.plan import Plan
    from noughts.arena.records import Records
    from noughts.arena.runner import Crew, Run

__all__ = ["command"]

UNDECIDED = 3
"""The exit code of a test that accepted neither hypothesis; 0 is H1, 1 is H0."""

REPORT_FILE = click.Path(dir_okay=False, path_type=Path)


def _checked_report(_: click.Context, option: click.Parameter, output: Path | None) -> Path | None:
    """Find out before hours of play, not after them, that a report cannot be written."""
    if output is None:
        return None
    if output.suffix.lower() not in (".html", ".htm", ".ngn"):
        raise click.UsageError(f"expected a file name that ends in .html or .ngn, got {str(output)!r}")
    if not os.access(output.parent, os.W_OK):
        raise click.UsageError(f"expected a file in a folder that can be written to, got {str(output)!r}")
    return output


STORE = click.option(
    "--store", "store_file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Keep results in this SQLite file instead of your own.",
)  # fmt: skip
JSON = click.option("--json", "as_json", is_flag=True, help="Print events as JSON, one a line.")
RUN_OPTIONS = (
    click.option("--concurrency", "-c", type=click.IntRange(1, 1024), help="Playthroughs at the same time."),
    click.option(
        "--on", type=click.Choice(["local", "ray"]), default="local", show_default=True, help="Where to play."
    ),
    click.option("--report", type=REPORT_FILE, callback=_checked_report, metavar="FILE", help="Write a report too."),
    STORE,
    JSON,
)
GAME_OPTIONS = (
    click.option("--game", metavar="GAME", help="An id, an alias or a game file."),
    click.option("--seconds", type=float, help="Time for a move."),
    click.option("--clock", metavar="S+INC", help="A clock with increment, such as 60+0.5."),
    click.option("--nodes", type=int, help="Nodes for a move."),
    click.option("--depth", type=int, help="Plies to look ahead."),
    click.option("--margin", type=float, help="Seconds a bot may be late."),
    click.option("--patience", type=float, help="Seconds until a bot without a clock counts as hanging."),
    click.option("--startup", type=float, help="Seconds more for the first answer of a program."),
    click.option("--openings", metavar="FILE", help="Moves or positions, one a line, or an .ngn file."),
    click.option("--plies", type=int, help="Length of random openings; 0 is the empty board."),
    click.option("--balance", type=int, help="Score that still counts as even in random openings."),
    click.option("--seed", type=int, help="Decides openings and the bots' chance."),
    click.option("--sandbox", is_flag=True, default=None, help="Run programs without network and files to write."),
    click.option("--protocol", help="What programs speak: auto, json, ugi, uci, gomocup or codingame."),
)


def _with(options: tuple[Callable[..., Any], ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return add


@click.group(name="arena", cls=BotGroup)
def command() -> None:
    """Let bots meet in tournaments, rate them, and test whether a bot is ready or a change is better."""


@command.command(name="run", short_help="Run a tournament from a TOML file or from flags.")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--bot", "bots", multiple=True, metavar="NAME=CMD", help="A bot; give at least two. Also a level's name.")
@click.option("--format", "format_", help="round-robin, gauntlet or knockout.")
@click.option("--challenger", "challengers", multiple=True, metavar="NAME", help="Who meets all others in a gauntlet.")
@click.option("--rounds", type=int, help="Openings of a pairing, each played with both sides.")
@click.option("--scoring", help="result (1, ½, 0) or points (of the game).")
@_with(GAME_OPTIONS)
@_with(RUN_OPTIONS)
def run_command(file: Path | None, bots: tuple[str, ...], format_: str | None, **flags: Any) -> int:
    """Run the tournament of a TOML FILE, of flags, or of a file with some things changed by flags."""
    with _mistakes_told():
        plan = _make_plan(file, bots, {"format": format_}, flags)
    return _start(plan, file, flags)


@command.command(name="sprt", short_help="Test whether one bot is stronger than another.")
@click.argument("first")
@click.argument("second")
@click.option("--elo0", type=float, default=0.0, show_default=True, help="H0: FIRST is this much stronger.")
@click.option("--elo1", type=float, default=5.0, show_default=True, help="H1: FIRST is this much stronger.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Chance to accept H1 where H0 is true.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="Chance to accept H0 where H1 is true.")
@click.option("--pairs", type=int, default=50_000, show_default=True, help="Pairs to play at most.")
@_with(GAME_OPTIONS)
@_with(RUN_OPTIONS)
def sprt_command(first: str, second: str, **flags: Any) -> int:
    """Test whether bot FIRST is stronger than SECOND (each NAME=CMD or a level) with as few playthroughs as possible.

    The exit code is 0 when H1 was accepted, 1 when H0 was, 3 when neither.
    """
    keys = ("elo0", "elo1", "alpha", "beta", "pairs")
    more = {
        "format": "sprt",
        "sprt": {key: flags.pop(key) for key in keys},
    }
    with _mistakes_told():
        plan = _make_plan(None, (first, second), more, flags)
    return _start(plan, None, flags)


@command.command(name="resume", short_help="Play what is missing of a tournament.")
@click.argument("which", required=False, metavar="[ID|FILE]")
@_with(RUN_OPTIONS)
def resume_command(which: str | None, **flags: Any) -> int:
    """Play what is missing of a tournament: by its number, by its file, or the latest that is unfinished."""
    with _records(flags["store_file"]) as records:
        number = _find_kept(records, which)
        plan = records.plan(number)
        return _play(records, number, plan, _crew(plan, flags), flags)


@command.command(name="list")
@STORE
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def list_command(store_file: Path | None, as_json: bool) -> None:
    """List the tournaments that are kept, the latest first."""
    from noughts.cli.capabilities import stdout_capabilities
    from noughts.cli.tables import format_table

    with _records(store_file, is_read=True) as records:
        kept = records.list()
    if as_json:
        click.echo(json.dumps([vars(each) for each in kept], indent=2))
    elif not kept:
        click.echo("no tournament is kept yet", err=True)
    else:
        headers = ("id", "name", "state", "played", "game", "format", "bots", "started")
        rows = [
            (str(t.id), t.name, "finished" if t.is_finished else "unfinished", str(t.played),
             t.game, t.format, str(t.bots), t.started[:16].replace("T", " "))
            for t in kept
        ]  # fmt: skip
        click.echo(format_table(headers, rows, stdout_capabilities().width))


@command.command(name="show")
@click.argument("number", type=int, metavar="ID")
@STORE
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def show_command(number: int, store_file: Path | None, as_json: bool) -> None:
    """Show the table of a tournament."""
    from noughts.arena.runner import Run
    from noughts.arena.standings import Standings

    with _records(store_file, is_read=True) as records:
        run = Run(records, number, records.plan(number))
    if as_json:
        click.echo(terminal_json(Standings(run.plan, run.counted).to_data(), indent=2))
    else:
        _print_table(run)


@command.command(name="report", short_help="Write a tournament as one HTML page, or as an .ngn file.")
@click.argument("number", type=int, metavar="ID")
@click.option(
    "--output", "-o", type=REPORT_FILE, callback=_checked_report, required=True, metavar="FILE",
    help="A page (.html) with plots and every playthrough, or the playthroughs alone (.ngn).",
)  # fmt: skip
@STORE
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
def report_command(number: int, output: Path, store_file: Path | None, as_json: bool) -> None:
    """Write a tournament as one HTML page that needs nothing else, or its playthroughs as an .ngn file."""
    from noughts.arena.runner import Run

    with _records(store_file, is_read=True) as records:
        run = Run(records, number, records.plan(number))
    _write_report(run, output)
    if as_json:
        click.echo(json.dumps({"tournament": number, "playthroughs": len(run.counted), "file": str(output)}))


@command.command(name="delete")
@click.argument("number", type=int, metavar="ID")
@STORE
@click.option("--json", "as_json", is_flag=True, help="Print what was deleted as JSON.")
@click.confirmation_option("--yes", prompt="forget this tournament for good?")
def delete_command(number: int, store_file: Path | None, as_json: bool) -> None:
    """Forget a tournament and all its playthroughs."""
    with _records(store_file) as records:
        records.delete(number)
    click.echo(f"tournament {number} is deleted", err=True)
    if as_json:
        click.echo(json.dumps({"deleted": number}))


@command.command(name="check", short_help="Is this bot ready? A list of what passed and failed.")
@click.argument("bot_command", metavar="CMD")
@click.option("--game", "games", multiple=True, metavar="GAME", help="A game it must play; several may be given.")
@click.option("--protocol", default="auto", show_default=True, help="json, ugi, uci, gomocup or codingame.")
@click.option("--seconds", type=click.FloatRange(0.001, 3600), default=1.0, show_default=True, help="Time for a move.")
@click.option("--startup", type=click.FloatRange(0, 600), default=3.0, show_default=True, help="More for its first.")
@click.option("--sandbox", is_flag=True, help="Run it without network and files to write.")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def check_command(
    bot_command: str,
    games: tuple[str, ...],
    protocol: str,
    seconds: float,
    startup: float,
    sandbox: bool,
    as_json: bool,
) -> int:
    """Is this bot ready? Check that it speaks, answers in time in every kind of position, restarts and leaves.

    The exit code is 1 when something failed.
    """
    from noughts.arena.check import check_bot
    from noughts.cli.arena_check import tell_check

    found = []
    for check in check_bot(bot_command, list(games), protocol, seconds, sandbox, startup, partial(say, err=True)):
        found.append(check)
        if not as_json:
            tell_check(check)
    if as_json:
        click.echo(terminal_json([check.to_data() for check in found], indent=2))
    failed = sum(not check.passed for check in found)
    if not as_json:
        verdict = f"not ready: {failed} of {len(found)} checks failed"
        click.echo(verdict if failed else f"ready: {len(found)} checks passed")
    return 1 if failed else 0


# Plans


def _make_plan(file: Path | None, bots: tuple[str, ...], more: dict[str, Any], flags: dict[str, Any]) -> Plan:
    from noughts.arena.plan import load_data, read_plan

    data = load_data(file) if file else {}
    folder = file.parent if file else Path.cwd()
    tables = {
        "limit": ("seconds", "clock", "nodes", "depth", "margin", "patience", "startup"),
        "openings": ("plies", "balance"),
    }
    for name, keys in tables.items():
        given = {key: flags[key] for key in keys if flags.get(key) is not None}
        if given and isinstance(data.setdefault(name, {}), dict):
            data[name] |= given
            if "plies" in given:
                data[name].pop("file", None)
    if flags.get("openings"):
        plies = {} if flags["plies"] is None else {"plies": flags["plies"]}  # both is a mistake, and is told as one
        data["openings"] = {"file": os.path.abspath(flags["openings"]), **plies}
    keys = ("game", "rounds", "scoring", "seed", "concurrency", "challengers")
    top = more | {key: flags.get(key) for key in keys}
    given = {key: value for key, value in top.items() if value not in (None, ())}
    data |= {key: list(value) if isinstance(value, tuple) else value for key, value in given.items()}
    if bots:
        data["bots"] = [_bot(text) for text in bots]
    for bot in data["bots"] if isinstance(data.get("bots"), list) else ():
        if isinstance(bot, dict):
            bot |= {key: flags[key] for key in ("protocol", "sandbox") if flags.get(key) is not None}
    return read_plan(data, folder, str(file) if file else "")


def _bot(text: str) -> dict[str, Any]:
    """The bot of ``name=command``, or of a command or level alone."""
    match = re.fullmatch(r"([^\s=]+)=(.+)", text, re.DOTALL)
    return {"name": match[1], "run": match[2]} if match else {"run": text}


@contextmanager
def _mistakes_told() -> Iterator[None]:
    """A line for each mistake of a plan, and the exit code of bad usage."""
    from noughts.arena.reading import BadPlan

    try:
        yield
    except BadPlan as error:
        for mistake in error.mistakes:
            say(f"noughts: {mistake}", err=True)
        raise click.exceptions.Exit(2) from None


# Running


@contextmanager
def _refused() -> Iterator[None]:
    """Turn an ArenaError into the one line that the command ends with."""
    from noughts.arena.runner import ArenaError

    try:
        yield
    except ArenaError as error:
        raise click.ClickException(str(error)) from None


STORE_SECONDS = 60.0
"""How long a tournament waits while another program writes to the store, before it gives up."""


@contextmanager
def _records(path: Path | None, is_read: bool = False) -> Iterator[Records]:
    from noughts.arena.records import Records
    from noughts.store import Store

    with Store.to_read(path) if is_read else Store(path) as store:
        store.set_busy_timeout(STORE_SECONDS)
        yield Records(store)


def _start(plan: Plan, file: Path | None, flags: dict[str, Any]) -> int:
    from noughts.arena.players import try_bots

    _check_place(flags)
    with _mistakes_told():
        plan = try_bots(plan, partial(click.echo, err=True))
    with _records(flags["store_file"]) as records:
        crew = _crew(plan, flags)  # before there is a tournament: it may fail
        number = records.begin(plan, str(file.resolve()) if file else None)
        return _play(records, number, plan, crew, flags)


def _play(records: Records, number: int, plan: Plan, crew: Crew, flags: dict[str, Any]) -> int:
    from noughts.arena.runner import ArenaError, Run
    from noughts.cli.arena_watch import make_watcher

    run = Run(records, number, plan)
    try:
        run.play(crew, [make_watcher(flags["as_json"])])
    except KeyboardInterrupt:
        kept = f"{records.kept(number).played} of {run.total} playthroughs are kept"
        click.echo(f"interrupted: {kept}; noughts arena resume {number} plays the rest", err=True)
        return 130
    except BrokenPipeError:
        # Whoever read the events has left; the exit code of a test must not say that H1 was accepted.
        click.echo(f"nobody reads the events any more; noughts arena resume {number} plays the rest", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return _exit_code(run)
    except ArenaError as error:
        raise click.ClickException(f"{error}; what was played is kept as tournament {number}") from None
    if not flags["as_json"]:
        _print_table(run)
    if flags["report"]:
        _write_report(run, flags["report"])
    return _exit_code(run)


def _check_place(flags: dict[str, Any]) -> None:
    """Say at once, before any bot is tried, that Ray is missing."""
    if flags["on"] == "ray":
        from noughts.arena.cluster import check_ray

        with _refused():
            check_ray()


def _crew(plan: Plan, flags: dict[str, Any]) -> Crew:
    """Return the workers; nothing is played yet."""
    if flags["on"] == "ray":
        from noughts.arena.cluster import RayCrew

        click.echo("connecting to the Ray cluster ...", err=True)
        with _refused():
            return RayCrew(plan, flags["concurrency"])
    from noughts.arena.runner import LocalCrew

    return LocalCrew(plan, flags["concurrency"] or plan.concurrency)


def _exit_code(run: Run) -> int:
    from noughts.arena.schedule import SprtSchedule

    if not isinstance(run.schedule, SprtSchedule):
        return 0
    return {"H1": 0, "H0": 1, None: UNDECIDED}[run.schedule.test.accepted]


def _print_table(run: Run) -> None:
    from noughts.arena.standings import Standings
    from noughts.cli.arena_text import format_standings
    from noughts.cli.capabilities import stdout_capabilities

    width = stdout_capabilities().width
    say(format_standings(run.plan, Standings(run.plan, run.counted), run.schedule, width))


def _write_report(run: Run, output: Path) -> None:
    from noughts.games import save
    from noughts.games.files import write_file

    if output.suffix.lower() == ".ngn":
        save([played.playthrough(run.plan) for played in run.counted], output)
    else:
        from noughts.arena.report_html import report_html

        write_file(output, report_html(run))
    click.echo(f"written to {output}", err=True)


def _find_kept(records: Records, which: str | None) -> int:
    if which is not None and which.isascii() and which.isdigit() and len(which) < 19:
        return int(which)
    kept = sorted(records.list(), key=lambda each: each.is_finished)  # of the unfinished the latest comes first
    if which is None:
        if not kept or kept[0].is_finished:
            raise click.ClickException("there is no unfinished tournament")
        return kept[0].id
    path = str(Path(which).resolve())
    found = next((each.id for each in kept if each.source == path), None)
    if found is None:
        raise click.ClickException(f"expected the number or the file of a tournament that is kept, got {which!r}")
    _say_if_changed(records, found, Path(which))
    return found


def _say_if_changed(records: Records, number: int, file: Path) -> None:
    """A tournament goes on as it began; whoever changed the file since wants to know."""
    from noughts.arena.plan import load_plan
    from noughts.arena.reading import BadPlan

    try:
        is_same = records.plan(number).follows(load_plan(file))
    except (BadPlan, OSError):
        is_same = False
    if not is_same:
        click.echo(f"{file} is not what tournament {number} began with, and it goes on as it began", err=True)
