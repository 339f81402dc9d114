"""The lines of a game as orders and evaluations look at them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from noughts.games import Game, Side

Line = tuple[int, ...]
Marks = Sequence[object]


def is_contested(line: Line, marks: Marks) -> bool:
    """Return whether nobody can complete the line any more: both sides are in it, or a dead block is."""
    kinds = {marks[cell] for cell in line} - {None}
    return len(kinds) > 1 or not kinds <= {Side.X, Side.O}


@lru_cache(maxsize=64)
def lines_through(game: Game) -> list[list[Line]]:
    """Return for each cell the lines it lies on."""
    return [[line for line in game.lines if cell in line] for cell in range(game.cells)]


@lru_cache(maxsize=64)
def outer_lines_through(game: Game) -> list[list[Line]]:
    """Return for each cell the lines of blocks its block lies on: none where the game has no blocks."""
    if game.block_size is None:
        return [[]] * game.cells
    return [[line for line in game.outer_lines if game.block_of(cell) in line] for cell in range(game.cells)]
