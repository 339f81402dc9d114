"""The geometry of a game: computes cells, lines, guards, supports, blocks and symmetries of the shape from a spec."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import NamedTuple

from noughts._core import MAX_LINES
from noughts.games.errors import InvalidGame
from noughts.games.spec import BoardSpec, Spec, UltimateSpec

__all__ = ["Data", "build"]

Point = tuple[int, ...]


class Data(NamedTuple):
    """A game as data for the core, with coordinates for drawing."""

    cells: int
    lines: Sequence[tuple[int, ...]]
    guards: Sequence[tuple[int, ...]]
    coordinates: Sequence[tuple[float, ...]] = ()
    rests_on: Sequence[tuple[int, ...]] = ()
    block_of: Sequence[int] = ()
    sends: Sequence[int] = ()
    outer_lines: Sequence[tuple[int, ...]] = ()
    misere: bool = False
    counts_blocks: bool = False
    open: bool = False
    shape_symmetries: Sequence[Sequence[int]] = ()
    """Generators of the rotations, reflections and shifts of the shape; not all need be symmetries of the game."""


def build(spec: Spec) -> Data:
    """Return the data of the game with this spec; raises InvalidGame if it has no lines or too many."""
    return _build_ultimate(spec) if isinstance(spec, UltimateSpec) else _build_board(spec)


def _build_board(spec: BoardSpec) -> Data:
    board = _Board(spec.sides, "wrap" in spec.options)
    found = board.lines(spec.k, "exact" in spec.options)
    if not found:
        raise InvalidGame(f"expected a board with at least one line, but {spec.id} has none; for example 3x3")
    if len(found) > MAX_LINES:
        got = f"{spec.id} with {len(found)}"
        raise InvalidGame(f"expected a board of at most {MAX_LINES} lines, got {got}; for example 4x4x4")
    return Data(
        cells=len(board.points),
        lines=[line for line, _ in found],
        guards=[guards for _, guards in found],
        coordinates=board.points,
        rests_on=board.rests_on() if "gravity" in spec.options else [],
        misere="misere" in spec.options,
        shape_symmetries=board.symmetries(),
    )


def _build_ultimate(spec: UltimateSpec) -> Data:
    n, size = spec.n, spec.n**2
    block = _build_board(BoardSpec((n, n), n, frozenset()))
    return Data(
        cells=size * size,
        lines=[tuple(b * size + cell for cell in line) for b in range(size) for line in block.lines],
        guards=[()] * (size * len(block.lines)),
        coordinates=[(b % n * n + c % n, b // n * n + c // n) for b in range(size) for c in range(size)],
        block_of=[b for b in range(size) for _ in range(size)],
        sends=[c for _ in range(size) for c in range(size)],
        outer_lines=block.lines,
        misere="misere" in spec.options,
        counts_blocks="count" in spec.options,
        open="open" in spec.options,
        shape_symmetries=[[b * size + c for b in turned for c in turned] for turned in block.shape_symmetries],
    )


class _Board:
    """A box of cells, or a torus if it wraps. Cells are numbered with the first coordinate running fastest."""

    def __init__(self, sides: Point, wrap: bool) -> None:
        self.sides = sides
        self.wrap = wrap
        self.points = [point[::-1] for point in product(*(range(side) for side in reversed(sides)))]

    def cell(self, point: Point) -> int | None:
        """The number of the cell at a point, or None off the board."""
        number, size = 0, 1
        for at, side in zip(point, self.sides, strict=True):
            if self.wrap:
                at %= side
            elif not 0 <= at < side:
                return None
            number += at * size
            size *= side
        return number

    def lines(self, k: int, exact: bool) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """All distinct sets of k cells in a row, in order of their first cell, each with its guards."""
        found: dict[tuple[int, ...], tuple[int, ...]] = {}
        for step in self._steps(k):
            for point in self._starts(step, k):
                run = {self._number(_walk(point, step, i)) for i in range(k)}
                line = tuple(sorted(run))
                if len(line) == k:
                    found.setdefault(line, self._guards(point, step, k, line) if exact else ())
        return sorted(found.items())

    def _steps(self, k: int) -> list[Point]:
        """One of each pair of opposite directions in which a line could fit."""
        steps = product(*((-1, 0, 1) if self.wrap or side >= k else (0,) for side in self.sides))
        return [step for step in steps if next((s for s in reversed(step) if s), 0) > 0]

    def _starts(self, step: Point, k: int) -> Iterator[Point]:
        """The points from which k cells in a direction stay on the board."""
        if self.wrap:
            return iter(self.points)
        ranges = {0: lambda side: range(side), 1: lambda side: range(side - k + 1), -1: lambda side: range(k - 1, side)}
        return product(*(ranges[s](side) for s, side in zip(step, self.sides, strict=True)))

    def _guards(self, point: Point, step: Point, k: int, line: tuple[int, ...]) -> tuple[int, ...]:
        """The cells at the two ends of a line; if its owner marks one, the line is too long to count."""
        ends = {self.cell(_walk(point, step, i)) for i in (-1, k)}
        return tuple(sorted(end for end in ends if end is not None and end not in line))

    def rests_on(self) -> list[tuple[int, ...]]:
        """The cell below each cell: the floor is the bottom row in 2D, otherwise index 0 of the last axis."""
        down = (0, 1) if len(self.sides) == 2 else (0,) * (len(self.sides) - 1) + (-1,)
        floor = _Board(self.sides, wrap=False)  # gravity does not wrap
        below = (floor.cell(_walk(point, down, 1)) for point in self.points)
        return [() if cell is None else (cell,) for cell in below]

    def symmetries(self) -> list[list[int]]:
        """Generators of the symmetries: flip an axis, swap two axes of equal length and, on a torus, shift an axis."""
        return [[self._number(motion.apply(point)) for point in self.points] for motion in self._motions()]

    def _number(self, point: Point) -> int:
        number = self.cell(point)
        assert number is not None
        return number

    def _motions(self) -> Iterator[_Motion]:
        axes = range(len(self.sides))
        for axis in axes:
            yield _Motion(axis, flip=self.sides[axis] - 1)
        for a, b in permutations(axes, 2):
            if a < b and self.sides[a] == self.sides[b]:
                yield _Motion(a, swap=b)
        if self.wrap:
            for axis in axes:
                yield _Motion(axis, shift=1)


class _Motion(NamedTuple):
    """A transformation of the box along one axis: a flip, a swap with another axis, or a shift."""

    axis: int
    flip: int | None = None
    swap: int | None = None
    shift: int = 0

    def apply(self, point: Point) -> Point:
        moved = list(point)
        if self.flip is not None:
            moved[self.axis] = self.flip - point[self.axis]
        elif self.swap is not None:
            moved[self.axis], moved[self.swap] = point[self.swap], point[self.axis]
        else:
            moved[self.axis] = point[self.axis] + self.shift
        return tuple(moved)


def _walk(point: Point, step: Point, times: int) -> Point:
    return tuple(at + by * times for at, by in zip(point, step, strict=True))
