"""``noughts rules``: how a game is played, in sentences with drawn boards."""

from __future__ import annotations

from textwrap import fill

import click

from noughts.ask.games import CATALOGUE
from noughts.ask.question import ask
from noughts.ask.requests import GameRequest, NoRequest
from noughts.ask.rules import RULES
from noughts.cli.options import json_option
from noughts.cli.output import board_style, print_json, stdout_capabilities, table_width
from noughts.cli.tables import Words, format_table
from noughts.cli.types import GAME
from noughts.games import Game
from noughts.games.rendering.canvas import PLAIN, Style
from noughts.games.rendering.text import draw
from noughts.games.rules import rules_of
from noughts.games.titles import title_of

HEADERS = ("to type", "game")


@click.command(name="rules")
@click.argument("game", type=GAME, required=False)
@json_option(question=RULES)
def command(game: Game | None, as_json: bool) -> None:
    """Explain how GAME is played: a few sentences, each with a board. Without GAME, list well-known games.

    GAME is an id, an alias, or a file with a custom game.

    \b
    noughts rules ultimate
    noughts rules 10x10:5+wrap
    """
    if game is None:
        found = ask(CATALOGUE, NoRequest())
        rows = [(entry.name, f"{entry.title}. {entry.about}") for entry in found.games]
        if as_json:
            print_json(found)
        else:
            click.echo(format_table(HEADERS, rows, table_width(), words=Words.WRAPPED))
    elif as_json:
        print_json(ask(RULES, GameRequest(game=game.to_data())))
    else:
        capabilities = stdout_capabilities()
        click.echo(draw_rules(game, capabilities.width, board_style(capabilities)))


def draw_rules(game: Game, width: int = 80, style: Style = PLAIN) -> str:
    """Return the rules of a game as text: a paragraph for each, with the board at the end of its moves."""
    parts = [f"How to play {title_of(game)}"]
    for number, step in enumerate(rules_of(game), 1):
        board = draw(step.position(game), width, style, notes=False)
        parts += [fill(f"{number}. {step.text}", width), board]
    return "\n\n".join([*parts, fill(f"A move is {game.how_to_type}.", width)])
