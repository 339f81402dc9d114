"""The five console programs that noughts grew out of, with their dialogues, on the rules and searches of noughts.

They share a console, which prints lines and repeats a question until the answer is valid.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

from noughts.cli.output import capabilities_of
from noughts.cli.terminal.background import StatusDisplay, exit_if_still_running, run_interruptible
from noughts.cli.terminal.input import PromptInput
from noughts.games.quoting import quote

__all__ = ["Console", "parse_row_and_column"]

T = TypeVar("T")
INTERRUPTED = 130
MAX_DIGITS = 9


class EndOfInput(Exception):
    """Standard input has ended."""


class Console:
    """Questions and answers on standard output and input."""

    def __init__(self) -> None:
        self._input = PromptInput(sys.stdout)
        self._status_display = StatusDisplay(sys.stdout, capabilities_of(sys.stdout))

    def run(self, program: Callable[[Console], int | None]) -> int:
        """Run a program; returns its exit code, 0 when the input ends first."""
        try:
            return program(self) or 0
        except EndOfInput:
            return 0
        except KeyboardInterrupt:
            self.say("\ninterrupted")
            return exit_if_still_running(INTERRUPTED)

    def say(self, text: str = "") -> None:
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
            if not (is_number(text) and low <= int(text) <= high):
                raise ValueError(f"expected a number from {low} to {high}, got {quote(text)}")
            return int(text)

        return self.ask(prompt, parse)

    def think(self, work: Callable[[], T], who: str) -> T:
        """Return the result of ``work``, which Ctrl-C can interrupt."""
        sys.stdout.flush()
        return run_interruptible(work, self._status_display, lambda: f"{who} is thinking ...")


def parse_row_and_column(text: str, size: int, example: str) -> tuple[int, int]:
    """Return the row and column of a cell on a board of ``size`` × ``size``, both from 0; raises ValueError."""
    words = text.replace(",", " ").split()
    if len(words) != 2 or not all(is_number(word) and int(word) < size for word in words):
        raise ValueError(f"expected a row and a column from 0 to {size - 1}, such as {example}, got {quote(text)}")
    return int(words[0]), int(words[1])


def is_number(text: str) -> bool:
    """Whether a text is a short whole number in ASCII digits."""
    return text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
