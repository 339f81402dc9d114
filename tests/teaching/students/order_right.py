def order(position):
    best_first = [4, 0, 2, 6, 8, 1, 3, 5, 7]
    return [cell for cell in best_first if cell in position.legal_moves]
