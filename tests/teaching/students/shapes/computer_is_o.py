"""The human is X, the computer is O; the board is a list of nine."""

import math

HUMAN, COMPUTER = "X", "O"
WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def has_won(board, mark):
    return any(all(board[i] == mark for i in line) for line in WINS)


def free_squares(board):
    return [i for i in range(9) if board[i] == " "]


def minimax(board, depth, is_maximizing, alpha, beta):
    if has_won(board, COMPUTER):
        return 10 - depth
    if has_won(board, HUMAN):
        return depth - 10
    if not free_squares(board):
        return 0
    if is_maximizing:
        best = -math.inf
        for i in free_squares(board):
            board[i] = COMPUTER
            best = max(best, minimax(board, depth + 1, False, alpha, beta))
            board[i] = " "
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best
    best = math.inf
    for i in free_squares(board):
        board[i] = HUMAN
        best = min(best, minimax(board, depth + 1, True, alpha, beta))
        board[i] = " "
        beta = min(beta, best)
        if beta <= alpha:
            break
    return best


def best_move(board):
    best, chosen = -math.inf, None
    for i in free_squares(board):
        board[i] = COMPUTER
        score = minimax(board, 0, False, -math.inf, math.inf)
        board[i] = " "
        if score > best:
            best, chosen = score, i
    return chosen


def main():
    board = [" "] * 9
    while free_squares(board):
        board[int(input("square: "))] = HUMAN
        board[best_move(board)] = COMPUTER
        print(board)


if __name__ == "__main__":
    main()
