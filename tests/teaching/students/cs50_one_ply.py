from _cs50_rules import *


def minimax(board):
    """Looks at the board after each move, and no further."""
    if terminal(board):
        return None
    scores = {action: utility(result(board, action)) for action in sorted(actions(board))}
    if player(board) == X:
        return max(scores, key=scores.get)
    return min(scores, key=scores.get)
