def minimax(position):
    if position.is_over:
        return {"X": 1, "O": -1, None: 0}[position.winner], None
    is_max = position.turn == "X"
    best = None
    for move in position.legal_moves:
        position.play(move)
        value = minimax(position)[0]
        if is_max and value == 1 or not is_max and value == -1:
            return value, move  # nothing can be better
        position.undo()
        if best is None or (value > best[0] if is_max else value < best[0]):
            best = value, move
    return best
