"""Lines of input: from a keyboard with line editing, or from a pipe, whose lines are echoed."""

from __future__ import annotations

import signal
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from types import FrameType
from typing import TextIO

from noughts.cli.output import terminal_width

__all__ = ["CAN_INTERRUPT_READING", "HungUp", "PromptInput", "TimeIsUp", "raise_on_hang_up"]

CAN_INTERRUPT_READING = sys.platform != "win32"
"""Whether a timeout can interrupt the reading of a line. On Windows it cannot: there the session notices that time is
up when the next line is entered."""
MIN_ANSWER_WIDTH = 8
"""Columns after a prompt."""
HANG_UP_SIGNALS = ("SIGHUP", "SIGTERM", "SIGBREAK")
"""Signals of a closed terminal and of a request to terminate; no system has all three."""


class TimeIsUp(Exception):
    """No line was entered before the timeout."""


class HungUp(BaseException):
    """The terminal was closed or the process was asked to terminate. Not an ``Exception``, so that it is not caught by
    accident."""


class PromptInput:
    """Reads lines after a prompt. Lines from a pipe are echoed, so that a transcript looks like a typed session."""

    def __init__(self, prompt_stream: TextIO, echo: bool = True) -> None:
        self._out = prompt_stream
        self._is_keyboard = sys.stdin.isatty()
        self._echo = echo and not self._is_keyboard
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # undecodable bytes are invalid input, not a crash
        if self._is_keyboard and prompt_stream.isatty():
            _enable_line_editing()

    @property
    def is_keyboard(self) -> bool:
        """Whether standard input is a terminal."""
        return self._is_keyboard

    def read(self, prompt: str, timeout: float | None = None) -> str | None:
        """Return the next line, or None at the end of the input.

        Raises TimeIsUp after ``timeout`` seconds on systems where reading can be interrupted.
        """
        *lines, prompt = _wrap(prompt, terminal_width()) if self._is_keyboard else [prompt]
        for line in lines:
            self._out.write(f"{line}\n")
        with _timeout(timeout):
            if self._is_keyboard and self._out is sys.stdout:
                return self._read_keyboard(prompt)
            return self._read_pipe(prompt)

    def _read_keyboard(self, prompt: str) -> str | None:
        try:
            return input(prompt)
        except EOFError:
            self._out.write("\n")
            return None
        except (KeyboardInterrupt, HungUp):
            with suppress(OSError):  # start a new line for the next output; the terminal may be gone
                self._out.write("\n")
            raise

    def _read_pipe(self, prompt: str) -> str | None:
        self._out.write(prompt)
        self._out.flush()
        line = sys.stdin.readline()
        if not line:
            self._out.write("\n")
            return None
        if self._echo:
            self._out.write(line.rstrip("\n") + "\n")
        return line


def _wrap(prompt: str, width: int) -> list[str]:
    """Return the lines of a prompt, with room for an answer after the last one."""
    if len(prompt) + MIN_ANSWER_WIDTH <= width:
        return [prompt]
    *lines, last = textwrap.wrap(prompt, width - MIN_ANSWER_WIDTH, break_on_hyphens=False)
    return [*lines, f"{last} "]


def _enable_line_editing() -> None:
    if sys.platform == "win32":  # its console edits lines
        return
    try:
        import readline
    except ImportError:  # not built everywhere; the terminal's own line editing remains
        return
    readline.set_auto_history(True)
    # Its escape codes would be noise for screen readers and in transcripts.
    readline.parse_and_bind("set enable-bracketed-paste off")


@contextmanager
def _timeout(seconds: float | None) -> Iterator[None]:
    if seconds is None or sys.platform == "win32":
        yield
        return
    previous = signal.signal(signal.SIGALRM, _raise_time_is_up)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def _raise_time_is_up(signum: int, frame: FrameType | None) -> None:
    raise TimeIsUp


@contextmanager
def raise_on_hang_up() -> Iterator[None]:
    """Raise HungUp inside the block when the terminal is closed or the process is asked to terminate.

    Signals that are ignored, such as SIGHUP under nohup, stay ignored.
    """

    def raise_hung_up(signum: int, frame: FrameType | None) -> None:
        raise HungUp

    numbers = [getattr(signal, name) for name in HANG_UP_SIGNALS if hasattr(signal, name)]
    handled = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]
    previous = {number: signal.signal(number, raise_hung_up) for number in handled}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
