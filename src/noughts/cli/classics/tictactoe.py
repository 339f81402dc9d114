"""The two 3×3 programs: ``ox``, against a computer that begins, and ``selfplay``, alpha-beta on both sides."""

from __future__ import annotations

from noughts.cli.classics import Console
from noughts.games import Game, Position, Side
from noughts.textbook import alphabeta

__all__ = ["play_ox", "play_selfplay"]

OX_RESULTS = {Side.X: "Computer (X) wins!", Side.O: "You (O) win!", None: "It's a draw!"}
SELFPLAY_TURNS = {Side.X: "Player X's turn (Maximizing)", Side.O: "Player O's turn (Minimizing)"}


def play_ox(console: Console) -> None:
    """Play a game in which the person is O."""
    console.say("You are O, computer is X.")
    position = Game("3x3").start()
    _show_ox(console, position)
    while position.turn is not None:
        if position.turn is Side.X:
            move = _best_move(position)
            console.say(f"Computer played {move + 1}")
        else:
            move = _ask_move(console, position)
        position.play(move)
        _show_ox(console, position)
    console.say(OX_RESULTS[position.winner])


def _ask_move(console: Console, position: Position) -> int:
    while True:
        move = console.ask_number("Enter your move (1-9): ", 1, 9) - 1
        if position.is_legal(move):
            return move
        console.say("That cell is taken, try again.")


def _show_ox(console: Console, position: Position) -> None:
    marks = [mark or "." for mark in position.cells]
    rows = ["".join(f"{mark} " for mark in marks[start : start + 3]) for start in (0, 3, 6)]
    console.say("\nBoard:\n" + "\n".join(rows) + "\n")


def play_selfplay(console: Console) -> None:
    """Play a game from the empty board to its end."""
    position = Game("3x3").start()
    console.say("Initial Board:")
    _show_selfplay(console, position)
    while position.turn is not None:
        console.say(f"\nMove {position.ply + 1}:\n{SELFPLAY_TURNS[position.turn]}")
        position.play(_best_move(position))
        _show_selfplay(console, position)
    console.say("\nGame Over!")
    _show_selfplay(console, position)


def _show_selfplay(console: Console, position: Position) -> None:
    marks = [mark or " " for mark in position.cells]
    for start in (0, 3, 6):
        console.say(" | ".join(marks[start : start + 3]))
        console.say("-" * 5)


def _best_move(position: Position) -> int:
    move = alphabeta(position).move
    assert move is not None
    return move
