"""A sheet of characters with an ink for each, and the styles that turn inks into text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

__all__ = ["BOXES", "PLAIN", "Canvas", "Ink", "Paint", "Style"]

Paint = Callable[[str], str]
Ink = tuple[str, ...]
"""The names of the paints of a style that a character gets, innermost first: ``("x", "last")``."""


@dataclass(frozen=True)
class Style:
    """How a drawn board looks: a paint (from text to text, such as one that adds colour codes) for each thing
    that can be seen, and the characters for rules and marks.

    Paints add to what the characters already say, so that a board without colours loses nothing. A mark gets
    the paint of its side, then that of a winning line, then that of the last move. ``rules`` are a stroke,
    a bar, then the nine corners and joints of a frame row by row.
    """

    x: Paint = str
    o: Paint = str
    last: Paint = str
    winning: Paint = str
    empty: Paint = str
    coordinate: Paint = str
    title: Paint = str
    rule: Paint = str
    target: Paint = str
    note: Paint = str
    dot: str = "."
    around_last: str = "[]"
    around_winning: str = "**"
    rules: str = "-|+++++++++"
    target_rules: str = "###########"

    def paint(self, ink: Ink, text: str) -> str:
        """Return the text with the paints of an ink applied in turn."""
        for name in ink:
            paint: Paint = getattr(self, name)
            text = paint(text)
        return text


PLAIN = Style()
"""Letters, digits and punctuation only: safe to print anywhere, and quiet in a screen reader."""
BOXES = Style(dot="·", rules="─│┌┬┐├┼┤└┴┘", target_rules="═║╔═╗║ ║╚═╝")
"""Light box drawing, for terminals that speak UTF-8."""


class Canvas:
    """A sheet of characters that grows to the right and down as it is written on."""

    def __init__(self) -> None:
        self._rows: list[list[str]] = []
        self._inks: list[list[Ink]] = []

    @property
    def height(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def put(self, x: int, y: int, text: str, *ink: str) -> None:
        """Write a text from a place to the right, over what was there."""
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
        """Write a text from a place downwards."""
        for at, character in enumerate(text, y):
            self.put(x, at, character, *ink)

    def render(self, style: Style) -> str:
        """Return the sheet as text, without blanks at the ends of lines."""
        return "\n".join(_render(row, inks, style) for row, inks in zip(self._rows, self._inks, strict=True))


def _render(row: list[str], inks: list[Ink], style: Style) -> str:
    text = "".join(row).rstrip()
    parts, at = [], 0
    for ink, run in groupby(inks[: len(text)]):
        end = at + sum(1 for _ in run)
        parts.append(style.paint(ink, text[at:end]))
        at = end
    return "".join(parts)
