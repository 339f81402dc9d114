"""The size of the whole tree of a position: counted if that is quick, otherwise estimated."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from noughts.games import Position
from noughts.textbook.common import plies_to_search

__all__ = ["TreeSize", "count_nodes", "estimate_nodes", "tree_size"]

MAX_COUNTED_NODES = 20_000_000
"""Trees up to about this size are counted, by the compiled core, in a second or so."""


@dataclass(frozen=True, slots=True)
class TreeSize:
    """The number of nodes plain minimax would visit, root included: exact, or an estimate."""

    nodes: int
    is_exact: bool

    def __str__(self) -> str:
        if self.is_exact or self.nodes < 10_000:
            return f"{'' if self.is_exact else 'about '}{self.nodes:,}"
        exponent = len(str(self.nodes)) - 1
        return f"about {self.nodes // 10 ** (exponent - 1) / 10}·10^{exponent}"


def tree_size(position: Position, depth: int | None = None) -> TreeSize:
    """Return the size of the tree below a position down to a depth, or to the end of every playthrough."""
    plies = plies_to_search(position, depth)
    estimate = estimate_nodes(position, plies)
    if estimate > MAX_COUNTED_NODES:
        return TreeSize(estimate, is_exact=False)
    return TreeSize(count_nodes(position, plies), is_exact=True)


def count_nodes(position: Position, plies: int) -> int:
    """Return the exact number of nodes down to ``plies``."""
    return sum(position.perft(depth) for depth in range(plies + 1))


def estimate_nodes(position: Position, plies: int, probes: int = 400, seed: int = 1) -> int:
    """Return an estimate of the number of nodes by Knuth's method: random walks in which each branch stands for all.

    A walk with b1, then b2, then b3 legal moves counts 1 + b1 + b1*b2 + b1*b2*b3 nodes; the mean over all walks is an
    unbiased estimate. It is an integer, the same for the same seed.
    """
    random = Random(seed)
    return sum(_probe(position, plies, random) for _ in range(probes)) // probes


def _probe(position: Position, plies: int, random: Random) -> int:
    nodes = width = 1
    played = 0
    while played < plies and (moves := position.legal_moves):
        width *= len(moves)
        nodes += width
        position.play(random.choice(moves))
        played += 1
    for _ in range(played):
        position.undo()
    return nodes
