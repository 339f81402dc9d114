"""A board is a list of nine: 'X', 'O' or ' '; a move is an index."""

WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def new_board():
    return [" "] * 9


def whose_turn(board):
    return "X" if board.count("X") == board.count("O") else "O"


def available_moves(board):
    return [i for i in range(9) if board[i] == " "]


def make_move(board, move):
    new = board[:]
    new[move] = whose_turn(board)
    return new


def check_winner(board):
    for a, b, c in WINS:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None


def game_over(board):
    return check_winner(board) is not None or " " not in board


def score(board):
    return {"X": 1, "O": -1, None: 0}[check_winner(board)]


def minimax(board):
    """Returns (value, move), the value from X's side."""
    if game_over(board):
        return score(board), None
    pairs = [(minimax(make_move(board, move))[0], move) for move in available_moves(board)]
    if whose_turn(board) == "X":
        return max(pairs, key=lambda pair: pair[0])
    return min(pairs, key=lambda pair: pair[0])


def alphabeta(board, alpha=-10, beta=10):
    if game_over(board):
        return score(board), None
    chosen = None
    for move in available_moves(board):
        value = alphabeta(make_move(board, move), alpha, beta)[0]
        if whose_turn(board) == "X" and value > alpha:
            alpha, chosen = value, move
        if whose_turn(board) == "O" and value < beta:
            beta, chosen = value, move
        if alpha >= beta:
            break
    return (alpha if whose_turn(board) == "X" else beta), chosen
