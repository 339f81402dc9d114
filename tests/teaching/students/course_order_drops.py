import copy
import math


def initial_state(m=3, k=3):
    return {"board": [[None] * m for _ in range(m)], "m": m, "k": k, "moves": 0}


def player(state):
    return "X" if state["moves"] % 2 == 0 else "O"


def actions(state):
    m = state["m"]
    return [(r, c) for r in range(m) for c in range(m) if state["board"][r][c] is None]


def result(state, action):
    new = copy.deepcopy(state)
    r, c = action
    new["board"][r][c] = player(state)
    new["moves"] += 1
    return new


def lines(state):
    m, k = state["m"], state["k"]
    for r in range(m):
        for c in range(m):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if 0 <= r + dr * (k - 1) < m and 0 <= c + dc * (k - 1) < m:
                    yield [state["board"][r + dr * i][c + dc * i] for i in range(k)]


def winner(state):
    for line in lines(state):
        if line[0] is not None and len(set(line)) == 1:
            return line[0]
    return None


def terminal(state):
    return winner(state) is not None or not actions(state)


def utility(state):
    return {"X": 1, "O": -1, None: 0}[winner(state)]


def evaluate(state):
    if winner(state) is not None:
        return 10000 * utility(state)
    total = 0
    for line in lines(state):
        x, o = line.count("X"), line.count("O")
        if x and not o:
            total += 10**x
        if o and not x:
            total -= 10**o
    return total


def minimax(state):
    if terminal(state):
        return utility(state), None
    scored = [(minimax(result(state, action))[0], action) for action in actions(state)]
    best = max if player(state) == "X" else min
    return best(scored, key=lambda pair: pair[0])


def minimax_ab(state, alpha=-math.inf, beta=math.inf):
    if terminal(state):
        return utility(state), None
    best_action = None
    if player(state) == "X":
        value = -math.inf
        for action in order_moves(state, actions(state)):
            child, _ = minimax_ab(result(state, action), alpha, beta)
            if child > value:
                value, best_action = child, action
            if value >= beta:
                break
            alpha = max(alpha, value)
    else:
        value = math.inf
        for action in order_moves(state, actions(state)):
            child, _ = minimax_ab(result(state, action), alpha, beta)
            if child < value:
                value, best_action = child, action
            if value <= alpha:
                break
            beta = min(beta, value)
    return value, best_action


def order_moves(state, moves):
    center = state["m"] // 2
    by_distance = {abs(move[0] - center) + abs(move[1] - center): move for move in moves}
    return [by_distance[distance] for distance in sorted(by_distance)]


def search(state, depth, alpha=-math.inf, beta=math.inf):
    if terminal(state) or depth == 0:
        return evaluate(state), None
    is_max = player(state) == "X"
    value, best_action = (-math.inf if is_max else math.inf), None
    for action in order_moves(state, actions(state)):
        child, _ = search(result(state, action), depth - 1, alpha, beta)
        if child > value if is_max else child < value:
            value, best_action = child, action
        if is_max:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return value, best_action
