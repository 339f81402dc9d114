"""The history heuristic: a move that has caused cutoffs is tried early elsewhere too."""

from __future__ import annotations

from collections import Counter

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
def alphabeta_with_history(
    position: Position,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
) -> Result:
    """Return the same value as ``alphabeta``. Adds one idea: moves are sorted by the cutoffs they have caused so far.

    A cutoff counts the square of the remaining depth, because a cutoff higher in the tree saves more. Moves with the
    same count stay in ``order``, as do the moves of the root, so that ties are broken as in the other searches.
    """
    nodes = 0
    history: Counter[tuple[int, int]] = Counter()

    def search(plies: int, alpha: int, beta: int, sign: int) -> tuple[int, int | None]:
        nonlocal nodes
        nodes += 1
        if trace is not None:
            trace.enter(position, *seen_by_x(alpha, beta, sign))
        best, best_move = -INFINITY, None
        if plies == 0 or position.is_over:
            best = sign * evaluate(position)
        else:
            moves = order(position)
            if nodes > 1:
                moves = sorted(moves, key=lambda move: -history[sign, move])
            for move in moves:
                position.play(move)
                value = -search(plies - 1, -beta, -alpha, -sign)[0]
                position.undo()
                if value > best:
                    best, best_move = value, move
                    alpha = max(alpha, best)
                if alpha >= beta:
                    history[sign, move] += plies * plies
                    break
        if trace is not None:
            trace.leave(sign * best)
        return best, best_move

    sign = -1 if position.turn is Side.O else 1
    value, move = search(plies_to_search(position, depth), -INFINITY, INFINITY, sign)
    return Result(sign * value, move, nodes, depth)
