"""One position for all that are symmetric to each other: the key under which values are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from noughts.games.outcome import Side

if TYPE_CHECKING:
    from noughts.games.position import Position

__all__ = ["Canonical", "canonical"]


class Canonical(NamedTuple):
    """The least of the images of a position, as text, and where it came from."""

    text: str
    cells: Sequence[int]
    """For each cell of the image, the cell of the position itself."""

    def move_here(self, move: int) -> int:
        """Return the move in the position itself that a move in the image stands for."""
        return self.cells[move]

    def move_there(self, move: int) -> int:
        """Return the move in the image that a move in the position itself stands for."""
        return self.cells.index(move)


def canonical(position: Position) -> Canonical:
    """Return the canonical image: the least by its cells among those of the symmetries the game uses.

    An empty cell comes before X and X before O; in Ultimate images with the same marks are told apart by the block to
    play, then by the owners of the blocks.
    """
    from noughts.games.position import Position

    marks, block, owners, cells = position.game.symmetry.least_image(position)
    turn = Side.X if marks.count(0) == marks.count(1) else Side.O
    image = Position(position.game, marks, turn, None if block < 0 else block, owners)
    return Canonical(image.text, cells)
