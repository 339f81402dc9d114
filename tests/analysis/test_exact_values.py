"""Exact values of positions and moves, and regrets."""

from __future__ import annotations

import random
from functools import cache

import pytest

import noughts as no
from noughts.analysis.exact import ExactValues
from plays import position_after


@cache
def value(game: no.Game, text: str) -> int:
    """The value of a position for the side to move, by plain recursion."""
    position = game.parse(text)
    if position.is_over:
        return 0 if position.winner is None else 1 if position.winner is position.side_to_move else -1
    return max(-value(game, position.after(move).text) for move in position.legal_moves)


@pytest.mark.parametrize("id", ["3x3", "3x3+misere"])
def test_every_value_and_regret_of_small_games_is_exact(id: str) -> None:
    game, values, chance = no.Game(id), ExactValues(), random.Random(id)
    for _ in range(40):
        position = game.start()
        while not position.is_over:
            here = value(game, position.text)
            found = values.of(position)
            assert found is not None
            assert found.number == here
            move = chance.choice(position.legal_moves)
            reached = -value(game, position.after(move).text)
            of_move = values.of_move(position, move)
            assert of_move is not None
            assert of_move.number == reached
            assert values.regret(position, move) == here - reached
            position.play(move)
        end = values.of(position)
        assert end is not None
        assert end.number == value(game, position.text)


def test_book_gives_values_that_no_short_proof_finds() -> None:
    start = no.Game("connect4").start()
    values = ExactValues()
    assert values.of(start) == "win"
    assert values.regret(start, no.Game("connect4").parse_cell("d1")) == 0


def test_value_that_is_not_known_is_none() -> None:
    start = no.Game("ultimate:3").start()
    values = ExactValues()
    assert values.of(start) is None
    assert values.regret(start, 40) is None


def test_limit_pays_for_longer_proofs() -> None:
    position = position_after("5x4:4+gravity", "c", "c", "c", "c")
    assert ExactValues(no.Limit(seconds=20)).of(position) == no.solve(position).value
