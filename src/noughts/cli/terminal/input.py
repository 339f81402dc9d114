"""Where lines come from: a keyboard with line editing, or a pipe whose lines are echoed."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from types import FrameType
from typing import TextIO

__all__ = ["CAN_INTERRUPT_READING", "HungUp", "LineInput", "TimeIsUp", "hang_ups"]

CAN_INTERRUPT_READING = hasattr(signal, "setitimer")
"""Whether a clock can fall while a line is awaited. Windows has no such timer: there the session finds out that time
is up when the line comes."""
HANG_UPS = ("SIGHUP", "SIGTERM", "SIGBREAK")
"""The signals of a closed terminal and of a request to end; no system has all three."""


class TimeIsUp(Exception):
    """The line did not come in time."""


class HungUp(BaseException):
    """The terminal was closed, or the process was asked to end. No ``Exception``, so nothing catches it by chance."""


class LineInput:
    """Reads lines after a prompt. From a pipe, what was read is written after it, as if it had been typed."""

    def __init__(self, talk: TextIO, echo: bool = True) -> None:
        self._talk = talk
        self._is_keyboard = sys.stdin.isatty()
        self._echo = echo and not self._is_keyboard
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # bytes that are no text are wrong input, not an accident
        if self._is_keyboard and talk.isatty():
            _edit_lines()

    @property
    def is_keyboard(self) -> bool:
        """Whether standard input is a terminal."""
        return self._is_keyboard

    def read(self, prompt: str, timeout: float | None = None) -> str | None:
        """Return the next line, None at the end of the input; raises TimeIsUp after ``timeout`` seconds, if it can."""
        with _alarm(timeout):
            if self._is_keyboard and self._talk is sys.stdout:
                return self._from_keyboard(prompt)
            return self._from_pipe(prompt)

    def _from_keyboard(self, prompt: str) -> str | None:
        try:
            return input(prompt)
        except EOFError:
            self._talk.write("\n")
            return None
        except (KeyboardInterrupt, HungUp):
            with suppress(OSError):  # what follows begins a line of its own, if anybody still sees it
                self._talk.write("\n")
            raise

    def _from_pipe(self, prompt: str) -> str | None:
        self._talk.write(prompt)
        self._talk.flush()
        line = sys.stdin.readline()
        if not line:
            self._talk.write("\n")
            return None
        if self._echo:
            self._talk.write(line.rstrip("\n") + "\n")
        return line


def _edit_lines() -> None:
    try:
        import readline
    except ImportError:  # not on every system; the terminal's own line editing remains
        return
    readline.set_auto_history(True)
    # Its escape codes would be noise for screen readers and transcripts.
    readline.parse_and_bind("set enable-bracketed-paste off")


@contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    if seconds is None or not CAN_INTERRUPT_READING:
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
def hang_ups() -> Iterator[None]:
    """Within this, a closed terminal or a request to end raises HungUp, so that the game can be kept.

    A signal that is ignored, as nohup ignores SIGHUP, stays ignored.
    """

    def raise_hung_up(signum: int, frame: FrameType | None) -> None:
        raise HungUp

    numbers = [getattr(signal, name) for name in HANG_UPS if hasattr(signal, name)]
    heard = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]
    previous = {number: signal.signal(number, raise_hung_up) for number in heard}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
