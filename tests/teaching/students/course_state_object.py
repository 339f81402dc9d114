"""States of a class without ==, with the board in one list."""


class State:
    def __init__(self, m, k, cells, turn):
        self.m, self.k, self.cells, self.turn = m, k, cells, turn


def initial_state(m, k):
    return State(m, k, [" "] * (m * m), "X")


def player(state):
    return state.turn


def actions(state):
    return [(i // state.m, i % state.m) for i, cell in enumerate(state.cells) if cell == " "]


def result(state, action):
    cells = list(state.cells)
    cells[action[0] * state.m + action[1]] = state.turn
    return State(state.m, state.k, cells, "O" if state.turn == "X" else "X")


def winner(state):
    m, k = state.m, state.k
    for row in range(m):
        for column in range(m):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + down * (k - 1) < m and 0 <= column + right * (k - 1) < m:
                    marks = {state.cells[(row + down * i) * m + column + right * i] for i in range(k)}
                    if marks in ({"X"}, {"O"}):
                        return marks.pop()
    return None


def terminal(state):
    return winner(state) is not None or " " not in state.cells


def utility(state):
    return {"X": 1, "O": -1, None: 0}[winner(state)]


def minimax(state):
    if terminal(state):
        return utility(state), None
    choose = max if state.turn == "X" else min
    return choose(((minimax(result(state, move))[0], move) for move in actions(state)), key=lambda pair: pair[0])
