"""Searches over the rules in rules.py."""

import math

from rules import actions, player, result, terminal, utility, winner


def minimax(state):
    if terminal(state):
        return utility(state), None
    best_action = None
    if player(state) == "X":
        best = -math.inf
        for action in actions(state):
            value, _ = minimax(result(state, action))
            if value > best:
                best, best_action = value, action
    else:
        best = math.inf
        for action in actions(state):
            value, _ = minimax(result(state, action))
            if value < best:
                best, best_action = value, action
    return best, best_action


def alphabeta(state, alpha=-math.inf, beta=math.inf):
    if terminal(state):
        return utility(state), None
    best_action = None
    if player(state) == "X":
        best = -math.inf
        for action in actions(state):
            value, _ = alphabeta(result(state, action), alpha, beta)
            if value > best:
                best, best_action = value, action
            alpha = max(alpha, best)
            if beta <= alpha:
                break
    else:
        best = math.inf
        for action in actions(state):
            value, _ = alphabeta(result(state, action), alpha, beta)
            if value < best:
                best, best_action = value, action
            beta = min(beta, best)
            if beta <= alpha:
                break
    return best, best_action


def evaluate(state):
    won = winner(state)
    if won is not None:
        return 1000 if won == "X" else -1000
    board, m, k = state["board"], state["m"], state["k"]
    score = 0
    for row in range(m):
        for col in range(m):
            for d_row, d_col in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                if 0 <= row + (k - 1) * d_row < m and 0 <= col + (k - 1) * d_col < m:
                    marks = [board[row + i * d_row][col + i * d_col] for i in range(k)]
                    if "O" not in marks:
                        score += marks.count("X") ** 2
                    if "X" not in marks:
                        score -= marks.count("O") ** 2
    return score


def depth_limited_search(state, depth, alpha=-math.inf, beta=math.inf):
    if terminal(state) or depth == 0:
        return evaluate(state), None
    best_action = None
    if player(state) == "X":
        best = -math.inf
        for action in actions(state):
            value, _ = depth_limited_search(result(state, action), depth - 1, alpha, beta)
            if value > best:
                best, best_action = value, action
            alpha = max(alpha, best)
            if beta <= alpha:
                break
    else:
        best = math.inf
        for action in actions(state):
            value, _ = depth_limited_search(result(state, action), depth - 1, alpha, beta)
            if value < best:
                best, best_action = value, action
            beta = min(beta, best)
            if beta <= alpha:
                break
    return best, best_action
