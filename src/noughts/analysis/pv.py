"""Lines of play to their end: a search that has proven a win may stop before it has seen the last moves of it."""

from __future__ import annotations

from collections.abc import Callable

from noughts import _core
from noughts.games import Position, ProvenValue, Side

__all__ = ["complete_pv"]

MAX_PLIES = 16
"""Longest line that is completed: people do not read further."""
THREAT_NODES = 2000
"""Work for the rest of a win by threats; it takes about a millisecond."""


def complete_pv(
    position: Position, line: list[int], winner: Side, look_up: Callable[[Position], ProvenValue | None]
) -> list[int]:
    """Return a line that a side wins, with the moves that follow from threats and known values added at its end."""
    end, line = position.copy(), list(line)
    end.play_all(line)
    while not end.is_over and len(line) < MAX_PLIES:
        moves = _next_moves(end, winner, look_up)
        if not moves:
            break
        for move in moves:
            end.play(move)
            line.append(move)
    return line


def _next_moves(position: Position, winner: Side, look_up: Callable[[Position], ProvenValue | None]) -> list[int]:
    game = position.game
    if not (game.is_ultimate or game.is_misere):
        moves = _core.forced_win(position, THREAT_NODES) if position.turn is winner else position.threats(winner)[:1]
        if moves:
            return moves
    known = look_up(position)
    return [] if known is None or known.move is None else [known.move]
