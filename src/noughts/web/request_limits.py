"""Upper bounds for single requests."""

from __future__ import annotations

from dataclasses import dataclass

from noughts._core import MAX_CELLS

__all__ = ["BODY_BYTES", "REQUEST_LIMITS", "RequestLimits"]

BODY_BYTES = 256 * 1024
"""Size limit for a request and for a websocket frame: a custom game with a few thousand lines fits."""


@dataclass(frozen=True)
class RequestLimits:
    """Upper bounds for the fields of a single request."""

    move_seconds: float = 10.0
    analyse_seconds: float = 60.0
    review_seconds: float = 30.0
    solve_seconds: float = 60.0
    compare_seconds: float = 2.0
    trace_nodes: int = 5000
    trace_simulations: int = 1000
    learning_playthroughs: int = 40_000
    moves: int = MAX_CELLS
    shared_game_bytes: int = 32 * 1024
    """Custom games that friends play or visitors save, as JSON."""


REQUEST_LIMITS = RequestLimits()
