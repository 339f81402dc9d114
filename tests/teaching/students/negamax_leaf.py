def alphabeta(position, alpha=-2, beta=2):
    if position.is_over:
        return {"X": 1, "O": -1, None: 0}[position.winner], None
    best_move = None
    for move in position.legal_moves:
        position.play(move)
        value = -alphabeta(position, -beta, -alpha)[0]
        position.undo()
        if value > alpha:
            alpha, best_move = value, move
        if alpha >= beta:
            break
    return alpha, best_move
