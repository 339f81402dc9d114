"""Polyominoes ("animals"), and the games in which the first to occupy a copy of one wins.

Frank Harary introduced these achievement games in 1977; with ``misere``, where completing a copy loses, they are
avoidance games. Copies may be turned and reflected.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

__all__ = ["ANIMALS", "Cell", "Shape", "copies", "draw"]

Cell = tuple[int, int]
Shape = tuple[Cell, ...]
"""Cells as (x, y), sorted, moved to the origin."""

NAMED = {
    "domino": "##",
    "tic": "###",
    "el": "##/#.",
    "skinny": "####",
    "elly": "###/#..",
    "knobby": "###/.#.",
    "tippy": "##./.##",
    "fatty": "##/##",
    "pentomino-f": ".##/##./.#.",
    "pentomino-i": "#####",
    "pentomino-l": "####/#...",
    "pentomino-n": "###./..##",
    "pentomino-p": "##/##/#.",
    "pentomino-t": "###/.#./.#.",
    "pentomino-u": "#.#/###",
    "pentomino-v": "###/#../#..",
    "pentomino-w": "##./.##/..#",
    "pentomino-x": ".#./###/.#.",
    "pentomino-y": "####/.#..",
    "pentomino-z": "##./.#./.##",
    "snaky": "####./...##",
}
"""Harary's names as Martin Gardner reports them, the letters of the pentominoes, and the one hexomino with a name."""
MAX_CELLS = 6


def copies(shape: Shape, width: int, height: int, is_torus: bool) -> list[tuple[int, ...]]:
    """Return the sets of cells on a board that are copies of a shape; the cell at (x, y) has the number y·width + x.

    On a torus, only copies of as many different cells as the shape has.
    """
    found: set[tuple[int, ...]] = set()
    for turned in _orientations(shape):
        across, down = (1 + max(axis) for axis in zip(*turned, strict=True))
        for dx in range(width if is_torus else width - across + 1):
            for dy in range(height if is_torus else height - down + 1):
                found.add(tuple(sorted({(y + dy) % height * width + (x + dx) % width for x, y in turned})))
    return sorted(line for line in found if len(line) == len(shape))


def draw(shape: Shape) -> str:
    """Return a picture of a shape, rows from the top separated by ``/``."""
    across, down = (1 + max(axis) for axis in zip(*shape, strict=True))
    rows = ("".join("#" if (x, y) in shape else "." for x in range(across)) for y in range(down))
    return "/".join(rows)


def _parse(picture: str) -> Shape:
    rows = picture.split("/")
    return _normal({(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"})


def _normal(cells: set[Cell]) -> Shape:
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    return tuple(sorted((x - left, y - top) for x, y in cells))


def _orientations(shape: Shape) -> list[Shape]:
    """The shape turned and reflected, each result once."""
    found, turned = set(), set(shape)
    for _ in range(4):
        turned = {(-y, x) for x, y in turned}
        found |= {_normal(turned), _normal({(-x, y) for x, y in turned})}
    return sorted(found)


@cache
def _free(size: int) -> list[Shape]:
    """The polyominoes of a size, each once, regardless of turns and reflections."""
    if size == 1:
        return [((0, 0),)]
    grown = (set(shape) | {cell} for shape in _free(size - 1) for cell in _neighbours(shape))
    return sorted({_orientations(_normal(cells))[0] for cells in grown})


def _neighbours(shape: Shape) -> Iterator[Cell]:
    for x, y in shape:
        yield from {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} - set(shape)


def _name_all() -> dict[str, Shape]:
    named = {_orientations(_parse(picture))[0]: name for name, picture in NAMED.items()}
    hexominoes = (shape for shape in _free(MAX_CELLS) if shape not in named)
    named |= {shape: f"hexomino-{number:02}" for number, shape in enumerate(hexominoes, start=1)}
    return {name: shape for shape, name in named.items()}


ANIMALS: dict[str, Shape] = _name_all()
"""The polyominoes of two to six cells by name."""
