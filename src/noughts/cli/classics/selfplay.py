"""Noughts and crosses, alpha-beta playing both sides."""

from __future__ import annotations

from noughts.cli.classics.console import Console
from noughts.games import Game, Position, Side
from noughts.textbook import alphabeta

__all__ = ["play"]

TURNS = {Side.X: "Player X's turn (Maximizing)", Side.O: "Player O's turn (Minimizing)"}


def play(console: Console) -> None:
    """Play a game from the empty board to its end."""
    position = Game("3x3").start()
    console.say("Initial Board:")
    _show(console, position)
    while position.turn is not None:
        console.say(f"\nMove {position.ply + 1}:")
        console.say(TURNS[position.turn])
        move = alphabeta(position).move
        assert move is not None
        position.play(move)
        _show(console, position)
    console.say("\nGame Over!")
    _show(console, position)


def _show(console: Console, position: Position) -> None:
    marks = [mark or " " for mark in position.cells]
    for start in (0, 3, 6):
        console.say(" | ".join(marks[start : start + 3]))
        console.say("-" * 5)
