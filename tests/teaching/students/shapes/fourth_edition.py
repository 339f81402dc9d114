"""The game and the searches as a textbook's fourth edition has them: the game comes first, a pair comes back."""

from collections import defaultdict
import math


class Game:
    def actions(self, state):
        raise NotImplementedError

    def result(self, state, move):
        raise NotImplementedError

    def is_terminal(self, state):
        return not self.actions(state)

    def utility(self, state, player):
        raise NotImplementedError


class Board(defaultdict):
    empty = "."

    def __init__(self, to_move=None, utility=0):
        super().__init__()
        self.to_move, self.utility = to_move, utility

    def new(self, changes, to_move, utility):
        board = Board(to_move, utility)
        board.update(self)
        board.update(changes)
        return board

    def __missing__(self, square):
        return self.empty


class TicTacToe(Game):
    def __init__(self, height=3, width=3, k=3):
        self.k = k
        self.squares = {(x, y) for x in range(width) for y in range(height)}
        self.initial = Board(to_move="X")

    def actions(self, board):
        return self.squares - set(board)

    def result(self, board, square):
        player = board.to_move
        new = board.new({square: player}, "O" if player == "X" else "X", 0)
        new.utility = (1 if player == "X" else -1) if self.has_line(new, player, square) else 0
        return new

    def has_line(self, board, player, square):
        def count(dx, dy):
            (x, y), n = square, 0
            while board.get((x, y)) == player:
                n, x, y = n + 1, x + dx, y + dy
            return n

        return any(count(dx, dy) + count(-dx, -dy) - 1 >= self.k for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1)))

    def utility(self, board, player):
        return board.utility if player == "X" else -board.utility

    def is_terminal(self, board):
        return board.utility != 0 or len(self.squares) == len(board)


def alphabeta_search(game, state):
    player = state.to_move

    def max_value(state, alpha, beta):
        if game.is_terminal(state):
            return game.utility(state, player), None
        v, move = -math.inf, None
        for a in game.actions(state):
            v2, _ = min_value(game.result(state, a), alpha, beta)
            if v2 > v:
                v, move = v2, a
                alpha = max(alpha, v)
            if v >= beta:
                return v, move
        return v, move

    def min_value(state, alpha, beta):
        if game.is_terminal(state):
            return game.utility(state, player), None
        v, move = math.inf, None
        for a in game.actions(state):
            v2, _ = max_value(game.result(state, a), alpha, beta)
            if v2 < v:
                v, move = v2, a
                beta = min(beta, v)
            if v <= alpha:
                return v, move
        return v, move

    return max_value(state, -math.inf, math.inf)
