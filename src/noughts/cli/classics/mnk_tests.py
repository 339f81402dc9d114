"""The sixteen tests of the course work, run on the functions that the course names."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from noughts.games import Game, Position
from noughts.textbook import alphabeta, center_first, evaluate_lines, minimax
from noughts.textbook import functional as course

__all__ = ["ALGORITHM_TESTS", "ENGINE_TESTS", "Check"]

Check = Callable[[], bool]
CENTER = 4


def _after(m: int, k: int, actions: Iterable[tuple[int, int]]) -> course.State:
    state = course.initial_state(m, k)
    for action in actions:
        state = course.result(state, action)
    return state


def _parse(text: str, game: str = "3x3") -> Position:
    return Game(game).parse(text)


def _initial_state() -> bool:
    state = course.initial_state(3, 3)
    return len(course.actions(state)) == 9 and all(mark is None for row in state["board"] for mark in row)


def _alternation() -> bool:
    return [course.player(_after(3, 3, [(0, 0), (0, 1)][:count])) for count in range(3)] == ["X", "O", "X"]


def _x_wins(m: int, k: int, *actions: tuple[int, int]) -> bool:
    state = _after(m, k, actions)
    return course.winner(state) == "X" and course.terminal(state) and course.utility(state) == 1


def _draw() -> bool:
    state = _after(3, 3, [(0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (1, 2), (2, 1), (2, 0), (2, 2)])
    return course.terminal(state) and course.winner(state) is None and course.utility(state) == 0


def _immutability() -> bool:
    state = course.initial_state(3, 3)
    before = dict(state)
    course.result(state, (1, 1))
    return dict(state) == before


def _minimax_is_right() -> bool:
    """The board is a draw, and the only reply to a corner that holds it is the centre."""
    return minimax(_parse("3/1x1/3 o")).value == 0 and minimax(_parse("x2/3/3 o")).move == CENTER


def _equivalence() -> bool:
    texts = ("3/3/3 x", "x2/1o1/3 x", "xo1/1x1/3 o", "xx1/oo1/3 x")
    return all(minimax(_parse(text)).value == alphabeta(_parse(text)).value for text in texts)


def _ordering_helps() -> bool:
    start = Game("3x3").start()
    return alphabeta(start, order=center_first).nodes < alphabeta(start).nodes


ENGINE_TESTS: dict[str, Check] = {
    "Initial state creation": _initial_state,
    "Player alternation": _alternation,
    "Horizontal win detection": lambda: _x_wins(3, 3, (0, 0), (1, 0), (0, 1), (1, 1), (0, 2)),
    "Vertical win detection": lambda: _x_wins(3, 3, (0, 0), (0, 1), (1, 0), (1, 1), (2, 0)),
    "Diagonal win detection": lambda: _x_wins(3, 3, (0, 0), (0, 1), (1, 1), (0, 2), (2, 2)),
    "Anti-diagonal win detection": lambda: _x_wins(3, 3, (0, 2), (0, 1), (1, 1), (0, 0), (2, 0)),
    "Draw detection": _draw,
    "Generalized m×m, k-in-a-row": lambda: _x_wins(4, 3, (1, 1), (0, 0), (1, 2), (0, 1), (1, 3)),
    "State immutability": _immutability,
}

ALGORITHM_TESTS: dict[str, Check] = {
    "Minimax correctness": _minimax_is_right,
    "Alpha-Beta equivalence": _equivalence,
    "Move ordering effectiveness": _ordering_helps,
    "Threat blocking": lambda: alphabeta(_parse("xx1/1o1/3 o")).move == 2,
    "Win taking": lambda: alphabeta(_parse("xx1/oo1/3 x")).move == 2,
    "Depth-limited search": lambda: (
        alphabeta(Game("4x4:3").start(), order=center_first, depth=2, evaluate=evaluate_lines).move is not None
    ),
    "Depth-limited threats": lambda: (
        alphabeta(_parse("xx2/1o2/4/4 o", "4x4:3"), depth=2, evaluate=evaluate_lines).move == 2
    ),
}
