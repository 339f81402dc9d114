"""Positions as arrays: planes with one number per cell. Needs NumPy (``pip install 'noughts[envs]'``)."""

from __future__ import annotations

from enum import IntEnum
from types import ModuleType
from typing import TYPE_CHECKING, Any

from noughts import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from noughts.games.game import Game
    from noughts.games.position import Position

__all__ = ["Plane", "legal_mask", "observation_shape", "opponents_planes", "planes", "require_numpy"]


class Plane(IntEnum):
    """The planes of an observation, seen by the side to move (when the game is over, the side that would move).

    Games of several blocks have all of them, flat games the first four. A plane about blocks has ones on all cells of
    a block.
    """

    OWN_MARKS = 0
    OPPONENT_MARKS = 1
    PLAYABLE = 2
    """The legal moves; none when the game is over."""
    LAST_MOVE = 3
    """The cell of the last move; empty at the start and in a position that was set up."""
    BLOCK_TO_PLAY = 4
    """The block that the last move sends to; empty when any open block may be played in."""
    OWN_BLOCKS = 5
    OPPONENT_BLOCKS = 6


def board_shape(game: Game) -> tuple[int, ...]:
    """Return the shape of one plane; the index of a cell in the flattened plane is its number."""
    if game.dimensions is not None:
        return tuple(reversed(game.dimensions))
    return (game.cells,) if game.block_size is None else (game.block_size,) * 4


def observation_shape(game: Game) -> tuple[int, ...]:
    """Return the shape of a position's planes; see ``Game.observation_shape``."""
    return (_core.planes_of(game._core), *board_shape(game))


def opponents_planes(game: Game) -> list[int]:
    """Return the order of planes in which the opponent of the side to move sees a position."""
    order = list(range(_core.planes_of(game._core)))
    for own, other in ((Plane.OWN_MARKS, Plane.OPPONENT_MARKS), (Plane.OWN_BLOCKS, Plane.OPPONENT_BLOCKS)):
        if other < len(order):
            order[own], order[other] = other, own
    return order


def planes(position: Position, out: NDArray[np.uint8] | None) -> NDArray[np.uint8]:
    """Return the planes of a position; see ``Position.planes``."""
    shape = observation_shape(position.game)
    if out is None:
        out = _new_array(shape, "uint8")
    _check_shape(out, shape)
    _core.fill_planes(position, out)
    return out


def legal_mask(position: Position, out: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """Return the legal moves of a position as a mask; see ``Position.legal_mask``."""
    shape = (position.game.cells,)
    if out is None:
        out = _new_array(shape, "bool")
    _check_shape(out, shape)
    _core.fill_legal_mask(position, out)
    return out


def require_numpy() -> ModuleType:
    """Return NumPy, imported when it is first needed; raises ValueError, in one line, if it is not installed."""
    try:
        import numpy
    except ImportError:
        from noughts.invocation import install_line

        raise ValueError(f"arrays need NumPy: {install_line('envs')}") from None
    return numpy


def _new_array(shape: tuple[int, ...], dtype: str) -> NDArray[Any]:
    array: NDArray[Any] = require_numpy().empty(shape, dtype)
    return array


def _check_shape(out: object, shape: tuple[int, ...]) -> None:
    found = getattr(out, "shape", None)
    if found is None:
        raise TypeError(f"expected an array, got {type(out).__name__}")
    if tuple(found) != shape:
        raise ValueError(f"expected an array of shape {shape}, got {tuple(found)}")
