"""Rows of self-play for tests, and the positions they stand for."""

from __future__ import annotations

from typing import Any

import noughts as no
from noughts import _core
from noughts.learn.rows import Rows

__all__ = ["position_of", "rows_of"]


def rows_of(game: no.Game, count: int, nodes: int = 50, strips: bool = False) -> Rows:
    """Return the rows of the first playthroughs, without a network."""
    played = _core.self_play(game._core, b"", 0, count, 1, nodes, 2)
    return Rows(_core.rows_header(game._core, strips) + played)


def position_of(game: no.Game, row: Any) -> no.Position:
    """Return the position of a row."""
    turn = no.Side.X if row["ply"] % 2 == 0 else no.Side.O
    numbers = {0: -1, 1: turn.number, 2: 1 - turn.number}
    cells = [numbers[mark] for mark in row["marks"].tolist()]
    return no.Position(game, cells, turn, None if row["sent"] < 0 else int(row["sent"]))
