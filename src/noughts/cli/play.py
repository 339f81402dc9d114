"""``noughts play``: a game in the terminal."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TextIO

import click

from noughts.cli.capabilities import Capabilities, capabilities_of
from noughts.cli.completion import complete_game, complete_player
from noughts.cli.output import say
from noughts.cli.searching import load_plays
from noughts.cli.terminal import Session, parse_clock
from noughts.cli.terminal.advice import EngineAdvisor
from noughts.cli.terminal.background import StatusLine
from noughts.cli.terminal.clock import Clock
from noughts.cli.terminal.input import LineInput
from noughts.cli.terminal.keeper import Keeper, NoKeeper
from noughts.cli.terminal.kept import KEPT_LATER, StoreKeeper
from noughts.cli.terminal.loop import Pace, run
from noughts.cli.terminal.menu import Back, Menu, Players, Quit, ask_game, ask_players, choose_beginner
from noughts.cli.terminal.output import JsonOutput, Output, TextOutput
from noughts.cli.terminal.seats import Seat, default_bot, make_seat
from noughts.games import Position, Side, find_game
from noughts.store import Kept, Store, StoreError
from noughts.store.schema import Busy

__all__ = ["Options", "command", "play", "resume"]


@dataclass(frozen=True)
class Options:
    """What was asked for on the command line."""

    x: str | None = None
    o: str | None = None
    against: str | None = None
    first: str = "you"
    seconds: float | None = None
    clock: str | None = None
    pause: float | None = None
    step: bool = False
    start: str | None = None
    load: str | None = None
    seed: int | None = None
    keep: bool = True
    plain: bool = False
    as_json: bool = False


@click.command(name="play")
@click.argument("game", required=False, shell_complete=complete_game)
@click.option(
    "--x",
    metavar="WHO",
    shell_complete=complete_player,
    help="Who plays X and begins: you, friend, random, a level, bot:CMD, FILE.py:NAME.",
)
@click.option("--o", metavar="WHO", shell_complete=complete_player, help="Who plays O.")
@click.option(
    "--against",
    metavar="WHO",
    shell_complete=complete_player,
    help="Your opponent, when it does not matter which side you play.",
)
@click.option("--first", type=click.Choice(["you", "friend", "engine", "coin"]), default="you", help="Who begins.")
@click.option("--seconds", type=click.FloatRange(0.01, 3600), help="How long an engine may think about a move.")
@click.option("--clock", metavar="M+S", help="Clocks: minutes, and seconds more for each move: 5+3. Time up loses.")
@click.option("--pause", type=click.FloatRange(0, 60), help="Seconds between the moves of two engines.")
@click.option("--step", is_flag=True, help="Wait for the enter key between the moves of two engines.")
@click.option("--from", "start", metavar="POSITION", help="Begin with this position, such as '3/1x1/o2 x'.")
@click.option("--load", metavar="FILE", help="Go on with a game from a file, .ngn or .sgf.")
@click.option("--seed", type=int, help="Make chance repeatable.")
@click.option("--keep/--no-keep", default=True, help="Whether to keep the game for noughts games and stats.")
@click.option("--plain", is_flag=True, help="Draw with letters, digits and punctuation only, for screen readers.")
@click.option("--json", "as_json", is_flag=True, help="Print each event as a line of JSON.")
def command(game: str | None, **options: object) -> int:
    """Play GAME in the terminal: an id, an alias, or a file with a game of your own.

    Without arguments it asks. Moves are typed as b2, 5 on 3x3, 2b3 in 3D, e5 or 5.5 in Ultimate; help lists the
    commands. With standard input from a pipe or a file the same session reads its answers there.
    """
    return play(game, Options(**options))  # type: ignore[arg-type]


def play(game: str | None, options: Options) -> int:
    """Play from the first question to the end of the session; returns the exit code."""
    talk = sys.stderr if options.as_json else sys.stdout
    line_input = LineInput(talk, echo=not options.as_json)
    menu = Menu(line_input, lambda text: click.echo(text, file=talk))
    clock = parse_clock(options.clock) if options.clock else None
    try:
        position, players = _set_up(game, options, menu)
    except Quit:
        return 0
    seats = _seats(players, position, options)
    status_line, keeper = _status_line(options), _keeper(options)
    session = Session(position, seats, clock, keeper, EngineAdvisor(status_line), options.seconds)
    with closing(keeper):
        return run(
            session,
            _output(options, session),
            line_input,
            status_line,
            _pace(options, session),
            resumed=position.ply > 0,
        )


def resume(kept: Kept, store: Store, options: Options) -> int:
    """Go on with a kept game that is not over; returns the exit code."""
    names = {Side.X: kept.summary.x, Side.O: kept.summary.o}
    status_line = _status_line(options)
    keeper = StoreKeeper(store, _complain, kept.summary.id, kept.moves)
    session = Session(
        kept.position(),
        _seats(names, kept.position(), options),
        Clock.from_tag(kept.clock, kept.left) if kept.clock else None,
        keeper,
        EngineAdvisor(status_line),
        kept.seconds,
    )
    line_input = LineInput(sys.stderr if options.as_json else sys.stdout, echo=not options.as_json)
    with closing(keeper):
        return run(session, _output(options, session), line_input, status_line, _pace(options, session), resumed=True)


def _set_up(game: str | None, options: Options, menu: Menu) -> tuple[Position, Players]:
    """The position and the players, from the options or by asking; raises Quit."""
    asks = game is None and options.load is None
    while True:
        position = _load(game, options) if options.load else _start(game, options, menu)
        try:
            return position, _players(options, asks, menu)
        except Back:
            continue


def _start(game: str | None, options: Options, menu: Menu) -> Position:
    chosen = find_game(game) if game else ask_game(menu)
    return chosen.parse(options.start) if options.start else chosen.start()


def _load(game: str | None, options: Options) -> Position:
    if game or options.start:
        raise click.UsageError("expected --load alone: the file says which game and position")
    assert options.load is not None
    return load_plays(options.load)[0].position()


def _players(options: Options, asks: bool, menu: Menu) -> Players:
    if options.against and (options.x or options.o):
        raise click.UsageError("expected --against, or --x and --o, not both")
    if options.against:
        return choose_beginner(options.against, options.first, options.seed)
    if options.x or options.o:
        x = options.x or ("you" if options.o != "you" else default_bot())
        return {Side.X: x, Side.O: options.o or ("you" if x != "you" else default_bot())}
    if asks:
        return ask_players(menu, options.seed)
    return choose_beginner(default_bot(), options.first, options.seed)


def _seats(names: Players, position: Position, options: Options) -> dict[Side, Seat]:
    """The players, every program started: one that cannot play is refused before the first move."""
    seats = {side: make_seat(name, _seed(options, side)) for side, name in names.items()}
    try:
        for seat in seats.values():
            seat.start(position.game)
    except ValueError:
        for seat in seats.values():
            seat.close()
        raise
    return seats


def _keeper(options: Options) -> Keeper:
    """Keep games where they can be kept; where not, say so and play all the same."""
    if not options.keep:
        return NoKeeper()
    try:
        return StoreKeeper(Store(), _complain)
    except Busy as error:
        _complain(f"{KEPT_LATER}: {error}")
        return StoreKeeper(None, _complain)
    except StoreError as error:
        _complain(f"games are not kept: {error}")
        return NoKeeper()


def _status_line(options: Options) -> StatusLine:
    talk = sys.stderr if options.as_json else sys.stdout
    return StatusLine(talk, _capabilities(talk, options))


def _capabilities(stream: TextIO, options: Options) -> Capabilities:
    able = capabilities_of(stream)
    return replace(able, colours=False, can_rewrite=False, unicode=False) if options.plain else able


def _complain(text: str) -> None:
    say(f"noughts: {text}", err=True)


def _seed(options: Options, side: Side) -> int | None:
    """Two bots of the same kind must not throw the same dice."""
    return None if options.seed is None else 2 * options.seed + side.number


def _output(options: Options, session: Session) -> Output:
    if options.as_json:
        return JsonOutput()
    return TextOutput(_capabilities(sys.stdout, options), watching=not session.people)


def _pace(options: Options, session: Session) -> Pace:
    watched = sys.stdout.isatty() and not session.people
    pause = options.pause if options.pause is not None else 0.5 if watched else 0.0
    return Pace(pause, options.step)
