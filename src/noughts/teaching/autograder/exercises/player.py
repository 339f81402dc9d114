"""
Write a player. `choose(position)` returns a legal move.

The player must complete a line if it can, stop the opponent from completing one, and never lose, neither as X nor as
O. `position.turn` is the side to move and `position.legal_moves` its moves; `position.after(move)` is the position
after a move, `position.is_over` and `position.winner` say how it ended.
"""

from functools import cache

from noughts.games import Game, Position


def choose(position: Position) -> int:
    """Return the move to play."""
    # BEGIN SOLUTION
    return max(position.legal_moves, key=lambda move: -best_value(position.game, position.after(move).text))


@cache
def best_value(game: Game, text: str) -> int:
    """Return the value of a position to the side to move; a sooner win is worth more."""
    position = game.parse(text)
    if position.is_over:
        return 0 if position.winner is None else -10
    best = max(-best_value(game, position.after(move).text) for move in position.legal_moves)
    return best - (best > 0) + (best < 0)
    # END SOLUTION
