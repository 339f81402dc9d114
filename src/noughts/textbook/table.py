"""A transposition table: a position reached by two move orders is searched once."""

from __future__ import annotations

from noughts.games import Position, Side
from noughts.textbook.common import INFINITY, Evaluate, Order, Result, Tracer, plies_to_search, seen_by_x
from noughts.textbook.evaluations import evaluate_outcome
from noughts.textbook.orders import row_by_row


def alphabeta_with_table(
    position: Position,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
) -> Result:
    """Return the same value as ``alphabeta``. Adds one idea: remember the bounds found for every position.

    After a cutoff only a bound is known, so the table holds two numbers: the value is at least the first and at most
    the second. It does not hold a depth: all move orders that lead to a position have the same length, hence the same
    remaining depth. In a trace, a node answered from the table has the note "table".
    """
    nodes = 0
    table: dict[int, tuple[int, int]] = {}

    def search(plies: int, alpha: int, beta: int, sign: int) -> tuple[int, int | None]:
        nonlocal nodes
        nodes += 1
        if trace is not None:
            trace.enter(position, *seen_by_x(alpha, beta, sign))
        low, high = table.get(position.hash, (-INFINITY, INFINITY))
        best, best_move, note = -INFINITY, None, ""
        if plies == 0 or position.is_over:
            best = sign * evaluate(position)
        elif low >= beta or high <= alpha or low == high:
            best, note = (low if low >= beta else high), "table"
        else:
            window = alpha
            for move in order(position):
                position.play(move)
                value = -search(plies - 1, -beta, -alpha, -sign)[0]
                position.undo()
                if value > best:
                    best, best_move = value, move
                    alpha = max(alpha, best)
                if alpha >= beta:
                    break
            table[position.hash] = (low if best <= window else best, high if best >= beta else best)
        if trace is not None:
            trace.leave(sign * best, note)
        return best, best_move

    sign = -1 if position.turn is Side.O else 1
    value, move = search(plies_to_search(position, depth), -INFINITY, INFINITY, sign)
    return Result(sign * value, move, nodes, depth)
