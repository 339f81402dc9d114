"""NegaScout: expect the first move to be the best, and only check whether another one is better."""

from __future__ import annotations

from noughts.games import Position, Side
from noughts.textbook.common import (
    INFINITY,
    Evaluate,
    Order,
    Result,
    Tracer,
    plies_to_search,
    restores_position,
    seen_by_x,
)
from noughts.textbook.evaluations import evaluate_outcome
from noughts.textbook.orders import row_by_row


@restores_position
def negascout(
    position: Position,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
) -> Result:
    """Return the same value as ``alphabeta``. Adds one idea: all moves but the first are searched with a null window.

    A null window, from alpha to alpha + 1, contains no integer, so such a search prunes the most, but only shows
    whether the move is better than alpha. If it is, the move is searched again to find out how much better. This pays
    off if the order is good and there are many values; with only -1, 0 and +1 an alpha-beta window is almost empty
    anyway.
    """
    nodes = 0

    def search(plies: int, alpha: int, beta: int, sign: int) -> tuple[int, int | None]:
        nonlocal nodes
        nodes += 1
        if trace is not None:
            trace.enter(position, *seen_by_x(alpha, beta, sign))
        best, best_move = -INFINITY, None
        if plies == 0 or position.is_over:
            best = sign * evaluate(position)
        else:
            scout = beta
            for move in order(position):
                position.play(move)
                value = -search(plies - 1, -scout, -alpha, -sign)[0]
                if scout <= value < beta:
                    value = -search(plies - 1, -beta, -value, -sign)[0]
                position.undo()
                if value > best:
                    best, best_move = value, move
                    alpha = max(alpha, best)
                if alpha >= beta:
                    break
                scout = alpha + 1
        if trace is not None:
            trace.leave(sign * best)
        return best, best_move

    sign = -1 if position.turn is Side.O else 1
    value, move = search(plies_to_search(position, depth), -INFINITY, INFINITY, sign)
    return Result(sign * value, move, nodes, depth)
