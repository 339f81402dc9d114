"""Evaluations: what a position is worth to X, in integers. Each is a function from a position to a number."""

from __future__ import annotations

from functools import lru_cache

from noughts.games import Game, Position, Side
from noughts.textbook.lines import Lines, Marks, count_marks, inner_lines, outer_lines, owners

INNER_SHARE = 50
"""In Ultimate, a line within a block counts this many times less than the same line of blocks."""


def evaluate_outcome(position: Position) -> int:
    """Return +1 when X has won, -1 when O has, 0 for a draw or an unfinished game."""
    return _by_winner(position, 1)


def evaluate_nothing(position: Position) -> int:
    """Return +10 when X has won, -10 when O has and 0 otherwise: nothing is said about unfinished positions."""
    return _by_winner(position, 10)


def evaluate_lines(position: Position) -> int:
    """Return the sum over all lines of what X's marks in them are worth, less the same for O.

    ==================================  =============================================================
    X has won                           +10,000 (for K of 6 and more 10^(K-1))
    K - 1 marks of X, the last empty    +500 (for K of 5 and more 5*10^(K-2), half a win)
    n marks of X, none of O             +10^n
    both sides in the line              0
    ==================================  =============================================================

    and the opposite for O, so exchanging the marks changes the sign. The sum of an unfinished position always stays
    below a win. Works on any lines: K is the length of each; where runs longer than K do not count, a mark that would
    make the run too long spoils the line for its owner; in misère lines count against who builds them. In
    Ultimate the lines of blocks count in full and those within undecided blocks a fiftieth of that.
    """
    win = _win_of(position.game)
    if position.is_over:
        return _by_winner(position, win)
    total = _sum_of_lines(position)
    if position.game.is_misere:
        total = -total
    return max(1 - win, min(win - 1, total))


def _by_winner(position: Position, win: int) -> int:
    winner = position.winner
    if winner is None:
        return 0
    return win if winner is Side.X else -win


@lru_cache(maxsize=64)
def _win_of(game: Game) -> int:
    return max(10_000, int(10 ** (game.k - 1)))


def _sum_of_lines(position: Position) -> int:
    game, cells = position.game, position.cells
    if game.block_size is None:
        return _worth_of_lines(cells, inner_lines(game))
    blocks = owners(position)
    outer = _worth_of_lines(blocks, outer_lines(game))
    undecided = [mark if blocks[game.block_of(cell)] is None else None for cell, mark in enumerate(cells)]
    inner = _worth_of_lines(undecided, inner_lines(game))
    return outer + (inner // INNER_SHARE if inner > 0 else -(-inner // INNER_SHARE))


def _worth_of_lines(marks: Marks, lines: Lines) -> int:
    """Return what all lines together are worth to X."""
    total = 0
    for line, guards, x, o in zip(lines.cells, lines.guards, *count_marks(lines, marks), strict=True):
        if (x > 0) != (o > 0) and not any(marks[guard] is (Side.X if x else Side.O) for guard in guards):
            total += _points(x, len(line)) if x else -_points(o, len(line))
    return total


def _points(count: int, length: int) -> int:
    """Return what ``count`` marks of one side are worth in a line with none of the other."""
    if count < length - 1:
        return int(10**count)
    return 500 if length < 5 else 5 * int(10 ** (length - 2))
