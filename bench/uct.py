"""A plain Monte-Carlo tree search (UCT) to measure against: random playthroughs, upper confidence bounds, no more."""

from __future__ import annotations

from math import log, sqrt
from random import Random
from time import perf_counter

from noughts import Position, Side

__all__ = ["UctPlayer"]

EXPLORATION = 1.0


class _Node:
    """A position in the tree; ``total`` counts points for whoever moved into it."""

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


class UctPlayer:
    """Chooses the move that so many simulations, or so many seconds of them, visited most."""

    def __init__(self, seconds: float | None = None, simulations: int | None = None) -> None:
        if seconds is None and simulations is None:
            raise ValueError("expected a limit in seconds or simulations, got none")
        self._seconds = seconds
        self._simulations = simulations
        self._random = Random()

    def new(self, seed: int) -> None:
        """Begin a new playthrough, with chance from a seed."""
        self._random = Random(seed)

    def choose(self, position: Position) -> int:
        """Return the most visited move."""
        deadline = perf_counter() + self._seconds if self._seconds is not None else None
        board, root = position.copy(), _Node(-1, self._shuffled(position))
        count = 0
        while self._simulations is None or count < self._simulations:
            self._simulate(board, root)
            count += 1
            if deadline is not None and perf_counter() >= deadline:
                break
        return max(root.children, key=lambda child: child.visits).move

    def close(self) -> None:
        """Nothing to give back."""

    def _shuffled(self, position: Position) -> list[int]:
        moves = position.legal_moves
        self._random.shuffle(moves)
        return moves

    def _simulate(self, board: Position, root: _Node) -> None:
        """Walk down the tree, add a node, play on at random, and count the result all the way up."""
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
        # The inner loop: names are bound once, and a random number is scaled by hand, which is faster than choice().
        play, random = board.play, self._random.random
        moves = board.legal_moves
        while moves:
            play(moves[int(random() * len(moves))])
            moves = board.legal_moves

    def _count(self, path: list[_Node], winner: Side | None, first_to_move: Side | None) -> None:
        for_mover = 0.5 if winner is None else float(winner is first_to_move)
        # The root was moved into by the opponent of whoever is to move there.
        points = 1 - for_mover
        for node in path:
            node.visits += 1
            node.total += points
            points = 1 - points
