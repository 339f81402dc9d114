"""How long a bot may think for a move: what a tournament's clocks, or a limit, allow."""

from __future__ import annotations

from typing import NamedTuple

from noughts.engine import Limit
from noughts.games import Position, Side

__all__ = ["Clock"]

MOST_MOVES = 30
"""However long a game may become, a move gets at least this part of what is left."""
RESERVE = 0.03
"""Seconds that are not planned with: pipes and schedulers take them."""


class Clock(NamedTuple):
    """Seconds for each move, or what is left on both clocks; also a limit on nodes or depth. All may be None.

    >>> Clock(remaining=(60.0, 30.0), increment=(1.0, 1.0)).allowed(Side.O)
    30.0
    """

    seconds: float | None = None
    """For this move."""
    remaining: tuple[float, float] | None = None
    """For the rest of the playthrough: X's and O's."""
    increment: tuple[float, float] = (0.0, 0.0)
    """What each gains with a move: X and O."""
    moves_to_go: int | None = None
    """Moves until the clocks are set anew."""
    nodes: int | None = None
    depth: int | None = None

    @classmethod
    def of(cls, limit: Limit | None) -> Clock:
        """Return the clock of a limit; None is no limit."""
        if limit is None:
            return cls()
        if limit.clock is None:
            return cls(seconds=limit.seconds, nodes=limit.nodes, depth=limit.depth)
        return cls(limit.seconds, *limit.clock, limit.nodes, limit.depth)

    def allowed(self, side: Side) -> float | None:
        """Return after how many seconds a side is late, or None when it never is."""
        bounds = [self.seconds, None if self.remaining is None else self.remaining[side.number]]
        return min((bound for bound in bounds if bound is not None), default=None)

    def share(self, position: Position) -> float | None:
        """Return the seconds the side to move does well to think now; None without clock.

        A time for the move is used up to a reserve; of a clock an even part is taken, and most of the increment.
        """
        side = position.turn
        if side is None or (allowed := self.allowed(side)) is None:
            return None
        usable = max(allowed - RESERVE, allowed / 4)
        if self.remaining is None:
            return usable
        own_moves = (position.cells.count(None) + 1) // 2
        moves = max(1, min(MOST_MOVES, own_moves, self.moves_to_go or MOST_MOVES))
        return min(usable, self.remaining[side.number] / moves + 0.75 * self.increment[side.number])

    def limit(self, position: Position) -> Limit | None:
        """Return the limit for a search of ours, or None when nothing bounds it."""
        seconds = self.share(position)
        if seconds is None and self.nodes is None and self.depth is None:
            return None
        return Limit(None if seconds is None else max(seconds, 0.001), self.depth, self.nodes)
