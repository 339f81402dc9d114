"""Printing: text from outside, tables, and a status line."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from noughts.games.quoting import escape_control_characters, escape_lines

__all__ = ["format_table", "say", "show_status"]

GAP = "  "


def say(text: str, err: bool = False) -> None:
    """Print lines with their control characters escaped."""
    click.echo(escape_lines(text), err=err)


def show_status(text: str) -> None:
    """Overwrite the last line of standard error if it is a terminal; an empty text clears it."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{text}", nl=False, err=True)


def format_table(headers: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> str:
    """Return aligned columns, numbers to the right; a table that is too wide loses columns from the third on."""
    table = [tuple(headers), *(tuple(map(escape_control_characters, row)) for row in rows)]
    columns = list(zip(*table, strict=True))
    widths = [max(map(len, column)) for column in columns]
    while len(widths) > 2 and sum(widths) + len(GAP) * (len(widths) - 1) > width:
        widths.pop()
    right = [all(_is_number(text) for text in column[1:]) for column in columns]
    return "\n".join(_format_row(row, widths, right) for row in table)


def _format_row(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    cells = (
        text.rjust(size) if to_right else text.ljust(size)
        for text, size, to_right in zip(row, widths, right, strict=False)
    )
    return GAP.join(cells).rstrip()


def _is_number(text: str) -> bool:
    digits = text.lstrip("+-").removesuffix("%").removesuffix(" s").removesuffix("½").replace(".", "", 1)
    return text in ("", "–", "½") or digits.isdigit()
