"""Slow, obvious searches that share no code with the engine: the truth about small and late positions.

Uses only `Position` and the lists of lines of the game.
"""

from __future__ import annotations

import random

import noughts as no
from threat_chains import has_chain, turn_of, winning_cells

__all__ = [
    "BEST_FIRST", "OPPOSITE", "Exhaustive", "free_cells", "has_chain", "key_of", "play_at_random", "random_position",
    "turn_of", "winning_cells",
]  # fmt: skip

Key = tuple[object, ...]
OPPOSITE = {"win": "loss", "draw": "draw", "loss": "win"}
BEST_FIRST = ("win", "draw", "loss")


def key_of(position: no.Position) -> Key:
    return (position.game, tuple(position.cells), tuple(position.blocks), position.block_to_play)


class Exhaustive:
    """Values of positions by exhaustive search with a cache."""

    def __init__(self) -> None:
        self._values: dict[Key, str] = {}
        self._within: dict[Key, bool] = {}

    def value(self, position: no.Position) -> str:
        """Return the value of a position for the side to move (after the end, the side whose turn it would be)."""
        if position.is_over:
            return "draw" if position.winner is None else "win" if position.winner is turn_of(position) else "loss"
        key = key_of(position)
        if key not in self._values:
            self._values[key] = self._best(position)
        return self._values[key]

    def _best(self, position: no.Position) -> str:
        found = set()
        for move in position.legal_moves:
            position.play(move)
            found.add(OPPOSITE[self.value(position)])
            position.undo()
            if "win" in found:
                return "win"
        return "draw" if "draw" in found else "loss"

    def wins_within(self, position: no.Position, side: no.Side, plies: int) -> bool:
        """Whether a side can force a win in at most the given number of plies."""
        if position.is_over or plies == 0:
            return position.winner is side
        key = (*key_of(position), side, plies)
        if key not in self._within:
            enough = any if position.turn is side else all
            self._within[key] = enough(self._after(position, move, side, plies - 1) for move in position.legal_moves)
        return self._within[key]

    def _after(self, position: no.Position, move: int, side: no.Side, plies: int) -> bool:
        position.play(move)
        wins = self.wins_within(position, side, plies)
        position.undo()
        return wins


# --- positions ----------------------------------------------------------------------------------------------------


def free_cells(position: no.Position) -> int:
    """Return the number of cells that can still be played."""
    game, open_blocks = position.game, set(position.open_blocks)
    return sum(mark is None and game.block_of(cell) in open_blocks for cell, mark in enumerate(position.cells))


def random_position(game: no.Game, dice: random.Random, most_free: int, careful: bool = True) -> no.Position:
    """An unfinished position with at most the given number of free cells, after random moves.

    A careful player avoids ending the game and leaving a line to complete if possible. Otherwise late positions would
    be rare, and decided by the next move.
    """
    while True:
        position = game.start()
        while not position.is_over and free_cells(position) > most_free:
            play_at_random(position, dice, careful)
        if not position.is_over:
            return position


def play_at_random(position: no.Position, dice: random.Random, careful: bool) -> None:
    moves = position.legal_moves
    dice.shuffle(moves)
    if careful:
        moves.sort(key=lambda move: _carelessness(position.after(move)))
    position.play(moves[0])


def _carelessness(after: no.Position) -> int:
    if after.is_over:
        return 2
    is_flat = after.game.blocks == 1 and not after.game.is_misere
    return int(is_flat and bool(after.threats(turn_of(after))))
