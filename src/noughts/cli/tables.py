"""Tables: aligned columns, or stacked rows where the terminal is too narrow for them. No column is ever left out."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Collection, Sequence
from enum import Enum, auto

import click

from noughts.games.quoting import escape_control_characters, shorten_words

__all__ = ["TableWriter", "Words", "align_table", "format_table"]

GAP = "  "
INDENT = "  "
NUMBER = re.compile(r"[+-]*\d[\d,]*\.?\d*½?( s)?%?|[–½]?")
MIN_WORDS_WIDTH = 24
"""Columns that the words at the end of a row need at least."""

Rows = Sequence[Sequence[str]]
Paint = Callable[[int, str], str]
"""Returns a line of a row in colour; rows count from 0."""


class Words(Enum):
    """What happens to a long text in the last column."""

    SHORTENED = auto()
    """It is cut after a word: lines of play, whose first moves matter most."""
    WRAPPED = auto()
    """It continues on the next line."""


def format_table(
    headers: Sequence[str],
    rows: Rows,
    width: int = sys.maxsize,
    *,
    right: Collection[str] = (),
    words: Words | None = None,
    wider: Rows | None = None,
    paint: Paint = lambda _, line: line,
) -> str:
    """Return aligned columns, numbers and those named in ``right`` to the right; stacked rows if they do not fit.

    ``words`` says that the last column is as wide as there is room. ``wider`` are rows that say more, for a terminal
    with room for them. In a row with fewer cells, the last one has the room of those that are missing.
    """
    for each in (wider, rows):
        if each is not None and (aligned := _align(headers, each, width, right, words)) is not None:
            (head,), *others = aligned
            return "\n".join([head, *(paint(at, line) for at, lines in enumerate(others) for line in lines)])
    return "\n".join([paint(at, line) for at, row in enumerate(wider or rows) for line in _stack(headers, row, width)])


def align_table(headers: Sequence[str], rows: Rows) -> list[str]:
    """Return a header and a line for each row, as wide as they are."""
    return [line for lines in _align(headers, rows, sys.maxsize) or [] for line in lines]


class TableWriter:
    """Prints the rows of a table one by one; the widths are those of all columns but the last."""

    def __init__(self, headers: Sequence[str], widths: Sequence[int]) -> None:
        self._widths = [*(max(size, len(name)) for name, size in zip(headers, widths, strict=False)), 0]
        self.write(headers)

    def write(self, row: Sequence[str]) -> None:
        """Print a row at once, with its control characters escaped."""
        cells = list(map(escape_control_characters, row))
        click.echo(_format_row(cells, self._widths, [False] * len(cells)))
        sys.stdout.flush()


def _align(
    headers: Sequence[str], rows: Rows, width: int, right: Collection[str] = (), words: Words | None = None
) -> list[list[str]] | None:
    """Return the lines of the header and of each row; None if they are too wide."""
    table = [tuple(headers), *(tuple(map(escape_control_characters, row)) for row in rows)]
    full = len(headers)
    columns = [[row[at] for row in table if len(row) == full or at < len(row) - 1] for at in range(full)]
    widths = [max(map(len, column)) for column in columns]
    to_right = [name in right or (cells != [] and all(map(_is_number, cells))) for name, *cells in columns]
    before = sum(widths[:-1]) + len(GAP) * (len(widths) - 1)
    if before + (widths[-1] if words is None else min(widths[-1], MIN_WORDS_WIDTH)) > width:
        return None
    if words is None:
        return [[_format_row(row, widths, to_right)] for row in table]
    room, widths[-1], to_right[-1] = width - before, 0, False
    lines = []
    for *cells, text in table:
        if words is Words.SHORTENED:
            parts = [shorten_words(text.split(), room)]
        else:
            parts = textwrap.wrap(text, room, break_on_hyphens=False) if len(text) > room else [text]
        first = _format_row([*cells, *parts[:1]], widths, to_right)
        lines.append([first, *(" " * before + part for part in parts[1:])])
    return lines


def _stack(headers: Sequence[str], row: Sequence[str], width: int) -> list[str]:
    """Return the lines of a row: its first words as a title, then the other cells after the names of their columns."""
    cells = list(map(escape_control_characters, row))
    titles = next((at for at, cell in enumerate(cells) if not _is_number(cell)), 0) + 1
    named = zip(headers[titles:], cells[titles:], strict=False)
    items = [" ".join(filter(None, (name, cell))) for name, cell in named if cell]
    lines = textwrap.wrap(GAP.join(cells[:titles]), width, subsequent_indent=INDENT, break_on_hyphens=False)
    line = ""
    for at, item in enumerate(items, 1):
        text = item + ("," if at < len(items) else "")
        if line and len(INDENT) + len(line) + 1 + len(text) > width:
            lines.append(INDENT + line)
            line = ""
        line = f"{line} {text}".lstrip()
        if len(INDENT) + len(line) > width:
            *full, line = textwrap.wrap(line, width - len(INDENT), break_on_hyphens=False)
            lines += [INDENT + each for each in full]
    return [*lines, INDENT + line] if line else lines


def _format_row(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    cells = (
        text.rjust(size) if to_right else text.ljust(size)
        for text, size, to_right in zip(row, widths, right, strict=False)
    )
    return GAP.join(cells).rstrip()


def _is_number(text: str) -> bool:
    return NUMBER.fullmatch(text) is not None
