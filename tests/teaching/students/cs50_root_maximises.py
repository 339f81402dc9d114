from _cs50_rules import *


def value(board):
    if terminal(board):
        return utility(board)
    values = [value(result(board, action)) for action in actions(board)]
    return max(values) if player(board) == X else min(values)


def minimax(board):
    best, best_action = -2, None
    for action in actions(board):
        v = value(result(board, action))
        if v > best:
            best, best_action = v, action
    return best_action
