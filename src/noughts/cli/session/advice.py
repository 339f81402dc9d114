"""Asking the engine: the best move, who stands better, and where a game was lost."""

from __future__ import annotations

from typing import Any, Protocol

from noughts.bots import EngineBot
from noughts.cli.session.thinking import Ticker, think
from noughts.engine import Limit, SearchResult
from noughts.games import Playthrough, Position, Side

__all__ = ["Advisor", "EngineAdvisor", "Reviewed", "describe_review", "describe_score"]

SECONDS = 1.0
"""How long to think about a question."""


class Reviewed(Protocol):
    """A review of a playthrough."""

    @property
    def accuracy(self) -> dict[Side, float]:
        """How well each side played, in percent."""

    def as_data(self) -> Any:
        """Return it as data for JSON."""


class Advisor(Protocol):
    """Whoever can be asked about positions."""

    def analyse(self, position: Position) -> SearchResult:
        """Return the best move and what it is worth."""

    def review(self, play: Playthrough) -> Reviewed:
        """Return a review of what was played."""


class EngineAdvisor:
    """Asks the engine, and remembers the last answer: a hint is often asked for twice."""

    def __init__(self, ticker: Ticker, seconds: float = SECONDS) -> None:
        self._ticker = ticker
        self._engine = EngineBot(Limit(seconds=seconds))
        self._last: tuple[Position, SearchResult] | None = None

    def analyse(self, position: Position) -> SearchResult:
        """Return the best move and what it is worth."""
        if self._last is None or self._last[0] != position:
            asked = position.copy()
            found = think(lambda: self._engine.search(asked), self._ticker, "the engine", self._engine)
            self._last = asked, found
        return self._last[1]

    def review(self, play: Playthrough) -> Reviewed:
        """Return a review of what was played."""
        raise NotImplementedError


def describe_score(found: SearchResult, side: Side) -> str:
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
