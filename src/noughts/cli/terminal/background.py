"""Letting engines think while Ctrl-C is heard, and showing that they do."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO, TypeVar

from noughts.cli.capabilities import Capabilities, terminal_width
from noughts.players import EngineBot

__all__ = ["Status", "StatusLine", "engine_status", "leave_with", "think"]

T = TypeVar("T")
Status = Callable[[], str]
THINKER = "noughts-thinker"
POLL = 0.05
"""Seconds between looks at a bot that thinks: how long Ctrl-C may take."""
SHOWN_AFTER = 0.3
"""Seconds before a thinking line appears: quick moves show none, so that nothing flickers."""


class StatusLine:
    """A line that tells what is going on and is written over; nothing on terminals that cannot, or in a pipe."""

    def __init__(self, out: TextIO, capabilities: Capabilities) -> None:
        self._out = out
        self._is_on = capabilities.can_rewrite
        self._shown = ""

    def show(self, text: str) -> None:
        """Show a text in place of the one before."""
        text = text[: terminal_width(self._out) - 1]
        if self._is_on and text != self._shown:
            self._out.write(f"\r{text}\x1b[K")
            self._out.flush()
            self._shown = text

    def clear(self) -> None:
        """Leave an empty line for what is written next."""
        if self._shown:
            self._out.write("\r\x1b[K")
            self._out.flush()
            self._shown = ""


def think(work: Callable[[], T], status_line: StatusLine, status: Status, stop: Callable[[], None] | None = None) -> T:
    """Return what ``work`` returns or raises, done in a thread so that Ctrl-C and hang-ups are heard meanwhile.

    ``status`` says how far it is; ``stop`` is called to end it early when an interruption comes.
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
        _watch(thread, status_line, status)
    except BaseException:
        if stop is not None:
            stop()
            thread.join(1.0)
        raise
    finally:
        status_line.clear()
    if failure:
        raise failure[0]
    return result[0]


def _watch(thread: threading.Thread, status_line: StatusLine, status: Status) -> None:
    began = time.monotonic()
    thread.join(0.001)
    while thread.is_alive():
        thread.join(POLL)
        if time.monotonic() - began > SHOWN_AFTER:
            status_line.show(status())


def engine_status(who: str, engine: object) -> Status:
    """Return what to show while a player thinks: with depth and score where an engine tells them."""

    def status() -> str:
        found = engine.latest if isinstance(engine, EngineBot) else None
        return f"{who} is thinking" + (" ..." if found is None else f": depth {found.depth}, {found.verdict}")

    return status


def leave_with(code: int) -> int:
    """Return the exit code, or end the process with it here when a search still runs.

    A search that cannot be stopped would otherwise come back into an interpreter that is being taken down.
    """
    if any(thread.name == THINKER for thread in threading.enumerate()):
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    return code
