"""Rows and columns are counted from 1, as people do."""


def line_of(board, mark):
    rows = [board[i] for i in range(3)] + [[board[i][j] for i in range(3)] for j in range(3)]
    rows += [[board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    return [mark] * 3 in rows


def empties(board):
    return [(i + 1, j + 1) for i in range(3) for j in range(3) if board[i][j] == "_"]


def other(player):
    return "o" if player == "x" else "x"


def score(board, player, me, alpha, beta):
    if line_of(board, me):
        return 1
    if line_of(board, other(me)):
        return -1
    if not empties(board):
        return 0
    for row, col in empties(board):
        board[row - 1][col - 1] = player
        found = score(board, other(player), me, alpha, beta)
        board[row - 1][col - 1] = "_"
        if player == me:
            alpha = max(alpha, found)
        else:
            beta = min(beta, found)
        if alpha >= beta:
            break
    return alpha if player == me else beta


def find_best_move(board, player):
    best = None
    for row, col in empties(board):
        board[row - 1][col - 1] = player
        found = score(board, other(player), player, -2, 2)
        board[row - 1][col - 1] = "_"
        if best is None or found > best[0]:
            best = found, (row, col)
    return best[1]
