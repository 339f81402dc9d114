from _cs50_rules import *


def minimax(board):
    if terminal(board):
        return utility(board)
    values = [minimax(result(board, action)) for action in actions(board)]
    return max(values) if player(board) == X else min(values)
