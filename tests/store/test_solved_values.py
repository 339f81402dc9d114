"""Proven values are stored once for all symmetric positions, and found for each of them."""

from __future__ import annotations

import random
import time

import pytest

import noughts as no
from noughts.games import ProvenValue
from noughts.store import Store
from plays import play_randomly

GAMES = ["3x3", "4x4", "4x4x4", "5x4:4", "7x6:4+gravity", "4x4:3+misere", "5x5:4+wrap", "ultimate:3", "ultimate:2+open"]


def random_position(game: no.Game, seed: int, most: int = 12) -> no.Position:
    dice = random.Random(seed)
    return play_randomly(game.start(), dice, dice.randrange(most))


def image_of(position: no.Position, numbers: list[int]) -> no.Position:
    twin = position.game.start()
    for move in position.moves:
        twin.play(numbers[move])
    return twin


@pytest.mark.parametrize("id", GAMES)
def test_symmetric_positions_have_one_canonical_text_and_others_another(id: str) -> None:
    game = no.Game(id)
    elements = game.symmetry.elements
    texts: dict[str, int] = {}
    for seed in range(30):
        position = random_position(game, seed)
        numbers = random.Random(seed).choice(elements)
        text = position.canonical_text
        assert image_of(position, numbers).canonical_text == text
        assert texts.setdefault(text, position.canonical_hash) == position.canonical_hash
        if not position.is_over:
            assert game.parse(text).canonical_text == text
            assert game.parse(text).turn == position.turn
    assert len(texts) == len(set(texts.values()))


def test_canonical_text_of_4x4x4_is_fast() -> None:
    position = random_position(no.Game("4x4x4"), 1, 30)
    assert position.canonical_text
    began = time.process_time()
    for _ in range(50):
        _ = position.canonical_text
    assert (time.process_time() - began) / 50 < 0.01


def test_value_comes_back_for_every_image_with_its_move_turned(store: Store) -> None:
    game = no.Game("3x3")
    position = game.start()
    position.play(0)
    store.solved.add(position, ProvenValue(no.Value.DRAW, 4, None, 10, 0.1))
    for corner in (0, 2, 6, 8):
        found = store.solved.find(game.start().after(corner))
        assert found is not None
        assert (found.value, found.move, found.plies, found.nodes) == ("draw", 4, None, 10)
    assert store.solved.find(game.start().after(1)) is None
    store.solved.add(game.start().after(1), ProvenValue(no.Value.DRAW, 0, 8, 10, 0.1))
    moves = {cell: store.solved.find(game.start().after(cell)) for cell in (1, 3, 5, 7)}
    answers = {1: (0, 2), 3: (0, 6), 5: (2, 8), 7: (6, 8)}
    for cell, found in moves.items():
        assert found is not None
        assert found.move in answers[cell]


def test_values_of_different_games_do_not_mix(store: Store) -> None:
    store.solved.add(no.Game("3x3").start(), ProvenValue(no.Value.DRAW, 4, None, 1, 0.0))
    assert store.solved.find(no.Game("3x3+misere").start()) is None
    lines = [[0, 1], [2, 3]]
    own = no.Game.from_lines("mine", cells=4, lines=lines)
    store.solved.add(own.start(), ProvenValue(no.Value.DRAW, 0, None, 1, 0.0))
    assert store.solved.find(no.Game.from_lines("also mine", cells=4, lines=lines).start()) is not None
    assert store.solved.find(no.Game.from_lines("mine", cells=4, lines=[[0, 1]]).start()) is None


def test_shorter_bound_replaces_a_longer_one_but_not_the_other_way(store: Store) -> None:
    position = no.Game("4x4:3").start()
    for plies, expected in ((None, None), (9, 9), (None, 9), (11, 9), (5, 5)):
        store.solved.add(position, ProvenValue(no.Value.WIN, 5, plies, 7, 0.2))
        found = store.solved.find(position)
        assert found is not None
        assert found.plies == expected
