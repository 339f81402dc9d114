import sys


def search(position):
    if position.is_over:
        sys.exit("game over")
    return search(position.after(position.legal_moves[0]))
