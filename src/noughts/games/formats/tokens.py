"""Tokens with line numbers, and JSON with errors that name the line: shared by the readers of all formats."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from noughts.games.errors import InvalidFile
from noughts.games.quoting import quote

__all__ = ["TextLines", "Token", "at_line", "broken", "parse_json", "split_tokens"]


class TextLines:
    """Finds the line, counted from 1, of an offset in a text."""

    def __init__(self, text: str) -> None:
        self._ends = [match.start() for match in re.finditer("\n", text)]

    def at(self, offset: int) -> int:
        """Return the line of the character at an offset."""
        return bisect_left(self._ends, offset) + 1


class Token(NamedTuple):
    """A token: its kind, its text, and the line where it begins."""

    kind: str
    text: str
    line: int


def split_tokens(
    text: str, pattern: re.Pattern[str], complaint: Callable[[str], str], start: int = 0
) -> Iterator[Token]:
    """Yield the tokens of a text, named by the groups of the pattern; tokens named ``space`` are skipped.

    Raises InvalidFile where the pattern does not match, with the message that ``complaint`` returns for the text there.
    """
    lines, offset = TextLines(text), start
    while offset < len(text):
        match = pattern.match(text, offset)
        if match is None or match.lastgroup is None:
            raise broken(lines.at(offset), complaint(text[offset : offset + 60]))
        if match.lastgroup != "space":
            yield Token(match.lastgroup, match[match.lastgroup], lines.at(offset))
        offset = match.end()


def broken(line: int, message: str) -> InvalidFile:
    """Return the error for a broken line."""
    return InvalidFile(f"line {line}: {message}")


@contextmanager
def at_line(line: int) -> Iterator[None]:
    """Turn any ValueError in the block into an InvalidFile that names the line."""
    try:
        yield
    except InvalidFile:
        raise
    except ValueError as error:
        raise broken(line, str(error)) from None


def parse_json(text: str, line: int = 1) -> object:
    """Return the data of a JSON text that begins in ``line``; raises InvalidFile, also for deep nesting."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        message = f"expected JSON: {error.msg[:1].lower()}{error.msg[1:]} at column {error.colno}"
        raise broken(line + error.lineno - 1, message) from None
    except (ValueError, RecursionError):
        raise broken(line, f"expected JSON without deep nesting and huge numbers, got {quote(text)}") from None
