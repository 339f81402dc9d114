"""Sets of lines that are not straight lines on a square board: finite planes, progressions, graphs, other grids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, permutations, product

__all__ = ["GRAPHS", "Layout", "Lines", "affine_plane", "copies_of_graph", "grid", "progressions", "projective_plane"]

Lines = list[tuple[int, ...]]
Layout = list[tuple[int, int]]
Vector = tuple[int, ...]

PRIMES = (2, 3, 5, 7, 11)
GF4_PRODUCTS = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""The product table of the field with four elements; addition is exclusive or."""

GRAPHS = {
    "path-3": "ab bc",
    "path-4": "ab bc cd",
    "path-5": "ab bc cd de",
    "star-4": "ab ac ad",
    "star-5": "ab ac ad ae",
    "triangle": "ab bc ca",
    "cycle-4": "ab bc cd da",
    "cycle-5": "ab bc cd de ea",
    "matching-2": "ab cd",
    "matching-3": "ab cd ef",
    "paw": "ab bc ca ad",
    "diamond": "ab bc cd da ac",
    "bull": "ab bc ca ad be",
    "k4": "ab ac ad bc bd cd",
    "k23": "ac ad ae bc bd be",
}
"""Graphs by their edges; ``path-N`` and ``star-N`` have N vertices."""


def _field(order: int) -> tuple[Callable[[int, int], int], Callable[[int, int], int]]:
    """Addition and multiplication of the field with this many elements."""
    if order == 4:
        return (lambda a, b: a ^ b), (lambda a, b: GF4_PRODUCTS[a][b])
    if order not in PRIMES:
        raise ValueError(f"expected a plane of order {', '.join(map(str, sorted([4, *PRIMES])))}, got {order}")
    return (lambda a, b: (a + b) % order), (lambda a, b: a * b % order)


def affine_plane(order: int) -> tuple[Lines, Layout]:
    """Return the lines of the affine plane over the field of this order; the point (x, y) is cell y·order + x."""
    add, multiply = _field(order)
    steps = range(order)
    sloped = [tuple(add(multiply(m, x), c) * order + x for x in steps) for m in steps for c in steps]
    upright = [tuple(y * order + x for y in steps) for x in steps]
    return [*sloped, *upright], [(x, y) for y in steps for x in steps]


def projective_plane(order: int) -> Lines:
    """Return the lines of the projective plane over the field of this order."""
    add, multiply = _field(order)

    def is_on(point: Vector, line: Vector) -> bool:
        a, b, c = map(multiply, point, line)
        return add(add(a, b), c) == 0

    # One vector stands for all its multiples: the one whose first number that is not 0 is 1.
    vectors = [v for v in product(range(order), repeat=3) if next((n for n in v if n), 0) == 1]
    return [tuple(number for number, point in enumerate(vectors) if is_on(point, line)) for line in vectors]


def progressions(size: int, length: int) -> Lines:
    """Return the arithmetic progressions of a length among the numbers below a size."""
    steps = range(1, (size - 1) // (length - 1) + 1)
    starts = ((first, step) for step in steps for first in range(size - (length - 1) * step))
    return [tuple(range(first, first + length * step, step)) for first, step in starts]


def copies_of_graph(name: str, vertices: int) -> Lines:
    """Return the copies of a graph in the complete graph; its edges are numbered in the order of ``combinations``."""
    number = {edge: index for index, edge in enumerate(combinations(range(vertices), 2))}
    edges = [tuple(edge) for edge in GRAPHS[name].split()]
    names = sorted({vertex for edge in edges for vertex in edge})
    found = set()
    for chosen in permutations(range(vertices), len(names)):
        place = dict(zip(names, chosen, strict=True))
        ends = ((place[a], place[b]) for a, b in edges)
        found.add(tuple(sorted(number[min(a, b), max(a, b)] for a, b in ends)))
    return sorted(found)


def grid(points: Iterable[tuple[int, int]], length: int) -> tuple[Lines, Layout]:
    """Return the straight lines of a length on a hexagonal grid: three directions, oblique coordinates."""
    numbers = {point: number for number, point in enumerate(points)}

    def run(x: int, y: int, dx: int, dy: int) -> Iterator[int | None]:
        return (numbers.get((x + dx * step, y + dy * step)) for step in range(length))

    runs = (tuple(run(x, y, dx, dy)) for x, y in numbers for dx, dy in ((1, 0), (0, 1), (1, -1)))
    lines = [tuple(cell for cell in line if cell is not None) for line in runs]
    # Drawn with every row half a step to the right of the one above it.
    return [line for line in lines if len(line) == length], [(2 * x + y, 2 * y) for x, y in numbers]
