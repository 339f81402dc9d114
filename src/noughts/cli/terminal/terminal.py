"""What the terminal can do, and the style in which boards are drawn on it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TextIO

from noughts.games.drawing import BOXES, PLAIN, Style

__all__ = ["Abilities", "abilities_of", "board_style"]

NARROWEST, WIDEST = 20, 200
BOLD, DIM, REVERSE, UNDERLINED = "1", "2", "7", "4"
CYAN, YELLOW, GREEN = "36", "33", "32"


@dataclass(frozen=True)
class Abilities:
    """What can be shown: whether it is a terminal, colours, a line that is written over, letters beyond ASCII."""

    is_terminal: bool
    colours: bool
    can_rewrite: bool
    unicode: bool
    width: int = 80


def abilities_of(stream: TextIO) -> Abilities:
    """Return what a stream can show; ``NO_COLOR`` and ``TERM=dumb`` are respected."""
    tty = stream.isatty()
    dumb = os.environ.get("TERM", "dumb") in ("", "dumb")
    encoding = (stream.encoding or "ascii").lower().replace("-", "")
    return Abilities(
        is_terminal=tty,
        colours=tty and not dumb and not os.environ.get("NO_COLOR"),
        can_rewrite=tty and not dumb,
        unicode=encoding == "utf8" and not (tty and dumb),
        width=terminal_width(stream),
    )


def terminal_width(stream: TextIO | None = None) -> int:
    """Return the columns there are now: those of the terminal, of ``COLUMNS``, or 80."""
    if stream is not None and not stream.isatty() and "COLUMNS" not in os.environ:
        return 80
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((80, 24)).columns))


def board_style(abilities: Abilities) -> Style:
    """Return how to draw boards: colours add to letters, brackets and stars, never replace them."""
    style = BOXES if abilities.unicode and abilities.is_terminal else PLAIN
    if not abilities.colours:
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
    """Return a paint that puts ANSI codes around a text, also around text that ends other codes."""
    begin, end = f"\x1b[{';'.join(codes)}m", "\x1b[0m"

    def apply(text: str) -> str:
        return begin + text.replace(end, end + begin).removesuffix(begin) + ("" if text.endswith(end) else end)

    return apply


def standard_abilities() -> Abilities:
    """Return what standard output can show."""
    return abilities_of(sys.stdout)
