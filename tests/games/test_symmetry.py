"""The canonical hash is equal for symmetric positions, and only for them: checked against every image."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import permutations
from math import factorial

import pytest

import noughts as no
from noughts import _core

Permutation = tuple[int, ...]


def square_symmetries(side: int) -> list[Permutation]:
    """All line-preserving permutations of a square whose lines are as long as its side.

    Rows and columns are permuted alike, by a permutation that commutes with reversal; columns may be reversed
    as well; and rows and columns may be exchanged.
    """
    last = side - 1
    shuffles = [p for p in permutations(range(side)) if all(p[last - i] == last - p[i] for i in range(side))]
    images = set()
    for p in shuffles:
        for turned in (p, tuple(reversed(p))):
            places = [(p[row], turned[column]) for row in range(side) for column in range(side)]
            images.add(tuple(row * side + column for row, column in places))
            images.add(tuple(column * side + row for row, column in places))
    return sorted(images)


def ultimate_symmetries(side: int) -> list[Permutation]:
    """Blocks and the cells of each block move alike, so that every cell still sends to its block."""
    size = side * side
    inner = list(permutations(range(size))) if side == 2 else square_symmetries(side)
    return [tuple(p[block] * size + p[cell] for block in range(size) for cell in range(size)) for p in inner]


def mirrored_columns(width: int, height: int) -> list[Permutation]:
    cells = range(width * height)
    return [tuple(cells), tuple(cell - cell % width + width - 1 - cell % width for cell in cells)]


CASES = {
    "3x3": (9, square_symmetries(3)),
    "3x3+misere": (9, square_symmetries(3)),
    "4x4": (3, square_symmetries(4)),
    "5x5": (2, square_symmetries(5)),
    "5x4:4+gravity": (5, mirrored_columns(5, 4)),
    "ultimate:2": (4, ultimate_symmetries(2)),
    "ultimate:2+open": (4, ultimate_symmetries(2)),
    "ultimate:3": (2, ultimate_symmetries(3)),
}


def positions(position: no.Position, depth: int, seen: set[str]) -> Iterator[no.Position]:
    """Every position within the given number of plies, once."""
    if position.text in seen:
        return
    seen.add(position.text)
    yield position
    for move in position.legal_moves if depth else []:
        position.play(move)
        yield from positions(position, depth - 1, seen)
        position.undo()


def least_image(position: no.Position, images: list[Permutation]) -> tuple[str, ...]:
    """A key shared by all positions symmetric to this one: marks, and legal moves."""
    legal = set(position.legal_moves)
    signs = [str(mark) if mark else "." if cell in legal else "-" for cell, mark in enumerate(position.cells)]
    return min(tuple(signs[cell] for cell in image) for image in images)


@pytest.mark.parametrize("game_id", CASES)
def test_group_is_the_one_written_down_by_hand(game_id: str) -> None:
    assert no.Game(game_id).symmetries == len(CASES[game_id][1])


@pytest.mark.parametrize("game_id", CASES)
def test_canonical_hash_is_shared_by_symmetric_positions_and_no_others(game_id: str) -> None:
    depth, images = CASES[game_id]
    hash_of: dict[tuple[str, ...], int] = {}
    for position in positions(no.Game(game_id).start(), depth, set()):
        assert hash_of.setdefault(least_image(position, images), position.canonical_hash) == (position.canonical_hash)
    assert len(set(hash_of.values())) == len(hash_of)


def test_group_too_large_to_use_is_counted_and_its_geometric_part_is_used() -> None:
    game = no.Game("15x1:15")
    assert game.symmetries == factorial(15)
    assert game.symmetries_used == 2
    assert game.symmetry_note == "more than 10000 symmetries; the 2 geometric ones are used"
    assert game.start().after("a1").canonical_hash == game.start().after("o1").canonical_hash
    assert no.Game("4x4x4").symmetry_note is None


measures_resources = pytest.mark.skipif(_core.SANITIZED, reason="sanitizers take time and memory of their own")


@measures_resources
@pytest.mark.parametrize(
    ("game_id", "used"), [("2x2x2x2x2x2x2x2", 6144), ("3x3x3x3x3x3x3", 3072), ("4x4x4x4x4x4", 7680), ("64x64:5", 8)]
)
def test_symmetries_of_the_largest_boards_are_found_within_their_budget(game_id: str, used: int) -> None:
    game = no.Game(game_id)
    before = time.process_time()
    assert game.symmetries_used == used
    assert time.process_time() - before < 4  # about one; more than ten without the budget


@measures_resources
def test_canonical_position_of_the_largest_board_takes_little_memory() -> None:
    program = """
import resource, sys
from pathlib import Path
import noughts as no
from noughts import _core
no.Game("4x4x4x4x4x4").start().after(77).canonical_text
status = Path("/proc/self/status")
if status.exists():  # the usage that the system reports begins with that of the program that started this one
    print(next(int(line.split()[1]) << 10 for line in status.read_text().splitlines() if line.startswith("VmHWM")))
else:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024))
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert int(run.stdout) < 400 << 20  # the symmetries are 63 MB of it


def plain_canonical(position: no.Position) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    """The slow twin of the core's least image: all images, the least one by marks, block to play and owners."""
    game, code = position.game, {None: -1, no.Side.X: 0, no.Side.O: 1}
    images, cells, owned, wanted = [], position.cells, position.blocks, position.block_to_play
    for element in game.symmetry.elements:
        blocks = [0] * game.blocks
        for image, cell in enumerate(element):
            blocks[game.block_of(image)] = game.block_of(cell)
        marks = tuple(code[cells[cell]] for cell in element)
        owners = tuple(code[owned[block]] for block in blocks) if game.blocks > 1 else ()
        images.append((marks, -1 if wanted is None else blocks.index(wanted), owners))
    return min(images)


@pytest.mark.parametrize("game_id", [*CASES, "4x4x4", "ultimate:3+open", "ultimate:4+count", "3x3x3+gravity"])
def test_least_image_is_the_least_of_all_images(game_id: str) -> None:
    dice = random.Random(game_id)
    for _ in range(3):
        position = no.Game(game_id).start()
        while not position.is_over:
            if dice.random() < 0.15:
                marks, block, owners, cells = position.game.symmetry.least_image(position)
                assert (tuple(marks), block, tuple(owners)) == plain_canonical(position), position.text
                assert cells in position.game.symmetry.elements
            position.play(dice.choice(position.legal_moves))
