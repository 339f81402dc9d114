"""``noughts play``: a game in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from typing import Annotated, TextIO

import click

from noughts.cli.extras import import_full
from noughts.cli.options import (
    allow_root_option,
    book_option,
    json_option,
    network_option,
    options_of,
    readable_option,
    sandbox_of,
    sandbox_option,
    seed_option,
)
from noughts.cli.output import Capabilities, capabilities_of, stdout_capabilities, warn
from noughts.cli.settings import setting_option, value_of
from noughts.cli.terminal.advisor import SessionAdvisor
from noughts.cli.terminal.background import StatusDisplay
from noughts.cli.terminal.input import PromptInput
from noughts.cli.terminal.loop import Loop, Pace
from noughts.cli.terminal.menu import Back, Menu, Players, Quit, ask_game, ask_players, assign_sides
from noughts.cli.terminal.output import JsonOutput, Output, TextOutput
from noughts.cli.terminal.session import Session
from noughts.cli.terminal.setup import Engines, Setup
from noughts.cli.types import (
    GAME,
    PLAYER,
    PLAYTHROUGH_SUFFIXES,
    File,
    NumberRange,
    WholeNumberRange,
    load_playthroughs,
)
from noughts.engine import MAX_ELO, MIN_ELO
from noughts.engine.network import Network
from noughts.games import Game, Position, Side, find_game
from noughts.match import Match, Recorder, TimeControl
from noughts.process.sandbox import Sandbox
from noughts.settings.table import PLAY_AGAINST, PLAY_FIRST, PLAY_GAME, PLAY_SAVE
from noughts.store import SavedPlaythrough, Store

__all__ = ["PlayOptions", "command", "play", "resume"]

WATCHING_PAUSE_SECONDS = 0.5


@dataclass(frozen=True)
class PlayOptions:
    """The options of the command line."""

    x: Annotated[
        str | None,
        click.option(
            "--x",
            metavar="WHO",
            type=PLAYER,
            help="Who plays X and begins: you, friend, random, a level, elo:N, bot:CMD, FILE.py:NAME.",
        ),
    ] = None
    o: Annotated[str | None, click.option("--o", metavar="WHO", type=PLAYER, help="Who plays O.")] = None
    against: Annotated[
        str | None,
        click.option("--against", metavar="WHO", type=PLAYER, help="Your opponent; --first decides who begins."),
    ] = None
    elo: Annotated[
        int | None,
        click.option(
            "--elo", type=WholeNumberRange(MIN_ELO, MAX_ELO), help="Rating of your opponent, instead of --against."
        ),
    ] = None
    first: Annotated[str, setting_option(PLAY_FIRST)] = "you"
    seconds: Annotated[
        float | None,
        click.option("--seconds", type=NumberRange(0.01, 3600), help="Seconds that an engine may think about a move."),
    ] = None
    clock: Annotated[
        str | None,
        click.option(
            "--clock", metavar="TIME", help="Time for each side: 5+3 (minutes+seconds a move), 2m, 10s+0.1s, 40/5."
        ),
    ] = None
    pause: Annotated[
        float | None, click.option("--pause", type=NumberRange(0, 60), help="Seconds between the moves of two engines.")
    ] = None
    step: Annotated[
        bool, click.option("--step", is_flag=True, help="Wait for the enter key between the moves of two engines.")
    ] = False
    start: Annotated[
        str | None,
        click.option("--from", "start", metavar="POSITION", help="Begin with this position, such as '3/1x1/o2 x'."),
    ] = None
    load: Annotated[
        str | None,
        click.option(
            "--load",
            type=File(*PLAYTHROUGH_SUFFIXES, as_text=True),
            metavar="FILE",
            help="Continue a game from a file, .ngn or .sgf.",
        ),
    ] = None
    seed: Annotated[int | None, seed_option()] = None
    save: Annotated[bool, setting_option(PLAY_SAVE)] = True
    book: Annotated[bool, book_option] = True
    network: Annotated[Network, network_option] = None
    sandbox: Annotated[bool | None, sandbox_option] = None
    readable: Annotated[tuple[str, ...], readable_option] = ()
    allow_root: Annotated[bool | None, allow_root_option] = None
    full: Annotated[
        bool, click.option("--full", is_flag=True, help="Fill the screen, with mouse and keys; needs the extra full.")
    ] = False
    plain: Annotated[
        bool,
        click.option(
            "--plain", is_flag=True, help="Draw with letters, digits and punctuation only, for screen readers."
        ),
    ] = False
    as_json: Annotated[bool, json_option("Print each event as a line of JSON.")] = False

    @property
    def confinement(self) -> Sandbox:
        return sandbox_of(self.sandbox, self.readable, self.allow_root)


@click.command(name="play")
@click.argument("game", required=False, type=GAME)
@options_of(PlayOptions, "options")
def command(game: Game | None, options: PlayOptions) -> int:
    """Play GAME in the terminal: an id, an alias, or a file with a custom game.

    Without GAME it asks what to play. Names that people use, such as "connect four", work as well. Moves are typed as
    b2, 5 on 3x3, 2b3 in 3D, e5 or 5.5 in Ultimate; help lists the commands. If standard input is a pipe or a file, the
    answers are read from there.
    """
    return play(game, options)


def play(game: Game | None, options: PlayOptions) -> int:
    """Play from the first question to the end of the session; returns the exit code."""
    control = TimeControl.parse(options.clock) if options.clock else None
    if options.full:
        return _play_full(game, options, control)
    prompts = _prompt_stream(options)
    prompt_input = PromptInput(prompts, echo=not options.as_json)
    try:
        position, names = _choose_game(game, options, Menu(prompt_input, lambda text: click.echo(text, file=prompts)))
    except Quit:
        return 0
    match, engines = _setup(position, names, options, control).open()
    recorder = Recorder.open(warn, seconds=options.seconds) if options.save else None
    return _run(match, engines, recorder, prompt_input, options)


def resume(saved: SavedPlaythrough, store: Store, options: PlayOptions) -> int:
    """Resume a saved game that is not over; returns the exit code."""
    setup = _setup(saved.position(), {Side.X: saved.summary.x, Side.O: saved.summary.o}, options)
    if options.full:
        run_full = _full_screen(options)
        match, engines = setup.resume(saved)
        return run_full(setup, match, engines, lambda say: Recorder(store, say, seconds=saved.seconds, resumed=saved))
    match, engines = setup.resume(saved)
    recorder = Recorder(store, warn, seconds=saved.seconds, resumed=saved)
    prompt_input = PromptInput(_prompt_stream(options), echo=not options.as_json)
    return _run(match, engines, recorder, prompt_input, options)


def _play_full(game: Game | None, options: PlayOptions, control: TimeControl | None) -> int:
    """Play on the whole screen. Without a game, the chooser is shown over the usual one."""
    run_full = _full_screen(options)
    position = (
        _load(game, options) if options.load else (game or find_game(value_of(PLAY_GAME))).start_from(options.start)
    )
    names = _choose_players(options) or assign_sides(value_of(PLAY_AGAINST), options.first, options.seed)
    setup = _setup(position, names, options, control)

    def open_recorder(say: Callable[[str], None]) -> Recorder | None:
        return Recorder.open(say, seconds=options.seconds) if options.save else None

    asks = game is None and options.load is None and options.start is None
    return run_full(setup, *setup.open(), open_recorder, pace=_pace(options, has_people=False), asks_game=asks)


def _full_screen(options: PlayOptions) -> Callable[..., int]:
    """The function that runs the full-screen game, if it can be used here."""
    if options.as_json or options.plain:
        raise click.UsageError("expected --full or a text mode (--json, --plain), not both")
    run_full: Callable[..., int] = import_full().run_full
    if not (sys.stdin.isatty() and stdout_capabilities().can_rewrite):
        raise click.UsageError("noughts play --full needs a terminal; leave --full out in a pipe")
    return run_full


def _setup(position: Position, names: Players, options: PlayOptions, control: TimeControl | None = None) -> Setup:
    settings = options.seconds, options.seed, options.book, options.network, options.confinement
    return Setup(position, names, control, *settings)


def _run(
    match: Match, engines: Engines, recorder: Recorder | None, prompt_input: PromptInput, options: PlayOptions
) -> int:
    prompts = _prompt_stream(options)
    status_display = StatusDisplay(prompts, _capabilities(prompts, options))
    is_reported = options.save and recorder is None  # a store that cannot be used
    warn_once = (lambda text: None) if is_reported else warn
    advisor = SessionAdvisor(warn_once, book=options.book, network=options.network, status_display=status_display)
    session = Session(match, engines, recorder, advisor, options.confinement)
    loop = Loop(session, _output(options, session), prompt_input, status_display, _pace(options, bool(session.people)))
    with nullcontext() if recorder is None else closing(recorder):
        return loop.run()


def _choose_game(game: Game | None, options: PlayOptions, menu: Menu) -> tuple[Position, Players]:
    """Return the position and the players' names, from the options or by asking; raises Quit."""
    asks = game is None and options.load is None
    while True:
        position = _load(game, options) if options.load else _start(game, options, menu)
        try:
            return position, _choose_players(options) or _ask_players(options, asks, menu)
        except Back:
            continue


def _start(game: Game | None, options: PlayOptions, menu: Menu) -> Position:
    return (game or ask_game(menu, value_of(PLAY_GAME))).start_from(options.start)


def _load(game: Game | None, options: PlayOptions) -> Position:
    if game or options.start:
        raise click.UsageError("expected --load alone: the file says which game and position")
    assert options.load is not None
    return load_playthroughs(options.load)[0].position()


def _ask_players(options: PlayOptions, asks: bool, menu: Menu) -> Players:
    if asks:
        return ask_players(menu, value_of(PLAY_AGAINST), options.seed)
    return assign_sides(value_of(PLAY_AGAINST), options.first, options.seed)


def _choose_players(options: PlayOptions) -> Players | None:
    """The players that the options name; None if they name none."""
    if options.elo is not None and options.against:
        raise click.UsageError("expected --against or --elo, not both")
    opponent = options.against if options.elo is None else f"elo:{options.elo}"
    if opponent and (options.x or options.o):
        raise click.UsageError("expected --against or --elo, or --x and --o, not both")
    if opponent:
        return assign_sides(opponent, options.first, options.seed)
    if options.x and options.o:
        return {Side.X: options.x, Side.O: options.o}
    usual = value_of(PLAY_AGAINST)
    if options.x or options.o:
        x = options.x or ("you" if options.o != "you" else usual)
        return {Side.X: x, Side.O: options.o or ("you" if x != "you" else usual)}
    return None


def _prompt_stream(options: PlayOptions) -> TextIO:
    return sys.stderr if options.as_json else sys.stdout


def _capabilities(stream: TextIO, options: PlayOptions) -> Capabilities:
    found = capabilities_of(stream)
    return replace(found, colours=False, can_rewrite=False, unicode=False, boxes=False) if options.plain else found


def _output(options: PlayOptions, session: Session) -> Output:
    if options.as_json:
        return JsonOutput()
    return TextOutput(_capabilities(sys.stdout, options), draws_every_move=not session.people)


def _pace(options: PlayOptions, has_people: bool) -> Pace:
    is_watched = sys.stdout.isatty() and not has_people
    default = WATCHING_PAUSE_SECONDS if is_watched else 0.0
    return Pace(default if options.pause is None else options.pause, options.step)
