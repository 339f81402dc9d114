"""Empty squares hold their own number; the answer is a dictionary with index and score."""

origBoard = ["0", "1", "2", "3", "4", "5", "6", "7", "8"]
huPlayer = "O"
aiPlayer = "X"
WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def emptyIndices(board):
    return [i for i in range(9) if board[i] not in ("X", "O")]


def winning(board, mark):
    return any(board[a] == board[b] == board[c] == mark for a, b, c in WINS)


def minimax(newBoard, player, alpha=-1000, beta=1000):
    available = emptyIndices(newBoard)
    if winning(newBoard, huPlayer):
        return {"score": -10}
    elif winning(newBoard, aiPlayer):
        return {"score": 10}
    elif len(available) == 0:
        return {"score": 0}
    best = {"score": -10000 if player == aiPlayer else 10000}
    for i in available:
        old = newBoard[i]
        newBoard[i] = player
        move = {"index": i}
        if player == aiPlayer:
            move["score"] = minimax(newBoard, huPlayer, alpha, beta)["score"]
            if move["score"] > best["score"]:
                best = move
            alpha = max(alpha, best["score"])
        else:
            move["score"] = minimax(newBoard, aiPlayer, alpha, beta)["score"]
            if move["score"] < best["score"]:
                best = move
            beta = min(beta, best["score"])
        newBoard[i] = old
        if beta <= alpha:
            break
    return best
