def minimax(position):
    if position.is_over:
        return {"X": 1, "O": -1, None: 0}[position.winner], None
    value = -2 if position.turn == "X" else 2
    for move in position.legal_moves:
        position.play(move)
        found, _ = minimax(position)
        position.undo()
        if position.turn == "X":
            value = max(value, found)
        else:
            value = min(value, found)
        best_move = move
    return value, best_move
