"""What a bot is."""

from __future__ import annotations

from typing import Protocol

from noughts.engine import Limit
from noughts.games import Position

__all__ = ["Bot"]


class Bot(Protocol):
    """Whoever can choose a move. Levels, engines and programs of one's own are bots."""

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return a legal move of a position that is not over, leaving the position as it is.

        ``limit`` is a ``Limit`` or None; a bot that thinks in no time may ignore it.
        """
