"""Scores of exactly 0 near the end of the game, compared with the solver: they must not come from moves left out."""

from __future__ import annotations

import pytest

import noughts as no

DECEPTIVE = [
    ("ultimate:3", "4o1o1x/3o1xo2/o1o3o2/1xx6/xxo1x1o1x/1xxoooo2/3x1oxxx/o2ox1o2/xxx2o1xo x 1", 9),
    ("ultimate:3", "1xx2ox1o/1x1xxx1x1/1ox3o1x/1x1ooo1o1/3ox1x1o/o1ox3o1/o1o2xo2/5x1ox/x1x2x1oo o -", 15),
    ("ultimate:3", "1x2o1ooo/1x1xx2x1/ox1xxoxx1/x1xooo3/o1x3o2/9/2o1ox1xo/1x2o4/2o1o3x x -", 14),
    ("ultimate:3+count", "xo6x/1x1oxo3/1o1x1x1oo/oo1o2xxx/x1oox1x1o/xo1o5/1o2x3o/x1x1xox2/o1o1x1x2 o -", 12),
]
"""Won or lost, with drawn endings beside the decisive line, and a depth at which the search once called them even."""


@pytest.mark.parametrize(("game", "text", "depth"), DECEPTIVE)
def test_drawn_ending_beside_moves_left_out_does_not_make_a_draw(game: str, text: str, depth: int) -> None:
    """A node's bound was the drawn ending, though moves pruned beside it might have been worth more."""
    position = no.Game(game).parse(text)
    assert no.solve(position, no.Limit(seconds=60), memory_mb=64).value in ("win", "loss")
    assert no.Engine(hash_mb=4, book=False).search(position, no.Limit(depth=depth)).score != 0


@pytest.mark.parametrize(("game", "text", "depth"), DECEPTIVE)
def test_score_of_zero_is_not_a_claim(game: str, text: str, depth: int) -> None:
    position, engine = no.Game(game).parse(text), no.Engine(hash_mb=4, book=False)
    value = no.solve(position, no.Limit(seconds=60), memory_mb=64).value
    for shallow in range(2, depth):
        assert engine.search(position, no.Limit(depth=shallow)).value in (None, value)
