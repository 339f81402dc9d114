"""Rows of self-play, in the format that ``core/train/self_play.hpp`` describes. Needs numpy alone."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

__all__ = ["UNKNOWN", "Rows", "Sight"]

UNKNOWN = 2
"""The result of rows whose playthrough was not played to its end without random moves."""
MAGIC, HEADER = b"NNR2", struct.Struct("<4s8iQ")


class Sight(NamedTuple):
    """How the cells of a game see each other, see ``core/search/line_features.hpp``."""

    slots_of_cell: int
    kinds: int
    """How many kinds of states there are; 0 if the cells of the game cannot be described so."""
    length: int
    """Of a line, if the lines form strips, else 0."""
    guarded: bool
    fingerprint: int
    """Of the game; 0 if the kinds are those of every board with such strips."""
    start: NDArray[np.uint32]
    """The state of each slot on an empty board, as X and as O sees it."""
    own: NDArray[np.int32]
    """What an own mark on each cell adds to the state of each slot."""
    others: NDArray[np.int32]
    """The same of the other side's mark."""
    kind_of_state: NDArray[np.uint16]


class Rows:
    """Rows of one game, and what the cells of the game see."""

    def __init__(self, raw: bytes) -> None:
        if raw[: len(MAGIC)] != MAGIC:
            raise ValueError("expected rows of self-play, got something else")
        _, self.cells, self.blocks, slots_of_cell, kinds, states, views, length, guarded, fingerprint = (
            HEADER.unpack_from(raw)
        )
        at, slots = HEADER.size, self.cells * slots_of_cell
        start = np.frombuffer(raw, "<u4", slots * 2, at).reshape(slots, 2)
        at += start.nbytes
        view = np.frombuffer(raw, "<i4", views * 5, at).reshape(views, 5)
        at += view.nbytes
        kind_of_state = np.frombuffer(raw, "<u2", states, at)
        at += kind_of_state.nbytes
        self.header = raw[:at]
        own, others = np.zeros((2, self.cells, slots), np.int32)
        own[view[:, 0], view[:, 1]] = view[:, 3]
        others[view[:, 0], view[:, 1]] = view[:, 4]
        self.sight = Sight(slots_of_cell, kinds, length, bool(guarded), fingerprint, start, own, others, kind_of_state)
        fields: list[tuple[str, str] | tuple[str, str, tuple[int]]] = [
            ("score", "<i4"), ("evaluation", "<i4"), ("move", "<i2"), ("ply", "<i2"), ("result", "i1"), ("sent", "i1"),
            ("rules", "u1"), ("proven", "u1"), ("marks", "u1", (self.cells,)), ("owners", "u1", (self.blocks,)),
        ]  # fmt: skip
        kind = np.dtype(fields)
        self.rows: NDArray[np.void] = np.frombuffer(raw, kind, (len(raw) - at) // kind.itemsize, at)

    @classmethod
    def read(cls, paths: Sequence[Path]) -> Self:
        """Return the rows of one or more files of the same game, in this order; raises ValueError."""
        found, *others = (cls._read_one(path) for path in paths)
        if any(other.header != found.header for other in others):
            raise ValueError("expected rows of one game, got files of different games")
        found.rows = np.concatenate([found.rows, *(other.rows for other in others)])
        return found

    @classmethod
    def _read_one(cls, path: Path) -> Self:
        try:
            return cls(path.read_bytes())
        except (ValueError, struct.error):
            raise ValueError(f"{path.name}: expected rows of self-play, got something else") from None

    def part(self, where: slice) -> Self:
        found = copy(self)
        found.rows = self.rows[where]
        return found

    def __len__(self) -> int:
        return len(self.rows)
