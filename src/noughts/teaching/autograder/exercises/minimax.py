"""
Write minimax. `minimax(position)` returns the value of a position and a best move.

The value is from X's side: +1 if X wins, −1 if O wins, 0 for a draw. X chooses the largest value, O the smallest.
`position.is_over`, `position.winner`, `position.turn` and `position.legal_moves` describe a position;
`position.play(move)` makes a move and `position.undo()` takes it back. The position must be left as it was.
"""

from noughts.games import Position, Side


def minimax(position: Position) -> tuple[int, int | None]:
    """Return the value from X's side, and a best move, or None if play is over."""
    # BEGIN SOLUTION
    if position.is_over:
        if position.winner is None:
            return 0, None
        return (1 if position.winner is Side.X else -1), None
    found = []
    for move in position.legal_moves:
        position.play(move)
        found.append((minimax(position)[0], move))
        position.undo()
    best = max if position.turn is Side.X else min
    return best(found, key=lambda pair: pair[0])
    # END SOLUTION
