def minimax(position):
    if position.is_over:
        return None, {"X": 1, "O": -1, None: 0}[position.winner]
    results = []
    for move in position.legal_moves:
        position.play(move)
        results.append((move, minimax(position)[1]))
        position.undo()
    choose = max if position.turn == "X" else min
    return choose(results, key=lambda pair: pair[1])
