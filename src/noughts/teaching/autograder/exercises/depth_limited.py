"""
Write a search to a depth. `search(position, depth)` returns the value of a position and a best move.

Where play is over or the depth is used up, the value is `evaluate_lines(position)`, from X's side. Every move uses up
one of the depth. `position.is_over`, `position.turn` and `position.legal_moves` describe a position;
`position.play(move)` makes a move and `position.undo()` takes it back. The position must be left as it was.
"""

from noughts.games import Position, Side
from noughts.textbook import evaluate_lines


def search(position: Position, depth: int, alpha: float = -1e9, beta: float = 1e9) -> tuple[float, int | None]:
    """Return the value from X's side, and a best move, or None if there is none to choose."""
    # BEGIN SOLUTION
    if position.is_over or depth == 0:
        return evaluate_lines(position), None
    is_max = position.turn is Side.X
    best, best_move = (-1e9 if is_max else 1e9), None
    for move in position.legal_moves:
        position.play(move)
        value, _ = search(position, depth - 1, alpha, beta)
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
