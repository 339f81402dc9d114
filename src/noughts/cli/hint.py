"""``noughts hint``: help for a player, first the idea, then the move."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from noughts.cli.options import engine_options, find_unfinished, make_limit, open_advisor
from noughts.cli.types import START, Start
from noughts.engine.evaluator import EngineSearch
from noughts.engine.network import Network
from noughts.limit import DEFAULT_SECONDS

if TYPE_CHECKING:
    from noughts.analysis.hints import Hint
    from noughts.games import Position

__all__ = ["command"]


@click.command(name="hint")
@click.argument("game", type=START)
@click.argument("position", required=False)
@click.option("--move", "-m", "show_move", is_flag=True, help="Show the move and the reasons for it, too.")
@engine_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    game: Start,
    position: str | None,
    show_move: bool,
    seconds: float | None,
    depth: int | None,
    nodes: int | None,
    threads: int,
    book: bool,
    network: Network,
    search: EngineSearch,
    as_json: bool,
) -> None:
    """Give a hint for the side to move in GAME, from POSITION (a position string) or the start.

    The hint is an idea that does not give the move away; --move shows the move as well. GAME is an id, an alias, a file
    with a custom game, or a saved playthrough (.ngn, .sgf), whose last position is used. Without a limit the engine
    thinks for one second. noughts analyse shows its lines.

    \b
    noughts hint 3x3 'xx1/1o1/3 o'
    noughts hint 3x3 'xx1/1o1/3 o' --move
    """
    from noughts.analysis.hints import hint

    start = find_unfinished(game, position)
    with open_advisor(threads, book, network, search) as advisor:
        found = hint(start, make_limit(seconds, depth, nodes, DEFAULT_SECONDS), advisor=advisor)
    click.echo(json.dumps(_data(start, found, show_move), indent=2) if as_json else _text(start, found, show_move))


def _text(position: Position, found: Hint, show_move: bool) -> str:
    if not show_move:
        return f"{found.idea} (--move shows the move)"
    name, why = position.format_move(found.move), "; ".join(found.why)
    return f"{found.idea}\n{name}: {why}." if why else f"{found.idea}\n{name}."


def _data(position: Position, found: Hint, show_move: bool) -> dict[str, Any]:
    data = {"game": position.game.label, "position": position.text, "turn": position.turn, "idea": found.idea}
    if not show_move:
        return data
    name = position.format_move(found.move)
    return data | {
        "move": name,
        "cell": found.move,
        "why": list(found.why),
        **found.advice.worth.to_data(),
        "source": found.advice.source,
    }
