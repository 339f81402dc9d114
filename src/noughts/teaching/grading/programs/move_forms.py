"""How programs write moves, alone or in an answer with more in it. Used in the process of the submission only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from operator import attrgetter, methodcaller
from typing import Any, NamedTuple

__all__ = ["FORMS", "MoveForm", "readers_of"]

KEYS = ("move", "position", "index", "action", "square", "cell", "best_move", "pos", "coord", "coords", "best", "spot")
"""Keys and attributes under which answers keep the move."""


class MoveForm(NamedTuple):
    """How a program writes moves: numbers of cells, or pairs (row, column), from a first number; or keys of a board."""

    has_pairs: bool = False
    first: int = 0
    keys: tuple[object, ...] | None = None

    def write(self, cell: int) -> object:
        """Return the move that marks a cell."""
        if self.keys is not None:
            return self.keys[cell]
        return (cell // 3 + self.first, cell % 3 + self.first) if self.has_pairs else cell + self.first

    def read(self, move: Any) -> int | None:
        """Return the cell of a move, or None if it is not a move in this form."""
        with suppress(Exception):
            if self.keys is not None:
                return self.keys.index(move)
            if self.has_pairs:
                row, column = (int(part) - self.first for part in move)
                return row * 3 + column if 0 <= row < 3 and 0 <= column < 3 else None
            if not isinstance(move, bool) and float(move) == int(move) and 0 <= int(move) - self.first < 9:
                return int(move) - self.first
        return None


FORMS = (MoveForm(), MoveForm(True), MoveForm(first=1), MoveForm(True, 1))


def readers_of(answer: object) -> list[Callable[[object], object]]:
    """Return the ways to find a move in an answer like this one."""
    if isinstance(answer, Mapping):
        return [methodcaller("get", key) for key in answer if str(key).lower() in KEYS]
    named = [name for name in KEYS if not callable(getattr(answer, name, None)) and hasattr(answer, name)]
    if named:
        return [attrgetter(name) for name in named]
    if isinstance(answer, tuple | list):
        places = [1, 0, slice(None)] if len(answer) < 3 else [1, 0, slice(None), -1, slice(2), slice(-2, None)]
        return [partial(_item, place) for place in places]
    return [_itself]


def _item(place: object, answer: Any) -> object:
    return answer[place]


def _itself(answer: object) -> object:
    return answer
