"""Ultimate tic-tac-toe on 4×4 of 4×4 with points: a person or a random player against the bot."""

from __future__ import annotations

import random
import sys

from noughts.bots import Bot, RandomBot
from noughts.cli.classics.console import Console
from noughts.cli.session.terminal import board_style, standard_abilities, terminal_width
from noughts.engine import level
from noughts.games import Game, Position, Side
from noughts.games.drawing import draw

__all__ = ["play"]

GAME = "ultimate4"
STRENGTH = "difficult"
SIDE = 16


def play(console: Console, mode: str | None, seed: int | None = None) -> None:
    """Ask for the mode unless it is given, flip the coin, play, and count the points."""
    if mode is None:
        console.say("1. Play against the bot\n2. Watch the bot against a random player")
        mode = str(console.ask_number("Enter mode (1-2): ", 1, 2))
    chance = random.Random(seed)
    challenger: Bot | None = None if mode == "1" else RandomBot(chance.randrange(2**32))
    name = "You" if challenger is None else "Random"
    bots: dict[str, Bot | None] = {"Bot": level(STRENGTH, chance.randrange(2**32)), name: challenger}
    first = chance.choice([*bots])
    players = dict(zip(Side, [first, *(each for each in bots if each != first)], strict=True))
    console.say(f"Coin flip: {players[Side.X]} will play first, with x; {players[Side.O]} plays with o.\n")
    _report(console, _play(console, players, bots), players)


def _play(console: Console, players: dict[Side, str], bots: dict[str, Bot | None]) -> Position:
    position = Game(GAME).start()
    while position.turn is not None:
        turn = position.turn
        bot = bots[players[turn]]
        if bot is None:
            _show(console, position)
            position.play(_ask_move(console, position))
        else:
            move = console.think(lambda bot=bot: bot.choose(position.copy()), players[turn])  # type: ignore[misc]
            console.say(f"{players[turn]} ({turn.lower()}) played: {_format(position, move)}")
            position.play(move)
    return position


def _ask_move(console: Console, position: Position) -> int:
    assert position.turn is not None
    console.say(f"Enter your move: <format:row column> (you're playing with {position.turn.lower()})")
    return console.ask("> ", lambda text: parse_move(text, position))


def parse_move(text: str, position: Position) -> int:
    """Return the move of a row and column from 0 at the top left, or of a square such as e5; raises ValueError."""
    words = text.split()
    if len(words) == 2 and all(word.isascii() and word.isdigit() for word in words):
        row, column = map(int, words)
        if row >= SIDE or column >= SIDE:
            raise ValueError(f"expected a row and a column from 0 to {SIDE - 1}, got {text[:40]!r}")
        move = position.game.coordinates.index((column, row))
    else:
        move = position.parse_move(text)
    position.after(move)
    return move


def _format(position: Position, move: int) -> str:
    column, row = position.game.coordinates[move]
    return f"row {row:g}, column {column:g} ({position.format_move(move)})"


def _show(console: Console, position: Position) -> None:
    console.say(f"\n{draw(position, terminal_width(sys.stdout), board_style(standard_abilities()))}\n")


def _report(console: Console, position: Position, players: dict[Side, str]) -> None:
    _show(console, position)
    outcome = position.outcome
    assert outcome is not None
    how = "by a line of blocks" if outcome.reason == "line" else "by blocks won"
    console.say("It's a draw!" if outcome.winner is None else f"{players[outcome.winner]} wins {how}!")
    points = zip(Side, outcome.points, strict=True)
    console.say("Points: " + ", ".join(f"{players[side]} ({side.lower()}) {score}" for side, score in points))
