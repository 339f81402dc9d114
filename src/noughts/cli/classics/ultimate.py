"""Ultimate tic-tac-toe on 4×4 of 4×4 with points: a person or a random player against the bot."""

from __future__ import annotations

import random
import sys
from functools import partial

from noughts.cli.classics import Console, parse_row_and_column
from noughts.cli.output import board_style, stdout_capabilities, terminal_width
from noughts.engine import Level, level
from noughts.games import Game, Position, Side, Termination
from noughts.games.rendering.layout import block_range
from noughts.games.rendering.text import draw
from noughts.players import Player, RandomPlayer

__all__ = ["play"]

GAME = "ultimate4"
BOT_LEVEL = Level.DIFFICULT
SIZE = 16


def play(console: Console, mode: str | None, seed: int | None = None) -> None:
    """Ask for the mode unless it is given, flip a coin, play, and count the points."""
    if mode is None:
        console.say("1. Play against the bot\n2. Watch the bot against a random player")
        mode = str(console.ask_number("Enter mode (1-2): ", 1, 2))
    chance = random.Random(seed)
    challenger: Player | None = None if mode == "1" else RandomPlayer(chance.randrange(2**32))
    name = "You" if challenger is None else "Random"
    bots: dict[str, Player | None] = {"Bot": level(BOT_LEVEL, chance.randrange(2**32)), name: challenger}
    first = chance.choice([*bots])
    players = dict(zip(Side, [first, *(each for each in bots if each != first)], strict=True))
    second = "you play" if players[Side.O] == "You" else f"{players[Side.O]} plays"
    console.say(f"Coin flip: {players[Side.X]} will play first, with x; {second} with o.\n")
    _report(console, _play(console, players, bots), players)


def _play(console: Console, players: dict[Side, str], bots: dict[str, Player | None]) -> Position:
    position = Game(GAME).start()
    while position.turn is not None:
        turn = position.turn
        bot = bots[players[turn]]
        if bot is None:
            _show(console, position)
            position.play(_ask_move(console, position))
        else:
            move = console.think(partial(bot.choose, position.copy()), players[turn])
            console.say(f"{players[turn]} ({turn.lower()}) played: {_format(position, move)}")
            position.play(move)
    return position


def _ask_move(console: Console, position: Position) -> int:
    assert position.turn is not None
    console.say(f"Enter your move: <format:row column> (you're playing with {position.turn.lower()})")
    return console.ask("> ", lambda text: parse_move(text, position))


def parse_move(text: str, position: Position) -> int:
    """Return the move at a row and a column, counted from 0 at the top left; raises ValueError if it is not legal."""
    row, column = parse_row_and_column(text, SIZE, "4 11")
    move: int = position.game.coordinates.index((column, row))
    if not position.is_legal(move):
        raise ValueError(_why_illegal(position, move))
    return move


def _why_illegal(position: Position, move: int) -> str:
    game, block = position.game, position.block_to_play
    if block is not None and game.block_of(move) != block:
        return f"{_format(position, move)} is elsewhere; play in board {block + 1} ({block_range(game, block, 0)})"
    if position.cells[move] is not None:
        return f"{_format(position, move)} is taken"
    return f"{_format(position, move)} is in a board that is closed; play in any open board"


def _format(position: Position, move: int) -> str:
    column, row = position.game.coordinates[move]
    return f"row {row:g}, column {column:g}"


def _show(console: Console, position: Position) -> None:
    board = draw(position, terminal_width(sys.stdout), board_style(stdout_capabilities()), first=0)
    console.say(f"\n{board}\n")


def _report(console: Console, position: Position, players: dict[Side, str]) -> None:
    _show(console, position)
    outcome = position.outcome
    assert outcome is not None
    how = "by a line of boards" if outcome.reason is Termination.LINE else "by boards won"
    winner = None if outcome.winner is None else players[outcome.winner]
    console.say("It's a draw!" if winner is None else f"{winner} {'win' if winner == 'You' else 'wins'} {how}!")
    points = zip(Side, outcome.points, strict=True)
    console.say("Points: " + ", ".join(f"{players[side]} ({side.lower()}) {score}" for side, score in points))
