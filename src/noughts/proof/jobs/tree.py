"""A tree of positions for one question: can a side force a win?

It is a proof-number tree (Allis), in which positions that are equal up to symmetry share a node. Its leaves are jobs. A
leaf in progress looks worse than it is, so that the next job is chosen elsewhere (Wu et al., job-level proof-number
search).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from noughts.games import Position, Side
from noughts.games.position_text import Canonical, canonical
from noughts.proof.jobs.worker import Answer

__all__ = ["INFINITE", "Edge", "JobNode", "JobTree"]

INFINITE = 1 << 60
"""The other number of a position that is solved."""
VIRTUAL_LOSS = 3
"""The numbers of a leaf in progress are this many times larger."""


class Edge(NamedTuple):
    """A move. It leads to ``node``, or ends the game: then ``wins`` says whether the attacker has won.

    The position after the move is the image of the node's position under ``symmetry``; None stands for equality.
    """

    move: int
    node: JobNode | None
    wins: bool = False
    symmetry: tuple[int, ...] | None = None


class JobNode:
    """A position. ``edges`` is None for a leaf; ``nodes`` is the length of its last job, 0 before the first."""

    def __init__(self, position: Position, image: Canonical, attacker: Side) -> None:
        self.position = position
        self.image = image
        self.attacks = position.turn is attacker
        self.edges: list[Edge] | None = None
        self.parents: list[JobNode] = []
        self.uses = 0
        """The number of unsolved parents that matter, so that the node matters if it is not 0; 1 for the root."""
        self.nodes = 0
        self.is_running = False
        self.answer: Answer | None = None
        self.guess = self.proof, self.disproof = 1, 1

    @property
    def is_solved(self) -> bool:
        return self.proof == 0 or self.disproof == 0

    @property
    def can_win(self) -> bool | None:
        """Whether the attacker can force a win, if that is known."""
        return True if self.proof == 0 else False if self.disproof == 0 else None

    @property
    def children(self) -> list[JobNode]:
        """The different positions after a move."""
        return list(dict.fromkeys(edge.node for edge in self.edges or () if edge.node is not None))

    def numbers(self) -> tuple[int, int]:
        """Compute the numbers from the children, or from the last job."""
        if self.edges is None:
            if self.answer is not None and self.answer.can_win is not None:
                return (0, INFINITE) if self.answer.can_win else (INFINITE, 0)
            factor = VIRTUAL_LOSS if self.is_running else 1
            return factor * self.guess[0], factor * self.guess[1]
        found = [(child.proof, child.disproof) for child in self.children]
        found += [(0, INFINITE) if edge.wins else (INFINITE, 0) for edge in self.edges if edge.node is None]
        proofs, disproofs = zip(*found, strict=True)
        if self.attacks:
            return min(proofs), min(sum(disproofs), INFINITE)
        return min(sum(proofs), INFINITE), min(disproofs)


def guess_by_moves(node: JobNode) -> tuple[int, int]:
    """The proof and disproof numbers of a new node: many moves make a position hard for the side that must try all."""
    moves = len(node.position.legal_moves)
    return (1, max(1, moves // 4)) if node.attacks else (max(1, moves // 3), 1)


class JobTree:
    """The positions of one question. ``guess`` returns the proof and disproof numbers of a new node."""

    def __init__(
        self, position: Position, attacker: Side, guess: Callable[[JobNode], tuple[int, int]] = guess_by_moves
    ) -> None:
        self.attacker = attacker
        self._guess = guess
        self.leaves = 0
        """The number of leaves that may still matter: unsolved, and below unsolved positions only."""
        self.running = 0
        """The number of these leaves that are in progress."""
        self._nodes: dict[str, JobNode] = {}
        self.root = self._node(position)
        self._use(self.root)

    def __len__(self) -> int:
        return len(self._nodes)

    @property
    def can_win(self) -> bool | None:
        """Whether the attacker can force a win, if that is known."""
        return self.root.can_win

    def find(self, position: Position) -> JobNode:
        """Return the node of a position; raises KeyError."""
        return self._nodes[canonical(position).text]

    def _node(self, position: Position, image: Canonical | None = None) -> JobNode:
        image = image or canonical(position)
        node = self._nodes.get(image.text)
        if node is None:
            node = self._nodes[image.text] = JobNode(position, image, self.attacker)
            node.guess = node.proof, node.disproof = self._guess(node)
        return node

    def _use(self, node: JobNode) -> None:
        """Another parent of the node matters."""
        node.uses += 1
        if node.uses == 1:
            self._count_in(node)

    def _release(self, node: JobNode) -> None:
        """A parent of the node no longer matters."""
        node.uses -= 1
        if not node.uses:
            self._count_out(node, is_used=True)

    def _count_in(self, node: JobNode) -> None:
        """Count the leaves at and below a node, if it matters."""
        if node.is_solved or not node.uses:
            return
        if node.edges is None:
            self.leaves += 1
            self.running += node.is_running
        for child in node.children:
            self._use(child)

    def _count_out(self, node: JobNode, is_used: bool | None = None) -> None:
        """Revert ``_count_in`` before the node changes; ``is_used`` is whether it mattered until now."""
        if node.is_solved or not (node.uses if is_used is None else is_used):
            return
        if node.edges is None:
            self.leaves -= 1
            self.running -= node.is_running
        for child in node.children:
            self._release(child)

    def most_proving(self) -> JobNode | None:
        """Return the leaf to work on next, one that is not in progress; None if there is none."""
        return self._most_proving(self.root, set())

    def _most_proving(self, node: JobNode, seen: set[JobNode]) -> JobNode | None:
        if node in seen or node.is_solved:
            return None
        seen.add(node)
        if node.edges is None:
            return None if node.is_running else node
        for child in sorted(node.children, key=lambda child: child.proof if node.attacks else child.disproof):
            if (leaf := self._most_proving(child, seen)) is not None:
                return leaf
        return None

    def add(self, position: Position) -> JobNode:
        """Return the node of a position; a new one stands at this position, not at one symmetric to it."""
        return self._node(position)

    def expand(self, node: JobNode, moves: Iterable[int] | None = None) -> None:
        """Add the positions after all moves of a leaf, or after some of the attacker's moves."""
        edges = [self._edge(node, move) for move in (node.position.legal_moves if moves is None else moves)]
        self._count_out(node)
        node.edges = edges
        self._count_in(node)
        self._update(node)

    def _edge(self, node: JobNode, move: int) -> Edge:
        position = node.position.after(move)
        if position.is_over:
            return Edge(move, None, position.winner is self.attacker)
        image = canonical(position)
        child = self._node(position, image)
        if node not in child.parents:
            child.parents.append(node)
        symmetry = _symmetry(child.image.cells, image.cells)
        return Edge(move, child, symmetry=None if child.position.text == position.text else symmetry)

    def start(self, node: JobNode, nodes: int) -> None:
        """A job of this many nodes begins."""
        self._count_out(node)
        node.nodes = nodes
        node.is_running = True
        self._count_in(node)
        self._update(node)

    def record(self, node: JobNode, nodes: int, answer: Answer) -> None:
        """A job has ended. Its answer counts even if the leaf was expanded in the meantime."""
        self._count_out(node)
        node.nodes, node.is_running, node.answer = nodes, False, answer
        if answer.can_win is not None:
            node.edges = None
        elif answer.proof:
            node.guess = answer.proof, answer.disproof
        else:  # an exhaustive search has no numbers
            node.guess = 2 * node.guess[0], 2 * node.guess[1]
        self._count_in(node)
        self._update(node)

    def _update(self, node: JobNode) -> None:
        """Compute the numbers of a node and of all before it."""
        waiting = [node]
        while waiting:
            changed = waiting.pop()
            numbers = changed.numbers()
            if numbers != (changed.proof, changed.disproof):
                if 0 in numbers:
                    self._count_out(changed)
                changed.proof, changed.disproof = numbers
                waiting += changed.parents


def _symmetry(here: Sequence[int], there: Sequence[int]) -> tuple[int, ...]:
    """The permutation from one position to another, given the cells of both for each cell of their common image."""
    to = dict(zip(here, there, strict=True))
    return tuple(to[cell] for cell in range(len(here)))
