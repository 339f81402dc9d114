"""Monte-Carlo tree search: estimate a position by the results of many random playthroughs."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt
from random import Random

from noughts.games import Position, Side
from noughts.textbook.common import (
    Evaluate,
    GrowthTracer,
    Order,
    Phase,
    Result,
    check_amount,
    check_count,
    restores_position,
)
from noughts.textbook.evaluations import evaluate_outcome
from noughts.textbook.orders import row_by_row


@dataclass(slots=True)
class _Node:
    """A node of the tree: its visits, the sum of their results from X's side, and the moves not yet tried."""

    untried: list[int]
    children: dict[int, _Node] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0


@restores_position
def mcts(
    position: Position,
    simulations: int = 1_000,
    exploration: float = sqrt(2),
    order: Order = row_by_row,
    rollout_plies: int | None = None,
    evaluate: Evaluate = evaluate_outcome,
    scale: int = 1,
    seed: int | None = None,
    trace: GrowthTracer | None = None,
) -> Result:
    """Return the most visited move after ``simulations`` rounds of UCT, and the mean result as the value.

    Each round selects a path through the tree, expands it by one node, plays at random from there to the end, and adds
    the result to the nodes of the path. Selection takes the child with the largest upper confidence bound, ``mean +
    exploration * sqrt(log(visits of the parent) / visits)``, where the mean is from the side that chooses.

    The value is an estimate between -1 and +1; it converges to the exact value, and the move to a best one. ``order``
    says which child is added first. ``rollout_plies`` limits the length of a rollout, and ``evaluate`` judges the
    position at its end; with 0 there is no rollout, only the heuristic. Results are divided by ``scale`` and clipped to
    -1 and +1: 1 suits ``evaluate_outcome``, about 1,000 suits ``evaluate_lines``. The same seed gives the same search.
    ``nodes`` counts the nodes of the tree, ``visits`` the rounds through each move.
    """
    check_count("a number of simulations", simulations, least=1)
    check_amount("an exploration constant", exploration)
    check_count("a scale", scale, least=1)
    if rollout_plies is not None:
        check_count("a number of rollout plies", rollout_plies, least=0)
    random = Random(seed)
    root = _Node(list(reversed(order(position))))
    nodes = 1
    if trace is not None:
        trace.step(Phase.EXPAND, position, {})
    for _ in range(simulations):
        path = [root]
        # Selection: go down while every move of the node has been tried.
        while not path[-1].untried and path[-1].children:
            path.append(_select(position, path[-1], exploration, trace))
        # Expansion: add one child, unless play is over.
        if path[-1].untried:
            move = path[-1].untried.pop()
            position.play(move)
            leaf = _Node(list(reversed(order(position))))
            path[-1].children[move] = leaf
            path.append(leaf)
            nodes += 1
            if trace is not None:
                trace.step(Phase.EXPAND, position, {})
        # Simulation: play at random, then judge.
        plies = 0
        while plies != rollout_plies and not position.is_over:
            position.play(random.choice(position.legal_moves))
            plies += 1
        result = max(-1.0, min(1.0, evaluate(position) / scale))
        if trace is not None:
            trace.step(Phase.SIMULATE, position, {"result": result})
        for _ in range(plies):
            position.undo()
        # Backpropagation: the result counts for every node of the path.
        for node in reversed(path):
            node.visits += 1
            node.total += result
            if trace is not None:
                trace.step(Phase.BACKPROPAGATE, position, {"visits": node.visits, "value": node.total / node.visits})
            if node is not root:
                position.undo()
    visits = {move: root.children[move].visits for move in order(position) if move in root.children}
    most_visited = max(visits, key=visits.__getitem__, default=None)
    return Result(root.total / root.visits, most_visited, nodes, None, visits)


def _select(position: Position, node: _Node, exploration: float, trace: GrowthTracer | None) -> _Node:
    """Play the move whose child has the largest upper confidence bound, and return that child."""
    sign = 1 if position.turn is Side.X else -1
    log_visits = log(node.visits)

    def terms(child: _Node) -> tuple[float, float]:
        return sign * child.total / child.visits, exploration * sqrt(log_visits / child.visits)

    move, child = max(node.children.items(), key=lambda item: sum(terms(item[1])))
    position.play(move)
    if trace is not None:
        exploit, explore = terms(child)
        numbers = {"visits": child.visits, "value": sign * exploit}
        trace.step(Phase.SELECT, position, numbers | {"exploit": exploit, "explore": explore, "ucb": exploit + explore})
    return child
