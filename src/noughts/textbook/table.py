"""A transposition table: a position reached by two move orders is searched once; with symmetry, also its images."""

from __future__ import annotations

from noughts.games import Position, Side
from noughts.textbook.common import (
    INFINITY,
    Evaluate,
    Key,
    Order,
    Result,
    Tracer,
    plies_to_search,
    restores_position,
    seen_by_x,
)
from noughts.textbook.evaluations import evaluate_outcome
from noughts.textbook.orders import row_by_row


def plain_key(position: Position) -> int:
    """Return the hash of a position."""
    return position.hash


def symmetric_key(position: Position) -> int:
    """Return a hash that is the same for all images of a position: rotated, mirrored."""
    return position.canonical_hash


@restores_position
def alphabeta_with_table(
    position: Position,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
    key: Key = plain_key,
) -> Result:
    """Return the same value as ``alphabeta``. Adds one idea: remember the bounds found for every position.

    After a cutoff only a bound is known, so the table holds two numbers: the value is at least the first and at most
    the second. It does not hold a depth: all move orders that lead to a position have the same length, hence the same
    remaining depth. In a trace, a node answered from the table has the note "table". Positions with the same ``key``
    share an entry.
    """
    nodes = 0
    table: dict[int, tuple[int, int]] = {}

    def search(plies: int, alpha: int, beta: int, sign: int) -> tuple[int, int | None]:
        nonlocal nodes
        nodes += 1
        if trace is not None:
            trace.enter(position, *seen_by_x(alpha, beta, sign))
        entry = key(position)
        low, high = table.get(entry, (-INFINITY, INFINITY))
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
            table[entry] = (low if best <= window else best, high if best >= beta else best)
        if trace is not None:
            trace.leave(sign * best, note)
        return best, best_move

    sign = -1 if position.turn is Side.O else 1
    value, move = search(plies_to_search(position, depth), -INFINITY, INFINITY, sign)
    return Result(sign * value, move, nodes, depth)


@restores_position
def alphabeta_with_symmetry(
    position: Position,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
) -> Result:
    """Return the same value as ``alphabeta``. Adds one idea to the table: symmetric positions share an entry.

    A board that is rotated or mirrored has the same value, so of the 5,478 positions of 3x3 only 765 are different.
    The evaluation must respect the symmetry, as all evaluations here do. A custom game has the symmetries of its lines.
    """
    return alphabeta_with_table(position, order, depth, evaluate, trace, symmetric_key)
