"""Ids that describe no game: the error says what is wrong, in one line, and gives an example that works."""

from __future__ import annotations

import re

import pytest

import noughts as no

WRONG = {
    "chess": "expected a game id",
    "3x3:1": "expected at least 2 in a row, got 1",
    "20x1": "expected at least 2 in a row, got 1",
    "1x1": "expected at least 2 in a row, got 1",
    "20x20:16": "expected at most 15 in a row, got 16",
    "2x2:16": "expected at most 15 in a row, got 16",
    "3x3:4": "4 in a row is longer than every side of 3x3",
    "1x1:3": "3 in a row is longer than every side of 1x1",
    "0x3": "expected sides of at least 1, got 0x3",
    "2x2x2x2x2x2x2x2x2": "expected at most 8 dimensions, got 9",
    "100x100:5": "expected a board of at most 4096 cells, got 100x100",
    "8x8x8x8:2": "expected a board of at most 40000 lines",
    "6x6x6x6:3+wrap": "expected a board of at most 40000 lines",
    "1x1:2+wrap": "has none",
    "3x3+magic": "got '+magic'",
    "3x3+misere+misere": "got +misere twice",
    "3x3+open": "+open makes no sense for a flat board",
    "ultimate:3+gravity": "+gravity makes no sense for Ultimate",
    "ultimate:9": "expected ultimate:N with N from 2 to 5",
    "renju": "renju's forbidden moves are not supported",
    "15x15:5+swap2": "swap openings are not supported",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_id_is_refused_with_the_reason_and_an_example_that_works(wrong: str) -> None:
    with pytest.raises(no.InvalidGame, match=re.escape(WRONG[wrong])) as refused:
        no.Game(wrong)
    example = re.search(r"(?:for example|try) ([^ ,]+)", str(refused.value))
    assert example is not None
    assert no.Game(example[1]).start().legal_moves
    assert "\n" not in str(refused.value)
