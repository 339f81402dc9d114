import copy


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
