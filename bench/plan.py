"""How much to measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Plan"]


@dataclass(frozen=True)
class Plan:
    """The whole, or a part of it: ``quick`` for a glance, ``games`` and ``pairs`` to choose in matches.

    ``concurrency`` pairs are played at once, on a processor each, where players think with one thread.
    """

    quick: bool = False
    games: tuple[str, ...] = ()
    pairs: int | None = None
    concurrency: int = 1

    def of_games(self, games: Sequence[str]) -> list[str]:
        """Return the games to play in, of those there are."""
        if self.games:
            return [game for game in games if game in self.games]
        return list(games[:1] if self.quick else games)

    def of_pairs(self, pairs: int) -> int:
        """Return how many pairs to play where ``pairs`` is the usual number."""
        return self.pairs or (2 if self.quick else pairs)
