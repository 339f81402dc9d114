"""Boards in the states of a student's program: lists, tuples, strings, dictionaries, arrays, attributes of objects.

A reader knows where in a state the board is, and how its cells are written. It is made from the state at the start, so
nothing of the student's representation is guessed or replaced. Used in the process of the submission only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isqrt
from typing import Any

from noughts.teaching.grading.cells import Cells

__all__ = ["BoardReader", "Marks", "contents_of", "find_readers"]

Marks = tuple[object, object]
"""The marks of X and O."""
Step = tuple[str, str | int]
"""A step from a state to its board: an attribute, or a key or number of an item."""
MAX_STEPS = 2
MAX_DEPTH = 12
"""How deep the parts of a state are compared: objects may contain each other."""
COUNTERS = ("moves", "move_count", "turn", "turns", "count", "ply", "num_moves", "moves_made", "depth")
"""Names under which states keep the number of moves made."""
TURNS = ("turn", "current", "to_move", "next", "side", "whose")
"""Parts of the names under which states keep whose turn it is; besides ``player``."""


@dataclass(frozen=True)
class BoardReader:
    """Where the board is in a state, how its cells are laid out, and what an empty one holds."""

    path: tuple[Step, ...]
    kind: str
    """``rows``, ``flat``, ``flat1`` (a list whose first item is not used), ``map`` or ``sparse`` (a dictionary)."""
    keys: tuple[object, ...]
    """Where each cell is in the board."""
    empty: tuple[object, ...]
    """What each empty cell holds; None for those that a sparse dictionary leaves out."""
    marks: Marks | None = None

    def read(self, state: object) -> tuple[object, ...] | None:
        """Return what the cells of a state hold, or None if it is not a state of this form."""
        try:
            return self._values(_follow(state, self.path))
        except (AttributeError, KeyError, IndexError, TypeError, ValueError):
            return None

    def _values(self, board: Any) -> tuple[object, ...] | None:
        if hasattr(board, "tolist"):
            board = board.tolist()
        is_sparse = self.kind == "sparse"
        fits = isinstance(board, Mapping) if is_sparse else _shape_of(board, isqrt(len(self.keys))) == self.kind
        return tuple(_value(board, self.kind, key) for key in self.keys) if fits else None

    def cells_of(self, state: object) -> Cells | None:
        """Return the marks on the board of a state; one that is unknown becomes a question mark."""
        values = self.read(state)
        if values is None or self.marks is None:
            return None
        try:
            return _known_marks(values, tuple(map(type, values)), self.marks, self.empty)
        except TypeError:  # cells that hold lists
            return _marks_of(values, self.marks, self.empty)

    def learn_marks(self, state: object, cells: Cells) -> BoardReader | None:
        """Return the reader with the marks that the state of a known board shows; None if it has another board."""
        values = self.read(state)
        if values is None:
            return None
        held: dict[str, object] = {}
        for value, empty, mark in zip(values, self.empty, cells, strict=True):
            if mark is None:
                if not _same(value, empty):
                    return None
            elif _same(value, empty) or not _same(held.setdefault(mark, value), value):
                return None
        if len(held) < 2 or _same(held["X"], held["O"]):
            return None
        found = replace(self, marks=(held["X"], held["O"]))
        return found if self.marks is None or found.cells_of(state) == self.cells_of(state) else None

    def write(self, start: object, cells: Cells) -> object:
        """Return the state at the start, which may be changed, with the marks of a board, and its turn."""
        assert self.marks is not None
        x, o = self.marks
        held = [{"X": x, "O": o}.get(mark or "", empty) for mark, empty in zip(cells, self.empty, strict=True)]
        state = _replace(start, self.path, lambda board: self._rebuild(board, held))
        return _set_turn(state, self.marks, len(cells) - cells.count(None)) if self.path else state

    def _rebuild(self, board: Any, values: list[object]) -> object:
        if self.kind == "sparse":
            board.update({key: value for key, value in zip(self.keys, values, strict=True) if value is not None})
            return board
        if self.kind == "rows":
            return _rebuild_rows(board, values)
        if isinstance(board, str):
            return "".join(map(str, values))
        if isinstance(board, tuple):
            return tuple(values)
        for key, value in zip(self.keys, values, strict=True):
            board[key] = value
        return board


def _marks_of(values: tuple[object, ...], marks: Marks, empty: tuple[object, ...]) -> Cells:
    x, o = marks
    pairs = zip(values, empty, strict=True)
    return tuple("X" if _same(v, x) else "O" if _same(v, o) else None if _same(v, e) else "?" for v, e in pairs)


@lru_cache(maxsize=20_000)
def _known_marks(values: tuple[object, ...], types: tuple[type, ...], marks: Marks, empty: tuple[object, ...]) -> Cells:
    """Return the marks that the cells hold; a rule of ours asks for those of the same board many times."""
    return _marks_of(values, marks, empty)


def contents_of(thing: object, depth: int = MAX_DEPTH) -> object:
    """Return what a state holds, to compare with what it holds later: objects without ``==`` equal only themselves."""
    if hasattr(thing, "tolist"):
        return thing.tolist()
    if thing is None or isinstance(thing, (str, bytes, int, float, type)) or callable(thing):
        return thing
    if depth == 0:
        return type(thing)
    if isinstance(thing, Mapping):
        return {key: contents_of(value, depth - 1) for key, value in thing.items()}
    if isinstance(thing, (list, tuple)):
        return [contents_of(value, depth - 1) for value in thing]
    if isinstance(thing, (set, frozenset)):
        return thing
    try:
        parts = thing.__reduce_ex__(4)
    except Exception:  # what cannot be copied, such as a generator
        return thing
    return parts if isinstance(parts, str) else (type(thing), contents_of(parts[1:3], depth - 1))


def find_readers(start: object, side: int = 3) -> Iterator[BoardReader]:
    """Yield readers of the square boards in a state at the start; each cell of such a board is empty."""
    yield from _readers_at(start, side, (), MAX_STEPS)


def _readers_at(thing: object, side: int, path: tuple[Step, ...], steps: int) -> Iterator[BoardReader]:
    board = thing.tolist() if hasattr(thing, "tolist") else thing
    for kind, keys in _layouts(board, side):
        values = tuple(_value(board, kind, key) for key in keys)
        if kind == "sparse" or _is_empty_board(values):
            yield BoardReader(path, kind, keys, values)
    if steps:
        for step in _steps(thing):
            try:
                inside = _follow(thing, (step,))
            except (AttributeError, KeyError, IndexError, TypeError):
                continue
            yield from _readers_at(inside, side, (*path, step), steps - 1)


def _layouts(board: object, side: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    shape, cells = _shape_of(board, side), side * side
    if shape == "rows":
        yield "rows", _pairs(side, 0)
    elif shape == "flat":
        yield "flat", tuple(range(cells))
    elif shape == "flat1":
        yield "flat1", tuple(range(1, cells + 1))
    elif shape == "map" and isinstance(board, Mapping):
        yield "map", _ordered(list(board))
    elif shape == "sparse":
        for first in (0, 1):
            yield "sparse", _pairs(side, first)
            yield "sparse", tuple(range(first, cells + first))


def _pairs(side: int, first: int) -> tuple[tuple[int, int], ...]:
    numbers = range(first, side + first)
    return tuple((row, column) for row in numbers for column in numbers)


def _shape_of(board: object, side: int) -> str:
    """Return the kind of a board, or "" if it is not one with this side."""
    cells = side * side
    if isinstance(board, Mapping):
        return "map" if len(board) == cells else "sparse" if not board else ""
    if isinstance(board, str):
        return "flat" if len(board) == cells else ""
    if not isinstance(board, list | tuple):
        return ""
    if len(board) == side and all(isinstance(row, list | tuple | str) and len(row) == side for row in board):
        return "rows"
    return {cells: "flat", cells + 1: "flat1"}.get(len(board), "")


def _ordered(keys: list[Any]) -> tuple[object, ...]:
    """Return the keys of a dictionary as the cells are counted: numbers and pairs sorted, names as they come."""
    return tuple(keys) if any(isinstance(key, str) for key in keys) else tuple(sorted(keys))


def _value(board: Any, kind: str, key: Any) -> object:
    if kind == "sparse":
        return board.get(key)
    return board[key[0]][key[1]] if kind == "rows" else board[key]


def _is_empty_board(values: tuple[object, ...]) -> bool:
    """Whether the cells of a board hold the same, or each its own number."""
    if any(isinstance(value, list | dict | set) for value in values):
        return False
    if all(_same(value, values[0]) for value in values):
        return True
    numbers = [str(value).strip() for value in values]
    return any(numbers == [str(i + first) for i in range(len(values))] for first in (0, 1))


def _same(a: object, b: object) -> bool:
    try:
        return bool(a == b) and isinstance(a, bool) == isinstance(b, bool)
    except (TypeError, ValueError):
        return a is b


def _steps(thing: object) -> list[Step]:
    """Return the steps into a state: items of a dictionary or tuple, fields and attributes of an object."""
    if isinstance(thing, Mapping):
        return [("item", key) for key in thing if isinstance(key, str)]
    if isinstance(thing, tuple | list):
        names = getattr(thing, "_fields", None)
        return [("attribute", name) for name in names] if names else [("item", i) for i in range(min(len(thing), 4))]
    names = [*getattr(thing, "__dict__", ()), *getattr(type(thing), "__slots__", ())]
    return [("attribute", name) for name in names if isinstance(name, str)]


def _follow(thing: Any, path: Sequence[Step]) -> object:
    for kind, name in path:
        thing = getattr(thing, str(name)) if kind == "attribute" else thing[name]
    return thing


def _replace(thing: object, path: Sequence[Step], change: Callable[[object], object]) -> object:
    """Return a thing with the part at the end of a path changed; things that cannot be changed are made again."""
    if not path:
        return change(thing)
    (kind, name), *rest = path
    inside = _replace(_follow(thing, path[:1]), rest, change)
    return _with(thing, kind, name, inside)


def _with(thing: Any, kind: str, name: Any, value: object) -> object:
    if hasattr(thing, "_replace") and kind == "attribute":
        return thing._replace(**{name: value})
    if isinstance(thing, tuple):
        return (*thing[:name], value, *thing[name + 1 :])
    if kind == "item":
        thing[name] = value
        return thing
    try:
        setattr(thing, name, value)
    except AttributeError:  # a frozen dataclass
        thing = copy(thing)
        object.__setattr__(thing, name, value)
    return thing


def _rebuild_rows(board: Any, values: list[object]) -> object:
    side = isqrt(len(values))
    rows = [values[i : i + side] for i in range(0, len(values), side)]
    if hasattr(board, "tolist"):
        board[:] = rows
        return board
    made = [
        "".join(map(str, row)) if isinstance(old, str) else type(old)(row) for old, row in zip(board, rows, strict=True)
    ]
    if isinstance(board, tuple):
        return tuple(made)
    board[:] = made
    return board


def _set_turn(state: object, marks: Marks, played: int) -> object:
    """Return a state in which the parts that say whose turn it is, and how many moves were made, fit a position."""
    for kind, name in _steps(state):
        value = _follow(state, [(kind, name)])
        is_turn = name == "player" or isinstance(name, int) or any(word in str(name).lower() for word in TURNS)
        if is_turn and isinstance(value, str | int) and _same(value, marks[0]) and played % 2:
            state = _with(state, kind, name, marks[1])
        elif name in COUNTERS and type(value) is int and value == 0:
            state = _with(state, kind, name, played)
    return state
