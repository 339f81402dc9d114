def alphabeta(position):
    table = {}

    def visit(alpha, beta):
        if position.is_over:
            return {"X": 1, "O": -1, None: 0}[position.winner], None
        if position.hash in table:
            return table[position.hash]
        is_max = position.turn == "X"
        value, best_move = (-2 if is_max else 2), None
        for move in position.legal_moves:
            position.play(move)
            child, _ = visit(alpha, beta)
            position.undo()
            if child > value if is_max else child < value:
                value, best_move = child, move
            if is_max:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                break
        table[position.hash] = value, best_move
        return value, best_move

    return visit(-2, 2)
