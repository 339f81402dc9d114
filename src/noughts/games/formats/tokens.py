"""What the readers of all text formats share: line numbers in errors, and JSON that fails politely."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from noughts.games.errors import InvalidFile
from noughts.games.quoting import quote

__all__ = ["Lines", "Token", "at_line", "broken", "parse_json", "split_tokens"]


class Lines:
    """Finds the line, from 1, of a place in a text."""

    def __init__(self, text: str) -> None:
        self._ends = [match.start() for match in re.finditer("\n", text)]

    def at(self, place: int) -> int:
        """Return the line in which the character at a place stands."""
        return bisect_left(self._ends, place) + 1


class Token(NamedTuple):
    """A piece of a text: what kind it is, what it says, and the line it begins in."""

    kind: str
    text: str
    line: int


def split_tokens(
    text: str, pattern: re.Pattern[str], complaint: Callable[[str], str], start: int = 0
) -> Iterator[Token]:
    """Yield the tokens of a text, named by the pattern's groups, without those named ``space``.

    Raises InvalidFile where the pattern does not match, with the complaint about what stands there.
    """
    lines, place = Lines(text), start
    while place < len(text):
        match = pattern.match(text, place)
        if match is None or match.lastgroup is None:
            raise broken(lines.at(place), complaint(text[place : place + 60]))
        if match.lastgroup != "space":
            yield Token(match.lastgroup, match[match.lastgroup], lines.at(place))
        place = match.end()


def broken(line: int, message: str) -> InvalidFile:
    """Return the error for something wrong in a line."""
    return InvalidFile(f"line {line}: {message}")


@contextmanager
def at_line(line: int) -> Iterator[None]:
    """Turn any ValueError inside into an InvalidFile that names the line."""
    try:
        yield
    except InvalidFile:
        raise
    except ValueError as error:
        raise broken(line, str(error)) from None


def parse_json(text: str, line: int = 1) -> object:
    """Return the data of a JSON text that begins in a line; raises InvalidFile, for absurd nesting too."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        message = f"expected JSON: {error.msg[:1].lower()}{error.msg[1:]} at column {error.colno}"
        raise broken(line + error.lineno - 1, message) from None
    except (ValueError, RecursionError):
        raise broken(line, f"expected JSON of sensible depth and numbers, got {quote(text)}") from None
