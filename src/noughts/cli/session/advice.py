"""Asking the engine: the best move, who stands better, and where a game was lost."""

from __future__ import annotations

from typing import Any, Protocol

from noughts.games import Playthrough, Position, Side

__all__ = ["Advisor", "Opinion", "Reviewed", "describe_review", "describe_score"]


class Opinion(Protocol):
    """What a search found; ``SearchResult`` is one."""

    @property
    def move(self) -> int | None:
        """The best move."""

    @property
    def score(self) -> int:
        """An estimate for the side to move."""

    @property
    def value(self) -> str | None:
        """``"win"``, ``"draw"`` or ``"loss"`` for the side to move, when proven."""

    @property
    def plies(self) -> int | None:
        """In at most so many plies, when proven."""

    @property
    def depth(self) -> int:
        """How many plies it looked ahead."""

    @property
    def pv(self) -> Any:
        """The moves it expects."""


class Reviewed(Protocol):
    """A review of a playthrough."""

    @property
    def accuracy(self) -> dict[Side, float]:
        """How well each side played, in percent."""

    def as_data(self) -> Any:
        """Return it as data for JSON."""


class Advisor(Protocol):
    """Whoever can be asked about positions."""

    def analyse(self, position: Position) -> Opinion:
        """Return the best move and what it is worth."""

    def review(self, play: Playthrough) -> Reviewed:
        """Return a review of what was played."""


def describe_score(found: Opinion, side: Side) -> str:
    """Return who stands better, in words and as a number: proven things are told apart from estimates."""
    plies = f" in at most {found.plies} plies" if found.plies else ""
    if found.value == "win":
        return f"Proven: {side} wins{plies}."
    if found.value == "loss":
        return f"Proven: {side.opponent} wins{plies}."
    if found.value == "draw":
        return "Proven: a draw with best play."
    better = side if found.score > 0 else side.opponent
    words = "About even" if found.score == 0 else f"{better} stands better"
    return f"{words}: {found.score:+d} for {side}, looking {found.depth} plies ahead."


def describe_review(found: Reviewed) -> str:
    """Return a review as lines of text."""
    return str(found)
