"""The search is a function inside the function that chooses."""

WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def make_board():
    return [[" ", " ", " "], [" ", " ", " "], [" ", " ", " "]]


def choose_move(board):
    flat = [cell for row in board for cell in row]
    me = "X" if flat.count("X") == flat.count("O") else "O"

    def winner(cells):
        return next((cells[a] for a, b, c in WINS if cells[a] != " " and cells[a] == cells[b] == cells[c]), None)

    def value(cells, mark, alpha, beta):
        if winner(cells):
            return 1 if winner(cells) == me else -1
        if " " not in cells:
            return 0
        for i in range(9):
            if cells[i] == " ":
                found = value(cells[:i] + [mark] + cells[i + 1:], "O" if mark == "X" else "X", alpha, beta)
                if mark == me:
                    alpha = max(alpha, found)
                else:
                    beta = min(beta, found)
                if alpha >= beta:
                    break
        return alpha if mark == me else beta

    scores = {}
    for i in range(9):
        if flat[i] == " ":
            scores[i] = value(flat[:i] + [me] + flat[i + 1:], "O" if me == "X" else "X", -2, 2)
    best = max(scores, key=scores.get)
    return [best // 3, best % 3]
