"""The trained networks: slow twins in integers and in floating point, and the games that have a network."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import noughts as no
from noughts import _core
from noughts.games.evaluation import NETWORKS, network_of, ultimate_weights
from noughts.games.game import _compile
from noughts.games.geometry import build
from noughts.games.spec import parse_id
from noughts.learn.block_parameters import SCALE, NetShape, Parameters
from noughts.packaged import packaged_path
from paths import ROOT
from plays import position_after

ULTIMATE = ("ultimate:3", "ultimate:3+count", "ultimate:4", "ultimate:4+count")
SHAPES = ("64-32:32:16", "24-10:32:16", "12:16:5", "96-128-32:64:16", "32-32-32-32:48:40")

MOST_ESTIMATED = 500_000
ROUNDING = 0.04
"""Largest difference between the core and a network in floating point, as a share of the spread: 1% of a win."""

Vector = NDArray[Any]


class FloatTwin:
    """A network evaluated in floating point for one position, as core/search/block_network.hpp describes it."""

    def __init__(self, network: Parameters) -> None:
        self.network = network
        self.arrays: dict[str, Vector] = {name: array.astype(np.float64) for name, array in network.arrays.items()}

    def code(self, marks: list[int]) -> Vector:
        """Encode a block; 1 stands for own marks, 2 for the other side's."""
        code: Vector = np.array([mark == who for mark in marks for who in (1, 2)], np.float64)
        for layer in range(len(self.network.shape.encoder)):
            code = np.clip(code @ self.arrays[f"weights{layer}"] + self.arrays[f"bias{layer}"], 0, 32)
        return code

    def project(self, code: Vector, projection: Vector) -> Vector:
        return code @ projection

    def row(self, lanes: Vector) -> Vector:
        """Return a row that does not depend on marks."""
        return lanes

    def view(self, position: no.Position, who: int) -> Vector:
        """Sum the features from the view of the side to move (0) or the other side (1)."""
        assert position.turn is not None
        self_side = position.turn if who == 0 else position.turn.opponent
        mark_of = {None: 0, self_side: 1, self_side.opponent: 2}
        counts = int("count" in position.game.id)
        cells, blocks = self.network.cells, self.network.blocks
        sent = blocks if position.block_to_play is None else position.block_to_play
        sums = self.row(self.arrays["sent"][counts, who, sent])
        for block in range(blocks):
            marks = [mark_of[mark] for mark in position.cells[block * cells : (block + 1) * cells]]
            if position.blocks[block] is not None:
                sums = sums + self.row(self.arrays["decided"][block, mark_of[position.blocks[block]] - 1])
                continue
            if block not in position.open_blocks:
                sums = sums + self.row(self.arrays["decided"][block, 2])
                continue
            code = self.code(marks)
            sums = sums + self.project(code, self.arrays["places"][block])
            if block == sent:
                sums = sums + self.project(code, self.arrays["forced"][who])
        return sums

    def head(self, own: Vector, other: Vector) -> float:
        lanes = np.clip(np.stack([own, other]), 0, 2047 / 512)
        units = np.clip((self.arrays["head"] * lanes).sum((1, 2)) + self.arrays["head_bias"], 0, 2047 / 512)
        logit = units @ self.arrays["last"] + self.arrays["last_bias"][0] + own[0] - other[0]
        return float(logit * self.network.spread)

    def estimate(self, position: no.Position) -> float:
        """Return the network's score of a position."""
        return self.head(self.view(position, 0), self.view(position, 1))


class Twin(FloatTwin):
    """The same in integers, as the core computes it."""

    def __init__(self, network: Parameters) -> None:
        super().__init__(network)
        self.arrays = {name: np.rint(array * SCALE).astype(np.int64) for name, array in self.arrays.items()}

    def code(self, marks: list[int]) -> Vector:
        rows = [self.arrays["weights0"][2 * cell + mark - 1] for cell, mark in enumerate(marks) if mark]
        code = np.clip(sum(rows, self.arrays["bias0"]), 0, 32767)
        for layer in range(1, len(self.network.shape.encoder)):
            sums = code @ self.arrays[f"weights{layer}"]
            code = np.clip((sums + 512 >> 10) + self.arrays[f"bias{layer}"], 0, 32767)
        return code

    def project(self, code: Vector, projection: Vector) -> Vector:
        return code @ projection + 1024 >> 11

    def row(self, lanes: Vector) -> Vector:
        return lanes + 1 >> 1

    def head(self, own: Vector, other: Vector) -> int:
        own, other = (view.astype(np.int16).astype(np.int64) for view in (own, other))
        lanes = np.clip(np.stack([own, other]), 0, 2047)
        units = (self.arrays["head"] * lanes).sum((1, 2))
        hidden = np.clip((units >> 10) + (self.arrays["head_bias"] >> 1), 0, 2047)
        out = (int(self.arrays["last_bias"][0]) << 9) + int(hidden @ self.arrays["last"])
        out += int(own[0] - other[0]) << 10
        return max(-MOST_ESTIMATED, min(MOST_ESTIMATED, out * round(self.network.spread) >> 19))


def random_network(shape: str, side: int, seed: int = 1) -> Parameters:
    """Return a network with parameters of about the size of trained ones."""
    found = Parameters.random(NetShape.parse(shape), side**2, side**2, 1000, np.random.default_rng(seed))
    for array in found.arrays.values():
        array *= np.float32(1.5)
    return found


def positions_of(game_id: str, count: int) -> Iterator[no.Position]:
    """Yield positions of random playthroughs."""
    chance = random.Random(game_id)
    while True:
        position = no.Game(game_id).start()
        while not position.is_over:
            if chance.random() < 0.25:
                yield position
                count -= 1
                if count == 0:
                    return
            position.play(chance.choice(position.legal_moves))


def game_with(game_id: str, network: bytes) -> _core.Game:
    """Return a game for the core with another network."""
    return _compile(build(parse_id(game_id)), ultimate_weights(3), network)


def estimate_with(game: _core.Game, position: no.Position) -> int:
    """Return the estimate of a position's moves in another game."""
    same = _core.Position(game)
    for move in position.moves:
        same.play(move)
    return _core.estimate(same)


@pytest.fixture(params=_core.instruction_sets())
def instruction_set(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each of the instruction sets of this machine in turn."""
    _core.set_instruction_set(request.param)
    yield request.param
    _core.set_instruction_set(_core.instruction_sets()[0])


@pytest.mark.usefixtures("instruction_set")
@pytest.mark.parametrize("game_id", ULTIMATE)
def test_core_judges_as_its_twin_in_plain_python(game_id: str) -> None:
    twin = Twin(Parameters.read(network_of(parse_id(game_id))))
    for position in positions_of(game_id, 100):
        assert _core.estimate(position) == twin.estimate(position), position.text


@pytest.mark.usefixtures("instruction_set")
@pytest.mark.parametrize("shape", SHAPES)
def test_networks_of_all_shapes_are_judged_as_by_their_twin(shape: str) -> None:
    network = random_network(shape, 3)
    twin, game = Twin(network), game_with("ultimate:3+count", network.to_bytes())
    for position in positions_of("ultimate:3+count", 50):
        assert estimate_with(game, position) == twin.estimate(position), position.text


@pytest.mark.parametrize("game_id", ["15x15:5", "20x20:5", "15x15:5+exact", "4x4x4", "7x6:4+gravity"])
def test_boards_are_judged_alike_with_every_instruction_set(game_id: str, instruction_set: str) -> None:
    _core.set_instruction_set("portable")
    positions = [position.copy() for position in positions_of(game_id, 60)]
    expected = [_core.estimate(position) for position in positions]
    _core.set_instruction_set(instruction_set)
    assert [_core.estimate(position) for position in positions] == expected
    assert len(set(expected)) > 30


def test_networks_of_the_package_are_small() -> None:
    assert sum(path.stat().st_size for path in packaged_path(NETWORKS).glob("*.net")) < 4 << 20


@pytest.mark.skipif(not (shutil.which("c++") and shutil.which("nm")), reason="needs a C++ compiler and nm")
@pytest.mark.parametrize("name", _core.instruction_sets())
def test_kernels_define_no_functions_that_the_linker_could_use_elsewhere(name: str, tmp_path: Path) -> None:
    """They may have instructions that the processor lacks; without optimisation, nothing is inlined."""
    core, compiled = ROOT / "core", tmp_path / "kernels.o"
    flags = {"avx2": ["-mavx2"], "avx512": ["-mavx512f", "-mavx512bw"]}
    source = core / "search" / f"kernels_{name}.cpp"
    words = ["c++", "-std=c++20", "-O0", f"-I{core}", *flags.get(name, []), "-c", str(source), "-o", str(compiled)]
    subprocess.run(words, check=True, timeout=60)
    listed = subprocess.run(["nm", "-P", str(compiled)], check=True, capture_output=True, text=True, timeout=60)
    symbols = [line.split() for line in listed.stdout.splitlines()]
    shared = [symbol[0] for symbol in symbols if symbol[1] in "TVWBDRu"]
    assert len(shared) == 1, shared
    assert "KERNELS" in shared[0]


@pytest.mark.parametrize("game_id", ULTIMATE)
def test_core_judges_as_the_trained_network_in_floating_point(game_id: str) -> None:
    network = Parameters.read(network_of(parse_id(game_id)))
    twin = FloatTwin(network)
    errors = [abs(_core.estimate(position) - twin.estimate(position)) for position in positions_of(game_id, 250)]
    assert max(errors) < ROUNDING * network.spread


@pytest.mark.parametrize("shape", SHAPES)
def test_parameters_rounded_to_integers_judge_nearly_as_those_in_floating_point(shape: str) -> None:
    network = random_network(shape, 3)
    twin, game = FloatTwin(network), game_with("ultimate:3", network.to_bytes())
    errors = [abs(estimate_with(game, each) - twin.estimate(each)) for each in positions_of("ultimate:3", 200)]
    assert max(errors) < ROUNDING * network.spread


@pytest.mark.parametrize("shape", ["64-32:32:16", "128-128-32:64:16", "64-64-64-48:32:32", "64-40:64:64"])
def test_widened_network_judges_as_the_original(shape: str) -> None:
    network = Parameters.read(network_of(parse_id("ultimate:3")))
    widened = network.widen(NetShape.parse(shape), np.random.default_rng(1))
    assert str(widened.shape) == shape
    game = game_with("ultimate:3", widened.to_bytes())
    for position in positions_of("ultimate:3", 50):
        assert estimate_with(game, position) == _core.estimate(position)


@pytest.mark.parametrize("shape", ["64-31:32:16", "64-32:16:16", "64-32:32:15", "32:32:16"])
def test_network_is_not_widened_to_a_smaller_shape(shape: str) -> None:
    network = Parameters.read(network_of(parse_id("ultimate:3")))
    with pytest.raises(ValueError, match="expected a shape at least as large as 64-32:32:16, got "):
        network.widen(NetShape.parse(shape), np.random.default_rng(1))


@pytest.mark.parametrize("shape", ["64-32:32:65", "64-32:40:16", "64-32:80:16", "129-32:32:16", "8-8-8-8-8:32:16"])
def test_core_refuses_networks_of_other_widths(shape: str) -> None:
    with pytest.raises(ValueError, match="expected a network of another width"):
        estimate_with(game_with("ultimate:3", random_network(shape, 3).to_bytes()), no.Game("ultimate:3").start())


@pytest.mark.parametrize(
    "game_id", ["ultimate:2", "ultimate:5", "ultimate:3+open", "ultimate:3+misere", "3x3", "9x9:5", "15x15:5+wrap"]
)
def test_games_no_network_was_trained_on_have_none(game_id: str) -> None:
    assert network_of(parse_id(game_id)) == b""


def test_custom_game_has_no_network() -> None:
    assert network_of(None) == b""


@pytest.mark.parametrize("game_id", ["15x15:5", "10x12:5", "20x20:5", "15x15:5+exact"])
def test_large_boards_with_lines_of_five_have_a_network_that_sees_all_directions_alike(game_id: str) -> None:
    game, choose = no.Game(game_id), random.Random(game_id)
    assert network_of(parse_id(game_id))
    width, height = game.dimensions or (0, 0)
    for _ in range(20):
        cells = choose.sample([(x, y) for x in range(width) for y in range(height)], 14)
        estimates = {_estimate(game, [y * width + x for x, y in cells])}
        estimates.add(_estimate(game, [y * width + width - 1 - x for x, y in cells]))
        estimates.add(_estimate(game, [(height - 1 - y) * width + x for x, y in cells]))
        if width == height:
            estimates.add(_estimate(game, [x * width + y for x, y in cells]))
        assert len(estimates) == 1


def test_network_prefers_the_side_with_the_open_three() -> None:
    game = no.Game("15x15:5")
    ahead = game.start()
    for move in ("h8", "a1", "h9", "o1", "h10", "a15"):
        ahead.play(game.parse_cell(move))
    assert _core.estimate(ahead) > 100
    assert _core.estimate(ahead.after("o15")) < -100


def _estimate(game: no.Game, moves: list[int]) -> int:
    position = position_after(game, *moves)
    return _core.estimate(position)


def test_network_of_lines_of_five_depends_on_size_and_guards_alone() -> None:
    def network(game_id: str) -> bytes:
        return network_of(parse_id(game_id))

    assert network("15x15:5") == network("10x17:5") != network("15x18:5") == network("20x20:5")
    assert network("15x15:5+exact") == network("20x20:5+exact") != network("15x15:5")
