"""``noughts arena cup``: a tournament between the submissions of a class."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from noughts.cli.groups import BotCommand
from noughts.cli.live_page import page_options, serve_live, stay
from noughts.cli.options import Flags, json_option, sandbox_of, sandbox_options, seed_option
from noughts.cli.output import print_event, say, show_status
from noughts.cli.types import BOT, GAME_NAME, NUMBER, WHOLE_NUMBER, WholeNumberRange
from noughts.games.quoting import count, quote, shorten
from noughts.process.sandbox import NO_SANDBOX
from noughts.schema import plain
from noughts.settings.kinds import Address

if TYPE_CHECKING:
    from noughts.arena.live_page import LivePage
    from noughts.arena.runner import Run
    from noughts.process.sandbox import Sandbox
    from noughts.teaching.cup.cup import Cup, CupSettings
    from noughts.teaching.cup.submissions import CupSubmission

__all__ = ["cup_command"]

STORE_TIMEOUT_SECONDS = 60.0
"""Time to wait while another program reads the results."""
CONTINUES = "the same command continues the cup"
MAX_LINE_CHARACTERS = 240


@click.command(name="cup", cls=BotCommand, short_help="Play a cup between the submissions in a folder.")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--game", type=GAME_NAME, default="3x3", show_default=True, metavar="GAME", help="An id, an alias or a game file."
)
@click.option(
    "--format", default="round-robin", show_default=True, type=click.Choice(["round-robin", "knockout"]),
    help="round-robin: everyone meets everyone; knockout: the loser is out.",
)  # fmt: skip
@click.option(
    "--rounds", type=WHOLE_NUMBER, default=1, show_default=True, help="Openings per pairing, each with both sides."
)
@click.option("--seconds", type=NUMBER, default=1.0, show_default=True, help="Seconds per move.")
@click.option("--startup", type=NUMBER, default=3.0, show_default=True, help="Extra seconds for the first answer.")
@click.option("--plies", type=WHOLE_NUMBER, help="Length of random openings; 0 is the empty board.")
@seed_option("Seed of the openings.", default=1)
@click.option("--memory", "memory_mb", type=WholeNumberRange(16, 1 << 20), metavar="MB", help="Memory of a program.")
@sandbox_options
@click.option("--guest", "guests", type=BOT, multiple=True, metavar="LEVEL", help="A built-in player that takes part.")
@click.option("--all", "plays_all", is_flag=True, help="Let submissions that fail the check play, too.")
@click.option(
    "--concurrency", "-c", type=WholeNumberRange(1, 256), help="Playthroughs at once; half the cores by default."
)
@click.option(
    "--output", "-o", "home", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="Where the cup is kept; by default FOLDER-cup.",
)  # fmt: skip
@click.option("--again", is_flag=True, help="Begin a new cup with the submissions as they are now.")
@page_options
@click.option("--no-page", is_flag=True, help="Do not serve the live page.")
@json_option("Print events as JSON, one per line.")
def cup_command(folder: Path, home: Path | None, again: bool, as_json: bool, **flags: object) -> int:
    """Check every submission in FOLDER and play a tournament between those that are ready.

    A submission is a file or a folder, in any language. A page shows the cup live. At the end there is a report for
    the class and one for each student. After an interruption the same command continues the cup.
    """
    from noughts.teaching.cup.cup import Cup

    folder = folder.resolve()
    cup = Cup(folder, home or folder.with_name(f"{folder.name}-cup"))
    if not folder.name or cup.home.is_relative_to(folder):
        place = f"a folder outside {quote(folder.name)} to keep the cup in"
        raise click.UsageError(f"expected {place}, got {quote(str(cup.home))}")
    output = _Output(as_json)
    settings = _make_settings(flags, output)
    with cup.lock():
        _open(cup, settings, again, output)
        try:
            return _hold(cup, flags, output)
        except KeyboardInterrupt:
            output.clear()
            click.echo(f"interrupted; {CONTINUES}", err=True)
            return 130


class _Output:
    """Events as JSON on standard output, or as lines on standard error."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json

    def event(self, event: str, line: str, **data: object) -> None:
        if self.as_json:
            print_event(event, **data)
        elif line:
            self.clear()
            say(line, err=True)

    def note(self, line: str) -> None:
        self.event("note", line, text=line)

    def status(self, line: str) -> None:
        if not self.as_json:
            show_status(line)

    def clear(self) -> None:
        self.status("")


# Beginning


def _make_settings(flags: Flags, output: _Output) -> CupSettings:
    from noughts.players import is_builtin_name
    from noughts.teaching.cup.cup import CupSettings

    for guest in flags["guests"]:
        if not is_builtin_name(guest):
            raise click.UsageError(f"expected a built-in player as a guest, got {quote(guest)}")
    game = str(Path(flags["game"]).resolve()) if flags["game"].endswith(".json") else flags["game"]
    names = ("format", "rounds", "seconds", "startup", "plies", "seed", "memory_mb", "guests", "plays_all")
    return CupSettings(game, **{name: flags[name] for name in names}, sandbox=_find_sandbox(flags, output))


def _find_sandbox(flags: Flags, output: _Output) -> Sandbox:
    """Return the sandbox of the submissions, whose commands are those of strangers."""
    found = replace(sandbox_of(flags["sandbox"], flags["readable"], flags["allow_root"]), trusts_command=False)
    try:
        found.check()
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if not found.is_on:
        output.note(NO_SANDBOX)
    return found


def _open(cup: Cup, settings: CupSettings, again: bool, output: _Output) -> None:
    """Begin a cup or continue the one that has begun; it keeps its submissions and settings."""
    if again or not cup.has_begun:
        with _mistakes():
            cup.begin(settings)
        output.event("cup", f"{cup.name}: {count(len(cup.submissions), 'submission')}, kept in {cup.home}",
                     name=cup.name, folder=str(cup.home), submissions=len(cup.submissions))  # fmt: skip
        return
    cup.load()
    output.event("cup", f"continuing the cup in {cup.home}",
                 name=cup.name, folder=str(cup.home), submissions=len(cup.submissions))  # fmt: skip
    if changes := cup.changes(settings):
        for line in changes:
            output.note(line)
        output.note("the cup keeps the submissions and settings it began with; --again begins a new one")


@contextmanager
def _mistakes() -> Iterator[None]:
    """Turn the mistakes of a plan into one line, named after the options."""
    from noughts.arena.plan import InvalidPlan

    try:
        yield
    except InvalidPlan as error:
        raise click.UsageError(error.mistakes[0].replace("limit.", "--", 1)) from None


# Playing


def _hold(cup: Cup, flags: Flags, output: _Output) -> int:
    size = flags["concurrency"] or max(1, (os.cpu_count() or 1) // 2)
    with nullcontext() if flags["no_page"] else _serve(cup, flags, output) as page:
        _check(cup, size, page, output)
        _play(cup, size, page, output)
        if page is not None and flags["stay"]:
            stay(output.note)
    return 0


@contextmanager
def _serve(cup: Cup, flags: Flags, output: _Output) -> Iterator[LivePage]:
    """Serve the page on the port asked for, else on the port of the interrupted cup, else on a free one."""
    from noughts.arena.live_page import LivePage

    plan = cup.settings.plan([{"run": "random", "name": "1"}, {"run": "random", "name": "2"}], cup.home, cup.name)
    page = LivePage(cup.name, plan)
    wanted = Address(flags["host"], flags["port"] or cup.port)
    with serve_live(page, wanted, any_port=not flags["port"], otherwise="; --no-page plays without it") as served:
        cup.port = served.port
        page.show_submissions(_states(cup))
        output.event("page", f"live page: {served.url}", url=served.url)
        yield page


def _states(cup: Cup) -> list[tuple[str, str]]:
    """Return the names of the submissions and whether they are ready; why not is for their authors alone."""
    return [
        (each.name, "ready" if each.is_ready else "not ready" if each.is_checked else "waiting")
        for each in cup.submissions
    ]


def _check(cup: Cup, size: int, page: LivePage | None, output: _Output) -> None:
    from noughts.teaching.cup.time_advice import advise_time

    def report(submission: CupSubmission) -> None:
        checked = sum(each.is_checked for each in cup.submissions)
        if page is not None:
            page.show_submissions(_states(cup))
        line = "" if submission.is_ready else f"{submission.name} is not ready: {submission.verdict}"
        output.event("checked", shorten(line, MAX_LINE_CHARACTERS), **plain(submission), ready=submission.is_ready)
        output.status(f"checking: {checked} of {len(cup.submissions)}")

    output.status(f"checking {count(len(cup.submissions), 'submission')} ...")
    cup.check(size, report)
    output.clear()
    ready = sum(each.is_ready for each in cup.submissions)
    if not output.as_json:
        output.note(f"{ready} of {count(len(cup.submissions), 'submission')} passed the check")
    if (advice := advise_time(cup.submissions, cup.settings.seconds)) is not None:
        output.event("advice", str(advice), text=str(advice), **plain(advice))


def _play(cup: Cup, size: int, page: LivePage | None, output: _Output) -> None:
    from noughts.arena.runner import Run
    from noughts.arena.tournaments import Tournaments
    from noughts.arena.worker import ArenaError, LocalWorkers
    from noughts.cli.arena_output import make_watcher
    from noughts.store import Store

    with Store(cup.store_file) as store:
        store.set_busy_timeout(STORE_TIMEOUT_SECONDS)
        tournaments = Tournaments(store)
        with _mistakes():
            number, plan = cup.tournament(tournaments)
        run = Run(tournaments, number, plan)
        if tournaments.summary(number).is_finished:
            output.note("this cup has ended; --again begins a new one")
        workers = LocalWorkers(plan, size, reports_moves=page is not None)
        watchers = [make_watcher(output.as_json)]
        if page is not None:
            page.follow(lambda: workers.progress)
            watchers.append(page)
        try:
            run.play(workers, watchers)
        except ArenaError as error:
            raise click.ClickException(f"{error}; {CONTINUES}") from None
        _report(cup, run, output)


def _report(cup: Cup, run: Run, output: _Output) -> None:
    from noughts.cli.arena_output import print_standings
    from noughts.teaching.cup.reports import write_reports

    pages = write_reports(cup.submissions, run, cup.home)
    if not output.as_json:
        print_standings(run)
    output.event(
        "reports",
        f"wrote {pages[0]} and {count(len(pages) - 1, 'page')} in {pages[0].parent / 'students'}",
        for_class=str(pages[0]),
        students=[str(page) for page in pages[1:]],
    )
