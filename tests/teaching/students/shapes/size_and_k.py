"""Any size of the board, k in a row; 1 and 2 are the players."""


class TicTacToe:
    def __init__(self, size=3, k=3):
        self.size, self.k = size, k
        self.cells = [[0] * size for _ in range(size)]
        self.turn = 1

    def actions(self):
        return [(r, c) for r in range(self.size) for c in range(self.size) if self.cells[r][c] == 0]

    def make_move(self, action):
        r, c = action
        self.cells[r][c] = self.turn
        self.turn = 3 - self.turn

    def undo_move(self, action):
        r, c = action
        self.cells[r][c] = 0
        self.turn = 3 - self.turn

    def winner(self):
        n, k = self.size, self.k
        for r in range(n):
            for c in range(n):
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    if 0 <= r + (k - 1) * dr < n and 0 <= c + (k - 1) * dc < n:
                        marks = {self.cells[r + i * dr][c + i * dc] for i in range(k)}
                        if len(marks) == 1 and marks != {0}:
                            return marks.pop()
        return 0


def value(game, alpha, beta):
    won = game.winner()
    if won or not game.actions():
        return {0: 0, 1: 1, 2: -1}[won]
    is_max = game.turn == 1
    for action in game.actions():
        game.make_move(action)
        child = value(game, alpha, beta)
        game.undo_move(action)
        if is_max:
            alpha = max(alpha, child)
        else:
            beta = min(beta, child)
        if alpha >= beta:
            break
    return alpha if is_max else beta


def choose_action(game):
    sign = 1 if game.turn == 1 else -1
    best, chosen = -2, None
    for action in game.actions():
        game.make_move(action)
        child = sign * value(game, -1, 1)
        game.undo_move(action)
        if child > best:
            best, chosen = child, action
    return chosen
