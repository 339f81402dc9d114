"""Scores as other programs show them: hundredths of a pawn within bounds, and moves to a proven win or loss."""

from __future__ import annotations

from itertools import pairwise

from noughts import _core
from noughts.engine import SearchResult
from noughts.games import Position, Value

__all__ = ["centipawns", "moves_to_mate", "plies_to_end"]

SCALE = ((0, 0), (5_000, 5_000), (500_000, 9_000), (950_000, 9_500), (_core.WIN, 10_000))
"""Scores of the engine and the hundredths of a pawn they are shown as; those in between are interpolated.

Ordinary scores stay as they are. Estimates of decided games follow, then wins that are found but not proven.
"""


def centipawns(score: int) -> int:
    """Return a score within 100 pawns; a better score is never shown as a worse one.

    >>> centipawns(-112), centipawns(60_000), centipawns(987_709)
    (-112, 5444, 9877)
    """
    size = min(abs(score), _core.WIN)
    for (low, low_shown), (high, high_shown) in pairwise(SCALE):
        if size <= high:
            shown = low_shown + (size - low) * (high_shown - low_shown) // (high - low)
            break
    return shown if score >= 0 else -shown


def plies_to_end(position: Position, found: SearchResult) -> int | None:
    """Return the plies to a proven win (negative: loss), or None for other results.

    A win whose length is unknown is assumed to take the rest of the board.
    """
    if found.value is None or not found.value.is_decisive:
        return None
    plies = position.cells.count(None) if found.plies is None else found.plies
    return plies if found.value is Value.WIN else -plies


def moves_to_mate(position: Position, found: SearchResult) -> int | None:
    """Return the moves of the winner to a proven win (negative: loss), as in chess, or None for other results."""
    plies = plies_to_end(position, found)
    if plies is None:
        return None
    return (plies + 1) // 2 if plies > 0 else -((1 - plies) // 2)
