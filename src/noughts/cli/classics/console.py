"""What the classic programs share: asking until the answer makes sense."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

from noughts.cli.capabilities import capabilities_of
from noughts.cli.terminal.background import StatusLine, leave_with, think
from noughts.cli.terminal.input import LineInput

__all__ = ["Console"]

T = TypeVar("T")
INTERRUPTED = 130


class EndOfInput(Exception):
    """There are no more answers."""


class Console:
    """Prints lines and asks questions on standard output and input."""

    def __init__(self) -> None:
        self._input = LineInput(sys.stdout)
        self._status_line = StatusLine(sys.stdout, capabilities_of(sys.stdout))

    def run(self, program: Callable[[Console], int | None]) -> int:
        """Run a program; returns its exit code, 0 when the input ends first."""
        try:
            return program(self) or 0
        except EndOfInput:
            return 0
        except KeyboardInterrupt:
            self.say("\ninterrupted")
            return leave_with(INTERRUPTED)

    def say(self, text: str = "") -> None:
        """Print a line."""
        sys.stdout.write(f"{text}\n")

    def ask(self, prompt: str, parse: Callable[[str], T]) -> T:
        """Return the answer to a question, asked again while ``parse`` raises ValueError."""
        while True:
            sys.stdout.flush()
            line = self._input.read(prompt)
            if line is None:
                raise EndOfInput
            try:
                return parse(line.strip())
            except ValueError as error:
                self.say(str(error))

    def ask_number(self, prompt: str, low: int, high: int) -> int:
        """Return a whole number within bounds."""

        def parse(text: str) -> int:
            if not (text.isascii() and text.isdigit() and len(text) < 10 and low <= int(text) <= high):
                raise ValueError(f"expected a number from {low} to {high}, got {text[:40]!r}")
            return int(text)

        return self.ask(prompt, parse)

    def think(self, work: Callable[[], T], who: str) -> T:
        """Return what ``work`` returns; Ctrl-C is heard meanwhile."""
        sys.stdout.flush()
        return think(work, self._status_line, lambda: f"{who} is thinking ...")
