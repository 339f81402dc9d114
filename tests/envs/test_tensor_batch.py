"""Tensor batches: the same as batches of the core, move by move."""

from __future__ import annotations

import random

import pytest

import noughts as no
from noughts.envs import Batch
from plays import fano, tower

torch = pytest.importorskip("torch")
from noughts.envs.torch import TensorBatch  # noqa: E402
from noughts.envs.torch.rules import TensorRules  # noqa: E402


def irregular() -> no.Game:
    """A custom game with more shapes of lines than are tested by shifts, guards, and two supports for some cells."""
    chance = random.Random(1)
    lines = {tuple(sorted(chance.sample(range(70), 4))) for _ in range(150)}
    guards = [tuple(chance.sample(sorted(set(range(70)) - set(line)), 2)) for line in lines]
    rests_on = {cell: [cell - 7, cell - 10] for cell in range(10, 70, 3)}
    return no.Game.from_lines("irregular", 70, lines, guards=guards, rests_on=rests_on)


IDS = [
    "3x3",
    "3x3+misere",
    "4x4+wrap",
    "5x5:4+exact",
    "6x6:4+exact+wrap",
    "7x6:4+gravity",
    "4x4x4",
    "4x4x4+gravity",
    "4x4x4x4",
    "15x15:5",
    "ultimate:2",
    "ultimate:3",
    "ultimate:3+count",
    "ultimate:3+open",
    "ultimate:3+misere",
    "ultimate:3+count+open",
    "ultimate:4+count",
    "ultimate:5",
]
GAMES = [*map(no.Game, IDS), fano(), tower(), irregular()]


def assert_plays_like_the_core(game: no.Game, n: int, playthroughs: int, compile: bool = False) -> None:
    """Random moves must be the same too: both have the same generator."""
    core, tensors = Batch(game, n, seed=3), TensorBatch(game, n, seed=3, device="cpu", compile=compile)
    ended = 0
    while ended < playthroughs:
        moves = core.random_moves()
        drawn = tensors.random_moves()
        assert (drawn.numpy() == moves).all()
        expected, found = core.step(moves), tensors.step(drawn)
        for name, array, tensor in zip(expected._fields, expected, found, strict=True):
            assert (tensor.numpy() == array).all(), name
        ended += int(expected.terminated.sum())


@pytest.mark.parametrize("game", [game for game in GAMES if game.cells <= 256], ids=lambda game: game.id)
def test_tensor_batch_equals_the_core_move_by_move(game: no.Game) -> None:
    assert_plays_like_the_core(game, 16, 8)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_state_of_a_position_is_that_of_its_moves_played_on_tensors(game: no.Game) -> None:
    rules, chance = TensorRules(game, torch.device("cpu")), random.Random(1)
    positions, states = [game.start() for _ in range(4)], rules.start(4)
    while positions:
        for played, taken in zip(states.tensors(), rules.states_of(positions).tensors(), strict=True):
            assert torch.equal(played, taken)
        moves = [chance.choice(position.legal_moves) for position in positions]
        positions = [position.after(move) for position, move in zip(positions, moves, strict=True)]
        after = rules.play(states, torch.tensor(moves))
        going = ~after.is_over
        assert going.tolist() == [not position.is_over for position in positions]
        positions = [position for position in positions if not position.is_over]
        states = after.state.map(lambda tensor, going=going: tensor[going])


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_tensor_batch_equals_the_core_in_ten_thousand_playthroughs(game: no.Game) -> None:
    assert_plays_like_the_core(game, 2000, 10_000)
