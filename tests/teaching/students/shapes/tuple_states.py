"""States are immutable: a tuple of nine numbers, 1 for X, -1 for O, 0 for an empty square."""

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
START = (0,) * 9
memo = {}


def player(state):
    return 1 if sum(state) == 0 else -1


def actions(state):
    return tuple(i for i in range(9) if not state[i])


def result(state, action):
    return state[:action] + (player(state),) + state[action + 1:]


def winner(state):
    for row in ROWS:
        total = sum(state[i] for i in row)
        if abs(total) == 3:
            return total // 3
    return 0


def terminal(state):
    return winner(state) != 0 or 0 not in state


def utility(state):
    return winner(state)


def minimax(state):
    """Returns (value, action)."""
    if state not in memo:
        if terminal(state):
            memo[state] = (utility(state), None)
        else:
            best = None
            for action in actions(state):
                value = minimax(result(state, action))[0]
                if best is None or value * player(state) > best[0] * player(state):
                    best = (value, action)
            memo[state] = best
    return memo[state]
