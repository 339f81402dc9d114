"""The core equals the slow twin in `reference.py`, ply by ply, there and back."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass

import pytest

import noughts as no
import reference

IDS = [
    # flat boards
    "2x2",
    "3x3",
    "4x3:3",
    "3x4:3",
    "9x1:3",
    "1x9:4",
    "4x4",
    "5x5:4",
    "6x5:5",
    "7x7:5",
    "10x4:4",
    "28x3:3",
    "15x15:5",
    # a longer run does not win
    "6x4:3+exact",
    "8x8:4+exact",
    "15x15:5+exact",
    "4x4x4:3+exact",
    # the torus
    "3x3+wrap",
    "4x4+wrap",
    "5x4:3+wrap",
    "6x6:4+wrap",
    "3x3x3+wrap",
    "4x4+exact+wrap",
    "5x5:4+exact+wrap",
    "7x6:4+exact+wrap",
    "7x4:4+exact+wrap",
    "4x4x4:3+exact+wrap",
    # falling marks
    "7x6:4+gravity",
    "4x5:3+gravity",
    "6x6:4+gravity+exact",
    "7x5:4+gravity+wrap",
    "4x4x4+gravity",
    "3x4x5:3+gravity",
    "3x3x3x3+gravity",
    # completing a line loses
    "3x3+misere",
    "4x4:3+misere",
    "6x6:4+misere+exact",
    "5x5:4+misere+wrap",
    "7x6:4+gravity+misere",
    "3x3x3+misere",
    "4x4x4+misere",
    # three and more dimensions
    "3x3x3",
    "4x4x4",
    "5x5x5",
    "5x4x3:3",
    "2x3x4:3",
    "2x2x2x2",
    "3x3x3x3",
    "3x2x4x3:3",
    "4x4x4x4",
    "2x2x2x2x2",
    # Ultimate
    "ultimate:2",
    "ultimate:2+count",
    "ultimate:2+open",
    "ultimate:2+misere",
    "ultimate:2+count+open",
    "ultimate:3",
    "ultimate:3+count",
    "ultimate:3+open",
    "ultimate:3+misere",
    "ultimate:3+count+open",
    "ultimate:3+misere+open",
    "ultimate:4",
    "ultimate:4+count",
    "ultimate:4+open",
    "ultimate:4+misere",
    "ultimate:4+count+open",
    "ultimate:4+misere+open",
]
LARGE = [
    "19x19:5+exact",
    "32x32:5",
    "16x16:15+wrap",
    "10x10x10:4",
    "3x3x3x3x3",
    "ultimate:5",
    "ultimate:5+count+open",
]
PLIES = 100_000 if os.environ.get("NOUGHTS_SLOW") else 20_000
PLIES_EACH = PLIES // len(IDS) + 1

TwinPosition = reference.FlatPosition | reference.UltimatePosition


def assert_same(core: no.Position, twin: TwinPosition) -> None:
    """Everything a player can see is equal."""
    assert core.moves == twin.moves
    assert core.legal_moves == twin.legal_moves
    assert list(core.cells) == twin.cells
    assert core.turn == twin.turn
    assert core.is_over == twin.is_over
    assert core.winner == twin.winner
    assert core.block_to_play == twin.block_to_play
    if twin.blocks is not None:
        assert list(core.blocks) == twin.blocks
    if twin.has_text:
        assert core.text == twin.text
    assert_same_outcome(core, twin)


def assert_same_outcome(core: no.Position, twin: TwinPosition) -> None:
    if twin.outcome is None:
        assert core.outcome is None
        assert core.winning_line is None
        return
    assert core.outcome is not None
    assert core.outcome.winner == twin.outcome.winner
    assert core.outcome.reason == twin.outcome.reason
    assert core.outcome.points == twin.outcome.points
    winning = {frozenset(line.cells) for line in twin.winning_lines}
    assert (core.winning_line is not None) == bool(winning)
    assert core.winning_line is None or frozenset(core.winning_line) in winning


@dataclass(frozen=True)
class Mover:
    """Plays at random. A shy player retries a number of times to avoid ending the playthrough; a crowding
    one takes the first of several cells, which fills the board from the top and makes long runs."""

    shyness: int
    crowding: int

    def choose(self, twin: TwinPosition, rng: random.Random) -> int:
        legal = twin.legal_moves
        for _ in range(self.shyness):
            move = min(rng.choices(legal, k=self.crowding))
            twin.play(move)
            ends = twin.is_over
            twin.undo()
            if not ends:
                return move
        return min(rng.choices(legal, k=self.crowding))


MOVERS = [Mover(0, 1), Mover(0, 1), Mover(6, 1), Mover(0, 6), Mover(6, 6)]


def play_there_and_back(core: no.Position, twin: TwinPosition, rng: random.Random) -> int:
    """Play to the end and take everything back, comparing at every ply; returns the number of plies."""
    mover = rng.choice(MOVERS)
    hashes = [core.hash]
    assert_same(core, twin)
    while not twin.is_over:
        move = mover.choose(twin, rng)
        core.play(move)
        twin.play(move)
        assert_same(core, twin)
        hashes.append(core.hash)
    plies = len(twin.moves)
    for before in reversed(hashes[:-1]):
        core.undo()
        twin.undo()
        assert core.hash == before
        assert core.legal_moves == twin.legal_moves
        assert list(core.cells) == twin.cells
    assert_same(core, twin)
    return plies


@pytest.mark.parametrize("game_id", IDS)
def test_core_equals_the_twin_ply_by_ply(game_id: str) -> None:
    game, twin_game = no.Game(game_id), reference.build(game_id)
    rng = random.Random(game_id)
    plies = 0
    while plies < PLIES_EACH:
        plies += play_there_and_back(game.start(), twin_game.start(), rng)


@pytest.mark.parametrize("game_id", LARGE)
def test_core_equals_the_twin_on_a_large_board(game_id: str) -> None:
    play_there_and_back(no.Game(game_id).start(), reference.build(game_id).start(), random.Random(game_id))


@pytest.mark.parametrize("game_id", [game_id for game_id in IDS if not game_id.startswith("ultimate")])
def test_completing_cells_and_threats_are_those_found_by_trying(game_id: str) -> None:
    core, twin, rng = no.Game(game_id).start(), reference.build(game_id).start(), random.Random(game_id)
    assert isinstance(twin, reference.FlatPosition)
    while not twin.is_over and len(twin.moves) < 60:
        for side in "XO":
            completing = twin.completing(side)
            assert sorted(core.completing(side)) == completing
            assert sorted(core.threats(side)) == [cell for cell in completing if cell in twin.legal_moves]
        move = MOVERS[-1].choose(twin, rng)
        core.play(move)
        twin.play(move)


def random_game(rng: random.Random) -> tuple[no.Game, reference.FlatGame]:
    """A game of random lines, guards and supports, in the core and in the twin."""
    count = rng.randint(4, 18)
    lines: dict[frozenset[int], reference.Line] = {}
    for _ in range(rng.randint(1, 25)):
        cells = rng.sample(range(count), rng.randint(2, min(5, count)))
        others = sorted(set(range(count)) - set(cells))
        guards = rng.sample(others, rng.choice([0, 0, min(1, len(others)), min(2, len(others))]))
        lines[frozenset(cells)] = reference.Line(tuple(cells), tuple(guards))
    falls = rng.random() < 0.5
    rests_on = [rng.sample(range(cell), min(cell, rng.randint(0, 2))) if falls else [] for cell in range(count)]
    game = no.Game.from_lines(
        "thrown together",
        cells=count,
        lines=[list(line.cells) for line in lines.values()],
        guards=[list(line.guards) for line in lines.values()],
        rests_on=rests_on,
    )
    return game, reference.FlatGame(count, list(lines.values()), dict(enumerate(rests_on)))


@pytest.mark.parametrize("seed", range(60))
def test_core_equals_the_twin_on_games_thrown_together(seed: int) -> None:
    rng = random.Random(seed)
    game, twin_game = random_game(rng)
    for _ in range(8):
        play_there_and_back(game.start(), twin_game.start(), rng)


@pytest.mark.parametrize("game_id", [game_id for game_id in IDS if not game_id.startswith("ultimate")])
def test_lines_are_those_found_by_walking(game_id: str) -> None:
    expected = {frozenset(line.cells) for line in reference.build(game_id).lines}
    lines = no.Game(game_id).lines
    assert len(lines) == len(expected)
    assert {frozenset(line) for line in lines} == expected


@pytest.mark.parametrize("game_id", IDS)
def test_every_move_is_named_as_the_contract_says(game_id: str) -> None:
    start, twin_game = no.Game(game_id).start(), reference.build(game_id)
    for move in start.legal_moves:
        assert start.format_move(move) == twin_game.name(move)


@pytest.mark.parametrize(
    ("game_id", "ends"),
    [
        ("4x3:3", {("X", "line"), ("O", "line"), (None, "full")}),
        ("4x4+misere", {("X", "line"), ("O", "line"), (None, "full")}),
        ("ultimate:3", {("X", "line"), ("O", "line"), (None, "full")}),
        ("ultimate:3+count", {("X", "line"), ("O", "line"), ("X", "count"), ("O", "count"), (None, "count")}),
    ],
)
def test_random_playthroughs_reach_every_kind_of_end(game_id: str, ends: set[tuple[str | None, str]]) -> None:
    rng = random.Random(game_id)
    game = reference.build(game_id)
    unseen = set(ends)
    for _ in range(400):
        outcome = play_to_the_end(game.start(), rng)
        assert (outcome.winner, outcome.reason) in ends
        unseen.discard((outcome.winner, outcome.reason))
        if not unseen:
            break
    assert not unseen


def play_to_the_end(twin: TwinPosition, rng: random.Random) -> reference.Outcome:
    mover = rng.choice(MOVERS)
    while twin.outcome is None:
        twin.play(mover.choose(twin, rng))
    return twin.outcome
