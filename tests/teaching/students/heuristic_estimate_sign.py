LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def evaluate(position):
    if position.is_over:
        return {"X": 100, "O": -100, None: 0}[position.winner]
    total = 0
    for line in LINES:
        marks = [position.cells[cell] for cell in line]
        if "O" not in marks:
            total += 1
        if "X" not in marks:
            total -= 1
    return -total
