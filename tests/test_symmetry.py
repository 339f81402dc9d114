"""The canonical hash is equal for symmetric positions, and only for them: checked against every image."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import factorial

import pytest

import noughts as no

Permutation = tuple[int, ...]


def square_symmetries(side: int) -> list[Permutation]:
    """All line-preserving permutations of a square whose lines are as long as its side.

    The same permutation of the indices, one that commutes with turning them round, moves rows and columns;
    columns may be turned round as well; and rows and columns may be exchanged.
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
    """Every position within so many plies, once."""
    if position.text in seen:
        return
    seen.add(position.text)
    yield position
    for move in position.legal_moves if depth else []:
        position.play(move)
        yield from positions(position, depth - 1, seen)
        position.undo()


def least_image(position: no.Position, images: list[Permutation]) -> tuple[str, ...]:
    """The same for all positions symmetric to this one: marks, and where a move may go."""
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


def test_group_too_large_to_use_is_counted_and_the_geometric_part_used_and_said() -> None:
    game = no.Game("15x1:15")
    assert game.symmetries == factorial(15)
    assert game.symmetries_used == 2
    assert game.symmetry_note == "more than 10000 symmetries; the 2 geometric ones are used"
    assert game.start().after("a1").canonical_hash == game.start().after("o1").canonical_hash
    assert no.Game("4x4x4").symmetry_note is None
