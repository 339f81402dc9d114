"""One class does everything: the state is in the object, and its method returns the square to take."""


class Board:
    def __init__(self, squares=None):
        self.squares = list(squares) if squares else [None] * 9

    def turn(self):
        return "X" if sum(mark is not None for mark in self.squares) % 2 == 0 else "O"

    def free(self):
        return [i for i in range(9) if self.squares[i] is None]

    def with_mark(self, square):
        board = Board(self.squares)
        board.squares[square] = self.turn()
        return board

    def line_of(self):
        for i, j, k in [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]:
            if self.squares[i] and self.squares[i] == self.squares[j] == self.squares[k]:
                return self.squares[i]
        return None

    def points(self):
        return {"X": 10, "O": -10, None: 0}[self.line_of()]

    def negascout(self, alpha, beta):
        """Principal variation search, from the mover's side."""
        sign = 1 if self.turn() == "X" else -1
        if self.line_of() or not self.free():
            return sign * self.points()
        first = True
        for square in self.free():
            child = self.with_mark(square)
            if first:
                value = -child.negascout(-beta, -alpha)
            else:
                value = -child.negascout(-alpha - 1, -alpha)
                if alpha < value < beta:
                    value = -child.negascout(-beta, -value)
            first = False
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return alpha

    def best_square(self):
        return max(self.free(), key=lambda square: -self.with_mark(square).negascout(-100, 100))


def choose_square(board):
    return board.best_square()
