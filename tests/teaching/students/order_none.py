def order(position):
    moves = position.legal_moves
    return moves.sort(key=lambda cell: abs(cell - 4))
