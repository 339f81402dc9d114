def choose(position):
    """Blocks before it looks for its own line."""
    moves = position.legal_moves
    for line in position.game.lines:
        marks = [position.cells[cell] for cell in line]
        opponent = "O" if position.turn == "X" else "X"
        if marks.count(opponent) == 2 and marks.count(None) == 1:
            return line[marks.index(None)]
    return 4 if 4 in moves else moves[0]
