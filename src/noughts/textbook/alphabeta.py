"""Alpha-beta: minimax that leaves out what cannot matter, and the same in negamax form."""

from __future__ import annotations

from noughts.games import Position, Side
from noughts.textbook.common import INFINITY, Evaluate, Order, Result, Tracer, plies_to_search, seen_by_x
from noughts.textbook.evaluations import evaluate_outcome
from noughts.textbook.orders import row_by_row


def alphabeta(
    position: Position,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
    alpha: int = -INFINITY,
    beta: int = INFINITY,
) -> Result:
    """Return what ``minimax`` returns, visiting fewer nodes.

    Alpha is what X already has elsewhere, beta what O already has. Once alpha reaches beta, one of them will avoid
    this node, so its other moves are pruned.

    A value between the given alpha and beta is exact; at or below alpha, the true value is at most that; at or above
    beta, at least that. Among equals the first move in ``order`` is chosen. The position is left as it was.
    """
    nodes = 0

    def search(plies: int, alpha: int, beta: int) -> tuple[int, int | None]:
        nonlocal nodes
        nodes += 1
        if trace is not None:
            trace.enter(position, alpha, beta)
        best_move = None
        if plies == 0 or position.is_over:
            best = evaluate(position)
        elif position.turn is Side.X:
            best = -INFINITY
            for move in order(position):
                position.play(move)
                value, _ = search(plies - 1, alpha, beta)
                position.undo()
                if value > best:
                    best, best_move = value, move
                    alpha = max(alpha, best)
                if alpha >= beta:
                    break
        else:
            best = INFINITY
            for move in order(position):
                position.play(move)
                value, _ = search(plies - 1, alpha, beta)
                position.undo()
                if value < best:
                    best, best_move = value, move
                    beta = min(beta, best)
                if alpha >= beta:
                    break
        if trace is not None:
            trace.leave(best)
        return best, best_move

    value, move = search(plies_to_search(position, depth), alpha, beta)
    return Result(value, move, nodes, depth)


def negamax(
    position: Position,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
) -> Result:
    """Return what ``alphabeta`` returns, visiting the same nodes, with one branch of code for both sides.

    Inside, values, alpha and beta are from the side to move (``sign`` is +1 for X, -1 for O): what is good for one
    side is bad for the other by the same amount, so a child's value changes its sign on the way up and the window
    is turned round on the way down. The searches of the other modules each add one idea to this one.
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
            for move in order(position):
                position.play(move)
                value = -search(plies - 1, -beta, -alpha, -sign)[0]
                position.undo()
                if value > best:
                    best, best_move = value, move
                    alpha = max(alpha, best)
                if alpha >= beta:
                    break
        if trace is not None:
            trace.leave(sign * best)
        return best, best_move

    sign = -1 if position.turn is Side.O else 1
    value, move = search(plies_to_search(position, depth), -INFINITY, INFINITY, sign)
    return Result(sign * value, move, nodes, depth)
