"""What a book knows about one position."""

from __future__ import annotations

from typing import NamedTuple

from noughts.games import ProvenValue, Value

__all__ = ["BookEntry"]


class BookEntry(NamedTuple):
    """The entry of a position in a book, for the side to move.

    ``move`` is the move to play: it preserves a proven value, resists in a lost position, or did best in playthroughs.
    ``value`` is None unless it is proven; ``plies`` then bounds the length of a win or a loss, if known. ``wins``,
    ``draws`` and ``losses`` count the playthroughs that passed through the position.
    """

    move: int | None
    value: Value | None = None
    plies: int | None = None
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def proven(self) -> ProvenValue | None:
        """The proven value with its move, or None."""
        return None if self.value is None else ProvenValue(self.value, self.move, self.plies)

    @property
    def played(self) -> int:
        """The number of playthroughs."""
        return self.wins + self.draws + self.losses

    def __str__(self) -> str:
        known = "not proven" if self.value is None else f"proven {self.value}"
        if self.value is not None and self.plies is not None:
            known += f" in at most {self.plies} plies"
        if self.played:
            known += f"; {self.wins} wins, {self.draws} draws, {self.losses} losses in {self.played} playthroughs"
        return known
