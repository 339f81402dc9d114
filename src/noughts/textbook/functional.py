"""The functions that most courses start with, as pure functions of a state.

    >>> state = result(initial_state(3, 3), (1, 1))
    >>> player(state), len(actions(state)), terminal(state)
    ('O', 8, False)

Seven functions are the rules of the game: ``initial_state``, ``player``, ``actions``, ``result``, ``winner``,
``terminal`` and ``utility``. The others search, and return the value (from X's side) with the best action:

    >>> state = initial_state(4, 3)
    >>> value, move = search(state, depth=4, use_ordering=True)
    >>> move
    (2, 2)

They call the searches of ``noughts.textbook``, which are written to be read. ``nodes_explored`` is the number of nodes
that the last search visited; read it as ``functional.nodes_explored``, because an imported number does not change.

A state is a mapping with the keys ``board`` (rows of "X", "O" or None), ``m`` (the size of the board), ``k`` (the
number in a row that wins) and ``moves`` (the number of moves made). The functions return such states; a dict works
as well.
An action is ``(row, column)``, both counted from 0 at the top left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from math import ceil, floor, inf, isqrt
from operator import index
from typing import Any

from noughts.games import Game, Position
from noughts.textbook.alphabeta import alphabeta
from noughts.textbook.common import INFINITY, Order, Result
from noughts.textbook.evaluations import evaluate_lines
from noughts.textbook.minimax import minimax as plain_minimax
from noughts.textbook.orders import center_first, distances_from_center, row_by_row

__all__ = [
    "State",
    "actions",
    "evaluate",
    "initial_state",
    "minimax",
    "minimax_ab",
    "nodes_explored",
    "order_moves",
    "player",
    "result",
    "search",
    "terminal",
    "utility",
    "winner",
]

Action = tuple[int, int]
StateLike = Mapping[str, Any]
"""A ``State``, or a dict with its keys."""
Answer = tuple[int, Action | None]
"""The value from X's side and the best action; the action is None if play is over or the depth is 0."""

EMPTY = (None, "", " ", ".", "_")
"""Accepted spellings of an empty cell in a handwritten board."""

nodes_explored = 0
"""Nodes visited by the last ``minimax``, ``minimax_ab`` or ``search``."""


class State(Mapping[str, Any]):
    """A state, read like a dict. It holds a position, so that the rules are those of all other games."""

    __slots__ = ("_position",)

    def __init__(self, position: Position) -> None:
        self._position = position

    def __getitem__(self, key: str) -> Any:
        if key == "board":
            return _rows([None if mark is None else str(mark) for mark in self._position.cells])
        return {
            "m": _side(self._position.game),
            "k": len(self._position.game.lines[0]),
            "moves": sum(mark is not None for mark in self._position.cells),
        }[key]

    def __iter__(self) -> Iterator[str]:
        return iter(("board", "m", "k", "moves"))

    def __len__(self) -> int:
        return 4

    def __repr__(self) -> str:
        return f"State({dict(self)})"


def initial_state(m: int = 3, k: int = 3) -> State:
    """Return the empty m by m board on which k in a row win."""
    return State(_game(m, k).start())


def player(state: StateLike) -> str | None:
    """Return "X" or "O", the side to move, or None if play is over."""
    turn = _position(state).turn
    return None if turn is None else str(turn)


def actions(state: StateLike) -> list[Action]:
    """Return the legal moves row by row; none if play is over."""
    position = _position(state)
    side = _side(position.game)
    return [divmod(move, side) for move in position.legal_moves]


def result(state: StateLike, action: Action) -> State:
    """Return the state after an action; the given state does not change. Raises IllegalMove, a ValueError."""
    position = _position(state)
    row, column = _coordinates(action)
    side = _side(position.game)
    on_board = 0 <= row < side and 0 <= column < side
    return State(position.after(row * side + column if on_board else -1))


def winner(state: StateLike) -> str | None:
    """Return "X" or "O", the side with k in a row, or None."""
    found = _position(state).winner
    return None if found is None else str(found)


def terminal(state: StateLike) -> bool:
    """Return whether play is over: a side has won or the board is full."""
    return _position(state).is_over


def utility(state: StateLike) -> int:
    """Return +1 if X has won, -1 if O has won, otherwise 0."""
    found = _position(state).winner
    return 0 if found is None else (1 if found == "X" else -1)


def minimax(state: StateLike) -> Answer:
    """Return the value (+1, 0 or -1) and the first best action, found by searching the whole tree."""
    position = _position(state).copy()
    return _answer(plain_minimax(position), position)


def minimax_ab(state: StateLike, alpha: float = -inf, beta: float = inf, use_ordering: bool = False) -> Answer:
    """Return the same value as ``minimax``, skipping branches that cannot change it.

    A value between alpha and beta is exact; a value at or below alpha is an upper bound, at or above beta a lower
    bound. With ``use_ordering`` the actions are tried from the centre outwards.
    """
    position = _position(state).copy()
    low, high = floor(max(alpha, -INFINITY)), ceil(min(beta, INFINITY))
    return _answer(alphabeta(position, _order(use_ordering), alpha=low, beta=high), position)


def search(state: StateLike, depth: int | None = None, use_ordering: bool = True) -> Answer:
    """Return the value and the first best action of a search ``depth`` plies deep, or to the end without a depth.

    Values are those of ``evaluate``: ±10,000 for a win, which outweighs every estimate.
    """
    position = _position(state).copy()
    return _answer(alphabeta(position, _order(use_ordering), depth, evaluate_lines), position)


def evaluate(state: StateLike) -> int:
    """Return the worth of a state to X.

    A win is ±10,000, a line that lacks one mark ±500, a line with n marks of one side ±10^n, with marks of both 0.
    """
    return evaluate_lines(_position(state))


def order_moves(state: StateLike, moves: Iterable[Action]) -> list[Action]:
    """Return actions by their Manhattan distance from the centre ``(m // 2, m // 2)``, then by row and column."""
    game = _position(state).game
    side, distances = _side(game), distances_from_center(game)

    def distance(move: Action) -> tuple[float, Action]:
        row, column = _coordinates(move)
        if not (0 <= row < side and 0 <= column < side):
            raise ValueError(f"expected rows and columns from 0 to {side - 1}, got {move!r}")
        return distances[row * side + column], move

    return sorted(moves, key=distance)


def _order(use_ordering: bool) -> Order:
    return center_first if use_ordering else row_by_row


def _answer(found: Result, position: Position) -> Answer:
    """Set ``nodes_explored``, and turn the move into an action."""
    global nodes_explored
    nodes_explored = found.nodes
    return round(found.value), None if found.move is None else divmod(found.move, _side(position.game))


def _coordinates(action: Iterable[int]) -> Action:
    try:
        row, column = map(index, action)
    except (TypeError, ValueError):
        raise ValueError(f"expected an action as (row, column), two whole numbers from 0, got {action!r}") from None
    return row, column


@lru_cache(maxsize=64)
def _game(m: int, k: int) -> Game:
    return Game(f"{m}x{m}:{k}")


def _side(game: Game) -> int:
    return isqrt(game.cells)


def _position(state: StateLike) -> Position:
    if isinstance(state, State):
        return state._position
    missing = [key for key in ("board", "k") if key not in state]
    if missing:
        raise ValueError(f"expected a state with the keys board, m, k and moves, got one without {missing[0]!r}")
    board = state["board"]
    if any(len(row) != len(board) for row in board):
        raise ValueError(f"expected a square board, got {len(board)} rows of {', '.join(str(len(r)) for r in board)}")
    game = _game(len(board), state["k"])
    marks = [_mark(mark) for row in board for mark in row]
    rows = "/".join("".join(str(mark or ".").lower() for mark in row) for row in _rows(marks))
    rows = re.sub(r"\.+", lambda empty: str(len(empty.group())), rows)
    return game.parse(f"{rows} {_turn_letter(game, marks)}")


def _mark(mark: object) -> str | None:
    if mark in ("X", "O"):
        return str(mark)
    if mark in EMPTY:
        return None
    raise ValueError(f'expected "X", "O" or None in each cell of the board, got {mark!r}')


def _turn_letter(game: Game, marks: list[str | None]) -> str:
    is_won = any(marks[line[0]] and len({marks[cell] for cell in line}) == 1 for line in game.lines)
    if is_won or None not in marks:
        return "-"
    return "xo"[sum(mark is not None for mark in marks) % 2]


def _rows(cells: list[str | None]) -> list[list[str | None]]:
    side = isqrt(len(cells))
    return [cells[i : i + side] for i in range(0, len(cells), side)]
