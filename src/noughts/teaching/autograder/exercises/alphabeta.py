"""
Write minimax with alpha-beta pruning. `alphabeta(position)` returns the value of a position and a best move.

The value is from X's side: +1 if X wins, −1 if O wins, 0 for a draw. Alpha is the value that X has for certain, beta
the one that O has for certain; once alpha is at least beta, the other moves need no look.
`position.is_over`, `position.winner`, `position.turn` and `position.legal_moves` describe a position;
`position.play(move)` makes a move and `position.undo()` takes it back. The position must be left as it was.
"""

from noughts.games import Position, Side


def alphabeta(position: Position, alpha: int = -2, beta: int = 2) -> tuple[int, int | None]:
    """Return the value from X's side, and a best move, or None if play is over."""
    # BEGIN SOLUTION
    if position.is_over:
        if position.winner is None:
            return 0, None
        return (1 if position.winner is Side.X else -1), None
    is_max = position.turn is Side.X
    best, best_move = (-2 if is_max else 2), None
    for move in position.legal_moves:
        position.play(move)
        value, _ = alphabeta(position, alpha, beta)
        position.undo()
        if value > best if is_max else value < best:
            best, best_move = value, move
        if is_max:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best, best_move
    # END SOLUTION
