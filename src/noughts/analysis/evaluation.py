"""Evaluations: the proven value or the estimated score of a position or a move, for one side."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Annotated, Any, Self

from noughts.engine import SearchResult
from noughts.games import Position, Side, Value
from noughts.games.quoting import count

__all__ = ["Evaluation", "Source", "chance_of_score"]

CHANCE_DIGITS = 6
"""Chances are rounded, so that equal scores give equal chances from either side."""
CHANCES = {Value.WIN: 1.0, Value.DRAW: 0.5, Value.LOSS: 0.0}


class Source(StrEnum):
    """The origin of an evaluation."""

    STORE = "store"
    """Solved and saved earlier."""
    BOOK = "book"
    SOLVER = "solver"
    """Solved just now."""
    SEARCH = "search"
    """Searched by the engine, which proves short wins and losses and estimates everything else."""
    RULES = "rules"
    """The game is over."""


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """The evaluation of a position or a move for one side: a proven ``value`` or an estimated ``score``."""

    value: Annotated[Value | None, "Proven with best play from both sides; null if it is not proven."]
    plies: Annotated[int | None, "A proven win or loss takes at most this many plies, if that is known."]
    score: Annotated[int | None, "The engine's estimate; null if the value is proven."]
    chance: Annotated[float, "The expected share of the point: 1 for a win, a half for a draw."]
    source: Annotated[Source, "The origin of the evaluation."]
    text: Annotated[str, "In words; an estimate as the chance to win: `win in 3 moves`, `57%`."]

    @classmethod
    def of_result(cls, result: SearchResult, scale: int, source: Source = Source.SEARCH) -> Evaluation:
        """Return the evaluation of a search result for the side to move; ``scale`` is that of the engine."""
        if result.value is not None:
            return cls.of_value(result.value, result.plies, source)
        return cls.of_score(result.score, chance_of_score(result.score, scale), source)

    @classmethod
    def of_value(cls, value: Value, plies: int | None, source: Source) -> Evaluation:
        """Return the evaluation with a proven value."""
        chance = CHANCES[value]
        text = _text(value, plies, chance)
        return Evaluation(value=value, plies=plies, score=None, chance=chance, source=source, text=text)

    @classmethod
    def of_score(cls, score: int, chance: float, source: Source = Source.SEARCH) -> Evaluation:
        """Return the evaluation with an estimate."""
        text = _text(None, None, chance)
        return Evaluation(value=None, plies=None, score=score, chance=chance, source=source, text=text)

    @classmethod
    def of_end(cls, position: Position, side: Side) -> Evaluation:
        """Return the evaluation of a finished position for a side."""
        if position.winner is None:
            return cls.of_value(Value.DRAW, None, Source.RULES)
        return cls.of_value(Value.WIN if position.winner is side else Value.LOSS, 0, Source.RULES)

    def for_opponent(self) -> Evaluation:
        """Return the same from the other side."""
        return self._replace(
            score=None if self.score is None else -self.score,
            value=None if self.value is None else self.value.opposite,
            chance=round(1 - self.chance, CHANCE_DIGITS),
        )

    def one_ply_earlier(self) -> Evaluation:
        """Return the evaluation of the previous position, if the best move led here."""
        return self if self.plies is None else self._replace(plies=self.plies + 1)

    def one_ply_later(self) -> Evaluation:
        """Return the evaluation of the next position, after the best move."""
        return self if self.plies is None else self._replace(plies=max(0, self.plies - 1))

    def _replace(self, **changes: Any) -> Self:
        changed = replace(self, **changes)
        return replace(changed, text=_text(changed.value, changed.plies, changed.chance))

    @property
    def rank(self) -> tuple[float, int]:
        """A key that sorts by preference: chance, then winning sooner or losing later."""
        plies = self.plies or 0
        return self.chance, plies if self.value is Value.LOSS else -plies

    def fields(self) -> dict[str, Any]:
        """Return the fields of an evaluation, for answers that include them."""
        return {field.name: getattr(self, field.name) for field in fields(Evaluation)}

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.score:+d}"
        if not self.plies:
            return {Value.WIN: "won", Value.DRAW: "draw", Value.LOSS: "lost"}[self.value]
        return f"{self.value} in {count(self.plies, 'ply')}"


def _text(value: Value | None, plies: int | None, chance: float) -> str:
    """The words for people. Only a proven value is certain, so an estimate is never 0 or 100%."""
    if value is None:
        return f"{min(99, max(1, round(100 * chance)))}%"
    # The moves of the winner: it makes the last one, and the loser moves first in a lost position.
    return f"{value} in {count((plies + 1) // 2, 'move')}" if plies else str(value)


def chance_of_score(score: int, scale: int) -> float:
    """Return the expected share of the point for a score: a logistic curve. ``Engine.scale_of`` has the scale.

    >>> chance_of_score(0, scale=100)
    0.5
    >>> round(chance_of_score(110, scale=100), 2)
    0.75
    """
    exponent = max(-40.0, min(40.0, score / scale))
    return round(1 / (1 + math.exp(-exponent)), CHANCE_DIGITS)
