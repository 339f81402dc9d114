def minimax(position):
    if position.is_over:
        return {"X": 1, "O": -1, None: 0}[position.winner], None
    best_value, best_move = -2, None
    for move in position.legal_moves:
        value, _ = minimax(position.after(move))
        if value > best_value:
            best_value, best_move = value, move
    return best_value, best_move
