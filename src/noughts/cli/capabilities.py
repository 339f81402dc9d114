"""Capabilities of a terminal or a pipe: its width, colours and Unicode, and the matching style for boards."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TextIO

from noughts.games.rendering.text import BOXES, PLAIN, Style

__all__ = ["Capabilities", "board_style", "capabilities_of", "paint", "stdout_capabilities", "terminal_width"]

MIN_COLUMNS, MAX_COLUMNS = 20, 200
BOLD, DIM, REVERSE, UNDERLINED = "1", "2", "7", "4"
CYAN, YELLOW, GREEN = "36", "33", "32"


@dataclass(frozen=True)
class Capabilities:
    """Features of an output stream; ``can_rewrite`` means that a status line can be overwritten in place."""

    is_terminal: bool
    colours: bool
    can_rewrite: bool
    unicode: bool
    width: int = 80


def capabilities_of(stream: TextIO) -> Capabilities:
    """Return the capabilities of a stream; ``NO_COLOR`` and ``TERM=dumb`` are respected."""
    tty = stream.isatty()
    dumb = os.environ.get("TERM", "dumb") in ("", "dumb")
    encoding = (stream.encoding or "ascii").lower().replace("-", "")
    return Capabilities(
        is_terminal=tty,
        colours=tty and not dumb and not os.environ.get("NO_COLOR"),
        can_rewrite=tty and not dumb,
        unicode=encoding == "utf8" and not (tty and dumb),
        width=terminal_width(stream),
    )


def terminal_width(stream: TextIO | None = None) -> int:
    """Return the current width in columns: from ``COLUMNS``, from the terminal, or 80."""
    if stream is not None and not stream.isatty() and "COLUMNS" not in os.environ:
        return 80
    return max(MIN_COLUMNS, min(MAX_COLUMNS, shutil.get_terminal_size((80, 24)).columns))


def board_style(capabilities: Capabilities) -> Style:
    """Return the style for drawing boards. Colours add to letters, brackets and stars, they never replace them."""
    style = BOXES if capabilities.unicode and capabilities.is_terminal else PLAIN
    if not capabilities.colours:
        return style
    return replace(
        style,
        x=paint(CYAN, BOLD),
        o=paint(YELLOW, BOLD),
        last=paint(UNDERLINED),
        winning=paint(REVERSE),
        empty=paint(DIM),
        coordinate=paint(DIM),
        rule=paint(DIM),
        target=paint(GREEN, BOLD),
    )


def paint(*codes: str) -> Callable[[str], str]:
    """Return a function that wraps a text in ANSI codes; codes inside the text do not end the outer ones."""
    begin, end = f"\x1b[{';'.join(codes)}m", "\x1b[0m"

    def apply(text: str) -> str:
        return begin + text.replace(end, end + begin).removesuffix(begin) + ("" if text.endswith(end) else end)

    return apply


def stdout_capabilities() -> Capabilities:
    """Return the capabilities of standard output."""
    return capabilities_of(sys.stdout)
