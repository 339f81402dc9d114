from _cs50_rules import *


def minimax(board):
    while not terminal(board):
        for action in actions(board):
            result(board, action)  # forgets to keep the new board
    return None
