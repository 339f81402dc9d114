"""Expectimax: the best move against an opponent who does not play perfectly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import fsum

from noughts.games import Position, Side
from noughts.textbook.common import INFINITY, Evaluate, Order, Result, Tracer, plies_to_search, restores_position
from noughts.textbook.evaluations import evaluate_outcome
from noughts.textbook.orders import row_by_row

Model = Callable[[Position], Mapping[int, float]]
"""A model of a player: returns the probability of each move of a position. Moves that are left out have none."""


def uniformly_random(position: Position) -> dict[int, float]:
    """Return the same probability for every move: a model of a player who moves at random."""
    moves = position.legal_moves
    return dict.fromkeys(moves, 1 / len(moves))


@restores_position
def expectimax(
    position: Position,
    opponent: Model = uniformly_random,
    order: Order = row_by_row,
    depth: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    trace: Tracer | None = None,
) -> Result:
    """Return the expected value if the side to move plays its best against an opponent who moves at random.

    Where the side to move at the root moves again, it takes its best child, as in ``minimax``; where the opponent
    moves, the value is the mean of the children, weighted by the probabilities of the model. No branch can be pruned:
    every child changes the mean. Against a model of a perfect player the value is that of ``minimax``; against a
    random one it is at least as good. In a trace, a node of the opponent has the note "chance".

    Raises ValueError if the probabilities of a position do not sum to 1. The position is left unchanged.
    """
    nodes = 0
    player = position.turn
    sign = -1 if player is Side.O else 1

    def search(plies: int) -> tuple[float, int | None]:
        nonlocal nodes
        nodes += 1
        if trace is not None:
            trace.enter(position)
        best: float = -INFINITY
        best_move, note = None, ""
        if plies == 0 or position.is_over:
            best = sign * evaluate(position)
        elif position.turn is player:
            for move in order(position):
                position.play(move)
                value, _ = search(plies - 1)
                position.undo()
                if value > best:
                    best, best_move = value, move
        else:
            probabilities = _probabilities(opponent, position)
            shares = []
            for move, probability in probabilities.items():
                position.play(move)
                value, _ = search(plies - 1)
                position.undo()
                shares.append(probability * value)
            best, note = fsum(shares) / fsum(probabilities.values()), "chance"
        if trace is not None:
            trace.leave(sign * best, note)
        return best, best_move

    value, move = search(plies_to_search(position, depth))
    return Result(sign * value, move, nodes, depth)


def _probabilities(model: Model, position: Position) -> dict[int, float]:
    """Return the moves that are possible according to a model, with their probabilities."""
    probabilities = {move: p for move, p in model(position).items() if p}
    total = fsum(probabilities.values())
    if abs(total - 1) > 1e-6 or min(probabilities.values()) < 0:
        raise ValueError(f"expected probabilities that sum to 1 from the opponent's model, got {total:g}")
    return probabilities
