"""A canvas of characters for boards: the look of their elements, and the places of their cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

__all__ = ["BOXES", "LARGE", "PLAIN", "Canvas", "Ink", "Paint", "Place", "Style"]

Paint = Callable[[str], str]
Ink = tuple[str, ...]
"""The names of the paints applied to a character, innermost first: ``("x", "last")``."""


@dataclass(frozen=True)
class Style:
    """The look of a drawn board: a paint (a function from text to text, such as one that adds colour codes) for each
    kind of element, and the characters for rules and marks.

    Paints never carry information of their own, so a board without colours is complete. A mark gets the paint of its
    side, then that of a winning line, then that of the last move. ``rules`` are a horizontal and a vertical stroke,
    then the nine corners and joints of a frame row by row; ``frames`` are those between the blocks of a large board.
    """

    x: Paint = str
    o: Paint = str
    last: Paint = str
    winning: Paint = str
    empty: Paint = str
    coordinate: Paint = str
    title: Paint = str
    rule: Paint = str
    frame: Paint = str
    target: Paint = str
    note: Paint = str
    dot: str = "."
    around_last: str = "[]"
    around_winning: str = "**"
    rules: str = "-|+++++++++"
    frames: str = "=#+++++++++"
    target_rules: str = "###########"
    pitches: tuple[int, ...] = (4, 2)
    """The distances between columns that may be used, in characters, the largest first: see ``Grid``."""
    has_large_marks: bool = False
    """Whether marks that cover more than one character are drawn with half blocks instead of letters."""

    def paint(self, ink: Ink, text: str) -> str:
        """Return the text with the paints of an ink applied in turn."""
        for name in ink:
            paint: Paint = getattr(self, name)
            text = paint(text)
        return text


PLAIN = Style()
"""Letters, digits and punctuation only: safe to print anywhere, and quiet in a screen reader."""
BOXES = Style(dot="·", rules="─│┌┬┐├┼┤└┴┘", frames="━┃┏┳┓┣╋┫┗┻┛", target_rules="═║╔═╗║ ║╚═╝")
"""Light box drawing, for terminals with UTF-8."""
LARGE = Style(
    dot="·",
    rules=BOXES.rules,
    frames=BOXES.frames,
    target_rules=BOXES.target_rules,
    pitches=(16, 12, 8, 4, 2),
    has_large_marks=True,
)
"""Boards that fill a screen."""


class Place(NamedTuple):
    """The place of a cell on a canvas: its middle, and how far it reaches to each side."""

    x: int
    y: int
    wide: int
    high: int

    @property
    def columns(self) -> range:
        return range(self.x - self.wide, self.x + self.wide + 1)

    @property
    def rows(self) -> range:
        return range(self.y - self.high, self.y + self.high + 1)


class Canvas:
    """A grid of characters that grows to the right and down as text is put on it."""

    def __init__(self) -> None:
        self._rows: list[list[str]] = []
        self._inks: list[list[Ink]] = []
        self.places: dict[int, Place] = {}
        """The places of the cells that were drawn."""

    @property
    def height(self) -> int:
        return len(self._rows)

    @property
    def width(self) -> int:
        """The number of columns, with the whole of every cell."""
        return max([*map(len, self._rows), *(place.columns[-1] + 1 for place in self.places.values())], default=0)

    def put(self, x: int, y: int, text: str, *ink: str) -> None:
        """Write a text to the right, replacing the old contents."""
        while len(self._rows) <= y:
            self._rows.append([])
            self._inks.append([])
        row, inks = self._rows[y], self._inks[y]
        end = x + len(text)
        if (missing := end - len(row)) > 0:
            row += " " * missing
            inks += [()] * missing
        row[x:end] = text
        inks[x:end] = [ink] * len(text)

    def put_down(self, x: int, y: int, text: str, *ink: str) -> None:
        for at, character in enumerate(text, y):
            self.put(x, at, character, *ink)

    def put_over(self, x: int, y: int, text: str, *ink: str) -> None:
        """Write a text to the right; the old contents show through its spaces."""
        for at, character in enumerate(text, x):
            if character != " ":
                self.put(at, y, character, *ink)

    def row(self, y: int) -> list[tuple[str, Ink]]:
        """Return a row as characters with their inks."""
        return list(zip(self._rows[y], self._inks[y], strict=True))

    def cell_at(self, x: int, y: int) -> int | None:
        """Return the cell that covers a character, or is next to it; the nearest if there are several."""
        near = [(abs(place.x - x) + 2 * abs(place.y - y), cell) for cell, place in self._near(x, y)]
        return min(near)[1] if near else None

    def _near(self, x: int, y: int) -> Iterator[tuple[int, Place]]:
        for cell, place in self.places.items():
            if abs(place.x - x) <= place.wide + 1 and abs(place.y - y) <= place.high:
                yield cell, place

    def render(self, style: Style) -> str:
        """Return the canvas as text, without spaces at the ends of lines."""
        return "\n".join(_render(row, inks, style) for row, inks in zip(self._rows, self._inks, strict=True))


def _render(row: list[str], inks: list[Ink], style: Style) -> str:
    text = "".join(row).rstrip()
    parts, at = [], 0
    for ink, run in groupby(inks[: len(text)]):
        end = at + sum(1 for _ in run)
        parts.append(style.paint(ink, text[at:end]))
        at = end
    return "".join(parts)
