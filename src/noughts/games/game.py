"""The rules of a game, ready to be played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import prod
from operator import index
from typing import Any

from noughts import _core
from noughts.games.cache import SizedCache
from noughts.games.errors import InvalidGame
from noughts.games.geometry import Data, build
from noughts.games.ids import ALIASES, BoardSpec, Spec, UltimateSpec, parse_id
from noughts.games.networks import network_of
from noughts.games.notation import BoardNotation, Notation, PlainNotation, UltimateNotation, shown
from noughts.games.position import Position
from noughts.games.weights import weights_of

__all__ = ["Game"]

MAX_NAME = 60
CACHED_CELLS = 1_000_000
"""Cells on the lines of all games that are held ready: some seven of the largest, which take 20 MB each."""
CACHED_SYMMETRY_BYTES = 80_000_000
"""For the symmetries of all games that are held ready: those of the largest board, 4x4x4x4x4x4, take 63 MB."""


class Game:
    """A game of the family, by its id, or one's own by :meth:`from_lines`. Immutable; equal when the rules are.

    >>> Game("tictactoe").id
    '3x3'
    >>> len(Game("4x4x4").lines)
    76
    """

    id: str
    """The canonical id; for a game of one's own, its name."""
    spec: Spec | None
    """The parsed id; None for a game of one's own."""

    def __init__(self, id: str) -> None:
        if not isinstance(id, str):
            raise TypeError(f"expected a game id as text, got {type(id).__name__}")
        spec = parse_id(id)
        data, core, notation = _compiled(spec)
        self._set(spec.id, spec, data, core, notation)

    def _set(self, id: str, spec: Spec | None, data: Data, core: _core.Game, notation: Notation) -> None:
        self.id = id
        self.spec = spec
        self._data = data
        self._core = core
        self._notation = notation

    @classmethod
    def from_lines(
        cls,
        name: str,
        cells: int,
        lines: Iterable[Iterable[int]],
        guards: Iterable[Iterable[int]] | None = None,
        rests_on: Mapping[int, int | Iterable[int]] | Sequence[int | Iterable[int] | None] | None = None,
        layout: Iterable[Iterable[float]] | None = None,
        misere: bool = False,
    ) -> Game:
        """Return a game of one's own: whoever first marks all cells of a line wins (loses, in misère).

        ``guards`` gives for each line the cells its owner must not hold when it is complete; ``rests_on`` the cell
        or cells that must be filled before a cell can be played; ``layout`` two or three coordinates for each cell,
        for drawing. Raises InvalidGame when they contradict each other.
        """
        _check_name(name)
        game = cls.__new__(cls)
        data = _own_data(cells, lines, guards, rests_on, layout, misere)
        game._set(name, None, data, _compile(data, None), PlainNotation(data.cells))
        return game

    @property
    def name(self) -> str:
        """The alias where there is one, else the id."""
        return next((alias for alias, id in ALIASES.items() if id == self.id), self.id)

    @property
    def label(self) -> str:
        """The id. A custom game is described, since its name proves nothing: it may look like any id.

        >>> Game.from_lines("two pairs", cells=4, lines=[[0, 1], [2, 3]]).label
        "custom game: 4 cells, 2 lines, named 'two pairs'"
        """
        if not self.is_own:
            return self.id
        lines = len(self._data.lines)
        size = f"{self.cells} cell{'' if self.cells == 1 else 's'}, {lines} line{'' if lines == 1 else 's'}"
        return f"custom game: {size}, named {self.id!a}"

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self._data.cells

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """The lines as cells; in Ultimate those of all blocks."""
        return tuple(self._data.lines)

    @property
    def guards(self) -> tuple[tuple[int, ...], ...]:
        """For each line, the cells its owner must not hold."""
        return tuple(self._data.guards)

    @property
    def outer_lines(self) -> tuple[tuple[int, ...], ...]:
        """The lines over blocks; for a flat game the one line of its one block."""
        return tuple(self._data.outer_lines) or ((0,),)

    @cached_property
    def rests_on(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, the cells that must be filled before it."""
        return tuple(self._data.rests_on) or ((),) * self.cells

    @property
    def coordinates(self) -> tuple[tuple[float, ...], ...]:
        """Where each cell is, for drawing: x, y from the top, then further axes; empty when nobody said."""
        return tuple(self._data.coordinates)

    @property
    def dimensions(self) -> tuple[int, ...] | None:
        """The sides of a flat board, width first; None for Ultimate and games of one's own."""
        return self.spec.sides if isinstance(self.spec, BoardSpec) else None

    @cached_property
    def k(self) -> int:
        """How many in a row a line takes (the longest line of a game of one's own)."""
        return max((len(line) for line in self._data.lines), default=0)

    @property
    def is_ultimate(self) -> bool:
        """Whether this is a board of blocks."""
        return isinstance(self.spec, UltimateSpec)

    @property
    def block_size(self) -> int | None:
        """N for ``ultimate:N``, else None."""
        return self.spec.n if isinstance(self.spec, UltimateSpec) else None

    @cached_property
    def blocks(self) -> int:
        """How many blocks there are: 1 for a flat game."""
        return max(self._data.block_of, default=0) + 1

    @cached_property
    def has_gravity(self) -> bool:
        """Whether some cell rests on another."""
        return any(self._data.rests_on)

    @property
    def is_misere(self) -> bool:
        """Whether completing a line loses."""
        return self._data.misere

    @property
    def counts_blocks(self) -> bool:
        """Whether, with no line of blocks, more blocks win."""
        return self._data.counts_blocks

    @property
    def keeps_won_blocks_open(self) -> bool:
        """Whether a won block stays playable until it is full."""
        return self._data.open

    @property
    def is_own(self) -> bool:
        """Whether this is a game of one's own, made by :meth:`from_lines`."""
        return self.spec is None

    @property
    def full_points(self) -> int:
        """What a win is worth: N² where blocks count, else 2."""
        return self.blocks if self.counts_blocks else 2

    def block_of(self, cell: int) -> int:
        """The block a cell lies in."""
        return self._data.block_of[cell] if self._data.block_of else 0

    def lines_through(self, cell: int) -> tuple[tuple[int, ...], ...]:
        """The lines a cell lies on."""
        return self._lines_through[cell]

    @cached_property
    def _lines_through(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        through: list[list[tuple[int, ...]]] = [[] for _ in range(self.cells)]
        for line in self._data.lines:
            for cell in line:
                through[cell].append(line)
        return tuple(map(tuple, through))

    @cached_property
    def _symmetry(self) -> _core.Symmetry:
        return _SYMMETRIES.get(self._core, self._find_symmetry)

    def _find_symmetry(self) -> _core.Symmetry:
        return _core.Symmetry(self._core, [list(p) for p in self._data.shape_symmetries])

    @property
    def symmetries(self) -> int:
        """How many permutations of the cells keep the game."""
        return prod(self._symmetry.orbit_sizes) if not self._gave_up else self._symmetry.size

    @property
    def _gave_up(self) -> bool:
        return self._symmetry.note.startswith("too many")

    @property
    def symmetries_used(self) -> int:
        """How many of them ``canonical_hash`` uses: all, or a subgroup when there are more than 10,000."""
        return self._symmetry.size

    @property
    def symmetry_note(self) -> str | None:
        """A line that says so when only a subgroup of the symmetries is used."""
        return self._symmetry.note or None

    def start(self) -> Position:
        """Return the position before the first move."""
        return Position(self)

    def parse(self, text: str) -> Position:
        """Return the position a position string describes; raises InvalidPosition."""
        from noughts.games.text import parse_position

        return parse_position(self, text)

    def parse_cell(self, text: str) -> int:
        """Return the cell a text names; raises InvalidNotation. With gravity, positions also take a column alone."""
        return self._notation.parse(text)

    def format_cell(self, cell: int) -> str:
        """Return the name of a cell."""
        if not 0 <= cell < self.cells:
            raise IndexError(f"expected a cell from 0 to {self.cells - 1}, got {cell}")
        return self._notation.format(cell)

    def to_data(self) -> dict[str, Any]:
        """Return the game as plain data, enough for :meth:`from_data` to make it again."""
        if not self.is_own:
            return {"id": self.id}
        data = self._data
        optional = {
            "guards": [list(g) for g in data.guards] if any(data.guards) else None,
            "rests_on": [list(below) for below in data.rests_on] if any(data.rests_on) else None,
            "layout": [list(point) for point in data.coordinates] or None,
            "misere": data.misere or None,
        }
        required = {"name": self.id, "cells": data.cells, "lines": [list(line) for line in data.lines]}
        return required | {key: value for key, value in optional.items() if value is not None}

    @classmethod
    def from_data(cls, data: object) -> Game:
        """Return the game that plain data describe: ``{"id": ...}`` or the arguments of :meth:`from_lines`."""
        if not isinstance(data, dict):
            raise InvalidGame(f"expected an object with name, cells and lines, got {type(data).__name__}")
        if set(data) == {"id"}:
            return cls(str(data["id"]))
        for key in ("name", "cells", "lines"):
            if key not in data:
                raise InvalidGame(f"expected the key {key!r} in a game of one's own")
        allowed = ("name", "cells", "lines", "guards", "rests_on", "layout", "misere")
        unknown = sorted(str(key) for key in data if key not in allowed)
        if unknown:
            raise InvalidGame(f"expected only the keys {', '.join(allowed)}, got {shown(unknown[0])}")
        try:
            return cls.from_lines(**data)
        except TypeError as error:
            raise InvalidGame(str(error)) from None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.id == other.id and (self.spec, self.to_data()) == (other.spec, other.to_data())

    def __hash__(self) -> int:
        return hash((self.id, self.cells, len(self._data.lines)))

    def __reduce__(self) -> tuple[object, ...]:
        return (Game.from_data, (self.to_data(),))

    def __repr__(self) -> str:
        return f"Game.from_lines({self.id!r}, ...)" if self.is_own else f"Game({self.id!r})"


def _compiled(spec: Spec) -> tuple[Data, _core.Game, Notation]:
    return _COMPILED.get(spec, lambda: _build(spec))


def _build(spec: Spec) -> tuple[Data, _core.Game, Notation]:
    data = build(spec)
    notation: Notation
    if isinstance(spec, UltimateSpec):
        notation = UltimateNotation(spec.n)
    else:
        notation = BoardNotation(spec.sides, "gravity" in spec.options)
    return data, _compile(data, spec), notation


def _line_cells(built: tuple[Data, _core.Game, Notation]) -> int:
    data = built[0]
    return data.cells + sum(map(len, data.lines)) + sum(map(len, data.guards))


_COMPILED = SizedCache[Spec, tuple[Data, _core.Game, Notation]](CACHED_CELLS, _line_cells)


_SYMMETRIES = SizedCache[_core.Game, _core.Symmetry](CACHED_SYMMETRY_BYTES, lambda symmetry: symmetry.bytes)


def _compile(data: Data, spec: Spec | None) -> _core.Game:
    longest = max((len(line) for line in data.lines), default=0)
    try:
        return _core.make_game(
            cells=data.cells,
            lines=list(zip(data.lines, data.guards, strict=True)),
            rests_on=data.rests_on,
            block_of=data.block_of,
            sends=data.sends,
            outer_lines=data.outer_lines,
            misere=data.misere,
            count=data.counts_blocks,
            open=data.open,
            weights=weights_of(spec, longest, data.misere),
            network=network_of(spec),
        )
    except ValueError as error:
        raise InvalidGame(str(error)) from None


def _check_name(name: object) -> None:
    if not isinstance(name, str):
        raise TypeError(f"expected a name as text, got {type(name).__name__}")
    if not name.strip() or len(name) > MAX_NAME or not name.isprintable() or name != name.strip():
        raise InvalidGame(f"expected a name of 1 to {MAX_NAME} printable characters")
    try:
        parse_id(name)
    except InvalidGame:
        return
    raise InvalidGame(f"expected a name that is no game id, but {name!r} is one")


def _own_data(
    cells: int,
    lines: Iterable[Iterable[int]],
    guards: Iterable[Iterable[int]] | None,
    rests_on: Mapping[int, int | Iterable[int]] | Sequence[int | Iterable[int] | None] | None,
    layout: Iterable[Iterable[float]] | None,
    misere: bool,
) -> Data:
    count = _number(cells, "a number of cells")
    if not 1 <= count <= _core.MAX_CELLS:
        raise InvalidGame(f"expected 1 to {_core.MAX_CELLS} cells, got {count}")
    own_lines = [_cells(line, "a line") for line in _items(lines, "lines as a list")]
    if not own_lines:
        raise InvalidGame("expected at least one line")
    if len({frozenset(line) for line in own_lines}) < len(own_lines):
        raise InvalidGame("expected distinct lines, got one twice")
    given_guards = [()] * len(own_lines) if guards is None else _items(guards, "guards as a list")
    own_guards = [_cells(line_guards, "guards") for line_guards in given_guards]
    if len(own_guards) != len(own_lines):
        raise InvalidGame(f"expected guards for each of {len(own_lines)} lines, got {len(own_guards)}")
    return Data(
        cells=count,
        lines=own_lines,
        guards=own_guards,
        coordinates=_layout(layout, count) if layout is not None else [],
        rests_on=_supports(rests_on, count) if rests_on is not None else [],
        misere=_yes_or_no(misere, "misere"),
    )


def _items(value: object, what: str) -> list[Any]:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InvalidGame(f"expected {what}, got {type(value).__name__}")
    return list(value)


def _number(value: object, what: str) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InvalidGame(f"expected {what}, got {type(value).__name__}")
    number = index(value)
    if not -(2**31) < number < 2**31:
        raise InvalidGame(f"expected {what}, got one far out of range")
    return number


def _yes_or_no(value: object, what: str) -> bool:
    if not isinstance(value, bool):  # in a game file, "false" would count as true
        raise InvalidGame(f"expected {what} as true or false, got {shown(str(value))}")
    return value


def _cells(values: object, what: str) -> tuple[int, ...]:
    items = _items(values, f"{what} as a list of cells")
    return tuple(_number(item, f"cells of {what} as numbers") for item in items)


def _supports(rests_on: object, count: int) -> list[tuple[int, ...]]:
    if isinstance(rests_on, Mapping):
        numbered = {_number(cell, "cells as numbers"): below for cell, below in rests_on.items()}
        for cell in numbered:
            if not 0 <= cell < count:
                raise InvalidGame(f"expected cells from 0 to {count - 1} in rests_on, got {cell}")
        rests_on = [numbered.get(cell) for cell in range(count)]
    supports = _items(rests_on, "rests_on as a list or a mapping")
    if len(supports) != count:
        raise InvalidGame(f"expected what each of {count} cells rests on, got {len(supports)}")
    return [_support(below) for below in supports]


def _support(below: object) -> tuple[int, ...]:
    if below is None:
        return ()
    return _cells([below] if hasattr(below, "__index__") else below, "what a cell rests on")


def _layout(layout: object, count: int) -> list[tuple[Any, ...]]:
    given = _items(layout, "layout as a list")
    points = [tuple(_coordinate(at) for at in _items(point, "a point as a list")) for point in given]
    if len(points) != count:
        raise InvalidGame(f"expected coordinates for each of {count} cells, got {len(points)}")
    if {len(point) for point in points} not in ({2}, {3}):
        raise InvalidGame("expected two or three coordinates for every cell")
    if len(set(points)) < count:
        raise InvalidGame("expected every cell in a place of its own")
    return points


def _coordinate(at: object) -> float:
    if isinstance(at, bool) or not isinstance(at, int | float) or not abs(at) < 1e6:
        raise InvalidGame(f"expected coordinates as numbers below a million, got {shown(str(at))}")
    return at
