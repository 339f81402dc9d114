"""Parsing and formatting the names of cells. Each kind of board has its own notation.

=========  =======================================================================================
2D         column letters, then the row from the bottom: ``b2``, ``aa10``; on 3×3 also ``1`` to ``9``
3D         level, then the square: ``2b3``; also ``z,y,x`` from 0, y from the top
4D and up  the coordinates from 0, last axis first: ``0,1,2,3``
Ultimate   the square on the whole board: ``e5``; also ``board.cell`` from 1: ``5.5``
custom     the number of the cell
=========  =======================================================================================
"""

from __future__ import annotations

import re
from itertools import product
from typing import Protocol

from noughts.games.errors import InvalidNotation
from noughts.games.quoting import quote

__all__ = ["BoardNotation", "Notation", "NumberNotation", "UltimateNotation", "column_name"]

MAX_NAME = 100
"""Longest name of a cell, in characters: coordinates in eight dimensions with spaces between them fit."""


class Notation(Protocol):
    """Converts between cells and their names."""

    def format(self, cell: int) -> str:
        """Return the name of a cell."""

    def parse(self, text: str) -> int:
        """Return the cell with this name; raises InvalidNotation."""

    def parse_column(self, text: str) -> list[int] | None:
        """Return the cells of a column from the floor up; None without gravity or if the text is not a column."""

    @property
    def how(self) -> str:
        """Describes how to type a move, for error messages."""


def column_name(column: int) -> str:
    """Return the letters of a column: a to z, then aa.

    >>> column_name(0), column_name(25), column_name(26)
    ('a', 'z', 'aa')
    """
    name = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        name = chr(ord("a") + digit) + name
    return name


def _column_number(name: str) -> int:
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1


def _clean(text: str) -> str:
    """The text in lower case without surrounding spaces; empty, which never parses, if it is too long for a name."""
    return text.strip().lower() if len(text) <= MAX_NAME else ""


class NumberNotation:
    """Cells by number, from 0."""

    def __init__(self, cells: int) -> None:
        self.cells = cells
        self.how = f"a cell number from 0 to {cells - 1}"

    def format(self, cell: int) -> str:
        return str(cell)

    def parse(self, text: str) -> int:
        word = _clean(text)
        if not re.fullmatch(r"[0-9]{1,9}", word) or int(word) >= self.cells:
            raise InvalidNotation(f"expected {self.how}, got {quote(text)}")
        return int(word)

    def parse_column(self, text: str) -> None:
        """Return None: custom games have no columns."""
        return


class BoardNotation:
    """Squares in 2D, squares with their level in 3D, coordinates in higher dimensions."""

    def __init__(self, sides: tuple[int, ...], gravity: bool) -> None:
        self.sides = sides
        self.gravity = gravity
        self.how = self._how()

    def _how(self) -> str:
        corner = f"{column_name(self.sides[0] - 1)}{self.sides[1]}"
        if len(self.sides) == 2:
            digits = ", or 1 to 9" if self.sides == (3, 3) else ""
            column = f", or a column a to {column_name(self.sides[0] - 1)}" if self.gravity else ""
            return f"a square from a1 to {corner}{column}{digits}"
        if len(self.sides) == 3:
            return f"a level and a square, from 1a1 to {self.sides[2]}{corner}"
        return self._how_beyond()

    def _how_beyond(self) -> str:
        """How to type a move in four dimensions and more."""
        example = [side - 1 if axis == 0 else min(1, side - 1) for axis, side in enumerate(self.sides)]
        numbers, board = (",".join(map(str, reversed(part))) for part in (example, example[2:]))
        where = f"row {example[1]}, column {example[0]} of board {board}"
        return f"board, row and column, counted from 0 at the top left: {numbers} is {where}"

    def _point(self, cell: int) -> list[int]:
        point = []
        for side in self.sides:
            cell, at = divmod(cell, side)
            point.append(at)
        return point

    def _cell(self, point: list[int]) -> int | None:
        cell, size = 0, 1
        for at, side in zip(point, self.sides, strict=True):
            if not 0 <= at < side:
                return None
            cell += at * size
            size *= side
        return cell

    def format(self, cell: int) -> str:
        """Return the square, with its level in 3D, or the coordinates in higher dimensions."""
        point = self._point(cell)
        if len(point) > 3:
            return ",".join(map(str, reversed(point)))
        square = f"{column_name(point[0])}{self.sides[1] - point[1]}"
        return square if len(point) == 2 else f"{point[2] + 1}{square}"

    def parse(self, text: str) -> int:
        point = self._parse_point(_clean(text))
        cell = self._cell(point) if point is not None else None
        if cell is None:
            raise InvalidNotation(f"expected {self.how}, got {quote(text)}")
        return cell

    def _parse_point(self, word: str) -> list[int] | None:
        if match := re.fullmatch(r"([0-9]{0,4})([a-z]{1,3})([0-9]{1,4})", word):
            return self._square(match[1], match[2], match[3])
        if self.sides == (3, 3) and re.fullmatch(r"[1-9]", word):
            return self._point(int(word) - 1)
        return self._coordinates(word) if len(self.sides) > 2 else None

    def _coordinates(self, word: str) -> list[int] | None:
        """Parse coordinates separated by commas or spaces, last axis first."""
        numbers = [number for part in word.split(",") for number in part.split() or [""]]
        if len(numbers) != len(self.sides) or not all(re.fullmatch("[0-9]{1,4}", number) for number in numbers):
            return None
        return [int(number) for number in reversed(numbers)]

    def _square(self, level: str, column: str, row: str) -> list[int] | None:
        if len(self.sides) > 3 or (len(self.sides) == 3) != bool(level):
            return None
        square = [_column_number(column), self.sides[1] - int(row)]
        return [*square, int(level) - 1] if level else square

    def parse_column(self, text: str) -> list[int] | None:
        """Return a 2D column by its letter, or a 3D one by its square, from the floor up."""
        word = _clean(text)
        if not self.gravity:
            return None
        if len(self.sides) == 2 and re.fullmatch(r"[a-z]{1,3}", word) and _column_number(word) < self.sides[0]:
            return [self._number([_column_number(word), y]) for y in reversed(range(self.sides[1]))]
        match = re.fullmatch(r"([a-z]{1,3})([0-9]{1,4})", word)
        if len(self.sides) == 3 and match:
            x, y = _column_number(match[1]), self.sides[1] - int(match[2])
            if self._cell([x, y, 0]) is not None:
                return [self._number([x, y, z]) for z in range(self.sides[2])]
        return None

    def _number(self, point: list[int]) -> int:
        cell = self._cell(point)
        assert cell is not None
        return cell


class UltimateNotation:
    """Squares of the whole board, or block and cell: ``e5``, ``5.5``."""

    def __init__(self, n: int) -> None:
        self.n = n
        side = n * n
        self.how = f"a square from a1 to {column_name(side - 1)}{side}"
        self._board = BoardNotation((side, side), gravity=False)
        self._cells = {
            (b % n * n + c % n) + side * (b // n * n + c // n): b * side + c for b, c in product(range(side), repeat=2)
        }
        self._squares = {cell: square for square, cell in self._cells.items()}

    def format(self, cell: int) -> str:
        return self._board.format(self._squares[cell])

    def parse(self, text: str) -> int:
        word, side = _clean(text), self.n**2
        if match := re.fullmatch(r"([0-9]{1,2})\.([0-9]{1,2})", word):
            block, cell = int(match[1]), int(match[2])
            if 1 <= block <= side and 1 <= cell <= side:
                return (block - 1) * side + cell - 1
        elif re.fullmatch(r"[a-z]{1,2}[0-9]{1,3}", word):
            point = self._board._parse_point(word)
            square = self._board._cell(point) if point is not None else None
            if square is not None:
                return self._cells[square]
        raise InvalidNotation(f"expected {self.how}, got {quote(text)}")

    def parse_column(self, text: str) -> None:
        """Return None: Ultimate has no gravity."""
        return
