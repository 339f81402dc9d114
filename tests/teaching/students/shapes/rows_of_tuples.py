"""The usual names, on a board that never changes."""


def initial_state():
    return (("-", "-", "-"), ("-", "-", "-"), ("-", "-", "-"))


def player(board):
    marks = sum(cell != "-" for row in board for cell in row)
    return "X" if marks % 2 == 0 else "O"


def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] == "-"}


def result(board, action):
    if action not in actions(board):
        raise ValueError(action)
    rows = [list(row) for row in board]
    rows[action[0]][action[1]] = player(board)
    return tuple(map(tuple, rows))


def winner(board):
    lines = [*board, *zip(*board), [board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    for line in lines:
        if line[0] != "-" and line[0] == line[1] == line[2]:
            return line[0]
    return None


def terminal(board):
    return winner(board) is not None or not actions(board)


def utility(board):
    return {"X": 1, "O": -1, None: 0}[winner(board)]


def value(board, alpha, beta):
    if terminal(board):
        return utility(board)
    for action in sorted(actions(board)):
        child = value(result(board, action), alpha, beta)
        if player(board) == "X":
            alpha = max(alpha, child)
        else:
            beta = min(beta, child)
        if alpha >= beta:
            break
    return alpha if player(board) == "X" else beta


def minimax(board):
    if terminal(board):
        return None
    choose = max if player(board) == "X" else min
    return choose(sorted(actions(board)), key=lambda action: value(result(board, action), -2, 2))
