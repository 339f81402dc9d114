"""A slow, obvious twin of the rules, written from the contract and sharing no code with the package.

Everything is a list, a loop or a dictionary. A position is its cells, its moves and its result; an
Ultimate position adds the owner of each block, which with `+open` does not follow from the cells. All else
is computed when it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from string import ascii_lowercase

Mark = str | None  # "X", "O" or None


@dataclass(frozen=True)
class Line:
    """Complete if one side has every cell and none of the guards."""

    cells: tuple[int, ...]
    guards: tuple[int, ...] = ()

    def is_complete(self, marks: list[Mark], side: str) -> bool:
        return all(marks[cell] == side for cell in self.cells) and not any(
            marks[guard] == side for guard in self.guards
        )


@dataclass(frozen=True)
class Outcome:
    winner: Mark
    reason: str
    points: tuple[int, int]


def opponent(side: str) -> str:
    return "O" if side == "X" else "X"


def line_outcome(completer: str, misere: bool, full_points: int) -> Outcome:
    winner = opponent(completer) if misere else completer
    return Outcome(winner, "line", (full_points, 0) if winner == "X" else (0, full_points))


# Boards: coordinates, straight lines, what falls on what -------------------------------------------------


def all_coordinates(sides: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Coordinates in the order of the cells: the first-named axis runs fastest."""
    return [tuple(reversed(c)) for c in product(*(range(side) for side in reversed(sides)))]


def walk(
    start: tuple[int, ...], direction: tuple[int, ...], steps: int, sides: tuple[int, ...], wrap: bool
) -> tuple[int, ...] | None:
    """The coordinates a number of steps away, or None off the board."""
    place = [c + d * steps for c, d in zip(start, direction, strict=True)]
    if wrap:
        place = [p % side for p, side in zip(place, sides, strict=True)]
    if any(p < 0 or p >= side for p, side in zip(place, sides, strict=True)):
        return None
    return tuple(place)


def straight_lines(sides: tuple[int, ...], k: int, exact: bool, wrap: bool) -> list[Line]:
    """Every set of k different cells on a straight walk from any cell."""
    coordinates = all_coordinates(sides)
    cell_at = {place: cell for cell, place in enumerate(coordinates)}
    found: dict[frozenset[int], Line] = {}
    for start in coordinates:
        for direction in product((-1, 0, 1), repeat=len(sides)):
            places = [walk(start, direction, step, sides, wrap) for step in range(k)]
            if None in places or len(set(places)) < k:
                continue
            cells = tuple(cell_at[place] for place in places if place is not None)
            ends = [walk(start, direction, step, sides, wrap) for step in (-1, k)]
            guards = {cell_at[place] for place in ends if place is not None} - set(cells)
            found[frozenset(cells)] = Line(cells, tuple(sorted(guards)) if exact else ())
    return list(found.values())


def falling(sides: tuple[int, ...]) -> dict[int, list[int]]:
    """For every cell above the floor, the cell it rests on."""
    coordinates = all_coordinates(sides)
    cell_at = {place: cell for cell, place in enumerate(coordinates)}
    down = (0, 1) if len(sides) == 2 else (0,) * (len(sides) - 1) + (-1,)
    below = {cell: walk(place, down, 1, sides, wrap=False) for place, cell in cell_at.items()}
    return {cell: [cell_at[place]] for cell, place in below.items() if place is not None}


class PlayedPosition:
    """The moves played, and what follows from their number and the outcome in every game."""

    def __init__(self, cells: int) -> None:
        self.cells: list[Mark] = [None] * cells
        self.moves: list[int] = []
        self.outcome: Outcome | None = None

    @property
    def is_over(self) -> bool:
        return self.outcome is not None

    @property
    def winner(self) -> Mark:
        return None if self.outcome is None else self.outcome.winner

    @property
    def turn(self) -> Mark:
        return None if self.is_over else "XO"[len(self.moves) % 2]


# Flat games ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FlatGame:
    cells: int
    lines: list[Line]
    rests_on: dict[int, list[int]] = field(default_factory=dict)
    misere: bool = False
    sides: tuple[int, ...] = ()

    @cached_property
    def lines_through(self) -> list[list[Line]]:
        return [[line for line in self.lines if cell in line.cells] for cell in range(self.cells)]

    def start(self) -> FlatPosition:
        return FlatPosition(self)

    def name(self, cell: int) -> str:
        """The text of a move: `b2`, `2b3`, or coordinates from the last-named axis to the first."""
        coordinates = all_coordinates(self.sides)[cell]
        if len(self.sides) > 3:
            return ",".join(str(c) for c in reversed(coordinates))
        square = column_name(coordinates[0]) + str(self.sides[1] - coordinates[1])
        return square if len(self.sides) == 2 else str(coordinates[2] + 1) + square


class FlatPosition(PlayedPosition):
    def __init__(self, game: FlatGame) -> None:
        super().__init__(game.cells)
        self.game = game

    blocks: list[Mark] | None = None
    block_to_play: int | None = None

    @property
    def winning_lines(self) -> list[Line]:
        """The lines completed by the last move."""
        if not self.moves:
            return []
        side = self.cells[self.moves[-1]]
        assert side is not None
        through = self.game.lines_through[self.moves[-1]]
        return [line for line in through if line.is_complete(self.cells, side)]

    def judge(self) -> Outcome | None:
        if self.winning_lines:
            completer = self.cells[self.moves[-1]]
            assert completer is not None
            return line_outcome(completer, self.game.misere, 2)
        if None not in self.cells:
            return Outcome(None, "full", (1, 1))
        return None

    @property
    def legal_moves(self) -> list[int]:
        if self.is_over:
            return []
        return [cell for cell in range(self.game.cells) if self.cells[cell] is None and self.is_held(cell)]

    def completing(self, side: str) -> list[int]:
        """The empty cells, playable or not, whose mark would complete a line of this side."""
        marks = list(self.cells)
        found = []
        for cell in range(self.game.cells):
            if marks[cell] is None:
                marks[cell] = side
                if any(line.is_complete(marks, side) for line in self.game.lines_through[cell]):
                    found.append(cell)
                marks[cell] = None
        return found

    def is_held(self, cell: int) -> bool:
        return all(self.cells[support] is not None for support in self.game.rests_on.get(cell, []))

    def play(self, cell: int) -> None:
        assert cell in self.legal_moves
        self.cells[cell] = self.turn
        self.moves.append(cell)
        self.outcome = self.judge()

    def undo(self) -> None:
        self.cells[self.moves.pop()] = None
        self.outcome = None  # before a move the game was not over

    @property
    def has_text(self) -> bool:
        """Whether the contract defines a notation for this board."""
        return bool(self.game.sides)

    @property
    def text(self) -> str:
        width, height = self.game.sides[:2]
        rows = [row_text(self.cells[at : at + width]) for at in range(0, self.game.cells, width)]
        slices = ["/".join(rows[at : at + height]) for at in range(0, len(rows), height)]
        return "|".join(slices) + " " + side_text(self.turn)


# Ultimate ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class UltimateGame:
    side: int
    lines: list[Line]  # of any block, and of the board of blocks
    misere: bool = False
    count: bool = False
    open: bool = False

    @property
    def block_size(self) -> int:
        return self.side * self.side

    @property
    def cells(self) -> int:
        return self.block_size * self.block_size

    def start(self) -> UltimatePosition:
        return UltimatePosition(self)

    def place(self, cell: int) -> tuple[int, int]:
        """Row and column on the whole board, from the top left."""
        block, inner = cell // self.block_size, cell % self.block_size
        row = block // self.side * self.side + inner // self.side
        column = block % self.side * self.side + inner % self.side
        return row, column

    def name(self, cell: int) -> str:
        row, column = self.place(cell)
        return column_name(column) + str(self.block_size - row)


class UltimatePosition(PlayedPosition):
    has_text = True

    def __init__(self, game: UltimateGame) -> None:
        super().__init__(game.cells)
        self.game = game
        self.blocks: list[Mark] = [None] * game.block_size
        self.blocks_before: list[list[Mark]] = []

    def block_cells(self, block: int) -> list[Mark]:
        return self.cells[block * self.game.block_size : (block + 1) * self.game.block_size]

    def is_full(self, block: int) -> bool:
        return None not in self.block_cells(block)

    def is_closed(self, block: int) -> bool:
        if self.game.open:
            return self.is_full(block)
        return self.is_full(block) or self.blocks[block] is not None

    @property
    def winning_lines(self) -> list[Line]:
        """The lines of blocks that one side owns."""
        return [line for line in self.game.lines for side in "XO" if line.is_complete(self.blocks, side)]

    def judge(self) -> Outcome | None:
        full_points = self.game.block_size if self.game.count else 2
        if self.winning_lines:
            completer = self.blocks[self.winning_lines[0].cells[0]]
            assert completer is not None
            return line_outcome(completer, self.game.misere, full_points)
        if not all(self.is_closed(block) for block in range(self.game.block_size)):
            return None
        if not self.game.count:
            return Outcome(None, "full", (1, 1))
        points = self.blocks.count("X"), self.blocks.count("O")
        winner = "X" if points[0] > points[1] else "O" if points[1] > points[0] else None
        return Outcome(winner, "count", points)

    @property
    def block_to_play(self) -> int | None:
        """The block the last move sends to; None for a free choice or when nothing may be played."""
        if not self.moves or self.is_over:
            return None
        sent_to = self.moves[-1] % self.game.block_size
        return None if self.is_closed(sent_to) else sent_to

    @property
    def legal_moves(self) -> list[int]:
        if self.is_over:
            return []
        here = self.block_to_play
        allowed = range(self.game.block_size) if here is None else [here]
        return [
            block * self.game.block_size + inner
            for block in allowed
            if not self.is_closed(block)
            for inner, mark in enumerate(self.block_cells(block))
            if mark is None
        ]

    def play(self, cell: int) -> None:
        assert cell in self.legal_moves
        side = self.turn
        assert side is not None
        block = cell // self.game.block_size
        self.blocks_before.append(list(self.blocks))
        self.cells[cell] = side
        self.moves.append(cell)
        marks = self.block_cells(block)
        if self.blocks[block] is None and any(line.is_complete(marks, side) for line in self.game.lines):
            self.blocks[block] = side
        self.outcome = self.judge()

    def undo(self) -> None:
        self.cells[self.moves.pop()] = None
        self.blocks = self.blocks_before.pop()
        self.outcome = None  # before a move the game was not over

    @property
    def text(self) -> str:
        size = self.game.block_size
        rows: list[list[Mark]] = [[None] * size for _ in range(size)]
        for cell, mark in enumerate(self.cells):
            row, column = self.game.place(cell)
            rows[row][column] = mark
        here = self.block_to_play
        fields = ["/".join(row_text(row) for row in rows), side_text(self.turn)]
        fields.append("-" if here is None else str(here + 1))
        if self.game.open:
            fields.append("".join("." if owner is None else owner.lower() for owner in self.blocks))
        return " ".join(fields)


# Text ----------------------------------------------------------------------------------------------------


def column_name(column: int) -> str:
    """`a` to `z`, then `aa`, `ab` and so on."""
    name = ascii_lowercase[column % 26]
    return name if column < 26 else column_name(column // 26 - 1) + name


def row_text(row: list[Mark]) -> str:
    text, empty = "", 0
    for mark in [*row, "end"]:
        if mark is None:
            empty += 1
            continue
        text += str(empty) if empty else ""
        text += "" if mark == "end" else mark.lower()
        empty = 0
    return text


def side_text(side: Mark) -> str:
    return "-" if side is None else side.lower()


# Ids -----------------------------------------------------------------------------------------------------


def build(game_id: str) -> FlatGame | UltimateGame:
    """The game of an id of the contract's table; the id must be right."""
    body, *options = game_id.split("+")
    if body.startswith("ultimate:"):
        side = int(body.removeprefix("ultimate:"))
        lines = straight_lines((side, side), side, exact=False, wrap=False)
        return UltimateGame(side, lines, "misere" in options, "count" in options, "open" in options)
    board, _, k = body.partition(":")
    sides = tuple(int(side) for side in board.split("x"))
    lines = straight_lines(sides, int(k) if k else min(sides), "exact" in options, "wrap" in options)
    rests_on = falling(sides) if "gravity" in options else {}
    cells = len(all_coordinates(sides))
    return FlatGame(cells, lines, rests_on, "misere" in options, sides)
