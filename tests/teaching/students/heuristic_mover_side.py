LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def evaluate(position):
    if position.is_over:
        return 0 if position.winner is None else -100  # the side to move has lost
    total = 0
    for line in LINES:
        marks = [position.cells[cell] for cell in line]
        if "O" not in marks:
            total += marks.count("X") ** 2
        if "X" not in marks:
            total -= marks.count("O") ** 2
    return total if position.turn == "X" else -total
