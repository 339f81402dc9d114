"""``noughts hint``: help for a player, first the idea, then the move."""

from __future__ import annotations

import click

from noughts.ask.hint import HINT, HintRequest
from noughts.ask.requests import position_fields
from noughts.cli.options import EngineOptions, find_position, json_option, options_of
from noughts.cli.output import ask_timed, filled, print_answer
from noughts.cli.types import START, Start


@click.command(name="hint")
@click.argument("game", type=START)
@click.argument("position", required=False)
@click.option("--move", "-m", "show_move", is_flag=True, help="Show the move and the reasons for it, too.")
@options_of(EngineOptions, "engine")
@json_option("Print JSON, with the move", HINT)
def command(game: Start, position: str | None, show_move: bool, engine: EngineOptions, as_json: bool) -> None:
    """Give a hint for the side to move in GAME, from POSITION (a position string) or the start.

    The hint is an idea that does not give the move away; --move shows the move as well. GAME is an id, an alias, a file
    with a custom game, or a saved playthrough (.ngn, .sgf), whose last position is used. Without a limit the engine
    thinks for one second. noughts analyse shows its lines.

    \b
    noughts hint 3x3 'xx1/1o1/3 o'
    noughts hint 3x3 'xx1/1o1/3 o' --move
    """
    fields = position_fields(find_position(game, position))
    with engine.open_advisor() as advisor:
        answer, elapsed = ask_timed(HINT, HintRequest(**fields, **engine.bounds), advisor)
    if as_json:
        print_answer(answer, elapsed)
    else:
        click.echo(filled(HINT.words(answer) if show_move else f"{answer.idea} (--move shows the move)"))
