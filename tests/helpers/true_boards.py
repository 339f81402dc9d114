"""Tic-tac-toe by brute force, for judging students' programs: boards are strings like "XO.......".

Boards of 16 cells are 4x4 with three in a row.
"""

from __future__ import annotations

import random
from functools import cache

PLAYTHROUGHS = 20
"""Random playthroughs of 4x4."""


@cache
def lines(m: int, k: int) -> list[list[int]]:
    starts = [(r, c, dr, dc) for r in range(m) for c in range(m) for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1))]
    return [
        [(r + dr * i) * m + c + dc * i for i in range(k)]
        for r, c, dr, dc in starts
        if 0 <= r + dr * (k - 1) < m and 0 <= c + dc * (k - 1) < m
    ]


@cache
def winner(cells: str) -> str | None:
    m, k = (3, 3) if len(cells) == 9 else (4, 3)
    return next(
        (mark for mark in "XO" for line in lines(m, k) if all(cells[i] == mark for i in line)),
        None,
    )


def turn(cells: str) -> str:
    return "X" if cells.count("X") == cells.count("O") else "O"


def is_over(cells: str) -> bool:
    return winner(cells) is not None or "." not in cells


def empty_cells(cells: str) -> list[int]:
    return [i for i, mark in enumerate(cells) if mark == "."]


def play(cells: str, cell: int) -> str:
    return cells[:cell] + turn(cells) + cells[cell + 1 :]


def children(cells: str) -> list[str]:
    return [] if is_over(cells) else [play(cells, cell) for cell in empty_cells(cells)]


@cache
def value(cells: str) -> int:
    if is_over(cells):
        return {"X": 1, "O": -1, None: 0}[winner(cells)]
    return (max if turn(cells) == "X" else min)(map(value, children(cells)))


@cache
def moves_of_minimax(cells: str) -> int:
    """The number of moves that plain minimax makes below a position."""
    return sum(1 + moves_of_minimax(child) for child in children(cells))


@cache
def all_positions() -> list[str]:
    """The 5,478 positions, the fullest first."""
    found, waiting = {"." * 9}, ["." * 9]
    while waiting:
        new = set(children(waiting.pop())) - found
        found |= new
        waiting += new
    return sorted(found, key=lambda cells: (cells.count("."), cells))


SYMMETRIES = [
    [3 * r + c if not flip else 3 * c + r for r in rows for c in columns]
    for flip in (False, True)
    for rows in ((0, 1, 2), (2, 1, 0))
    for columns in ((0, 1, 2), (2, 1, 0))
]


def is_first_of_its_kind(cells: str) -> bool:
    """Whether a position stands for those that rotations and reflections make of it."""
    return all(cells <= "".join(cells[i] for i in order) for order in SYMMETRIES)


@cache
def positions_of_4x4() -> list[str]:
    """Unfinished and finished positions of random playthroughs of 4x4 with three in a row."""
    generator, found = random.Random(4), []
    for _ in range(PLAYTHROUGHS):
        cells = "." * 16
        while not is_over(cells):
            found.append(cells)
            cells = play(cells, generator.choice(empty_cells(cells)))
        found.append(cells)
    return found
