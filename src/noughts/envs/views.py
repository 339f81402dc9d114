"""How agents see positions and number their moves, the same in all environments."""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noughts.envs.batch import check_choice
from noughts.games import Game
from noughts.games.planes import opponents_planes
from noughts.games.quoting import quote
from noughts.limit import as_int

__all__ = ["ActionNumbering", "Mask", "Observation", "ObservationFormat"]

ACTIONS = ("cells", "columns")
OBSERVATION_FORMATS = ("planes", "float", "flat")
NO_MOVE = -1

Observation = NDArray[Any]
Mask = NDArray[np.bool_]


class ObservationFormat:
    """The form of observations: ``"planes"`` (uint8), ``"float"`` (the same as float32) or ``"flat"`` (in one row)."""

    def __init__(self, game: Game, kind: str = "planes") -> None:
        check_choice("observation", kind, OBSERVATION_FORMATS)
        planes = game.observation_shape
        self.shape: tuple[int, ...] = (int(np.prod(planes)),) if kind == "flat" else planes
        self.dtype: type[np.uint8] | type[np.float32] = np.uint8 if kind == "planes" else np.float32
        self._axes = len(planes)
        self._seen_by_opponent = opponents_planes(game)

    def convert(self, planes: NDArray[np.uint8]) -> Observation:
        """Return the planes of one position, or of many, in this form; not a copy if nothing changes."""
        many = planes.shape[: planes.ndim - self._axes]
        return planes.reshape(*many, *self.shape).astype(self.dtype, copy=False)

    def seen_by_opponent(self, planes: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the planes of many positions as the opponent of the side to move sees them."""
        return planes[:, self._seen_by_opponent]


class ActionNumbering:
    """The numbers of moves: cells, or with gravity the columns, counted along the floor.

    >>> columns = ActionNumbering(Game("connect4"), "columns")
    >>> position = Game("connect4").start()
    >>> columns.count, position.format_move(columns.move(3, position.legal_mask()))
    (7, 'd1')
    """

    def __init__(self, game: Game, kind: str = "cells") -> None:
        check_choice("actions", kind, ACTIONS)
        self._columns = _columns(game) if kind == "columns" else None
        self.count = game.cells if self._columns is None else len(self._columns)
        """The number of actions."""

    def mask(self, legal: Mask) -> Mask:
        """Return the legal actions for masks of legal cells; the cells are the last axis."""
        if self._columns is None:
            return legal
        return np.asarray(legal[..., self._columns].any(axis=-1))

    def moves(self, actions: ArrayLike, legal: Mask) -> NDArray[np.int64]:
        """Return the cells of actions, one for each row of legal cells; illegal actions are those of illegal cells."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"expected actions as integers, got {given.dtype}")
        if given.shape != legal.shape[:1]:
            raise ValueError(f"expected {len(legal)} actions, got an array of shape {given.shape}")
        if self._columns is None:
            return given.astype(np.int64, copy=False)
        is_column = (given >= 0) & (given < self.count)
        cells = self._columns[np.where(is_column, given, 0)]
        is_free = np.take_along_axis(legal, cells, axis=1)
        # The top of a full column, which is illegal.
        height = np.where(is_free.any(axis=1), is_free.argmax(axis=1), -1)
        return np.where(is_column, cells[np.arange(len(cells)), height], NO_MOVE)

    def move(self, action: SupportsIndex, legal: Mask) -> int:
        """Return the cell of an action."""
        number = as_int("action", action)
        if self._columns is None:
            return number
        return int(self.moves([number], legal[None])[0]) if 0 <= number < self.count else NO_MOVE

    def legal_actions(self, legal: Mask) -> list[int]:
        """Return the numbers of the legal actions, in ascending order."""
        found: list[int] = self.mask(legal).nonzero()[0].tolist()
        return found


def _columns(game: Game) -> NDArray[np.int64]:
    """The cells of each column from the floor up; lower columns repeat their top."""
    stacks = sorted({game.stack_of(cell) for cell in range(game.cells)})
    if not game.has_gravity or any(game.rests_on[stack[0]] for stack in stacks):
        raise ValueError(f"expected a game of columns with gravity for actions='columns', got {quote(game.id)}")
    height = max(map(len, stacks))
    return np.array([stack + stack[-1:] * (height - len(stack)) for stack in stacks])
