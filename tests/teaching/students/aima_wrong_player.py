def alphabeta_search(state, game):
    """Asks for the utility of the side to move at the leaf instead of the one at the root."""

    def max_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, game.to_move(state))
        v = -2
        for a in game.actions(state):
            v = max(v, min_value(game.result(state, a), alpha, beta))
            if v >= beta:
                return v
            alpha = max(alpha, v)
        return v

    def min_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, game.to_move(state))
        v = 2
        for a in game.actions(state):
            v = min(v, max_value(game.result(state, a), alpha, beta))
            if v <= alpha:
                return v
            beta = min(beta, v)
        return v

    return max(game.actions(state), key=lambda a: min_value(game.result(state, a), -2, 2))
