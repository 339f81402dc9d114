WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Board:
    def __init__(self):
        self.squares = [0] * 9
        self.history = []

    def turn(self):
        return 1 if len(self.history) % 2 == 0 else -1

    def push(self, square):
        self.squares[square] = self.turn()
        self.history.append(square)

    def pop(self):
        self.squares[self.history.pop()] = 0

    def legal(self):
        return [i for i in range(9) if self.squares[i] == 0]

    def line(self):
        for a, b, c in WINS:
            if self.squares[a] and self.squares[a] == self.squares[b] == self.squares[c]:
                return self.squares[a]
        return 0


def negamax(board, depth, alpha, beta, color):
    if board.line() or depth == 0:
        return color * board.line(), None
    best, best_square = -2, None
    for square in board.legal():
        board.push(square)
        score = -negamax(board, depth - 1, -beta, -alpha, -color)[0]
        board.pop()
        if score > best:
            best, best_square = score, square
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, best_square
