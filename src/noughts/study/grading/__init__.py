"""Grades a search: reports which properties fail, and on which positions.

>>> from noughts.study import grade
>>> from noughts.textbook import alphabeta
>>> print(grade(alphabeta).passed)
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from noughts.games import Game
from noughts.study.grading.check import Failure
from noughts.study.grading.process import SearchFile, run_within
from noughts.study.grading.task import PROPERTIES, Grade, Task
from noughts.textbook import Evaluate

__all__ = ["PROPERTIES", "Failure", "Grade", "SearchFile", "grade"]


def grade(
    search: Callable[..., Any],
    game: str = "3x3",
    prunes: bool = True,
    seconds: float | None = None,
    depth: int | None = None,
    evaluate: Evaluate | None = None,
) -> Grade:
    """Grade a search on every unfinished position of a small game, one of each symmetric kind.

    The search is called with a position and must return a ``Result``, or a tuple that begins with the value (from X's
    side) and the move. It may play and undo on the position or make new ones with ``after``; visited nodes are
    counted by watching it do so. With ``prunes=False`` it may visit as many nodes as plain minimax. Otherwise it may
    visit, over all positions, twice as many as alpha-beta with row-by-row order and a full window for each root move; a
    search that visits five times as many on one position is stopped, which ends the grading. Small positions come
    first, so the reported position is usually one of the simplest that show the mistake.

    With a ``depth`` the search is also called with ``depth=``, must use ``evaluate`` (``evaluate_lines`` unless given)
    at that depth, and is tried on 60 positions of random playthroughs, so any game can be used.

    With ``seconds`` the grading runs in a separate process that is killed after that time; a search that is still
    running then fails. Without it, a search that loops without touching the position is never stopped.
    """
    if depth is not None and depth < 1:
        raise ValueError(f"expected a depth of 1 or more, got {depth}")
    if depth is None and evaluate is not None:
        raise ValueError("expected a depth with an evaluation: without a depth only the outcome counts")
    task = Task(search, Game(game).id, prunes, depth, evaluate)
    if seconds is None:
        return task.run()
    return run_within(task, seconds)
