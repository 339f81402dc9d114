"""A plain Monte-Carlo tree search (UCT) to measure against: random playouts and upper confidence bounds."""

from __future__ import annotations

import os
from math import inf, log, sqrt
from random import Random
from time import perf_counter

from noughts import Limit, Position, Side

__all__ = ["Uct"]

EXPLORATION = 1.0


class _Node:
    """A position in the tree; ``total`` has the points of the side that moved into it."""

    __slots__ = ("children", "move", "total", "untried", "visits")

    def __init__(self, move: int, untried: list[int]) -> None:
        self.move = move
        self.untried = untried
        self.children: list[_Node] = []
        self.visits = 0
        self.total = 0.0

    def best_child(self) -> _Node:
        spread = EXPLORATION * sqrt(log(self.visits))
        return max(self.children, key=lambda child: child.total / child.visits + spread / sqrt(child.visits))


class Uct:
    """A player that chooses the most visited move after ``seconds``, or after ``nodes`` simulations."""

    def __init__(self) -> None:
        self._random = Random(os.environ.get("NOUGHTS_SEED"))

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return the most visited move."""
        seconds = limit.thinking_seconds(position) if limit else 1.0
        deadline = inf if seconds is None else perf_counter() + seconds
        most = limit.nodes if limit and limit.nodes else inf
        board, root, count = position.copy(), _Node(-1, self._shuffled(position)), 0
        while count < most and (count == 0 or perf_counter() < deadline):
            self._simulate(board, root)
            count += 1
        return max(root.children, key=lambda child: child.visits).move

    def _shuffled(self, position: Position) -> list[int]:
        moves = position.legal_moves
        self._random.shuffle(moves)
        return moves

    def _simulate(self, board: Position, root: _Node) -> None:
        """Descend the tree, add a node, play out at random, and add the result to all nodes on the path."""
        node, path, start = root, [root], board.ply
        first_to_move = board.turn
        while not node.untried and node.children:
            node = node.best_child()
            board.play(node.move)
            path.append(node)
        if node.untried:
            node = self._expand(board, node)
            path.append(node)
        self._play_out(board)
        self._count(path, board.winner, first_to_move)
        while board.ply > start:
            board.undo()

    def _expand(self, board: Position, node: _Node) -> _Node:
        move = node.untried.pop()
        board.play(move)
        child = _Node(move, self._shuffled(board))
        node.children.append(child)
        return child

    def _play_out(self, board: Position) -> None:
        # The inner loop: local names, and a scaled random number, are faster than choice().
        play, random = board.play, self._random.random
        moves = board.legal_moves
        while moves:
            play(moves[int(random() * len(moves))])
            moves = board.legal_moves

    def _count(self, path: list[_Node], winner: Side | None, first_to_move: Side | None) -> None:
        for_mover = 0.5 if winner is None else float(winner is first_to_move)
        # The opponent of the side to move made the move into the root.
        points = 1 - for_mover
        for node in path:
            node.visits += 1
            node.total += points
            points = 1 - points
