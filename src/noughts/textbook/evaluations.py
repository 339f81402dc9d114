"""Evaluations: functions that return the worth of a position to X, as an integer."""

from __future__ import annotations

from functools import lru_cache

from noughts.games import Game, Position, Side
from noughts.textbook.orders import Lines, Marks, count_marks, inner_lines, outer_lines, owners

INNER_SHARE = 50
"""In Ultimate, a line of blocks counts this many times more than a line of cells."""


def evaluate_outcome(position: Position) -> int:
    """Return +1 if X has won, -1 if O has won, 0 for a draw or an unfinished game."""
    return _by_winner(position, 1)


def evaluate_sooner(position: Position) -> int:
    """Return +1 and one more for each empty cell if X has won, the same with a minus sign if O has won, otherwise 0.

    A win counts more the fewer moves were played, so a search prefers the sooner win and the later loss. The sign is
    that of ``evaluate_outcome``.
    """
    return _prefer_sooner(position, evaluate_outcome(position))


def evaluate_nothing(position: Position) -> int:
    """Return +10 if X has won, -10 if O has won, and 0 otherwise: unfinished positions are not judged."""
    return _by_winner(position, 10)


def evaluate_lines(position: Position) -> int:
    """Return the worth of X's marks, summed over all lines, minus that of O's.

    ==================================  =============================================================
    X has won                           +10,000 (for K of 6 and more 10^(K-1))
    K - 1 marks of X, the last empty    +500 (for K of 5 and more 5*10^(K-2), half a win)
    n marks of X, none of O             +10^n
    both sides in the line              0
    ==================================  =============================================================

    O's marks count the same with a minus sign, so swapping the marks changes the sign. The sum of an unfinished
    position always stays below a win. K is the length of each line. With ``+exact``, a mark that would make a run too
    long spoils the line for its owner; in misère, lines count against their owner. In Ultimate, lines of blocks count
    in full and lines in undecided blocks a fiftieth.
    """
    win = _win_of(position.game)
    if position.is_over:
        return _by_winner(position, win)
    total = _sum_of_lines(position)
    if position.game.is_misere:
        total = -total
    return max(1 - win, min(win - 1, total))


def evaluate_lines_sooner(position: Position) -> int:
    """Return ``evaluate_lines``, but a win counts one more for each empty cell, so the sooner win is preferred."""
    return _prefer_sooner(position, evaluate_lines(position))


def _prefer_sooner(position: Position, value: int) -> int:
    return value + _by_winner(position, position.cells.count(None))


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
    """Return the worth of all lines to X."""
    total = 0
    for line, guards, x, o in zip(lines.cells, lines.guards, *count_marks(lines, marks), strict=True):
        if (x > 0) != (o > 0) and not any(marks[guard] is (Side.X if x else Side.O) for guard in guards):
            total += _points(x, len(line)) if x else -_points(o, len(line))
    return total


def _points(count: int, length: int) -> int:
    """Return the worth of ``count`` marks of one side in a line without marks of the other."""
    if count < length - 1:
        return int(10**count)
    return 500 if length < 5 else 5 * int(10 ** (length - 2))
