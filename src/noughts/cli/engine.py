"""``noughts engine``: play for tournament managers and other programs."""

from __future__ import annotations

import json
import sys
from io import TextIOWrapper

import click

from noughts.cli.options import (
    book_option,
    network_option,
    search_option,
    seconds_option,
    seed_option,
    threads_option,
)
from noughts.cli.output import say
from noughts.cli.types import GAME, WholeNumberRange
from noughts.engine import MAX_ELO, MIN_ELO, Level
from noughts.engine.evaluator import EngineSearch
from noughts.engine.network import Network
from noughts.games import Game
from noughts.games.evaluation import Weights
from noughts.games.quoting import quote
from noughts.players.protocols.background_search import SearchSettings
from noughts.players.protocols.serve import SERVED_PROTOCOLS, serve


def _parse_weights(_: click.Context, option: click.Parameter, text: str | None) -> Weights | None:
    """The weights of a JSON object such as ``{"line": [0, 8, 32], "tempo": 16}``."""
    if text is None:
        return None
    try:
        return Weights.from_data(json.loads(text))
    except json.JSONDecodeError:
        raise click.BadParameter(f"expected JSON, got {quote(text)}") from None
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command(name="engine")
@click.option(
    "--protocol",
    "-p",
    type=click.Choice(SERVED_PROTOCOLS),
    help="Protocol, instead of detecting it from the first line.",
)
@click.option("--game", "-g", type=GAME, help="Game to play until the host names another (UGI, UCI).  [default: 3x3]")
@click.option(
    "--level",
    "-l",
    type=click.Choice([str(level) for level in Level]),
    default=str(Level.MASTER),
    show_default=True,
    help="Playing strength.",
)
@click.option(
    "--elo", type=WholeNumberRange(MIN_ELO, MAX_ELO), help="Playing strength as a rating, instead of --level."
)
@seed_option("Make a level below master, or tree search, repeatable.")
@threads_option
@click.option(
    "--hash",
    "hash_mb",
    type=WholeNumberRange(1, 1 << 20),
    default=64,
    show_default=True,
    help="Size of the transposition table in MB.",
)
@seconds_option("Time for a move if the protocol gives none.", 86_400)
@book_option
@network_option
@search_option
@click.option("--weights", callback=_parse_weights, metavar="JSON", help="Evaluation weights, for tuning.")
def command(
    protocol: str | None,
    game: Game | None,
    level: str,
    elo: int | None,
    seed: int | None,
    threads: int,
    hash_mb: int,
    seconds: float | None,
    book: bool,
    network: Network,
    search: EngineSearch,
    weights: Weights | None,
) -> int:
    """Play for another program, which writes to standard input and reads standard output.

    The first line shows the protocol: UGI, UCI (as cutechess speaks it), Gomocup, CodinGame's Ultimate, or JSON lines.

    \b
    printf 'ugi\\nsetoption name Game value 4x4x4\\ngo movetime 1000\\n' | noughts engine
    printf 'START 15\\nINFO timeout_turn 1000\\nBEGIN\\n' | noughts engine
    echo '{"game": "3x3", "moves": ["b2"], "time_ms": 100}' | noughts engine
    """
    strength = level if elo is None else f"elo:{elo}"
    settings = SearchSettings(game, strength, seed, threads, hash_mb, seconds, weights, book, network, search)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty():
        click.echo("waiting for a host: ugi, uci, START 15, a JSON question ...; quit to leave", err=True)
    is_known = serve(sys.stdin, sys.stdout, _complain, settings, protocol)
    return 0 if is_known else 2


def _complain(text: str) -> None:
    say(f"noughts: {text}", err=True)
