"""The scope of a run: everything, or a part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Scope"]


@dataclass(frozen=True)
class Scope:
    """``quick`` measures a little of everything; ``games`` and ``pairs`` select a part of the matches.

    ``concurrency`` is the number of playthroughs of a match at the same time.
    """

    quick: bool = False
    games: tuple[str, ...] = ()
    pairs: int | None = None
    concurrency: int = 1

    def select_games(self, games: Sequence[str]) -> list[str]:
        """Return the games to play in."""
        if self.games:
            return [game for game in games if game in self.games]
        return list(games[:1] if self.quick else games)

    def select_pairs(self, default: int) -> int:
        """Return the number of pairs to play."""
        return self.pairs or (2 if self.quick else default)
