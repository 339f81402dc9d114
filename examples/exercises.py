"""The exercises of exercises.md: replace each NotImplementedError, then run this file to have your work graded."""

from __future__ import annotations

from noughts import Position
from noughts.teaching import grade
from noughts.textbook import INFINITY

Answer = tuple[int, int | None]


def utility(position: Position) -> int:
    """Return +1 when X has won, -1 when O has, otherwise 0."""
    raise NotImplementedError("exercise 1 is not written yet")


def my_minimax(position: Position) -> Answer:
    """Return the value of the position, from X's side, and the best move (None when play is over)."""
    raise NotImplementedError("exercise 2 is not written yet")


def my_alphabeta(position: Position, alpha: int = -2, beta: int = 2) -> Answer:
    """Return what minimax returns, but prune where alpha reaches beta."""
    raise NotImplementedError("exercise 3 is not written yet")


def my_ordered_alphabeta(position: Position, alpha: int = -2, beta: int = 2) -> Answer:
    """Return what minimax returns, looking at the centre first, then the corners, then the edges."""
    raise NotImplementedError("exercise 4 is not written yet")


def my_alphabeta_with_table(position: Position) -> Answer:
    """Return what minimax returns, searching no position twice for the same question."""
    raise NotImplementedError("exercise 5 is not written yet")


def my_limited_alphabeta(position: Position, depth: int, alpha: int = -INFINITY, beta: int = INFINITY) -> Answer:
    """Return what alpha-beta finds when it looks ``depth`` plies ahead and asks evaluate_lines there."""
    raise NotImplementedError("exercise 6 is not written yet")


def my_evaluate(position: Position) -> int:
    """Return the worth of a position to X, as a whole number, without searching."""
    raise NotImplementedError("exercise 7 is not written yet")


def my_mcts(position: Position, simulations: int = 400) -> int:
    """Return the move that most of the simulations went through."""
    raise NotImplementedError("exercise 8 is not written yet")


if __name__ == "__main__":
    print(grade(my_minimax, task="minimax"), end="\n\n")
    for search in (my_alphabeta, my_ordered_alphabeta, my_alphabeta_with_table):
        print(grade(search, task="alphabeta"), end="\n\n")
    print(grade(my_limited_alphabeta, game="4x4:3", depth=3), end="\n\n")
    print(grade(my_evaluate, task="heuristic"), end="\n\n")
    print(grade(my_mcts, task="mcts"))
