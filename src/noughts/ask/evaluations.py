"""Shapes that answers share: a move that was played, and a candidate with its evaluation and line of play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Self

from noughts.analysis.evaluation import Evaluation
from noughts.analysis.region_names import moves_to_end
from noughts.games import Game, Side
from noughts.schema import Shape

__all__ = ["Candidate", "PlayedMove", "describe_evaluation", "line_of", "move_of"]


@dataclass(frozen=True, kw_only=True)
class PlayedMove(Shape):
    """A move of a side."""

    move: str
    cell: int
    side: Side


@dataclass(frozen=True, kw_only=True)
class Candidate(Evaluation):
    """A move worth considering: its evaluation for the side that makes it, and the expected line of play."""

    move: str
    cell: int
    line: Annotated[tuple[str, ...], "The expected line of play, beginning with the move."]
    cells: Annotated[tuple[int, ...], "The line as cell numbers."]

    @classmethod
    def of(cls, rules: Game, evaluation: Evaluation, cells: Sequence[int], **more: Any) -> Self:
        """Return the candidate whose line of play is ``cells``; ``more`` are the fields of a subclass."""
        return cls(**evaluation.fields(), **move_of(rules, cells[0]), **line_of(rules, cells), **more)


def move_of(game: Game, cell: int) -> dict[str, Any]:
    """Return the fields of a move: its text and its cell."""
    return {"move": game.format_cell(cell), "cell": cell}


def line_of(game: Game, cells: Sequence[int]) -> dict[str, Any]:
    """Return the fields of a line of play: its texts and its cells."""
    return {"line": tuple([game.format_cell(cell) for cell in cells]), "cells": tuple(cells)}


def describe_evaluation(found: Evaluation) -> str:
    """Return an evaluation in words, which say whether it is proven."""
    if found.value is None:
        return f"estimated at {found.chance:.0%} of the point"
    length = f" in at most {moves_to_end(found.plies)}" if found.plies else ""
    return f"a proven {found.value}{length}"
