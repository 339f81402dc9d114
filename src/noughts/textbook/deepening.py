"""Iterative deepening and aspiration windows: searches that repeat ``alphabeta``."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from time import monotonic

from noughts.games import Position
from noughts.textbook.alphabeta import alphabeta
from noughts.textbook.common import Evaluate, Order, Result, Tracer, plies_to_search, restores_position
from noughts.textbook.evaluations import evaluate_outcome
from noughts.textbook.orders import row_by_row


class _TimeUp(Exception):
    pass


@restores_position
def iterative_deepening(
    position: Position,
    seconds: float = 1.0,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
) -> Result:
    """Return the result of the deepest ``alphabeta`` that can be completed within ``seconds``.

    Adds one idea: search to depth 1, then 2, then 3, so that there is always a move to play when the time is up. Depth
    1 is always completed. ``nodes`` counts all completed passes, ``depth`` is that of the last. The clock is checked
    whenever moves are ordered; the moves of an interrupted pass are undone.
    """
    if not seconds >= 0:  # also refuses NaN, which no time ever reaches
        raise ValueError(f"expected a number of seconds of 0 or more, got {seconds}")
    deepest = plies_to_search(position, depth)
    deadline = monotonic() + seconds

    def order_in_time(position: Position) -> Sequence[int]:
        if monotonic() >= deadline:
            raise _TimeUp
        return order(position)

    result = alphabeta(position, order, min(1, deepest), evaluate, trace)
    nodes = result.nodes
    with suppress(_TimeUp):
        for plies in range(2, deepest + 1):
            result = alphabeta(position, order_in_time, plies, evaluate, trace)
            nodes += result.nodes
    return replace(result, nodes=nodes)


@restores_position
def aspiration_windows(
    position: Position,
    width: int = 1,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
) -> Result:
    """Return the same value as ``alphabeta``. Adds one idea to iterative deepening: expect the value of the last depth.

    Each depth is first searched with a window of ``width`` on either side of the expected value. A value inside the
    window is exact; one outside is only a bound, and the depth is searched again with a full window. A width of 1
    suits values of -1, 0 and +1; for ``evaluate_lines`` a few hundred are better.
    """
    deepest = plies_to_search(position, depth)
    result = alphabeta(position, order, 0, evaluate, trace)
    nodes = result.nodes
    for plies in range(1, deepest + 1):
        expected = round(result.value)
        alpha, beta = expected - width, expected + width
        result = alphabeta(position, order, plies, evaluate, trace, alpha, beta)
        nodes += result.nodes
        if not alpha < result.value < beta:
            result = alphabeta(position, order, plies, evaluate, trace)
            nodes += result.nodes
    return replace(result, nodes=nodes)
