"""Negamax on strings; the pair is (move, score)."""

START = "---------"
WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def side(board):
    return "x" if board.count("x") == board.count("o") else "o"


def place(board, i):
    return board[:i] + side(board) + board[i + 1:]


def lost(board):
    other = "o" if side(board) == "x" else "x"
    return any(board[a] == board[b] == board[c] == other for a, b, c in WINS)


def negamax(board, alpha=-1, beta=1):
    if lost(board):
        return None, -1
    if "-" not in board:
        return None, 0
    best_move, best_score = None, -2
    for i in range(9):
        if board[i] != "-":
            continue
        _, score = negamax(place(board, i), -beta, -alpha)
        score = -score
        if score > best_score:
            best_move, best_score = i, score
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return best_move, best_score
