def minimax(position):
    if position.is_over:
        return {"X": 1, "O": -1, None: 0}[position.winner], None
    results = []
    for move in position.legal_moves:
        position.play(move)
        results.append((minimax(position)[0], move))
        position.undo()
    choose = max if position.turn == "X" else min
    return choose(results, key=lambda pair: pair[0])
