import numpy as np


def create_board():
    return np.zeros((3, 3), dtype=int)


def get_winner(board):
    for player in (1, -1):
        if (any((board[i] == player).all() or (board[:, i] == player).all() for i in range(3))
                or (np.diag(board) == player).all() or (np.diag(np.fliplr(board)) == player).all()):
            return player
    return 0


def empty_cells(board):
    return list(zip(*np.where(board == 0)))


def alphabeta(board, player, alpha=-np.inf, beta=np.inf):
    """Returns (score, (row, column)); 1 is the maximizing player."""
    winner = get_winner(board)
    if winner != 0 or len(empty_cells(board)) == 0:
        return winner, None
    best_cell = None
    for cell in empty_cells(board):
        board[cell] = player
        score, _ = alphabeta(board, -player, alpha, beta)
        board[cell] = 0
        if player == 1 and score > alpha:
            alpha, best_cell = score, cell
        elif player == -1 and score < beta:
            beta, best_cell = score, cell
        if alpha >= beta:
            break
    return (alpha if player == 1 else beta), best_cell
