"""A bot as a Python class: wins when it can, blocks when it must. Run as ``greedy.py:Greedy``."""

import random

from noughts import Limit, Position


class Greedy:
    """Looks one move ahead."""

    def choose(self, position: Position, limit: Limit | None) -> int:
        """Return a winning move, else one that keeps the opponent from winning, else any."""
        opponent = "O" if position.turn == "X" else "X"
        wanted = position.threats(position.turn or "X") or position.threats(opponent)
        return random.choice([move for move in wanted if position.is_legal(move)] or position.legal_moves)
