"""The trained networks: a slow twin in plain Python, and the games that have a network."""

from __future__ import annotations

import random
import struct

import pytest

import noughts as no
from noughts import _core
from noughts.games.evaluation import network_of
from noughts.games.spec import parse_id

LANES, HEAD = 32, 16


class Twin:
    """The network evaluated from its file for one position, as core/search/block_network.hpp describes it."""

    def __init__(self, data: bytes) -> None:
        assert data[:4] == b"NNN1"
        self.cells, self.blocks, self.spread, self.first, self.second, lanes, head = struct.unpack("<7i", data[4:32])
        assert (lanes, head) == (LANES, HEAD)
        self._numbers = iter(struct.unpack(f"<{(len(data) - 32) // 2}h", data[32:]))
        first, second = self.first, self.second
        self.first_weights = self._matrix(2 * self.cells, first)
        self.first_bias = self._vector(first)
        self.second_weights = self._matrix(first, second)
        self.second_bias = self._vector(second)
        self.places = [self._matrix(second, LANES) for _ in range(self.blocks)]
        self.forced = [self._matrix(second, LANES) for _ in range(2)]
        self.decided = [self._matrix(3, LANES) for _ in range(self.blocks)]
        self.sent = [[self._matrix(self.blocks + 1, LANES) for _ in range(2)] for _ in range(2)]
        self.head_weights = self._matrix(HEAD, 2 * LANES)
        self.head_bias, self.last_weights, self.last_bias = self._vector(HEAD), self._vector(HEAD), next(self._numbers)
        assert next(self._numbers, None) is None

    def _vector(self, size: int) -> list[int]:
        return [next(self._numbers) for _ in range(size)]

    def _matrix(self, rows: int, columns: int) -> list[list[int]]:
        return [self._vector(columns) for _ in range(rows)]

    def code(self, marks: list[int]) -> list[int]:
        """Encode a block; 1 stands for own marks, 2 for the other side's."""
        rows = [self.first_weights[2 * cell + mark - 1] for cell, mark in enumerate(marks) if mark]
        hidden = [max(0, bias + sum(row[i] for row in rows)) for i, bias in enumerate(self.first_bias)]
        sums = [sum(h * row[j] for h, row in zip(hidden, self.second_weights, strict=True)) for j in range(self.second)]
        return [max(0, (total + 512 >> 10) + bias) for total, bias in zip(sums, self.second_bias, strict=True)]

    def view(self, position: no.Position, who: int) -> list[int]:
        """Sum the features from the view of the side to move (0) or the other side (1)."""
        assert position.turn is not None
        self_side = position.turn if who == 0 else position.turn.opponent
        mark_of = {None: 0, self_side: 1, self_side.opponent: 2}
        counts = "count" in position.game.id
        sent = self.blocks if position.block_to_play is None else position.block_to_play
        sums = [value + 1 >> 1 for value in self.sent[counts][who][sent]]
        for block in range(self.blocks):
            marks = [mark_of[mark] for mark in position.cells[block * self.cells : (block + 1) * self.cells]]
            if position.blocks[block] is not None:
                self._add(sums, [value + 1 >> 1 for value in self.decided[block][mark_of[position.blocks[block]] - 1]])
                continue
            if block not in position.open_blocks:
                self._add(sums, [value + 1 >> 1 for value in self.decided[block][2]])
                continue
            code = self.code(marks)
            self._add(sums, self._project(code, self.places[block]))
            if block == sent:
                self._add(sums, self._project(code, self.forced[who]))
        return sums

    @staticmethod
    def _add(sums: list[int], row: list[int]) -> None:
        for i, value in enumerate(row):
            sums[i] += value

    @staticmethod
    def _project(code: list[int], projection: list[list[int]]) -> list[int]:
        return [sum(c * row[i] for c, row in zip(code, projection, strict=True)) + 1024 >> 11 for i in range(LANES)]

    def estimate(self, position: no.Position) -> int:
        """Return the network's score of a position."""
        own, other = self.view(position, 0), self.view(position, 1)
        lanes = [min(2047, max(0, value)) for value in own + other]
        out = self.last_bias << 9
        for row, bias, last in zip(self.head_weights, self.head_bias, self.last_weights, strict=True):
            total = sum(lane * weight for lane, weight in zip(lanes, row, strict=True))
            out += min(2047, max(0, (total >> 10) + (bias >> 1))) * last
        out += own[0] - other[0] << 10
        estimate: int = out * self.spread >> 19
        return estimate


@pytest.mark.parametrize("game_id", ["ultimate:3", "ultimate:3+count", "ultimate:4", "ultimate:4+count"])
def test_core_judges_as_its_twin_in_plain_python(game_id: str) -> None:
    twin = Twin(network_of(parse_id(game_id)))
    chance = random.Random(game_id)
    judged = 0
    while judged < 25:
        position = no.Game(game_id).start()
        while not position.is_over:
            if chance.random() < 0.25:
                assert _core.estimate(position) == twin.estimate(position), position.text
                judged += 1
            position.play(chance.choice(position.legal_moves))


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
    position = game.start()
    for move in moves:
        position.play(move)
    return _core.estimate(position)


def test_network_of_lines_of_five_depends_on_size_and_guards_alone() -> None:
    def network(game_id: str) -> bytes:
        return network_of(parse_id(game_id))

    assert network("15x15:5") == network("10x17:5") != network("15x18:5") == network("20x20:5")
    assert network("15x15:5+exact") == network("20x20:5+exact") != network("15x15:5")
