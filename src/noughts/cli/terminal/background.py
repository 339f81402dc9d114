"""Work in a background thread, so that Ctrl-C is handled at once, and a status line that shows its progress."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO, TypeVar

from noughts.cli.output import Capabilities, rewrite, terminal_width

__all__ = ["StatusDisplay", "exit_if_still_running", "run_interruptible"]

T = TypeVar("T")
THREAD_NAME = "noughts-background"
POLL_SECONDS = 0.05
"""Interval between checks of the thread: the longest that Ctrl-C can take."""
STATUS_DELAY_SECONDS = 0.3
"""Delay before the status line appears, so that it does not flicker during quick moves."""
STOP_SECONDS = 1.0
"""Wait for work that was asked to stop."""


class StatusDisplay:
    """A line that is rewritten in place; does nothing in a pipe and on terminals that cannot rewrite lines."""

    def __init__(self, out: TextIO, capabilities: Capabilities) -> None:
        self._out = out
        self._is_enabled = capabilities.can_rewrite
        self._text = ""

    def show(self, text: str) -> None:
        text = text[: terminal_width(self._out) - 1]
        if self._is_enabled and text != self._text:
            rewrite(self._out, [text])
            self._text = text

    def clear(self) -> None:
        """Erase the line; the next output starts in its place."""
        if self._text:
            rewrite(self._out, [""])
            self._text = ""


def run_interruptible(
    work: Callable[[], T],
    status_display: StatusDisplay,
    status: Callable[[], str],
    stop: Callable[[], None] | None = None,
) -> T:
    """Run ``work`` in a thread; return its result or raise its exception.

    ``status`` returns the text for the status line. If this call is interrupted, ``stop`` is called to end the work.
    """
    result: list[T] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            result.append(work())
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run, name=THREAD_NAME, daemon=True)
    thread.start()
    try:
        _wait(thread, status_display, status)
    except BaseException:
        if stop is not None:
            stop()
            thread.join(STOP_SECONDS)
        raise
    finally:
        status_display.clear()
    if failure:
        raise failure[0]
    return result[0]


def _wait(thread: threading.Thread, status_display: StatusDisplay, status: Callable[[], str]) -> None:
    began = time.monotonic()
    thread.join(0.001)
    while thread.is_alive():
        thread.join(POLL_SECONDS)
        if time.monotonic() - began > STATUS_DELAY_SECONDS:
            status_display.show(status())


def exit_if_still_running(code: int) -> int:
    """Return the exit code, or exit with it at once if background work is still running.

    Work that cannot be stopped would otherwise return into an interpreter that is shutting down.
    """
    if any(thread.name == THREAD_NAME for thread in threading.enumerate()):
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    return code
