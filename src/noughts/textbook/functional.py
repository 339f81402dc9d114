"""The seven functions most courses start from, as pure functions of a state: nothing is changed, all is returned.

    >>> state = result(initial_state(3, 3), (1, 1))
    >>> player(state), len(actions(state)), terminal(state)
    ('O', 8, False)

A state is a mapping with the keys ``board`` (rows of "X", "O" or None), ``m`` (the side), ``k`` (how many in a row win)
and ``moves`` (how many were made). The functions make such states; one written by hand as a dict does as well.
An action is ``(row, column)``, both counted from 0 at the top left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import isqrt
from typing import Any

from noughts.games import Game, Position

Action = tuple[int, int]


class State(Mapping[str, Any]):
    """A state that is read like a dict. Underneath is a position, so that the rules are those of every other game."""

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


def player(state: Mapping[str, Any]) -> str | None:
    """Return "X" or "O", whoever is to move, or None when play is over."""
    turn = _position(state).turn
    return None if turn is None else str(turn)


def actions(state: Mapping[str, Any]) -> list[Action]:
    """Return the legal moves row by row: none when play is over."""
    position = _position(state)
    side = _side(position.game)
    return [divmod(move, side) for move in position.legal_moves]


def result(state: Mapping[str, Any], action: Action) -> State:
    """Return the state after an action; the one given stays as it is. Raises IllegalMove, a ValueError."""
    position = _position(state)
    side = _side(position.game)
    row, column = action
    on_board = 0 <= row < side and 0 <= column < side
    return State(position.after(row * side + column if on_board else -1))


def winner(state: Mapping[str, Any]) -> str | None:
    """Return "X" or "O", whoever has k in a row, or None."""
    found = _position(state).winner
    return None if found is None else str(found)


def terminal(state: Mapping[str, Any]) -> bool:
    """Return whether play is over: somebody has won or the board is full."""
    return _position(state).is_over


def utility(state: Mapping[str, Any]) -> int:
    """Return +1 when X has won, -1 when O has, otherwise 0."""
    found = _position(state).winner
    return 0 if found is None else (1 if found == "X" else -1)


@lru_cache(maxsize=64)
def _game(m: int, k: int) -> Game:
    return Game(f"{m}x{m}:{k}")


def _side(game: Game) -> int:
    return isqrt(game.cells)


def _position(state: Mapping[str, Any]) -> Position:
    if isinstance(state, State):
        return state._position
    board = state["board"]
    if any(len(row) != len(board) for row in board):
        raise ValueError(f"expected a square board, got {len(board)} rows of {', '.join(str(len(r)) for r in board)}")
    game = _game(len(board), state["k"])
    marks = [mark if mark in ("X", "O") else None for row in board for mark in row]
    rows = "/".join("".join(str(mark or ".").lower() for mark in row) for row in _rows(marks))
    rows = re.sub(r"\.+", lambda empty: str(len(empty.group())), rows)
    return game.parse(f"{rows} {_turn_letter(game, marks)}")


def _turn_letter(game: Game, marks: list[str | None]) -> str:
    is_won = any(marks[line[0]] and len({marks[cell] for cell in line}) == 1 for line in game.lines)
    if is_won or None not in marks:
        return "-"
    return "xo"[sum(mark is not None for mark in marks) % 2]


def _rows(cells: list[str | None]) -> list[list[str | None]]:
    side = isqrt(len(cells))
    return [cells[i : i + side] for i in range(0, len(cells), side)]
