"""Positions as numbers: the keys of a book's entries.

A key is the canonical image of a position, one digit in base 3 for each cell (0 empty, 1 X, 2 O), so that no two
different positions share one. In Ultimate the block to play and the owners of the blocks follow.
"""

from __future__ import annotations

from collections.abc import Sequence

from noughts.games import Game, Position, Side
from noughts.games.position_text import Canonical

__all__ = ["key_of", "marks_of", "position_of"]


def key_of(image: Canonical) -> int:
    """Return the key of a canonical image, and so of all positions that are symmetric to it."""
    number = _number(image.marks)
    if image.game.is_ultimate:
        blocks = image.game.blocks
        number = (number * (blocks + 1) + image.block + 1) * _power(blocks) + _number(image.owners)
    return number


def _number(marks: Sequence[int]) -> int:
    return int(bytes(mark + ord("1") for mark in marks), 3) if marks else 0


def _power(exponent: int) -> int:
    return int(3**exponent)


def position_of(game: Game, number: int) -> Position:
    """Return the canonical image that a key stands for; raises ValueError if there is none."""
    block, owners = None, None
    if game.is_ultimate:
        number, owner_digits = divmod(number, _power(game.blocks))
        number, block_number = divmod(number, game.blocks + 1)
        block = None if block_number == 0 else block_number - 1
        owners = _digits(owner_digits, game.blocks) if game.keeps_won_blocks_open else None
    marks = _digits(number, game.cells)
    turn = Side.X if marks.count(0) == marks.count(1) else Side.O
    return Position(game, marks, turn, block, owners)


def marks_of(game: Game, number: int) -> int:
    """Return the number of marks in the position of a key."""
    if game.is_ultimate:
        number //= _power(game.blocks) * (game.blocks + 1)
    return game.cells - _digits(number, game.cells).count(-1)


def _digits(number: int, count: int) -> list[int]:
    """The last ``count`` digits in base 3 as marks, the most significant first."""
    digits = []
    for _ in range(count):
        number, digit = divmod(number, 3)
        digits.append(digit - 1)
    return digits[::-1]
