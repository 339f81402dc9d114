"""Tic-tac-toe against a computer that begins and searches to the end."""

from __future__ import annotations

from noughts.cli.classics.console import Console
from noughts.games import Game, Position, Side
from noughts.textbook import alphabeta

__all__ = ["play"]


def play(console: Console) -> None:
    """Play a game; the person is O."""
    console.say("You are O, computer is X.")
    position = Game("3x3").start()
    _show(console, position)
    while position.turn is not None:
        if position.turn is Side.X:
            move = alphabeta(position).move
            assert move is not None
            console.say(f"Computer played {move + 1}")
        else:
            move = _ask_move(console, position)
        position.play(move)
        _show(console, position)
    results = {Side.X: "Computer (X) wins!", Side.O: "You (O) win!", None: "It's a draw!"}
    console.say(results[position.winner])


def _ask_move(console: Console, position: Position) -> int:
    while True:
        move = console.ask_number("Enter your move (1-9): ", 1, 9) - 1
        if position.is_legal(move):
            return move
        console.say("That cell is taken, try again.")


def _show(console: Console, position: Position) -> None:
    marks = [mark or "." for mark in position.cells]
    rows = ["".join(f"{mark} " for mark in marks[start : start + 3]) for start in (0, 3, 6)]
    console.say("\nBoard:\n" + "\n".join(rows) + "\n")
