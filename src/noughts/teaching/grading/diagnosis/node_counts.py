"""Explains why a search visits too many nodes: compares its counts with those of searches that prune wrongly."""

from __future__ import annotations

from collections.abc import Mapping

from noughts.games import Game, Position, Side
from noughts.teaching.tree.search_tree import count_nodes
from noughts.textbook import (
    Order,
    best_lines_first,
    center_first,
    corners_before_edges,
    evaluate_outcome,
    row_by_row,
)
from noughts.textbook.common import plies_to_search

__all__ = ["explain_nodes"]

ORDERS: tuple[Order, ...] = (row_by_row, center_first, corners_before_edges, best_lines_first)
COMPARED = slice(100, 500, 8)
"""The positions that are compared; the fullest boards come first and tell little."""


def explain_nodes(game: Game, visited: Mapping[str, int]) -> str:
    """Return the diagnosis of a search that visited these numbers of nodes."""
    counts = [(game.parse(text), nodes) for text, nodes in list(visited.items())[COMPARED]]
    if counts and all(nodes >= count_nodes(position, plies_to_search(position, None)) for position, nodes in counts):
        return "no-cuts"
    for order in ORDERS:
        if counts and all(nodes == _count_late(position, order) for position, nodes in counts):
            return "late-cut"
    return "too-many-nodes"


def _count_late(position: Position, order: Order) -> int:
    """Return the nodes of an alpha-beta search that cuts only where alpha is above beta."""
    nodes = 0

    def search(alpha: int, beta: int) -> int:
        nonlocal nodes
        nodes += 1
        if position.is_over:
            return evaluate_outcome(position)
        is_max = position.turn is Side.X
        best = -2 if is_max else 2
        for move in order(position):
            position.play(move)
            value = search(alpha, beta)
            position.undo()
            best = max(best, value) if is_max else min(best, value)
            alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
            if alpha > beta:
                break
        return best

    search(-2, 2)
    return nodes
