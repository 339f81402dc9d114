"""3D tic-tac-toe on 4×4×4 with alpha-beta to a fixed depth."""

from __future__ import annotations

import random
import sys

from noughts.cli.classics import Console
from noughts.cli.output import terminal_width
from noughts.games import Game, Position, Side
from noughts.textbook import alphabeta, evaluate_nothing

__all__ = ["play"]

RULE = "=" * 59
LEVELS = {"EASY": 2, "DIFFICULT": 4, "INSANE": 6}
OPENING_CELLS = 60
"""While at least this many cells are free, the AI moves at random."""
SIZE = 4
WIDTH_COLUMNS = 51
"""Terminal columns needed for four levels side by side."""


def play(console: Console, seed: int | None = None) -> None:
    """Ask for the difficulty and who goes first, then play to the end."""
    console.say(f"{RULE}\n3D TIC-TAC-TOE with ALPHA-BETA PRUNING\n4x4x4 Board (64 positions)\n{RULE}\n")
    depth = _ask_depth(console)
    person_begins = _ask_who_begins(console)
    # By the rules X begins. When the AI begins, it is X on the board but shown as O.
    labels = {Side.X: "X", Side.O: "O"} if person_begins else {Side.X: "O", Side.O: "X"}
    position, chance = Game("4x4x4").start(), random.Random(seed)
    _show(console, position, labels)
    while position.turn is not None:
        if labels[position.turn] == "X":
            position.play(_ask_move(console, position))
        else:
            move = console.think(lambda: choose(position, depth, chance), "AI (O)")
            level, row, column = _coordinates(move)
            console.say(f"\nAI (O) plays: Level {level + 1}, Row {row}, Column {column}")
            position.play(move)
        _show(console, position, labels)
    winner = position.winner
    console.say("It's a draw!" if winner is None else "You (X) win!" if labels[winner] == "X" else "AI (O) wins!")


def choose(position: Position, depth: int, chance: random.Random) -> int:
    """Return the AI's move: random at first, then the first best move at this depth, scoring only finished games."""
    free = position.legal_moves
    if len(free) >= OPENING_CELLS:
        return chance.choice(free)
    depth = min(depth, len(free))
    move = alphabeta(position.copy(), order=threats_first, depth=depth, evaluate=evaluate_nothing).move
    assert move is not None
    return move


def threats_first(position: Position) -> list[int]:
    """Return the moves that win or block first, then the others level by level and row by row.

    The order does not change the value, but with it a search six levels deep takes seconds instead of minutes.
    """
    assert position.turn is not None
    urgent = position.threats(position.turn) or position.threats(position.turn.opponent)
    return urgent + [move for move in position.legal_moves if move not in urgent]


def _ask_depth(console: Console) -> int:
    console.say("Select difficulty level:")
    for number, (name, depth) in enumerate(LEVELS.items(), start=1):
        console.say(f"{number}. {name.capitalize()} (AI searches {depth} levels deep)")
    name = [*LEVELS][console.ask_number("Enter choice (1-3): ", 1, 3) - 1]
    console.say(f"\nDifficulty set to: {name}\n")
    return LEVELS[name]


def _ask_who_begins(console: Console) -> bool:
    console.say("Who goes first?\n1. You (X)\n2. AI (O)")
    person = console.ask_number("Enter choice (1-2): ", 1, 2) == 1
    console.say("\nYou (X) go first!" if person else "\nAI (O) goes first!")
    return person


def _ask_move(console: Console, position: Position) -> int:
    while True:
        console.say("Enter your move (X):")
        level = console.ask_number("  Level (1-4): ", 1, 4) - 1
        row = console.ask_number("  Row (0-3): ", 0, 3)
        column = console.ask_number("  Column (0-3): ", 0, 3)
        move = (level * SIZE + row) * SIZE + column
        if position.is_legal(move):
            return move
        console.say("That position is already taken. Try again.")


def _coordinates(cell: int) -> tuple[int, int, int]:
    level, square = divmod(cell, SIZE * SIZE)
    return level, *divmod(square, SIZE)


def _show(console: Console, position: Position, labels: dict[Side, str]) -> None:
    """Print the four levels side by side, or two by two on a narrow terminal; rows and columns count from 0."""
    marks = ["." if mark is None else labels[mark] for mark in position.cells]
    together = SIZE if terminal_width(sys.stdout) >= WIDTH_COLUMNS else SIZE // 2
    for first in range(0, SIZE, together):
        _show_levels(console, marks, range(first, first + together))
    console.say()


def _show_levels(console: Console, marks: list[str], levels: range) -> None:
    titles = "   ".join(f"  Level {level + 1}  " for level in levels)
    columns = "   ".join("  0 1 2 3  " for _ in levels)
    console.say(f"\n{titles.rstrip()}\n{columns.rstrip()}")
    for row in range(SIZE):
        starts = [(level * SIZE + row) * SIZE for level in levels]
        console.say("   ".join(f"{row} {' '.join(marks[at : at + SIZE])}  " for at in starts).rstrip())
