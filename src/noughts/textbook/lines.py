"""The lines of a game as orders and evaluations look at them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from noughts.games import Game, Position, Side

Line = tuple[int, ...]
Marks = Sequence[object]


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines over cells (or blocks), their guards, and for each cell the numbers of the lines through it."""

    cells: tuple[Line, ...]
    guards: tuple[Line, ...]
    through: list[list[int]]


@lru_cache(maxsize=64)
def inner_lines(game: Game) -> Lines:
    """Return the lines over cells."""
    return Lines(game.lines, game.guards, _index(game.lines, game.cells))


@lru_cache(maxsize=64)
def outer_lines(game: Game) -> Lines:
    """Return the lines over blocks: none where the game has no blocks."""
    lines = game.outer_lines if game.is_ultimate else ()
    return Lines(lines, ((),) * len(lines), _index(lines, game.blocks))


def _index(lines: Sequence[Line], cells: int) -> list[list[int]]:
    through: list[list[int]] = [[] for _ in range(cells)]
    for number, line in enumerate(lines):
        for cell in line:
            through[cell].append(number)
    return through


def count_marks(lines: Lines, marks: Marks) -> tuple[list[int], list[int]]:
    """Return for each line how many marks X has in it, and how many O. A dead block counts as a mark of both.

    Only cells with marks are looked at, so that a big board with few of them costs little.
    """
    xs, os = [0] * len(lines.cells), [0] * len(lines.cells)
    for cell, mark in enumerate(marks):
        if mark is not None:
            for line in lines.through[cell]:
                xs[line] += mark is not Side.O
                os[line] += mark is not Side.X
    return xs, os


def owners(position: Position) -> Marks:
    """Return who owns each block: a side, None while that is undecided, or "dead" when neither side can."""
    playable = set(position.open_blocks)
    return [owner or (None if block in playable else "dead") for block, owner in enumerate(position.blocks)]
