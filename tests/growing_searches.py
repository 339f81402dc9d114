"""Small searches that grow a tree, written for the tests of traces alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt
from random import Random

from noughts.games import Position
from noughts.textbook import INFINITY, GrowthTracer, Phase
from student_searches import utility


@dataclass
class Vertex:
    """A node of either search, with the numbers of both."""

    visits: int = 0
    total: int = 0
    proof: int = 1
    disproof: int = 1
    children: dict[int, Vertex] = field(default_factory=dict)

    @property
    def value(self) -> float:
        return self.total / self.visits


def grow_by_chance(position: Position, simulations: int = 30, seed: int = 1, trace: GrowthTracer | None = None) -> None:
    """Grow a tree by Monte-Carlo tree search."""
    random, root, base = Random(seed), Vertex(), position.copy()
    for _ in range(simulations):
        _simulate_once(base.copy(), root, random, trace)


def _simulate_once(position: Position, root: Vertex, random: Random, trace: GrowthTracer | None) -> None:
    path = [root]
    while not position.is_over and len(path[-1].children) == len(position.legal_moves):
        sign = 1 if position.turn == "X" else -1
        terms = {
            move: (sign * child.value, sqrt(2 * log(path[-1].visits) / child.visits))
            for move, child in path[-1].children.items()
        }
        move = max(terms, key=lambda move: sum(terms[move]))
        child = path[-1].children[move]
        path.append(child)
        position.play(move)
        if trace:
            numbers = dict(zip(("exploit", "explore", "ucb"), (*terms[move], sum(terms[move])), strict=True))
            trace.step(Phase.SELECT, position, {"visits": child.visits, "value": child.value, **numbers})
    if not position.is_over:
        move = next(move for move in position.legal_moves if move not in path[-1].children)
        path[-1].children[move] = child = Vertex()
        path.append(child)
        position.play(move)
        if trace:
            trace.step(Phase.EXPAND, position, {})
    moves = 0
    while not position.is_over:
        position.play(random.choice(position.legal_moves))
        moves += 1
    result = utility(position)
    if trace:
        trace.step(Phase.SIMULATE, position, {"result": result})
    for _ in range(moves):
        position.undo()
    for vertex in reversed(path):
        vertex.visits += 1
        vertex.total += result
        if trace:
            trace.step(Phase.BACKPROPAGATE, position, {"visits": vertex.visits, "value": vertex.value})
        if vertex is not root:
            position.undo()


def grow_by_proof(position: Position, trace: GrowthTracer | None = None) -> bool:
    """Return whether the side to move can win, by proof-number search."""
    root, side, position = Vertex(), position.turn, position.copy()
    while root.proof and root.disproof:
        path = [root]
        while path[-1].children:
            is_or = position.turn == side
            name = "proof" if is_or else "disproof"
            move = min(path[-1].children, key=lambda move: getattr(path[-1].children[move], name))
            path.append(path[-1].children[move])
            position.play(move)
            if trace:
                trace.step(Phase.SELECT, position, {"proof": path[-1].proof, "disproof": path[-1].disproof})
        for move in position.legal_moves:
            child = path[-1].children[move] = Vertex()
            position.play(move)
            if position.is_over:
                won = position.winner == side
                child.proof, child.disproof = (0, INFINITY) if won else (INFINITY, 0)
            if trace:
                trace.step(Phase.EXPAND, position, {"proof": child.proof, "disproof": child.disproof})
            position.undo()
        for vertex in reversed(path):
            proofs = [child.proof for child in vertex.children.values()]
            disproofs = [child.disproof for child in vertex.children.values()]
            if position.turn == side:
                vertex.proof, vertex.disproof = min(proofs), min(INFINITY, sum(disproofs))
            else:
                vertex.proof, vertex.disproof = min(INFINITY, sum(proofs)), min(disproofs)
            if trace:
                trace.step(Phase.BACKPROPAGATE, position, {"proof": vertex.proof, "disproof": vertex.disproof})
            if vertex is not root:
                position.undo()
    return root.proof == 0
