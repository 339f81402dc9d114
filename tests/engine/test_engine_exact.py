"""The engine compared with exhaustive search on small and late positions."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest

import noughts as no
from exhaustive import OPPOSITE, Exhaustive, random_position

SLOW = bool(os.environ.get("NOUGHTS_SLOW"))
"""`make bench` and `NOUGHTS_SLOW=1 pytest` check the full number of positions; the default is a sample."""


def all_positions(game: no.Game) -> Iterator[no.Position]:
    """Every position of a small game, each once."""
    seen, waiting = set(), [game.start()]
    while waiting:
        position = waiting.pop()
        if position.text in seen:
            continue
        seen.add(position.text)
        yield position
        waiting += [position.after(move) for move in position.legal_moves]


def assert_agrees(position: no.Position, truth: Exhaustive, engine: no.Engine) -> None:
    """The engine proves the value, and its move keeps it."""
    expected = truth.value(position)
    result = engine.search(position, no.Limit(depth=position.game.cells))
    assert result.value == expected, f"{position!r}: {result}, expected {expected}"
    assert truth.value(position.after(result.move)) == OPPOSITE[expected], f"{position!r}: {result}"


@pytest.mark.parametrize("id", ["3x3", "3x3+misere"])
def test_move_keeps_the_value_on_every_position_of_three_by_three(id: str) -> None:
    truth, engine, searched, seen = Exhaustive(), no.Engine(hash_mb=1, book=False), 0, 0
    for position in all_positions(no.Game(id)):
        seen += 1
        if not position.is_over:
            searched += 1
            assert_agrees(position, truth, engine)
    assert (seen, searched) == (5478, 4520)


def test_shallow_search_still_keeps_the_value_on_three_by_three_when_it_claims_one() -> None:
    truth, classes = Exhaustive(), {position.canonical_hash: position for position in all_positions(no.Game("3x3"))}
    for position in classes.values():
        if position.is_over:
            continue
        result = no.Engine(hash_mb=1, book=False).search(position, no.Limit(depth=2))
        assert result.value in (None, truth.value(position)), f"{position!r}: {result}"


# A game, the maximum number of free cells, and the number of positions in a quick and in a slow run.
SAMPLES = [
    ("4x4:3", 10, 60, 300),
    ("4x4", 9, 30, 300),
    ("4x4+misere", 9, 30, 300),
    ("3x3x3", 15, 60, 300),
    ("3x3x3+misere", 9, 20, 200),
    ("4x4x4", 10, 30, 500),
    ("4x4x4", 12, 6, 1000),
    ("7x6:4+gravity", 12, 100, 1000),
    ("7x6:4+gravity+misere", 12, 30, 300),
    ("4x4x4+gravity", 11, 30, 300),
    ("5x5:4+exact", 9, 20, 200),
    ("4x4+wrap", 9, 20, 200),
    ("ultimate:2", 9, 40, 300),
    ("ultimate:3", 10, 40, 200),
    ("ultimate:3+open", 9, 40, 200),
    ("ultimate:3+count", 9, 40, 200),
    ("ultimate:3+misere", 10, 30, 200),
]


@pytest.mark.parametrize(("id", "free", "quick", "slow"), SAMPLES)
def test_late_positions_are_searched_to_the_truth(id: str, free: int, quick: int, slow: int) -> None:
    game, dice = no.Game(id), random.Random(id)
    truth, engine, values = Exhaustive(), no.Engine(hash_mb=4, book=False), set()
    for number in range(max(slow, quick) if SLOW else quick):
        # Mostly near the limit of exhaustive search, sometimes well below.
        position = random_position(game, dice, most_free=free - number % 3)
        if number % 50 == 0:
            truth = Exhaustive()
        assert_agrees(position, truth, engine)
        values.add(truth.value(position))
    assert len(values) > 1, f"a sample with nothing but {values} says little"


@pytest.mark.parametrize(("id", "value"), [("4x4:3", "win"), ("4x4", "draw"), ("3x3x3", "win"), ("4x3:3", "win")])
def test_known_values_are_proven_from_the_empty_board(id: str, value: str) -> None:
    result = no.Engine(book=False).search(no.Game(id).start(), no.Limit(seconds=20))
    assert result.value == value
