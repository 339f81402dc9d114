"""
Write an evaluation. `evaluate(position)` returns a number that says how good a position is for X.

If X has won it is above 0, if O has won below 0, and 0 for a draw. An unfinished position must be worth less than a
win, and exchanging X and O must only change the sign. `position.cells` lists the marks (`Side.X`, `Side.O` or None)
and `position.game.lines` the lines of cells that win.
"""

from noughts.games import Position, Side


def evaluate(position: Position) -> int:
    """Return how good a position is for X."""
    # BEGIN SOLUTION
    if position.is_over:
        return 0 if position.winner is None else 1000 if position.winner is Side.X else -1000
    total = 0
    for line in position.game.lines:
        marks = [position.cells[cell] for cell in line]
        xs, os = marks.count(Side.X), marks.count(Side.O)
        if xs == 0 or os == 0:  # still open for one of them
            total += xs * xs - os * os
    return total
    # END SOLUTION
