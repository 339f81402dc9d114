"""Evidence: whether the moves that a search tried prove the value that it returned.

A submission runs beside the recorder of its moves and could tamper with it. So a small number of nodes counts as
pruning only if the recorded tree is a proof: the value of its root follows from the values of its leaves for all
possible values of the untried moves. Forging such a tree takes as much work as a search that prunes.
"""

from __future__ import annotations

from math import inf

from noughts.games import Position, Side
from noughts.teaching.grading.judge import MinimaxJudge
from noughts.teaching.grading.runtime.recording_position import VisitedNode

__all__ = ["Evidence"]

MAX_PASSES = 3
"""A table may answer at a node that stands in the tree before the one where the position was searched."""
Bounds = tuple[float, float]


class Evidence:
    """The proofs in the trees of one submission; earlier trees count, because a table may keep their positions."""

    def __init__(self, judge: MinimaxJudge) -> None:
        self._judge = judge
        self._widest: Bounds = (-1, 1) if judge.depth is None else (-inf, inf)
        self._known: dict[tuple[int, int], Bounds] = {}

    def proves(self, position: Position, tree: VisitedNode) -> bool:
        """Whether a tree proves the exact value of a position."""
        exact = self._judge.value(position)
        before: Bounds | None = None
        for _ in range(MAX_PASSES):
            bounds = self._bounds(position, tree, 0)
            if bounds == (exact, exact):
                return True
            if bounds == before:
                break
            before = bounds
        return False

    def _bounds(self, position: Position, node: VisitedNode, ply: int) -> Bounds:
        """Return what is proven of a node's value: the least and the most, from X's side."""
        depth = self._judge.depth
        left = -1 if depth is None else depth - ply
        if position.is_over or left == 0:
            value = self._judge.evaluate(position)
            return value, value
        key = position.canonical_hash, left
        known = self._known.get(key, self._widest)
        if not node.tried or known[0] == known[1]:
            return known
        bounds = self._combine(position, node, ply)
        self._known[key] = max(known[0], bounds[0]), min(known[1], bounds[1])
        return self._known[key]

    def _combine(self, position: Position, node: VisitedNode, ply: int) -> Bounds:
        """Return the bounds from those of the moves; one that is symmetric to a move that was tried needs no trial."""
        found: list[Bounds] = []
        kinds: set[int] = set()
        for move, child in node.tried.items():
            position.play(move)
            found.append(self._bounds(position, child, ply + 1))
            kinds.add(position.canonical_hash)
            position.undo()
        if any(self._kind(position, move) not in kinds for move in position.legal_moves if move not in node.tried):
            found.append(self._widest)
        choose = max if position.turn is Side.X else min
        return choose(low for low, _ in found), choose(high for _, high in found)

    @staticmethod
    def _kind(position: Position, move: int) -> int:
        position.play(move)
        kind = position.canonical_hash
        position.undo()
        return kind
