"""Rows and columns of Ultimate's whole board, as CodinGame counts them: from 0 at the top left."""

from __future__ import annotations

from noughts.games import Game

__all__ = ["SIDE", "cell_at", "is_codingame", "row_and_column"]

N = 3
SIDE = N * N


def is_codingame(game: Game) -> bool:
    """Whether a bot of CodinGame can play a game: Ultimate on 3×3 of 3×3, where the count may decide or not."""
    return game.id in ("ultimate:3", "ultimate:3+count")


def row_and_column(cell: int) -> tuple[int, int]:
    """Return where a cell lies.

    >>> row_and_column(10)
    (0, 4)
    """
    block, inner = divmod(cell, SIDE)
    return block // N * N + inner // N, block % N * N + inner % N


def cell_at(row: int, column: int) -> int:
    """Return the cell at a place.

    >>> cell_at(0, 4)
    10
    """
    return (row // N * N + column // N) * SIDE + row % N * N + column % N
