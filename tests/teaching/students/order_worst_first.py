def order(position):
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    return sorted(position.legal_moves, key=lambda cell: sum(cell in line for line in lines))
