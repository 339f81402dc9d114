"""Answers to exercises.md, one way to write each. Run this file to see them graded."""

from __future__ import annotations

from collections.abc import Callable

from noughts import Position
from noughts.study import grade
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
    """Exercise 3. A node is cut only once a child has moved alpha or beta, so its first child is always searched."""
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


# Exercise 8. The square root of 549,946 is 742. Alpha-beta with a table comes nearest, 1,988 nodes; not nearer, because
# no order knows beforehand which move will cause the cutoff.

if __name__ == "__main__":
    print(grade(my_minimax, prunes=False), end="\n\n")
    for search in (my_alphabeta, my_ordered_alphabeta, my_alphabeta_with_table):
        print(grade(search), end="\n\n")
    print(grade(my_limited_alphabeta, game="4x4:3", depth=3))
