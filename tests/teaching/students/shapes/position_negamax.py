def negamax(position, alpha, beta):
    """The value and move for the side to move."""
    if position.is_over:
        return (0 if position.winner is None else -1), None
    best_move = None
    for move in position.legal_moves:
        child = position.after(move)
        value = -negamax(child, -beta, -alpha)[0]
        if value > alpha:
            alpha, best_move = value, move
        if alpha >= beta:
            break
    return alpha, best_move


def search(position):
    value, move = negamax(position, -2, 2)
    return (value if position.turn == "X" else -value), move
