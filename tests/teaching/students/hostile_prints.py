def alphabeta(position, alpha=-2, beta=2):
    print("visiting", position.text, alpha, beta)
    if position.is_over:
        return {"X": 1, "O": -1, None: 0}[position.winner], None
    is_max = position.turn == "X"
    value, best_move = (-2 if is_max else 2), None
    for move in position.legal_moves:
        child, _ = alphabeta(position.after(move), alpha, beta)
        if child > value if is_max else child < value:
            value, best_move = child, move
        alpha, beta = (max(alpha, value), beta) if is_max else (alpha, min(beta, value))
        if alpha >= beta:
            break
    return value, best_move
