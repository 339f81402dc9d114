"""One position for all that are symmetric to each other: the key under which values are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from noughts.games.outcome import Side

if TYPE_CHECKING:
    from noughts.games.game import Game
    from noughts.games.position import Position

__all__ = ["Canonical", "canonical"]

Marks = tuple[int, ...]
CODES = {None: -1, Side.X: 0, Side.O: 1}


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


class _Turn(NamedTuple):
    """A symmetry, ready to be used: where each cell and each block of the image comes from."""

    cells: Sequence[int]
    blocks: Sequence[int]
    gather: Callable[[Marks], Marks]


def canonical(position: Position) -> Canonical:
    """Return the canonical image: the least by its cells among those of the symmetries the game uses.

    Picking the marks in another order is one call a symmetry, so that the 192 of 4x4x4 take a fraction of a
    millisecond.
    """
    game = position.game
    marks = tuple(CODES[mark] for mark in position.cells)
    turns = _turns(game)
    least = min(turn.gather(marks) for turn in turns)
    # Few images look the same; in Ultimate those may still differ in where to play.
    image, turn = min(((_blocks(position, turn), turn) for turn in turns if turn.gather(marks) == least), key=_first)
    block, owners = image
    return Canonical(_text(position, least, block, owners), turn.cells)


def _first(pair: tuple[tuple[int, Marks], _Turn]) -> tuple[int, Marks]:
    return pair[0]


@lru_cache(maxsize=16)
def _turns(game: Game) -> list[_Turn]:
    return [_turn(game, cells) for cells in game._symmetry.elements]


def _turn(game: Game, cells: Sequence[int]) -> _Turn:
    blocks = [0] * game.blocks
    for image, cell in enumerate(cells):
        blocks[game.block_of(image)] = game.block_of(cell)
    gather: Callable[[Marks], Marks] = itemgetter(*cells) if len(cells) > 1 else tuple
    return _Turn(cells, blocks, gather)


def _blocks(position: Position, turn: _Turn) -> tuple[int, Marks]:
    """The block to play (-1: anywhere) and the owners of the blocks in an image."""
    if position.game.blocks == 1:
        return -1, ()
    wanted, owners = position.block_to_play, position.blocks
    return -1 if wanted is None else turn.blocks.index(wanted), tuple(CODES[owners[block]] for block in turn.blocks)


def _text(position: Position, marks: Marks, block: int, owners: Marks) -> str:
    from noughts.games.position import Position

    turn = Side.X if marks.count(0) == marks.count(1) else Side.O
    return Position(position.game, list(marks), turn, None if block < 0 else block, list(owners)).text
