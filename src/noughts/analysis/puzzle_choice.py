"""Which puzzle comes next, and the rating of the person who solves them; ``puzzles/choice.js`` is its twin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from noughts.analysis.puzzles import Puzzle
from noughts.store import PuzzleTry

__all__ = ["choose_puzzle", "rating_after"]

FIRST_RATING, LEAST_RATING = 800, 100
K_FIRST, K_LATER, FIRST_PUZZLES = 80, 32, 15
"""K-factors of the Elo rating: a high one for the first puzzles, then a lower one."""
NEAREST = 8
"""Number of puzzles with the nearest ratings among which the next one is chosen."""


def rating_after(tries: Iterable[PuzzleTry], ratings: Mapping[str, int]) -> int:
    """Return a person's rating after tries at puzzles, whose ratings are given by id.

    Puzzles that are not rated, and those solved with a hint, change nothing.

    >>> rating_after([PuzzleTry("a", True, False)], {"a": 800})
    840
    """
    rating = FIRST_RATING
    for number, each in enumerate(tries):
        if each.puzzle in ratings and not (each.is_solved and each.is_hinted):
            expected = 1 / (1 + 10 ** ((ratings[each.puzzle] - rating) / 400))
            k = K_FIRST if number < FIRST_PUZZLES else K_LATER
            rating = max(LEAST_RATING, round(rating + k * (each.is_solved - expected)))
    return rating


def choose_puzzle(puzzles: Sequence[Puzzle], tried: Iterable[str], rating: int, random: Random) -> Puzzle:
    """Return a puzzle near a rating, one that was not tried if there is any; ``puzzles`` must not be empty."""
    known = {*tried}
    fresh = [puzzle for puzzle in puzzles if puzzle.id not in known]
    near = sorted(fresh or puzzles, key=lambda puzzle: abs(puzzle.rating - rating))[:NEAREST]
    return random.choice(near)
