"""Sides, and how a playthrough ended."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, NamedTuple

from noughts import _core
from noughts.games.fields import document_fields

__all__ = ["Outcome", "Reason", "Side"]

Reason = Literal["line", "full", "count", "time", "resign", "agreement", "illegal", "crash"]
"""Why a playthrough ended."""


class Side(StrEnum):
    """X, who moves first, or O. Prints as and equals ``"X"`` or ``"O"``."""

    X = "X"
    O = "O"  # noqa: E741 - the name of the side

    @property
    def opponent(self) -> Side:
        """The other side."""
        return Side.O if self is Side.X else Side.X

    @property
    def number(self) -> int:
        """0 for X, 1 for O: the core's number for the side."""
        return 0 if self is Side.X else 1


_core.register_sides(Side.X, Side.O)


class Outcome(NamedTuple):
    """How it ended: who won (None for a draw), why, and the points of X and O.

    The reason is ``"line"``, ``"full"`` or ``"count"`` by the rules of the game; a playthrough may also end by
    ``"time"``, ``"resign"``, ``"agreement"``, ``"illegal"`` or ``"crash"``.
    """

    winner: Side | None
    reason: Reason
    points: tuple[int, int]

    def __str__(self) -> str:
        who = "draw" if self.winner is None else f"{self.winner} wins"
        return f"{who} ({self.reason}, {self.points[0]}–{self.points[1]})"


document_fields(
    Outcome,
    winner="The side that won, or None for a draw.",
    reason="Why it ended: by the rules, or as only a playthrough can.",
    points="The points of X and of O.",
)
