"""Published and recomputed counts: perft, whole trees, lines and symmetries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import factorial

import pytest

import noughts as no
import reference

TICTACTOE = [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]
ULTIMATE = [81, 720, 6_336, 55_080, 473_256]


def perft(position: no.Position | reference.FlatPosition | reference.UltimatePosition, depth: int) -> int:
    """Count the sequences of the given number of plies; those that end earlier do not count."""
    if depth == 0:
        return 1
    total = 0
    for move in position.legal_moves:
        position.play(move)
        total += perft(position, depth - 1)
        position.undo()
    return total


def walk(position: no.Position) -> Iterator[no.Position]:
    """Count the nodes of the tree, including this one."""
    yield position
    for move in position.legal_moves:
        position.play(move)
        yield from walk(position)
        position.undo()


@pytest.mark.parametrize(("depth", "leaves"), list(enumerate(TICTACTOE, start=1)))
def test_tictactoe_perft_is_the_table(depth: int, leaves: int) -> None:
    assert no.Game("3x3").start().perft(depth) == leaves


@pytest.mark.parametrize(("depth", "leaves"), list(enumerate(ULTIMATE, start=1)))
def test_ultimate_perft_is_the_table(depth: int, leaves: int) -> None:
    assert no.Game("ultimate:3").start().perft(depth) == leaves


@pytest.mark.parametrize(("game_id", "table"), [("3x3", TICTACTOE[:5]), ("ultimate:3", ULTIMATE[:3])])
def test_twin_gives_the_published_tables(game_id: str, table: list[int]) -> None:
    start = reference.build(game_id).start()
    assert [perft(start, depth) for depth in range(1, len(table) + 1)] == table


@pytest.mark.parametrize("game_id", ["3x3", "ultimate:3", "7x6:4+gravity", "3x3x3", "5x4:3+exact+wrap"])
def test_core_perft_equals_playing_and_undoing(game_id: str) -> None:
    start = no.Game(game_id).start()
    assert start.perft(0) == 1
    assert [start.perft(depth) for depth in (1, 2, 3)] == [perft(start, depth) for depth in (1, 2, 3)]


@pytest.mark.parametrize(
    ("game_id", "depth"),
    [
        ("3x2:2", 6),
        ("4x3:3", 5),
        ("3x3+misere", 6),
        ("2x2x2", 6),
        ("3x3x3+gravity", 5),
        ("4x4:3+gravity", 7),
        ("3x3+wrap", 6),
        ("5x2:2+exact", 5),
        ("4x2:2+exact+wrap", 6),
        ("ultimate:2", 6),
        ("ultimate:2+open", 6),
        ("ultimate:2+misere", 6),
        ("ultimate:2+count", 6),
    ],
)
def test_core_perft_equals_the_twins(game_id: str, depth: int) -> None:
    assert no.Game(game_id).start().perft(depth) == perft(reference.build(game_id).start(), depth)


def test_perft_leaves_the_position_as_it_was() -> None:
    position = no.Game("ultimate:3").start().after(40)
    before = position.text, position.hash, position.moves
    position.perft(3)
    assert (position.text, position.hash, position.moves) == before


def test_perft_of_a_finished_position_counts_nothing_below_it() -> None:
    position = no.Game("3x3").parse("xxx/oo1/3 -")
    assert position.perft(0) == 1
    assert position.perft(1) == 0


def test_whole_tictactoe_tree_is_counted() -> None:
    lengths: Counter[int] = Counter()
    nodes = 0
    for position in walk(no.Game("3x3").start()):
        nodes += 1
        if position.is_over:
            lengths[len(position.moves)] += 1
    assert nodes == 549_946
    assert lengths == {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}
    assert lengths.total() == 255_168


def test_tictactoe_has_5478_positions_765_up_to_symmetry_and_958_ends() -> None:
    positions: dict[int, str] = {}
    canonical: set[int] = set()
    ends: set[int] = set()
    for position in walk_positions(no.Game("3x3").start(), positions):
        canonical.add(position.canonical_hash)
        if position.is_over:
            ends.add(position.hash)
    assert len(positions) == 5_478
    assert len(set(positions.values())) == 5_478
    assert len(canonical) == 765
    assert len(ends) == 958


def walk_positions(position: no.Position, seen: dict[int, str]) -> Iterator[no.Position]:
    """Every position once, filling in hash and text of each."""
    if position.hash in seen:
        assert seen[position.hash] == position.text
        return
    seen[position.hash] = position.text
    yield position
    for move in position.legal_moves:
        position.play(move)
        yield from walk_positions(position, seen)
        position.undo()


@pytest.mark.parametrize(
    ("game_id", "openings"),
    [("3x3", 3), ("4x4", 2), ("4x4x4", 2), ("7x6:4+gravity", 4), ("ultimate:3", 15), ("ultimate:4", 14)],
)
def test_first_moves_up_to_symmetry(game_id: str, openings: int) -> None:
    start = no.Game(game_id).start()
    assert len({start.after(move).canonical_hash for move in start.legal_moves}) == openings


@pytest.mark.parametrize(
    ("game_id", "symmetries"),
    [
        ("3x3", 8),
        ("4x4", 32),
        ("5x5", 32),
        ("3x3x3", 48),
        ("4x4x4", 192),
        ("5x5x5", 192),
        ("6x6x6", 1_152),
        ("5x5:4", 8),
        ("15x15:5", 8),
        ("15x15:5+exact", 8),
        ("4x3:3", 4),
        ("3x3+misere", 8),
        ("7x6:4+gravity", 2),
        ("3x3+wrap", 432),
        ("ultimate:2", 24),
        ("ultimate:3", 8),
        ("ultimate:4", 32),
        ("ultimate:3+open", 8),
    ],
)
def test_symmetries_are_counted(game_id: str, symmetries: int) -> None:
    assert no.Game(game_id).symmetries == symmetries


@pytest.mark.parametrize(("side", "dimensions"), [(3, 2), (4, 2), (6, 2), (3, 3), (4, 3), (3, 4), (4, 4)])
def test_symmetries_of_a_cube_follow_the_formula(side: int, dimensions: int) -> None:
    half = side // 2
    expected = factorial(dimensions) * 2**dimensions * 2**half * factorial(half) // 2
    assert no.Game("x".join([str(side)] * dimensions)).symmetries == expected


def test_fano_plane_has_168_symmetries() -> None:
    fano = [[i, (i + 1) % 7, (i + 3) % 7] for i in range(7)]
    assert no.Game.from_lines("fano", cells=7, lines=fano).symmetries == 168


@pytest.mark.parametrize(
    ("game_id", "lines"),
    [
        ("3x3", 8),
        ("4x4", 10),
        ("3x3x3", 49),
        ("4x4x4", 76),
        ("5x5x5", 109),
        ("4x4x4x4", 520),
        ("15x15:5", 572),
        ("gomoku", 572),
    ],
)
def test_lines_are_counted(game_id: str, lines: int) -> None:
    assert len(no.Game(game_id).lines) == lines
