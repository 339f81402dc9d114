"""Canonical positions: one representative for all positions that are symmetric to each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from noughts.games.outcome import Side
from noughts.games.position_text import format_fields

if TYPE_CHECKING:
    from noughts.games.position import Position

__all__ = ["Canonical", "canonical"]

SIDES = (Side.X, Side.O, None)
"""By the core's numbers; -1 is an empty cell."""


class Canonical(NamedTuple):
    """The canonical image of a position: its position string, and the symmetry that leads back to the position."""

    text: str
    cells: Sequence[int]
    """For each cell of the image, the cell of the position itself."""

    def move_here(self, move: int) -> int:
        """Return the move in the position that corresponds to a move in the image."""
        return self.cells[move]

    def move_there(self, move: int) -> int:
        """Return the move in the image that corresponds to a move in the position."""
        return self.cells.index(move)


def canonical(position: Position) -> Canonical:
    """Return the canonical image: the least of the images under the symmetries that the game uses.

    Images are compared cell by cell, an empty cell before X and X before O; in Ultimate then by the block to play and
    by the owners of the blocks.
    """
    marks, block, owners, cells = position.game.symmetry.least_image(position)
    text = format_fields(
        position.game,
        [SIDES[mark] for mark in marks],
        position.turn,
        None if block < 0 else block,
        [SIDES[owner] for owner in owners],
    )
    return Canonical(text, cells)
