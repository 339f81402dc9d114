"""Letting engines think while Ctrl-C is heard, and showing that they do."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO, TypeVar

from noughts.bots import EngineBot
from noughts.cli.session.terminal import Abilities, terminal_width

__all__ = ["Ticker", "leave_with", "think"]

T = TypeVar("T")
THINKER = "noughts-thinker"
POLL = 0.05
"""Seconds between looks at a bot that thinks: how long Ctrl-C may take."""
SHOWN_AFTER = 0.3
"""Seconds before a thinking line appears: quick moves show none, so that nothing flickers."""


class Ticker:
    """A line that tells what is going on and is written over; nothing on terminals that cannot, or in a pipe."""

    def __init__(self, out: TextIO, abilities: Abilities) -> None:
        self._out = out
        self._is_on = abilities.can_rewrite
        self._shown = ""

    def show(self, text: str) -> None:
        """Show a text in place of the one before."""
        text = text[: terminal_width(self._out) - 1]
        if self._is_on and text != self._shown:
            self._out.write(f"\r{text}\x1b[K")
            self._out.flush()
            self._shown = text

    def clear(self) -> None:
        """Leave an empty line to whoever writes next."""
        if self._shown:
            self._out.write("\r\x1b[K")
            self._out.flush()
            self._shown = ""


def think(work: Callable[[], T], ticker: Ticker, who: str, engine: EngineBot | None = None) -> T:
    """Return what ``work`` returns or raises, done in a thread so that Ctrl-C and hang-ups are heard meanwhile.

    When one of them comes, the engine is stopped.
    """
    result: list[T] = []
    failure: list[BaseException] = []

    def do() -> None:
        try:
            result.append(work())
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=do, name=THINKER, daemon=True)
    thread.start()
    try:
        _watch(thread, ticker, who, engine)
    except BaseException:
        if engine is not None:
            engine.stop()
            thread.join(1.0)
        raise
    finally:
        ticker.clear()
    if failure:
        raise failure[0]
    return result[0]


def _watch(thread: threading.Thread, ticker: Ticker, who: str, engine: EngineBot | None) -> None:
    began = time.monotonic()
    thread.join(0.001)
    while thread.is_alive():
        thread.join(POLL)
        if time.monotonic() - began > SHOWN_AFTER:
            found = engine.latest if engine is not None else None
            detail = f": depth {found.depth}, {found.verdict}" if found is not None else " ..."
            ticker.show(f"{who} is thinking{detail}")


def leave_with(code: int) -> int:
    """Return the exit code, or end the process with it here when somebody still thinks.

    A search that cannot be stopped would otherwise come back into an interpreter that is being taken down.
    """
    if any(thread.name == THINKER for thread in threading.enumerate()):
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    return code
