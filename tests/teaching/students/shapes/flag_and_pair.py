WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def won(board, mark):
    return any(board[a] == board[b] == board[c] == mark for a, b, c in WINS)


def minimax(board, maximizing, alpha=float("-inf"), beta=float("inf")):
    """Returns the score and the index."""
    if won(board, "X"):
        return 1, None
    if won(board, "O"):
        return -1, None
    if None not in board:
        return 0, None
    index = None
    if maximizing:
        best = float("-inf")
        for i in range(9):
            if board[i] is None:
                after = board[:]
                after[i] = "X"
                score = minimax(after, False, alpha, beta)[0]
                if score > best:
                    best, index = score, i
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
    else:
        best = float("inf")
        for i in range(9):
            if board[i] is None:
                after = board[:]
                after[i] = "O"
                score = minimax(after, True, alpha, beta)[0]
                if score < best:
                    best, index = score, i
                beta = min(beta, best)
                if beta <= alpha:
                    break
    return best, index
