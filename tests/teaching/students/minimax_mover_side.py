def utility(position):
    if position.winner is None:
        return 0
    return -1  # the side that has just moved has won, so the side to move has lost


def search(position):
    if position.is_over:
        return utility(position), None
    best, best_move = -2, None
    for move in position.legal_moves:
        position.play(move)
        value = -search(position)[0]
        position.undo()
        if value > best:
            best, best_move = value, move
    return best, best_move
