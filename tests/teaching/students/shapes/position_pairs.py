INFINITY = float("inf")


def leaf_value(position):
    if position.winner == "X":
        return 1
    if position.winner == "O":
        return -1
    return 0


def max_value(position, alpha, beta):
    if position.is_over:
        return leaf_value(position), None
    best, best_move = -INFINITY, None
    for move in position.legal_moves:
        position.play(move)
        value, _ = min_value(position, alpha, beta)
        position.undo()
        if value > best:
            best, best_move = value, move
        if best >= beta:
            return best, best_move
        alpha = max(alpha, best)
    return best, best_move


def min_value(position, alpha, beta):
    if position.is_over:
        return leaf_value(position), None
    best, best_move = INFINITY, None
    for move in position.legal_moves:
        position.play(move)
        value, _ = max_value(position, alpha, beta)
        position.undo()
        if value < best:
            best, best_move = value, move
        if best <= alpha:
            return best, best_move
        beta = min(beta, best)
    return best, best_move


def alphabeta(position):
    if position.turn == "X":
        return max_value(position, -INFINITY, INFINITY)
    return min_value(position, -INFINITY, INFINITY)
