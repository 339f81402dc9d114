from noughts.textbook import evaluate_lines


def search(position, depth):
    if position.is_over or depth <= 1:
        return evaluate_lines(position), None
    results = []
    for move in position.legal_moves:
        position.play(move)
        results.append((search(position, depth - 1)[0], move))
        position.undo()
    choose = max if position.turn == "X" else min
    return choose(results, key=lambda pair: pair[0])
