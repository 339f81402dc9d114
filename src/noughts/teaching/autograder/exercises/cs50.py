"""
Write the functions of tic-tac-toe, and minimax. A board is a list of three rows of `X`, `O` or `EMPTY`; an action is a
tuple (row, column), both from 0.

`player` says whose turn it is, `actions` returns the set of empty cells, and `result` the board after an action: it
raises an exception if the action is not possible, and does not change its argument. `winner` returns the side with a
line, or None. `terminal` says whether play is over, and `utility` is 1 if X has won, −1 if O has, otherwise 0.
`minimax` returns the best action for the side to move, or None if play is over.
"""

import copy

X = "X"
O = "O"
EMPTY = None
Board = list[list[str | None]]
Action = tuple[int, int]


def initial_state() -> Board:
    """Return the empty board."""
    return [[EMPTY] * 3 for _ in range(3)]


def player(board: Board) -> str:
    """Return the side to move."""
    # BEGIN SOLUTION
    cells = [mark for row in board for mark in row]
    return X if cells.count(X) == cells.count(O) else O
    # END SOLUTION


def actions(board: Board) -> set[Action]:
    """Return the empty cells."""
    # BEGIN SOLUTION
    return {(row, column) for row in range(3) for column in range(3) if board[row][column] is EMPTY}
    # END SOLUTION


def result(board: Board, action: Action) -> Board:
    """Return the board after an action; raises ValueError if it is not possible."""
    # BEGIN SOLUTION
    if action not in actions(board):
        raise ValueError(f"expected an empty cell, got {action}")
    following = copy.deepcopy(board)
    following[action[0]][action[1]] = player(board)
    return following
    # END SOLUTION


def winner(board: Board) -> str | None:
    """Return the side with a line, or None."""
    # BEGIN SOLUTION
    columns = [list(column) for column in zip(*board, strict=True)]
    diagonals = [[board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    return next((line[0] for line in [*board, *columns, *diagonals] if line[0] and len(set(line)) == 1), None)
    # END SOLUTION


def terminal(board: Board) -> bool:
    """Whether play is over."""
    # BEGIN SOLUTION
    return winner(board) is not None or not actions(board)
    # END SOLUTION


def utility(board: Board) -> int:
    """Return 1 if X has won, −1 if O has, otherwise 0."""
    # BEGIN SOLUTION
    won = winner(board)
    return 0 if won is None else 1 if won == X else -1
    # END SOLUTION


def minimax(board: Board) -> Action | None:
    """Return the best action for the side to move, or None if play is over."""
    # BEGIN SOLUTION
    if terminal(board):
        return None
    best = max if player(board) == X else min
    return best(sorted(actions(board)), key=lambda action: value(result(board, action)))


def value(board: Board) -> int:
    """Return the value of a board from X's side."""
    if terminal(board):
        return utility(board)
    best = max if player(board) == X else min
    return best(value(result(board, action)) for action in actions(board))
    # END SOLUTION
