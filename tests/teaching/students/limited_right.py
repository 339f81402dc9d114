from noughts.textbook import evaluate_lines


def search(position, depth):
    if position.is_over or depth == 0:
        return evaluate_lines(position), None
    results = [(search(position.after(move), depth - 1)[0], move) for move in position.legal_moves]
    choose = max if position.turn == "X" else min
    return choose(results, key=lambda pair: pair[0])
