# The board is a list of ten strings; number 0 is not used.


def isWinner(bo, le):
    return ((bo[7] == le and bo[8] == le and bo[9] == le) or
            (bo[4] == le and bo[5] == le and bo[6] == le) or
            (bo[1] == le and bo[2] == le and bo[3] == le) or
            (bo[7] == le and bo[4] == le and bo[1] == le) or
            (bo[8] == le and bo[5] == le and bo[2] == le) or
            (bo[9] == le and bo[6] == le and bo[3] == le) or
            (bo[7] == le and bo[5] == le and bo[3] == le) or
            (bo[9] == le and bo[5] == le and bo[1] == le))


def makeMove(board, letter, move):
    board[move] = letter


def isSpaceFree(board, move):
    return board[move] == " "


def isBoardFull(board):
    return not any(isSpaceFree(board, i) for i in range(1, 10))


def alphaBeta(board, letter, computerLetter, alpha, beta):
    playerLetter = "O" if computerLetter == "X" else "X"
    if isWinner(board, computerLetter):
        return 1
    if isWinner(board, playerLetter):
        return -1
    if isBoardFull(board):
        return 0
    for i in range(1, 10):
        if isSpaceFree(board, i):
            makeMove(board, letter, i)
            score = alphaBeta(board, playerLetter if letter == computerLetter else computerLetter, computerLetter, alpha, beta)
            makeMove(board, " ", i)
            if letter == computerLetter:
                alpha = max(alpha, score)
            else:
                beta = min(beta, score)
            if alpha >= beta:
                break
    return alpha if letter == computerLetter else beta


def getComputerMove(board, computerLetter):
    playerLetter = "O" if computerLetter == "X" else "X"
    best, bestMove = -2, None
    for i in range(1, 10):
        if isSpaceFree(board, i):
            copy = board[:]
            makeMove(copy, computerLetter, i)
            score = alphaBeta(copy, playerLetter, computerLetter, -2, 2)
            if score > best:
                best, bestMove = score, i
    return bestMove


def main():
    theBoard = [" "] * 10
    print(getComputerMove(theBoard, "X"))


if __name__ == "__main__":
    main()
