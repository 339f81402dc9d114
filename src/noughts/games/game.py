"""The rules of a game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from noughts import _core
from noughts.games.cache import SizedCache
from noughts.games.custom import check_keys, check_name, custom_data
from noughts.games.errors import InvalidGame, InvalidPosition
from noughts.games.evaluation import Weights, network_of, weights_of
from noughts.games.geometry import Data, build
from noughts.games.notation import BoardNotation, Notation, NumberNotation, UltimateNotation
from noughts.games.planes import observation_shape
from noughts.games.position import Position
from noughts.games.position_text import read_position
from noughts.games.quoting import count
from noughts.games.spec import ALIASES, BoardSpec, Spec, UltimateSpec, parse_id
from noughts.json_types import JsonObject

if TYPE_CHECKING:
    from noughts.games.rendering.notebook import Bundle

__all__ = ["Game"]

CACHED_CELLS = 1_000_000
"""Size of the cache of games, in cells of lines: room for about seven of the largest games, at 20 MB each."""
CACHED_SYMMETRY_BYTES = 80_000_000
"""Size of the cache of symmetries; those of the largest board, 4x4x4x4x4x4, take 63 MB."""


class Game:
    """The rules of a game, by its id; ``from_lines`` makes a custom game. Immutable; equal when the rules are.

    ``weights`` replace the evaluation of the engine, its network included.

    >>> Game("tictactoe").id
    '3x3'
    >>> len(Game("4x4x4").lines)
    76
    """

    id: str
    """The canonical id; the name of a custom game."""
    spec: Spec | None
    """The parsed id; None for a custom game."""

    def __init__(self, id: str, weights: Weights | None = None) -> None:
        if not isinstance(id, str):
            raise TypeError(f"expected a game id as text, got {type(id).__name__}")
        spec = parse_id(id)
        data, core, notation = _COMPILED.get(spec, lambda: _build(spec))
        if weights is not None:
            core = _compile(data, weights)
        self._set(spec.id, spec, data, core, notation, weights)

    def _set(
        self,
        id: str,
        spec: Spec | None,
        data: Data,
        core: _core.Game,
        notation: Notation,
        weights: Weights | None = None,
    ) -> None:
        self.id = id
        self.spec = spec
        self._data = data
        self._core = core
        self._notation = notation
        self._weights = weights

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
        """Return a custom game: the side that first marks all cells of a line wins (loses, in misère).

        ``guards`` lists, for each line, the cells its owner must not hold when the line is complete; ``rests_on`` the
        cell or cells that must be filled before a cell can be played; ``layout`` two or three coordinates for each
        cell, for drawing. Raises InvalidGame when the arguments are inconsistent.
        """
        check_name(name)
        game = cls.__new__(cls)
        data = custom_data(cells, lines, guards, rests_on, layout, misere)
        game._set(name, None, data, _compile(data, _weights_for(None, data)), NumberNotation(data.cells))
        return game

    @property
    def name(self) -> str:
        """The alias if there is one, else the id."""
        return next((alias for alias, id in ALIASES.items() if id == self.id), self.id)

    @property
    def label(self) -> str:
        """The id; for a custom game its size and name, since a name may look like any id.

        >>> Game.from_lines("two pairs", cells=4, lines=[[0, 1], [2, 3]]).label
        "custom game: 4 cells, 2 lines, named 'two pairs'"
        """
        if not self.is_custom:
            return self.id
        size = f"{count(self.cells, 'cell')}, {count(len(self._data.lines), 'line')}"
        return f"custom game: {size}, named {self.id!a}"

    @property
    def cells(self) -> int:
        """The number of cells."""
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
        """The coordinates of each cell, for drawing: x, y from the top, then further axes; empty without a layout."""
        return tuple(self._data.coordinates)

    @property
    def dimensions(self) -> tuple[int, ...] | None:
        """The sides of a flat board, width first; None for Ultimate and custom games."""
        return self.spec.sides if isinstance(self.spec, BoardSpec) else None

    @cached_property
    def k(self) -> int:
        """The length of a line; in a custom game, of its longest line."""
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
        """The number of blocks: 1 for a flat game."""
        return max(self._data.block_of, default=0) + 1

    @cached_property
    def has_gravity(self) -> bool:
        """Whether some cell rests on another."""
        return any(self._data.rests_on)

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """The shape of ``Position.planes``: the number of planes, then the board with its last axis first.

        The index of a cell in a flattened plane is its number. The board of ``ultimate:N`` has the shape (N, N, N, N):
        row and column of the block, then row and column in it. A custom game has one axis of cells.

        >>> Game("7x6:4+gravity").observation_shape, Game("ultimate").observation_shape
        ((4, 6, 7), (7, 3, 3, 3, 3))
        """
        return observation_shape(self)

    @property
    def is_misere(self) -> bool:
        """Whether completing a line loses."""
        return self._data.misere

    @property
    def counts_blocks(self) -> bool:
        """Whether the side with more blocks wins if neither has a line of blocks."""
        return self._data.counts_blocks

    @property
    def keeps_won_blocks_open(self) -> bool:
        """Whether a won block stays playable until it is full."""
        return self._data.open

    @property
    def is_custom(self) -> bool:
        """Whether this is a custom game, made by ``from_lines``."""
        return self.spec is None

    @cached_property
    def weights(self) -> Weights:
        """The weights of the engine's evaluation."""
        return _weights_for(self.spec, self._data) if self._weights is None else self._weights

    @property
    def full_points(self) -> int:
        """The points of a win: N² with ``+count``, else 2."""
        return self.blocks if self.counts_blocks else 2

    def block_of(self, cell: int) -> int:
        """Return the block of a cell."""
        return self._data.block_of[cell] if self._data.block_of else 0

    def lines_through(self, cell: int) -> tuple[tuple[int, ...], ...]:
        """Return the lines through a cell."""
        return self._lines_through[cell]

    @cached_property
    def _lines_through(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        through: list[list[tuple[int, ...]]] = [[] for _ in range(self.cells)]
        for line in self._data.lines:
            for cell in line:
                through[cell].append(line)
        return tuple(map(tuple, through))

    def stack_of(self, cell: int) -> tuple[int, ...]:
        """Return the cells on top of each other that include a cell, from the floor up: the cell alone without gravity.

        >>> [Game("connect4").format_cell(cell) for cell in Game("connect4").stack_of(3)]
        ['d1', 'd2', 'd3', 'd4', 'd5', 'd6']
        """
        below, above, stack = self.rests_on, self._rest_on_it, [cell]
        while len(below[stack[0]]) == 1 and len(above[below[stack[0]][0]]) == 1:
            stack.insert(0, below[stack[0]][0])
        while len(above[stack[-1]]) == 1 and len(below[above[stack[-1]][0]]) == 1:
            stack.append(above[stack[-1]][0])
        return tuple(stack)

    @cached_property
    def _rest_on_it(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, the cells that rest on it."""
        above: list[list[int]] = [[] for _ in range(self.cells)]
        for cell, below in enumerate(self.rests_on):
            for support in below:
                above[support].append(cell)
        return tuple(map(tuple, above))

    @cached_property
    def symmetry(self) -> _core.Symmetry:
        """The symmetries that canonical positions use: ``elements`` are permutations of the cells."""
        return _SYMMETRIES.get(self._core, self._find_symmetry)

    def _find_symmetry(self) -> _core.Symmetry:
        return _core.Symmetry(self._core, [list(p) for p in self._data.shape_symmetries])

    @property
    def symmetries(self) -> int:
        """The number of permutations of the cells that preserve the rules."""
        return prod(self.symmetry.orbit_sizes) if not self._gave_up else self.symmetry.size

    @property
    def _gave_up(self) -> bool:
        return self.symmetry.note.startswith("too many")

    @property
    def symmetries_used(self) -> int:
        """The number of symmetries that ``canonical_hash`` uses: all, or a subgroup if there are more than 10,000."""
        return self.symmetry.size

    @property
    def symmetry_note(self) -> str | None:
        """Why only a subgroup of the symmetries is used; None if all are."""
        return self.symmetry.note or None

    @property
    def sends(self) -> tuple[int, ...]:
        """In Ultimate, the block each cell sends the opponent to; empty for a flat game."""
        return tuple(self._data.sends)

    @property
    def how_to_type(self) -> str:
        """Describes how to type a move, for messages: ``a square from a1 to c3, or 1 to 9``."""
        return self._notation.how

    def start(self) -> Position:
        """Return the position before the first move."""
        return Position(self)

    def start_from(self, text: str | None) -> Position:
        """Return the position of a position string, or the start of the game for None; raises InvalidPosition.

        >>> Game("3x3").start_from(None).text, Game("3x3").start_from("x2/3/3 o").text
        ('3/3/3 x', 'x2/3/3 o')
        """
        return self.start() if text is None else self.parse(text)

    def parse(self, text: str) -> Position:
        """Return the position of a position string; raises InvalidPosition."""
        setup = read_position(self, text)
        try:
            position = Position(self, setup.cells, setup.turn, setup.block_to_play, setup.owners)
        except ValueError as error:
            raise InvalidPosition(str(error)) from None
        setup.check_over(position.is_over)
        return position

    def parse_cell(self, text: str) -> int:
        """Return the cell with this name; raises InvalidNotation. With gravity, positions also accept a column."""
        return self._notation.parse(text)

    def parse_column(self, text: str) -> list[int] | None:
        """Return the cells of a column from the floor up; None without gravity or if the text is not a column."""
        return self._notation.parse_column(text)

    def format_cell(self, cell: int) -> str:
        """Return the name of a cell."""
        if not 0 <= cell < self.cells:
            raise IndexError(f"expected a cell from 0 to {self.cells - 1}, got {cell}")
        return self._notation.format(cell)

    def to_data(self) -> str | JsonObject:
        """Return the game as plain data for ``from_data``: the id, or for a custom game its arguments as a dict.

        >>> Game("tictactoe").to_data()
        '3x3'
        """
        return self.id if not self.is_custom else self._custom_data()

    def _custom_data(self) -> JsonObject:
        data = self._data
        optional: JsonObject = {
            "guards": [list(g) for g in data.guards] if any(data.guards) else None,
            "rests_on": [list(below) for below in data.rests_on] if any(data.rests_on) else None,
            "layout": [list(point) for point in data.coordinates] or None,
            "misere": data.misere or None,
        }
        required: JsonObject = {"name": self.id, "cells": data.cells, "lines": [list(line) for line in data.lines]}
        return required | {key: value for key, value in optional.items() if value is not None}

    @classmethod
    def from_data(cls, data: object) -> Game:
        """Return the game of plain data: an id, or a dict with the arguments of ``from_lines``."""
        if isinstance(data, str):
            return cls(data)
        arguments = check_keys(data)
        try:
            return cls.from_lines(**arguments)
        except TypeError as error:
            raise InvalidGame(str(error)) from None

    @classmethod
    def shared(cls, data: str | JsonObject) -> Game:
        """Return the game of plain data as ``from_data`` does, but the same object for equal data.

        For programs that receive the data with every request: everything derived from a game is then found once.
        """
        key = data if isinstance(data, str) else json.dumps(data, sort_keys=True)
        return _SHARED.get(key, lambda: cls.from_data(data))

    @cached_property
    def rules_key(self) -> str:
        """Text that identifies the rules: equal for custom games that differ only in name and layout."""
        if not self.is_custom:
            return self.id
        return json.dumps({key: value for key, value in self._custom_data().items() if key not in ("name", "layout")})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.id == other.id and (self.spec, self.to_data()) == (other.spec, other.to_data())

    def __hash__(self) -> int:
        return hash((self.id, self.cells, len(self._data.lines)))

    def __reduce__(self) -> tuple[object, ...]:
        if self._weights is not None:
            return (Game, (self.id, self._weights))
        return (Game.from_data, (self.to_data(),))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        from noughts.games.rendering.notebook import picture_of

        return picture_of(self.start(), repr(self))

    def __repr__(self) -> str:
        return f"Game.from_lines({self.id!r}, ...)" if self.is_custom else f"Game({self.id!r})"


def _build(spec: Spec) -> tuple[Data, _core.Game, Notation]:
    data = build(spec)
    notation: Notation
    if isinstance(spec, UltimateSpec):
        notation = UltimateNotation(spec.n)
    else:
        notation = BoardNotation(spec.sides, "gravity" in spec.options)
    return data, _compile(data, _weights_for(spec, data), network_of(spec)), notation


def _weights_for(spec: Spec | None, data: Data) -> Weights:
    longest = max((len(line) for line in data.lines), default=0)
    return weights_of(spec, longest, data.misere)


def _line_cells(built: tuple[Data, _core.Game, Notation]) -> int:
    data = built[0]
    return data.cells + sum(map(len, data.lines)) + sum(map(len, data.guards))


def _size(game: Game) -> int:
    return game.cells + sum(map(len, game.lines)) + sum(map(len, game.guards))


_SHARED = SizedCache[str, Game](CACHED_CELLS, _size)


_COMPILED = SizedCache[Spec, tuple[Data, _core.Game, Notation]](CACHED_CELLS, _line_cells)


_SYMMETRIES = SizedCache[_core.Game, _core.Symmetry](CACHED_SYMMETRY_BYTES, lambda symmetry: symmetry.bytes)


def _compile(data: Data, weights: Weights, network: bytes = b"") -> _core.Game:
    try:
        return _core.make_game(
            cells=data.cells,
            lines=list(zip(data.lines, data.guards, strict=True)),
            rests_on=data.rests_on,
            block_of=data.block_of,
            sends=data.sends,
            outer_lines=data.outer_lines,
            misere=data.misere,
            counts_blocks=data.counts_blocks,
            keeps_won_blocks_open=data.open,
            weights=weights.compiled(),
            network=network,
        )
    except ValueError as error:
        raise InvalidGame(str(error)) from None
