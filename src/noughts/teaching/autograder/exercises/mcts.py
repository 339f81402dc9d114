"""
Write Monte-Carlo tree search. `mcts(position, simulations)` returns a move.

Each simulation selects a path by UCB1, adds a node, plays random moves to the end, and counts the result at every node
of the path. At the end the move with most visits is played. `position.is_over`, `position.winner`, `position.turn`
and `position.legal_moves` describe a position; `position.after(move)` is the position after a move.
"""

import random
from math import log, sqrt

from noughts.games import Position, Side


def mcts(position: Position, simulations: int) -> int:
    """Return the move that was visited most in a number of simulations."""
    # BEGIN SOLUTION
    root = Node(position)
    for _ in range(simulations):
        path = [root]
        while path[-1].children and not path[-1].untried:
            path.append(path[-1].select())
        if path[-1].untried:
            path.append(path[-1].expand())
        result = rollout(path[-1].position)
        for node in path:
            node.visits += 1
            node.total += result
    return max(root.children, key=lambda move: root.children[move].visits)


class Node:
    """A node of the tree: a position, its children by move, and the results counted from X's side."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.untried = [] if position.is_over else list(position.legal_moves)
        self.children: dict[int, Node] = {}
        self.visits = 0
        self.total = 0.0

    def expand(self) -> "Node":
        """Add a child for a move that was not tried yet."""
        move = self.untried.pop(random.randrange(len(self.untried)))
        self.children[move] = Node(self.position.after(move))
        return self.children[move]

    def select(self) -> "Node":
        """Return the child with the largest upper confidence bound for the side to move."""
        sign = 1 if self.position.turn is Side.X else -1
        return max(
            self.children.values(),
            key=lambda child: sign * child.total / child.visits + sqrt(2 * log(self.visits) / child.visits),
        )


def rollout(position: Position) -> int:
    """Play random moves to the end, and return the result from X's side."""
    position = position.copy()
    while not position.is_over:
        position.play(random.choice(position.legal_moves))
    if position.winner is None:
        return 0
    return 1 if position.winner is Side.X else -1
    # END SOLUTION
