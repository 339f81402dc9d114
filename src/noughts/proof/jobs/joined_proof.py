"""The certificate of a solve by jobs, joined from the certificates of its parts.

A position of the tree becomes one node, a move or all replies. The nodes of a part follow each other, with their
numbers shifted; symmetries are collected in one list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from noughts.games import Position, Value
from noughts.proof.jobs.tree import Edge, JobNode, JobTree
from noughts.proof.jobs.worker import Part
from noughts.proof.proof import Proof

__all__ = ["join_proof", "move_references"]

REFERENCE = re.compile(r"(^m \d+ |(?<=:)|(?<=~ ))(\+?\d+/\d+|\d+)")
"""A reference that changes when nodes are moved: one with a symmetry, or one that is not relative."""
STOLEN_DRAW = "claim X draw\nS"


def join_proof(position: Position, value: Value, trees: Sequence[JobTree], is_stolen: bool) -> Proof:
    """Return the certificate of the value, which the trees have shown; raises ValueError if a part has none.

    ``is_stolen`` says that the second player cannot win by strategy stealing, which no tree shows.
    """
    symmetries: dict[tuple[int, ...], int] = {}
    if value is Value.DRAW:
        claims = [_claim(tree, symmetries) for tree in trees]
        claims += [STOLEN_DRAW] if is_stolen else []
    else:
        claims = [_claim(tree, symmetries) for tree in trees if tree.can_win]
    return Proof(position.game, position.text, value, "\n".join(claims) + "\n", symmetries)


def _claim(tree: JobTree, symmetries: dict[tuple[int, ...], int]) -> str:
    """The claim that the attacker wins, or that its opponent draws, with its nodes."""
    wins = tree.can_win is True
    prover = tree.attacker if wins else tree.attacker.opponent
    nodes = _Joiner(wins, symmetries).join(tree.root)
    return "\n".join([f"claim {prover} {'win' if wins else 'draw'}", *nodes])


class _Joiner:
    def __init__(self, wins: bool, symmetries: dict[tuple[int, ...], int]) -> None:
        self._wins = wins
        self._symmetries = symmetries
        self._numbers: dict[JobNode, int] = {}
        self._edges: dict[JobNode, list[Edge]] = {}
        self._length = 0

    def join(self, root: JobNode) -> list[str]:
        """Return all nodes; those of the positions after a node follow it."""
        order, waiting = [], [root]
        while waiting:
            node = waiting.pop()
            if node in self._numbers:
                continue
            self._numbers[node] = self._length
            self._length += 1 if node.edges is not None else len(_part(node).nodes)
            order.append(node)
            self._edges[node] = self._choose_edges(node)
            waiting += [edge.node for edge in self._edges[node] if edge.node is not None]
        return [line for node in order for line in self._lines(node)]

    def _choose_edges(self, node: JobNode) -> list[Edge]:
        """All replies of the opponent, or one move of the prover that keeps the claim: the shortest way to go on."""
        if node.edges is None:
            return []
        if node.attacks != self._wins:
            return node.edges
        good = [edge for edge in node.edges if self._keeps_claim(edge)]
        return [min(good, key=lambda edge: 0 if edge.node is None else 1 + (edge.node not in self._numbers))]

    def _keeps_claim(self, edge: Edge) -> bool:
        return (edge.wins if edge.node is None else edge.node.can_win) is self._wins

    def _lines(self, node: JobNode) -> list[str]:
        if node.edges is None:
            return self._shifted(_part(node), self._numbers[node])
        edges = self._edges[node]
        if node.attacks == self._wins:
            return [f"m {edges[0].move}{self._reference(' ', edges[0])}"]
        return [" ".join(["r", *(f"{edge.move}{self._reference(':', edge)}" for edge in edges)])]

    def _reference(self, mark: str, edge: Edge) -> str:
        if edge.node is None:
            return ""
        image = "" if edge.symmetry is None else f"/{self._symmetry(edge.symmetry)}"
        return f"{mark}{self._numbers[edge.node]}{image}"

    def _symmetry(self, cells: Sequence[int]) -> int:
        return self._symmetries.setdefault(tuple(cells), len(self._symmetries))

    def _shifted(self, part: Part, first: int) -> list[str]:
        """The nodes of a part with the numbers that they have in the whole."""
        images = [self._symmetry(cells) for cells in part.symmetries]

        return [move_references(node, first, images) for node in part.nodes]


def move_references(node: str, first: int, images: Sequence[int]) -> str:
    """Return a node of a part whose nodes begin at ``first``; ``images`` are the new numbers of its symmetries."""

    def moved(match: re.Match[str]) -> str:
        number, _, image = match[2].partition("/")
        place = number if number.startswith("+") else int(number) + first
        return f"{match[1]}{place}{f'/{images[int(image)]}' if image else ''}"

    return REFERENCE.sub(moved, node) if node[:1] in "mr" else node


def _part(node: JobNode) -> Part:
    if node.answer is None or node.answer.part is None:
        raise ValueError("no certificate: that of a part is too long")
    return node.answer.part
