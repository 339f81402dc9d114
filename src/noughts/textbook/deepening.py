"""Searches made of searches: iterative deepening and aspiration windows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import monotonic

from noughts.games import Position
from noughts.textbook.alphabeta import alphabeta
from noughts.textbook.common import Evaluate, Order, Result, Tracer, plies_to_search
from noughts.textbook.evaluations import evaluate_outcome
from noughts.textbook.orders import row_by_row


class _TimeUp(Exception):
    pass


def iterative_deepening(
    position: Position,
    seconds: float = 1.0,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
) -> Result:
    """Return the result of the deepest ``alphabeta`` that could be finished within ``seconds``.

    Adds one idea: search to depth 1, then 2, then 3, so that there is always a move to play when time is up. Depth 1
    is finished in any case. ``nodes`` counts all finished passes, ``depth`` is that of the last.
    The clock is looked at wherever moves are put in order; a pass that is given up takes back its moves.
    """
    if not seconds >= 0:  # not a number would never be reached
        raise ValueError(f"expected a number of seconds of 0 or more, got {seconds}")
    deepest = plies_to_search(position, depth)
    deadline = monotonic() + seconds
    start = len(position.moves)

    def order_in_time(position: Position) -> Sequence[int]:
        if monotonic() >= deadline:
            raise _TimeUp
        return order(position)

    result = alphabeta(position, order, min(1, deepest), evaluate, trace)
    nodes = result.nodes
    try:
        for plies in range(2, deepest + 1):
            result = alphabeta(position, order_in_time, plies, evaluate, trace)
            nodes += result.nodes
    except _TimeUp:
        while len(position.moves) > start:
            position.undo()
    return replace(result, nodes=nodes)


def aspiration_windows(
    position: Position,
    width: int = 1,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
) -> Result:
    """Return what ``alphabeta`` returns; adds one idea to iterative deepening: expect the value of the depth before.

    Each depth is first searched with a window of ``width`` to either side of the value expected. A value inside the
    window is exact; one outside is only a bound, and the depth is searched again with all values possible.
    A width of 1 suits values of -1, 0 and +1; for ``evaluate_lines`` some hundred are better.
    """
    deepest = plies_to_search(position, depth)
    result = alphabeta(position, order, 0, evaluate, trace)
    nodes = result.nodes
    for plies in range(1, deepest + 1):
        alpha, beta = result.value - width, result.value + width
        result = alphabeta(position, order, plies, evaluate, trace, alpha, beta)
        nodes += result.nodes
        if not alpha < result.value < beta:
            result = alphabeta(position, order, plies, evaluate, trace)
            nodes += result.nodes
    return replace(result, nodes=nodes)
