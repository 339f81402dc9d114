"""Rows of self-play, as ``bench/train/selfplay.cpp`` writes them. Needs numpy but not noughts."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["UNKNOWN", "Rows"]

UNKNOWN = 2
"""The result of rows whose playthrough was not played to its end without random moves."""


class Rows:
    """All rows of a file, which are of one game, and how the cells of the game see each other."""

    def __init__(self, path: Path) -> None:
        raw = path.read_bytes()
        if raw[:4] != b"NNR2":
            raise ValueError(f"expected rows of self-play, got {path}")
        self.cells, self.blocks, self.strips, self.digits, self.length, guarded, numbers = struct.unpack_from(
            "<7i", raw, 4
        )
        self.guarded = bool(guarded)
        at, slots = 32, self.cells * self.strips
        self.seen = np.frombuffer(raw, "<i2", slots * self.digits, at).reshape(slots, self.digits)
        at += self.seen.nbytes
        self.kinds = np.frombuffer(raw, "<i2", numbers, at)
        at += self.kinds.nbytes
        fields: list[Any] = [
            ("score", "<i4"), ("evaluation", "<i4"), ("move", "<i2"), ("ply", "<i2"), ("result", "i1"), ("sent", "i1"),
            ("rules", "u1"), ("proven", "u1"), ("marks", "u1", (self.cells,)), ("owners", "u1", (self.blocks,)),
        ]  # fmt: skip
        kind = np.dtype(fields)
        self.rows: NDArray[Any] = np.frombuffer(raw, kind, (len(raw) - at) // kind.itemsize, at)

    def __len__(self) -> int:
        return len(self.rows)
