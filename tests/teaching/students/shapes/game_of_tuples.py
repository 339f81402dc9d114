"""AIMA's methods on states that are pairs: nine squares, and the side to move. Moves are numbers."""

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Noughts:
    def __init__(self):
        self.initial = ("-" * 9, "X")

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return [square for square, mark in enumerate(state[0]) if mark == "-"]

    def result(self, state, square):
        board, side = state
        return board[:square] + side + board[square + 1 :], "O" if side == "X" else "X"

    def utility(self, state, player):
        for line in LINES:
            marks = {state[0][square] for square in line}
            if len(marks) == 1 and marks != {"-"}:
                return 1 if player in marks else -1
        return 0

    def terminal_test(self, state):
        return self.utility(state, "X") != 0 or "-" not in state[0]


def alpha_beta_search(state, game):
    player = game.to_move(state)

    def best_for(side, state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        for move in game.actions(state):
            value = best_for(not side, game.result(state, move), alpha, beta)
            alpha, beta = (max(alpha, value), beta) if side else (alpha, min(beta, value))
            if alpha >= beta:
                break
        return alpha if side else beta

    return max(game.actions(state), key=lambda move: best_for(False, game.result(state, move), -1, 1))
