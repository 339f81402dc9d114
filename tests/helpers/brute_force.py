"""Values of small flat games by brute force on bit masks, fast enough for ten thousand positions.

Shares no code with the package; the games are those of `reference`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import noughts as no
from reference import FlatGame, Line

__all__ = [
    "BruteForce",
    "MakerBreaker",
    "as_custom_game",
    "marks_of",
    "random_columns",
    "random_hypergraph",
    "random_polyomino",
    "random_positions",
]


class BruteForce:
    """Values of the positions of one game for the side to move: 1, 0 or -1."""

    def __init__(self, game: FlatGame) -> None:
        self.board = (1 << game.cells) - 1
        self.line_value = -1 if game.misere else 1
        self.lines = [
            [(_mask(line.cells), _mask(line.guards)) for line in game.lines if cell in line.cells]
            for cell in range(game.cells)
        ]
        self.below = [_mask(game.rests_on.get(cell, ())) for cell in range(game.cells)]
        self._values: dict[tuple[int, int], int] = {}

    def value(self, own: int, other: int) -> int:
        """The value of a position whose game is not over."""
        found = self._values.get((own, other))
        if found is None:
            found = self._values[own, other] = self._best(own, other)
        return found

    def value_of_move(self, own: int, other: int, cell: int) -> int:
        """The value of a legal move for the side that makes it."""
        own |= 1 << cell
        if any(line & own == line and not guards & own for line, guards in self.lines[cell]):
            return self.line_value
        return 0 if own | other == self.board else -self.value(other, own)

    def _best(self, own: int, other: int) -> int:
        best, free = -1, self.board & ~(own | other)
        for cell, below in enumerate(self.below):
            if free >> cell & 1 and not below & free:
                best = max(best, self.value_of_move(own, other, cell))
                if best == 1:
                    break
        return best


class MakerBreaker:
    """Whether a side can keep the other from completing a line, regardless of lines of its own."""

    def __init__(self, game: FlatGame) -> None:
        self.board = (1 << game.cells) - 1
        self.lines = [(_mask(line.cells), _mask(line.guards)) for line in game.lines]
        self._values: dict[tuple[int, int, bool], bool] = {}

    def blocks(self, own: int, other: int, is_own_turn: bool) -> bool:
        """Whether the side with the marks ``own`` can do so from a position without gravity."""
        if any(other & line == line and not other & guards for line, guards in self.lines):
            return False
        free = self.board & ~(own | other)
        key = own, other, is_own_turn
        if free and key not in self._values:
            cells = (1 << cell for cell in range(free.bit_length()) if free >> cell & 1)
            if is_own_turn:
                self._values[key] = any(self.blocks(own | cell, other, False) for cell in cells)
            else:
                self._values[key] = all(self.blocks(own, other | cell, True) for cell in cells)
        return self._values.get(key, True)


def _mask(cells: tuple[int, ...] | list[int]) -> int:
    return sum(1 << cell for cell in cells)


def marks_of(position: no.Position) -> tuple[int, int]:
    """The marks of the side to move and of the other one, as masks."""
    masks = [sum(1 << cell for cell, mark in enumerate(position.cells) if mark == side) for side in "XO"]
    return (masks[0], masks[1]) if position.turn == "X" else (masks[1], masks[0])


# --- games --------------------------------------------------------------------------------------------------------


def random_hypergraph(dice: random.Random, cells: int) -> FlatGame:
    """Random lines, some of which share most of their cells; guards, supports and misère each in some of the games."""
    sizes = dice.choice(((2, 3), (3, 3, 4), (2, 3, 3, 4), (1, 3, 4, 5)))
    lines = {tuple(sorted(dice.sample(range(cells), dice.choice(sizes)))) for _ in range(dice.randint(2, 9))}
    has_guards, has_gravity, is_misere = (dice.random() < share for share in (0.3, 0.4, 0.25))
    guards = {line: [cell for cell in range(cells) if cell not in line and dice.random() < 0.2] for line in lines}
    rests_on = {cell: dice.sample(range(cell), min(cell, dice.choice((1, 1, 2)))) for cell in range(1, cells)}
    return FlatGame(
        cells,
        [Line(line, tuple(guards[line]) if has_guards else ()) for line in sorted(lines)],
        {cell: below for cell, below in rests_on.items() if has_gravity and dice.random() < 0.5},
        is_misere,
    )


def random_columns(dice: random.Random, most_cells: int) -> FlatGame:
    """Random lines on columns of different heights, whose cells have random numbers."""
    heights = [2]
    while len(heights) < 5 and sum(heights) < most_cells:
        heights.append(dice.randint(1, min(5, most_cells - sum(heights))))
    cells = sum(heights)
    numbers = dice.sample(range(cells), cells)
    floors = {sum(heights[:column]) for column in range(len(heights))}
    sizes = (2, 3, 3, 3, 4, 4, 5)
    lines = {tuple(sorted(dice.sample(range(cells), dice.choice(sizes)))) for _ in range(dice.randint(2, 12))}
    rests_on = {numbers[cell]: [numbers[cell - 1]] for cell in range(cells) if cell not in floors}
    return FlatGame(cells, [Line(line) for line in sorted(lines)], rests_on, dice.random() < 0.1)


def random_polyomino(dice: random.Random, width: int, height: int) -> FlatGame:
    """The places of a random polyomino on a board, in all its orientations."""
    shape = {(0, 0)}
    while len(shape) < dice.choice((3, 4)):
        x, y = dice.choice(sorted(shape))
        shape.add(dice.choice(((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))))
    turns = [shape]
    for _ in range(3):
        turns.append({(-y, x) for x, y in turns[-1]})
    turns += [{(-x, y) for x, y in turn} for turn in turns]
    places = {
        tuple(sorted((x + dx) + (y + dy) * width for x, y in turn))
        for turn, dx, dy in product(turns, range(-3, width + 3), range(-3, height + 3))
        if all(0 <= x + dx < width and 0 <= y + dy < height for x, y in turn)
    }
    return FlatGame(width * height, [Line(cells) for cells in sorted(places)], misere=dice.random() < 0.2)


def as_custom_game(game: FlatGame) -> no.Game:
    guards = [line.guards for line in game.lines]
    return no.Game.from_lines(
        "random", game.cells, [line.cells for line in game.lines],
        guards=guards if any(guards) else None, rests_on=game.rests_on or None, misere=game.misere,
    )  # fmt: skip


def random_positions(game: no.Game, dice: random.Random, most_free: int, playthroughs: int) -> Iterator[no.Position]:
    """The positions of random playthroughs with at most some free cells, each once, before the game is over."""
    seen = set()
    for _ in range(playthroughs):
        position = game.start()
        while not position.is_over:
            if position.cells.count(None) <= most_free and position.text not in seen:
                seen.add(position.text)
                yield position.copy()
            position.play(dice.choice(position.legal_moves))
