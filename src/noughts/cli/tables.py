"""Tables in plain text that fit the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.games.quoting import escape_control_characters

__all__ = ["format_table"]

GAP = "  "


def format_table(headers: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> str:
    """Return aligned columns; numbers to the right. What is too wide loses its last columns, never its first two."""
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
