"""``noughts play``: a game in the terminal."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import click

from noughts.cli.session import Session, parse_clock
from noughts.cli.session.driver import Pace, run
from noughts.cli.session.face import Face, JsonFace, TextFace
from noughts.cli.session.reader import Reader
from noughts.cli.session.seats import bot_names, make_seat
from noughts.cli.session.setup import Players, Setup, ask_game, ask_players, choose_beginner
from noughts.cli.session.terminal import standard_abilities
from noughts.games import Side, find_game

__all__ = ["command"]


@dataclass(frozen=True)
class Options:
    """What was asked for on the command line."""

    x: str | None
    o: str | None
    against: str | None
    first: str
    seconds: float | None
    clock: str | None
    pause: float | None
    step: bool
    start: str | None
    seed: int | None
    as_json: bool


@click.command(name="play")
@click.argument("game", required=False)
@click.option("--x", metavar="WHO", help="Who plays X and begins: you, friend, random or a level.")
@click.option("--o", metavar="WHO", help="Who plays O.")
@click.option("--against", metavar="WHO", help="Your opponent, when you do not care for the side.")
@click.option(
    "--first", type=click.Choice(["you", "opponent", "coin"]), default="you", help="Who begins, with --against."
)
@click.option("--seconds", type=click.FloatRange(0.01, 3600), help="How long an engine may think about a move.")
@click.option("--clock", metavar="M+S", help="Clocks: minutes, and seconds more for each move: 5+3. Time up loses.")
@click.option("--pause", type=click.FloatRange(0, 60), help="Seconds between the moves of two engines.")
@click.option("--step", is_flag=True, help="Wait for the enter key between the moves of two engines.")
@click.option("--from", "start", metavar="POSITION", help="Begin with this position, such as '3/1x1/o2 x'.")
@click.option("--seed", type=int, help="Make chance repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print each event as a line of JSON.")
def command(game: str | None, **options: object) -> int:
    """Play GAME in the terminal: an id, an alias, or a file with a game of your own.

    Without GAME it asks. Moves are typed as b2, 5 on 3x3, 2b3 in 3D, e5 or 5.5 in Ultimate; help lists the commands.
    """
    return play(game, Options(**options))  # type: ignore[arg-type]


def play(game: str | None, options: Options) -> int:
    """Play from the question which game to the end of the session; returns the exit code."""
    talk = sys.stderr if options.as_json else sys.stdout
    reader = Reader(talk, echo=not options.as_json)
    setup = Setup(reader, lambda text: click.echo(text, file=talk))
    clock = parse_clock(options.clock) if options.clock else None
    chosen = find_game(game) if game else ask_game(setup, find_game)
    players = _players(options, asked_for_game=game is None, setup=setup)
    position = chosen.parse(options.start) if options.start else chosen.start()
    seats = {side: make_seat(name, _seed(options, side)) for side, name in players.items()}
    session = Session(position, seats, clock)
    return run(session, _face(options, session), reader, _pace(options, session))


def _players(options: Options, asked_for_game: bool, setup: Setup) -> Players:
    default = _default_opponent()
    if options.against and (options.x or options.o):
        raise click.UsageError("expected --against, or --x and --o, not both")
    if options.against:
        return choose_beginner(options.against, options.first, options.seed)
    if options.x or options.o:
        x = options.x or ("you" if options.o != "you" else default)
        return {Side.X: x, Side.O: options.o or ("you" if x != "you" else default)}
    if asked_for_game:
        return ask_players(setup, default)
    return choose_beginner(default, options.first, options.seed)


def _default_opponent() -> str:
    names = [*bot_names()]
    return "difficult" if "difficult" in names else names[0]


def _seed(options: Options, side: Side) -> int | None:
    """Two bots of the same kind must not play the same dice."""
    return None if options.seed is None else 2 * options.seed + side.number


def _face(options: Options, session: Session) -> Face:
    return JsonFace() if options.as_json else TextFace(standard_abilities(), watching=not session.people)


def _pace(options: Options, session: Session) -> Pace:
    watched = sys.stdout.isatty() and not session.people
    pause = options.pause if options.pause is not None else 0.5 if watched else 0.0
    return Pace(options.seconds, pause, options.step)
