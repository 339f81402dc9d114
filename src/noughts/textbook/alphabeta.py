"""Alpha-beta, that is, minimax without the branches that cannot change the result; also in negamax form."""

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
def alphabeta(
    position: Position,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
    alpha: int = -INFINITY,
    beta: int = INFINITY,
) -> Result:
    """Return the same value as ``minimax``, visiting fewer nodes.

    >>> from noughts import Game
    >>> alphabeta(Game("3x3").parse("xx1/oo1/3 x"))
    Result(value=1, move=2, nodes=36, depth=None)

    Alpha is the value that X can already reach elsewhere in the tree, beta the value that O can. Once alpha reaches
    beta, one side will avoid this node, so its remaining moves are pruned.

    A result between the given alpha and beta is exact; a result at or below alpha is an upper bound of the value; at or
    above beta, a lower bound. Among equals the first move in ``order`` is chosen. The position is left unchanged.
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


@restores_position
def negamax(
    position: Position,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
) -> Result:
    """Return the same result as ``alphabeta``, visiting the same nodes, with the same code for both sides.

    Inside the search, values, alpha and beta are those of the side to move (``sign`` is +1 for X, -1 for O). A gain of
    one side is a loss of the other, so the value of a child changes its sign on the way up, and the window is negated
    and swapped on the way down. The searches of the other modules each add one idea to this one.
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
