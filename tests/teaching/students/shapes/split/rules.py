"""The rules of m x m boards with k in a row."""


def initial_state(m=3, k=3):
    return {"board": [[" " for _ in range(m)] for _ in range(m)], "m": m, "k": k, "current_player": "X"}


def player(state):
    return state["current_player"]


def actions(state):
    m = state["m"]
    return [(row, col) for row in range(m) for col in range(m) if state["board"][row][col] == " "]


def result(state, action):
    row, col = action
    board = [line[:] for line in state["board"]]
    board[row][col] = state["current_player"]
    other = "O" if state["current_player"] == "X" else "X"
    return {"board": board, "m": state["m"], "k": state["k"], "current_player": other}


def winner(state):
    board, m, k = state["board"], state["m"], state["k"]
    for row in range(m):
        for col in range(m):
            mark = board[row][col]
            if mark == " ":
                continue
            for d_row, d_col in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                end_row, end_col = row + (k - 1) * d_row, col + (k - 1) * d_col
                if not (0 <= end_row < m and 0 <= end_col < m):
                    continue
                if all(board[row + i * d_row][col + i * d_col] == mark for i in range(k)):
                    return mark
    return None


def terminal(state):
    return winner(state) is not None or not actions(state)


def utility(state):
    won = winner(state)
    return 1 if won == "X" else -1 if won == "O" else 0
