"""Quiescence search: do not judge a position in which a threat must be answered first."""

from __future__ import annotations

from collections.abc import Sequence

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
def alphabeta_with_quiescence(
    position: Position,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
) -> Result:
    """Return the value of ``alphabeta`` with leaves at which no threat is pending. To the end, both are the same.

    Adds one idea against the horizon effect: ``depth`` plies down, the search continues with the urgent moves alone,
    those of ``urgent_moves``, until there are none, and only then evaluates. If no urgent move is forced, the side to
    move may also *stand pat*: take the evaluation and leave the urgent moves. In a trace, such nodes have the note
    "quiescence".
    """
    nodes = 0

    def search(plies: int, alpha: int, beta: int, sign: int) -> tuple[int, int | None]:
        nonlocal nodes
        nodes += 1
        if trace is not None:
            trace.enter(position, *seen_by_x(alpha, beta, sign))
        best, best_move, note = -INFINITY, None, ""
        moves, may_stand_pat = order(position), position.is_over
        if plies <= 0 and not position.is_over:
            moves, is_forced = urgent_moves(position)
            may_stand_pat, note = not is_forced, "quiescence" if moves else ""
        if may_stand_pat:
            best = sign * evaluate(position)
            alpha = max(alpha, best)
        for move in moves:
            if alpha >= beta:
                break
            position.play(move)
            value = -search(plies - 1, -beta, -alpha, -sign)[0]
            position.undo()
            if value > best:
                best, best_move = value, move
                alpha = max(alpha, best)
        if trace is not None:
            trace.leave(sign * best, note)
        return best, best_move

    sign = -1 if position.turn is Side.O else 1
    value, move = search(plies_to_search(position, depth), -INFINITY, INFINITY, sign)
    return Result(sign * value, move, nodes, depth)


def urgent_moves(position: Position) -> tuple[Sequence[int], bool]:
    """Return the moves that threats make urgent, and whether one of them is forced: every other move is worse.

    A line that can be completed wins, so completing it is forced; if there is none, blocking the opponent's is. In
    Ultimate a completed line wins a block only, so the moves that win one are urgent but not forced. In misère there
    are no urgent moves.
    """
    game, side = position.game, position.turn
    if side is None or game.is_misere:
        return [], False
    legal = set(position.legal_moves)
    completing = [move for move in position.threats(side) if move in legal]
    if game.is_ultimate:
        return completing, False
    urgent = completing or position.threats(side.opponent)
    return urgent, bool(urgent)
