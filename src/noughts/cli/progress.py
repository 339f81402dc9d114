"""Progress of long work on standard error: a bar that is redrawn in place on a terminal, elsewhere a line a minute."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from time import monotonic
from types import TracebackType

from noughts.cli.output import Capabilities, capabilities_of, format_time, print_message, show_status
from noughts.proof.progress_estimate import ProgressEstimate

__all__ = ["ProgressDisplay"]

FIRST_LINE_SECONDS, LINE_SECONDS = 10.0, 60.0
"""Lines in a file or a pipe: none for quick work, the first after ten seconds, then one a minute."""
DRAWING_SECONDS = 0.1
"""Least time between two drawings of the bar."""
MIN_LEFT_SECONDS = 3.0
"""Time after which the remaining time is estimated."""
MIN_BAR, MAX_BAR = 6, 24
"""Widths of the bar; the text next to it needs the rest of a narrow terminal."""
BAR_SHARE = 4
"""The bar takes at most this fraction of the width."""
BLOCKS, ASCII = "█▒░", "#=."
"""Done for certain, perhaps done, not done."""
GAP = "  "


class ProgressDisplay:
    """Shows how far one piece of work has come; as a context manager it clears the bar at the end.

    On a terminal the first line has the bar, the share and the ``facts``, the second the ``details``; those that do not
    fit into the width are left out, the last ones first. In a file or a pipe all of them are on one line.

    If the work ``is_continued``, an earlier process did a part of it, so the time left cannot be told from the share.
    """

    def __init__(self, name: str = "", is_continued: bool = False) -> None:
        self._name = name
        self._is_continued = is_continued
        self._began = monotonic()
        self._next_line, self._next_drawing = self._began + FIRST_LINE_SECONDS, self._began

    def __enter__(self) -> ProgressDisplay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def show(self, facts: Sequence[str], share: ProgressEstimate | None = None, details: Sequence[str] = ()) -> None:
        """Show the progress; call it as often as there is news. Without a share there is no bar."""
        if monotonic() < self._next_drawing:
            return
        self._next_drawing = monotonic() + DRAWING_SECONDS
        capabilities = capabilities_of(sys.stderr)
        if capabilities.can_rewrite:
            show_status(*self._lines([*facts, *self._left(share)], share, details, capabilities))
        elif monotonic() >= self._next_line:
            self._next_line = monotonic() + LINE_SECONDS
            parts = [*([str(share)] if share else []), *facts, *self._left(share), *details]
            print_message(f"{self._name}{self._name and ': '}{', '.join(part for part in parts if part)}")

    def show_count(self, done: int, total: int, *facts: str) -> None:
        """Show the progress of work whose amount is known."""
        self.show([f"{done:,} of {total:,}", *facts], ProgressEstimate.exact(done, total))

    def clear(self) -> None:
        """Erase the bar; lines in a file stay."""
        show_status("")

    def _left(self, share: ProgressEstimate | None) -> list[str]:
        """The time left, from the time and the share so far."""
        seconds = monotonic() - self._began
        if share is None or share.low <= 0 or seconds < MIN_LEFT_SECONDS or self._is_continued:
            return []
        least, most = (format_time(seconds * (1 / part - 1)) for part in (share.high, share.low))
        return [f"{least} left" if least == most else f"{least} to {most} left"]

    def _lines(
        self, facts: Sequence[str], share: ProgressEstimate | None, details: Sequence[str], capabilities: Capabilities
    ) -> list[str]:
        width = capabilities.width - 1
        first = [self._name] if self._name else []
        if share is not None:
            first += [f"{_bar(share, capabilities)} {share}"]
        lines = [_fit([*first, *facts], width), _fit(details, width)]
        return [line for line in lines if line]


def _bar(share: ProgressEstimate, capabilities: Capabilities) -> str:
    """A bar with three parts: done for certain, perhaps done, not done."""
    done, perhaps, rest = tuple(BLOCKS if capabilities.unicode else ASCII)
    width = max(MIN_BAR, min(MAX_BAR, capabilities.width // BAR_SHARE))
    low, high = round(share.low * width), round(share.high * width)
    return done * low + perhaps * (high - low) + rest * (width - high)


def _fit(parts: Sequence[str], width: int) -> str:
    """Join the parts that fit into the width; the first is cut off if it is longer."""
    text = ""
    for part in filter(None, parts):
        longer = f"{text}{text and GAP}{part}"
        if text and len(longer) > width:
            break
        text = longer
    return text[:width]
