"""Killer moves: a move that refuted one position is tried first in its siblings."""

from __future__ import annotations

from collections import defaultdict

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

KILLERS = 2
"""Killer moves that are kept for each ply."""


@restores_position
def alphabeta_with_killers(
    position: Position,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
) -> Result:
    """Return the same value as ``alphabeta``. Adds one idea: first try the moves that caused the last cutoffs.

    The last two different moves that caused a cutoff are kept for each ply: a threat that refutes one move of the
    opponent often refutes the next one too. The other moves stay in ``order``, as do the moves of the root, so that
    ties are broken as in the other searches.
    """
    nodes = 0
    killers: defaultdict[int, list[int]] = defaultdict(list)

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
            if killers[plies]:
                moves = [move for move in killers[plies] if move in moves] + [
                    move for move in moves if move not in killers[plies]
                ]
            for move in moves:
                position.play(move)
                value = -search(plies - 1, -beta, -alpha, -sign)[0]
                position.undo()
                if value > best:
                    best, best_move = value, move
                    alpha = max(alpha, best)
                if alpha >= beta:
                    others = [killer for killer in killers[plies] if killer != move]
                    killers[plies] = [move, *others][:KILLERS]
                    break
        if trace is not None:
            trace.leave(sign * best)
        return best, best_move

    sign = -1 if position.turn is Side.O else 1
    value, move = search(plies_to_search(position, depth), -INFINITY, INFINITY, sign)
    return Result(sign * value, move, nodes, depth)
