def utility(position):
    return {"X": 1, "O": -1, None: 0}[position.winner]


def alphabeta(position, alpha=-2, beta=2):
    if position.is_over:
        return utility(position), None
    best_move = None
    if position.turn == "X":
        value = -2
        for move in position.legal_moves:
            position.play(move)
            child, _ = alphabeta(position, alpha, beta)
            position.undo()
            if child >= value:
                value, best_move = child, move
            if value >= beta:
                break
            alpha = max(alpha, value)
    else:
        value = 2
        for move in position.legal_moves:
            position.play(move)
            child, _ = alphabeta(position, alpha, beta)
            position.undo()
            if child <= value:
                value, best_move = child, move
            if value <= alpha:
                break
            beta = min(beta, value)
    return value, best_move
