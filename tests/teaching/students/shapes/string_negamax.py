"""Boards are strings of nine characters, like 'XO.......'; the search is negamax with a cache."""

from functools import lru_cache

LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]


def to_play(board):
    return "XO"[(9 - board.count(".")) % 2]


def children(board):
    mark = to_play(board)
    return {i: board[:i] + mark + board[i + 1:] for i, cell in enumerate(board) if cell == "."}


def lost(board):
    """Whether the side that has just moved has a line."""
    other = "O" if to_play(board) == "X" else "X"
    return any(all(board[int(i)] == other for i in line) for line in LINES)


@lru_cache(maxsize=None)
def negamax(board):
    """The value for the side to play."""
    if lost(board):
        return -1
    return max((-negamax(child) for child in children(board).values()), default=0)


def best_move(board):
    options = children(board)
    return max(options, key=lambda i: -negamax(options[i]))
