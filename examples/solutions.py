"""Answers to exercises.md, one way to write each. Run this file to see them graded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from random import choice, randrange

from noughts import Position
from noughts.teaching import grade
from noughts.textbook import INFINITY, evaluate_lines

Answer = tuple[int, int | None]
CENTRE_CORNERS_EDGES = (4, 0, 2, 6, 8, 1, 3, 5, 7)


def utility(position: Position) -> int:
    """Exercise 1. Return +1 when X has won, -1 when O has, otherwise 0."""
    return {"X": 1, "O": -1, None: 0}[position.winner]


def my_minimax(position: Position) -> Answer:
    """Exercise 2. Among equally good moves the first is kept, because a later one must be better."""
    if position.is_over:
        return utility(position), None
    best_value, best_move = (-2, None) if position.turn == "X" else (2, None)
    for move in position.legal_moves:
        position.play(move)
        value, _ = my_minimax(position)
        position.undo()
        if value > best_value if position.turn == "X" else value < best_value:
            best_value, best_move = value, move
    return best_value, best_move


def my_alphabeta(position: Position, alpha: int = -2, beta: int = 2) -> Answer:
    """Exercise 3. On the path of first moves the window is still open on both sides, so no value can close it."""
    return _alphabeta(position, alpha, beta, lambda position: position.legal_moves)


def my_ordered_alphabeta(position: Position, alpha: int = -2, beta: int = 2) -> Answer:
    """Exercise 4. Edges before corners is worse: an edge is seldom the move that causes a cutoff."""
    return _alphabeta(position, alpha, beta, _ordered)


def _ordered(position: Position) -> list[int]:
    return [move for move in CENTRE_CORNERS_EDGES if position.is_legal(move)]


def _alphabeta(position: Position, alpha: int, beta: int, order: Callable[[Position], list[int]]) -> Answer:
    if position.is_over:
        return utility(position), None
    is_max = position.turn == "X"
    best_value, best_move = (-2, None) if is_max else (2, None)
    for move in order(position):
        position.play(move)
        value, _ = _alphabeta(position, alpha, beta, order)
        position.undo()
        if value > best_value if is_max else value < best_value:
            best_value, best_move = value, move
        alpha, beta = (max(alpha, best_value), beta) if is_max else (alpha, min(beta, best_value))
        if alpha >= beta:
            break
    return best_value, best_move


def my_alphabeta_with_table(position: Position) -> Answer:
    """Exercise 5. Beside the value the table must say whether it is exact or, after a cutoff, only a bound."""
    table: dict[int, tuple[str, int, int | None]] = {}

    def search(alpha: int, beta: int) -> Answer:
        if position.is_over:
            return utility(position), None
        if position.hash in table:
            kind, value, move = table[position.hash]
            if kind == "exact" or (kind == "at least" and value >= beta) or (kind == "at most" and value <= alpha):
                return value, move
        is_max, low, high = position.turn == "X", alpha, beta
        best_value, best_move = (-2, None) if is_max else (2, None)
        for move in _ordered(position):
            position.play(move)
            value, _ = search(low, high)
            position.undo()
            if value > best_value if is_max else value < best_value:
                best_value, best_move = value, move
            low, high = (max(low, best_value), high) if is_max else (low, min(high, best_value))
            if low >= high:
                break
        kind = "at most" if best_value <= alpha else "at least" if best_value >= beta else "exact"
        table[position.hash] = kind, best_value, best_move
        return best_value, best_move

    return search(-2, 2)


def my_limited_alphabeta(position: Position, depth: int, alpha: int = -INFINITY, beta: int = INFINITY) -> Answer:
    """Exercise 6. An estimate takes the place of the utility where the depth ends; a win outweighs every estimate."""
    if position.is_over or depth == 0:
        return evaluate_lines(position), None
    is_max = position.turn == "X"
    best_value, best_move = (-INFINITY, None) if is_max else (INFINITY, None)
    for move in position.legal_moves:
        position.play(move)
        value, _ = my_limited_alphabeta(position, depth - 1, alpha, beta)
        position.undo()
        if value > best_value if is_max else value < best_value:
            best_value, best_move = value, move
        alpha, beta = (max(alpha, best_value), beta) if is_max else (alpha, min(beta, best_value))
        if alpha >= beta:
            break
    return best_value, best_move


def my_evaluate(position: Position) -> int:
    """Exercise 7. If an estimate were worth as much as a win, a search to a depth could prefer it to winning."""
    if position.is_over:
        return 1000 * utility(position)
    return sum(_worth_of_line([position.cells[cell] for cell in line]) for line in position.game.lines)


def _worth_of_line(marks: Sequence[str | None]) -> int:
    x, o = marks.count("X"), marks.count("O")
    if x and o:
        return 0
    return x * x - o * o


@dataclass
class Node:
    """A node of the tree: the side that moved to it, its visits, and the points of that side."""

    side: str | None
    untried: list[int]
    children: dict[int, Node] = field(default_factory=dict)
    visits: int = 0
    points: float = 0.0

    def best_child(self) -> tuple[int, Node]:
        """Return the move with the largest upper confidence bound."""

        def bound(child: Node) -> float:
            return child.points / child.visits + sqrt(2 * log(self.visits) / child.visits)

        return max(self.children.items(), key=lambda item: bound(item[1]))


def my_mcts(position: Position, simulations: int = 400) -> int:
    """Exercise 8. At each node count the points of the side that moved to it: its parent chooses for that side."""
    root = Node(None, position.legal_moves)
    for _ in range(simulations):
        board, path = position.copy(), [root]
        while not path[-1].untried and path[-1].children:
            move, child = path[-1].best_child()
            board.play(move)
            path.append(child)
        if path[-1].untried:
            move = path[-1].untried.pop(randrange(len(path[-1].untried)))
            side = board.turn
            board.play(move)
            path[-1].children[move] = Node(side, board.legal_moves)
            path.append(path[-1].children[move])
        while not board.is_over:
            board.play(choice(board.legal_moves))
        for node in path:
            node.visits += 1
            node.points += 0.5 if board.winner is None else float(board.winner == node.side)
    return max(root.children, key=lambda move: root.children[move].visits)


# Exercise 10. The square root of 549,946 is 742. Alpha-beta with a table comes nearest, 1,988 nodes; not nearer,
# because no order knows beforehand which move will cause the cutoff.

if __name__ == "__main__":
    print(grade(my_minimax, task="minimax"), end="\n\n")
    for search in (my_alphabeta, my_ordered_alphabeta, my_alphabeta_with_table):
        print(grade(search, task="alphabeta"), end="\n\n")
    print(grade(my_limited_alphabeta, game="4x4:3", depth=3), end="\n\n")
    print(grade(my_evaluate, task="heuristic"), end="\n\n")
    print(grade(my_mcts, task="mcts"))
