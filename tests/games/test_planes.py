"""Planes and masks equal those of the slow twin."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import noughts as no
from noughts.games.planes import Plane
from plays import fano, tower
from reference import FlatGame, FlatPosition, Line, UltimateGame, UltimatePosition, build, opponent

IDS = [
    "3x3",
    "3x3+misere",
    "4x4:3+wrap",
    "5x5:4+exact",
    "7x6:4+gravity",
    "4x4x4",
    "4x4x4+gravity",
    "3x3x3x3",
    "15x15:5",
    "8x8:5",
    "ultimate:2",
    "ultimate:3",
    "ultimate:3+count",
    "ultimate:3+open",
    "ultimate:3+misere",
    "ultimate:4+count",
]
Twin = FlatPosition | UltimatePosition


def guarded() -> no.Game:
    """A custom game with guards: three in a row of five cells, but not four."""
    return no.Game.from_lines("row", 5, [[0, 1, 2], [1, 2, 3], [2, 3, 4]], guards=[[3], [0, 4], [1]])


def twin_of(game: no.Game) -> FlatGame | UltimateGame:
    if not game.is_custom:
        return build(game.id)
    lines = [Line(line, guards) for line, guards in zip(game.lines, game.guards, strict=True)]
    rests_on = {cell: list(below) for cell, below in enumerate(game.rests_on)}
    return FlatGame(game.cells, lines, rests_on, game.is_misere)


def expected_planes(twin: Twin) -> list[list[int]]:
    """The planes of a position, cell by cell, from the documentation."""
    own = "XO"[len(twin.moves) % 2]
    legal, last = twin.legal_moves, twin.moves[-1:]
    found = []
    for cell, mark in enumerate(twin.cells):
        column = [mark == own, mark == opponent(own), cell in legal, cell in last]
        if isinstance(twin, UltimatePosition):
            block = cell // twin.game.block_size
            owner = twin.blocks[block]
            column += [block == twin.block_to_play, owner == own, owner == opponent(own)]
        found.append([int(value) for value in column])
    return [list(plane) for plane in zip(*found, strict=True)]


@pytest.mark.parametrize("game", [*map(no.Game, IDS), fano(), tower(), guarded()], ids=lambda game: game.id)
def test_planes_and_mask_equal_those_of_the_twin(game: no.Game) -> None:
    chance = random.Random(game.id)
    for _ in range(2 if game.cells > 100 else 6):
        position, twin = game.start(), twin_of(game).start()
        while True:
            planes = position.planes()
            assert planes.shape == game.observation_shape
            assert planes.dtype == np.uint8
            assert planes.reshape(len(planes), -1).tolist() == expected_planes(twin)
            mask = position.legal_mask()
            assert mask.dtype == np.bool_
            assert np.flatnonzero(mask).tolist() == twin.legal_moves
            if twin.is_over:
                break
            move = chance.choice(twin.legal_moves)
            position.play(move)
            twin.play(move)


def test_flat_index_of_a_plane_is_the_cell() -> None:
    position = no.Game("ultimate:3").start()
    position.play(31)
    planes = position.planes()
    assert planes[Plane.LAST_MOVE].flat[31] == 1
    assert planes[Plane.BLOCK_TO_PLAY, 1, 1].all()
    assert planes[Plane.BLOCK_TO_PLAY].sum() == 9


def test_arrays_of_the_caller_are_filled_and_returned() -> None:
    position = no.Game("connect4").start()
    planes = np.full((4, 6, 7), 9, np.uint8)
    mask = np.ones(42, np.bool_)
    assert position.planes(planes) is planes
    assert position.legal_mask(out=mask) is mask
    assert planes.max() == 1
    assert mask.sum() == 7


@pytest.mark.parametrize(
    ("out", "error", "message"),
    [
        (np.zeros((4, 9), np.uint8), ValueError, r"expected an array of shape \(4, 3, 3\), got \(4, 9\)"),
        (np.zeros((4, 3, 3), np.float32), TypeError, "expected a contiguous array of uint8"),
        (np.zeros((4, 3, 6), np.uint8)[:, :, ::2], TypeError, "expected a contiguous array of uint8"),
        (np.broadcast_to(np.uint8(0), (4, 3, 3)), TypeError, "expected a contiguous array of uint8"),
        ([[0] * 9] * 4, TypeError, "expected an array, got list"),
    ],
    ids=["shape", "type", "strides", "read-only", "list"],
)
def test_array_that_cannot_be_filled_is_refused(out: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        no.Game("3x3").start().planes(out)


def test_without_numpy_one_line_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "import noughts as no\n"
        "for ask in (no.Game('3x3').start().planes, no.Game('3x3').start().legal_mask):\n"
        "    try: ask()\n"
        "    except ValueError as error: print(error)\n"
        "from noughts.envs import Batch\n"
        "try: Batch('3x3', 1)\n"
        "except ValueError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "arrays need NumPy: python -m pip install 'noughts[envs]'\n" * 3
