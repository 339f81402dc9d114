"""Minimax: search the whole tree and choose the best move."""

from __future__ import annotations

from noughts.games import Position, Side
from noughts.textbook.common import INFINITY, Evaluate, Result, Tracer, plies_to_search, restores_position
from noughts.textbook.evaluations import evaluate_outcome


@restores_position
def minimax(
    position: Position,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
) -> Result:
    """Return the exact value of the position, found by visiting every node of its game tree.

    >>> from noughts import Game
    >>> minimax(Game("3x3").parse("xx1/oo1/3 x"))
    Result(value=1, move=2, nodes=157, depth=None)

    X (MAX) takes the child with the highest value, O (MIN) the one with the lowest; among equals, the first. When the
    game is over, or ``depth`` plies down, the value is that of ``evaluate``. The position is left unchanged.
    """
    nodes = 0

    def search(plies: int) -> tuple[int, int | None]:
        nonlocal nodes
        nodes += 1
        if trace is not None:
            trace.enter(position)
        best_move = None
        if plies == 0 or position.is_over:
            best = evaluate(position)
        elif position.turn is Side.X:
            best = -INFINITY
            for move in position.legal_moves:
                position.play(move)
                value, _ = search(plies - 1)
                position.undo()
                if value > best:
                    best, best_move = value, move
        else:
            best = INFINITY
            for move in position.legal_moves:
                position.play(move)
                value, _ = search(plies - 1)
                position.undo()
                if value < best:
                    best, best_move = value, move
        if trace is not None:
            trace.leave(best)
        return best, best_move

    value, move = search(plies_to_search(position, depth))
    return Result(value, move, nodes, depth)
