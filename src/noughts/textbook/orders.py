"""Move orders. The order decides how much alpha-beta prunes, never the value.

An order is a function from a position to the list of its legal moves. In Ultimate a cell has four axes instead of
two: the row and column of its block on the board, and its own row and column within the block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from noughts.games import Game, Position, Side

Line = tuple[int, ...]
Marks = Sequence[object]


def row_by_row(position: Position) -> list[int]:
    """Return the moves by cell number: level by level, row by row from the top left (in Ultimate block by block)."""
    return position.legal_moves


def center_first(position: Position) -> list[int]:
    """Return the moves by their Manhattan distance from the centre, then row by row.

    The centre is ``side // 2`` on each axis, so on an even board the cell below and to the right of the middle. This
    holds for any number of dimensions; with gravity, the distance is that of the cell where the mark lands. Custom
    games are measured by the coordinates of their layout; without a layout, the order is row by row.

        3x3   2 1 2      4x4   4 3 2 3
              1 0 1            3 2 1 2
              2 1 2            2 1 0 1
                               3 2 1 2
    """
    return sorted(position.legal_moves, key=distances_from_center(position.game).__getitem__)


def corners_before_edges(position: Position) -> list[int]:
    """Return the moves ring by ring from the middle, in each ring the corners before the edges, then row by row.

    A ring consists of the cells whose largest distance on any axis is the same; its corners are the cells that are far
    from the middle on most axes. In three dimensions the order is corners, edges, faces. The middle of an even board
    lies between cells.

        3x3   1 2 1      4x4   1 2 2 1
              2 0 2            2 0 0 2
              1 2 1            2 0 0 2
                               1 2 2 1
    """
    return sorted(position.legal_moves, key=_rings(position.game).__getitem__)


def best_lines_first(position: Position) -> list[int]:
    """Return the moves by the number of open lines through their cell, the most first, then row by row.

    A line is open unless both sides have marks in it. In Ultimate the open lines of blocks through the cell's block
    count as well. Unlike the other orders, this one depends on the marks, so it costs more per node.
    """
    game = position.game
    inner, outer = inner_lines(game), outer_lines(game)
    open_inner, open_outer = _open_lines(inner, position.cells), _open_lines(outer, owners(position))

    def count_open(move: int) -> int:
        through_block = outer.through[game.block_of(move)]
        return sum(open_inner[i] for i in inner.through[move]) + sum(open_outer[i] for i in through_block)

    return sorted(position.legal_moves, key=count_open, reverse=True)


def _open_lines(lines: Lines, marks: Marks) -> list[bool]:
    return [not (x and o) for x, o in zip(*count_marks(lines, marks), strict=True)]


@lru_cache(maxsize=64)
def distances_from_center(game: Game) -> list[float]:
    """Return for every cell its Manhattan distance from the centre, as ``center_first`` measures it."""
    axes = _axes(game)
    centers = [min(axis) + (max(axis) - min(axis) + 1) // 2 for axis in axes]
    return [sum(abs(x - c) for x, c in zip(cell, centers, strict=True)) for cell in zip(*axes, strict=True)]


@lru_cache(maxsize=64)
def _rings(game: Game) -> list[tuple[float, float]]:
    axes = _axes(game)
    middles = [(max(axis) + min(axis)) / 2 for axis in axes]
    far = [[abs(x - m) for x, m in zip(cell, middles, strict=True)] for cell in zip(*axes, strict=True)]
    return [(max(distances), -sum(distances)) for distances in far]


def _axes(game: Game) -> Sequence[tuple[float, ...]]:
    """Return for each axis the coordinate of every cell on it."""
    cells = range(game.cells)
    if size := game.block_size:
        blocks, inner = [c // size**2 for c in cells], [c % size**2 for c in cells]
        return [tuple(n // size for n in ns) for ns in (blocks, inner)] + [
            tuple(n % size for n in ns) for ns in (blocks, inner)
        ]
    return list(zip(*(game.coordinates or [(0,)] * game.cells), strict=True))


# Lines and the marks on them, for the order above and for evaluations


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
    """Return the lines over blocks; none for a game without blocks."""
    lines = game.outer_lines if game.is_ultimate else ()
    return Lines(lines, ((),) * len(lines), _index(lines, game.blocks))


def _index(lines: Sequence[Line], cells: int) -> list[list[int]]:
    through: list[list[int]] = [[] for _ in range(cells)]
    for number, line in enumerate(lines):
        for cell in line:
            through[cell].append(number)
    return through


def count_marks(lines: Lines, marks: Marks) -> tuple[list[int], list[int]]:
    """Return for each line the number of X's marks and of O's marks. A dead block counts as a mark of both.

    Only cells with marks are visited, so a large board with few marks costs little.
    """
    xs, os = [0] * len(lines.cells), [0] * len(lines.cells)
    for cell, mark in enumerate(marks):
        if mark is not None:
            for line in lines.through[cell]:
                xs[line] += mark is not Side.O
                os[line] += mark is not Side.X
    return xs, os


def owners(position: Position) -> Marks:
    """Return the owner of each block: a side, None while it is undecided, or "dead" if neither side can win it."""
    playable = set(position.open_blocks)
    return [owner or (None if block in playable else "dead") for block, owner in enumerate(position.blocks)]
