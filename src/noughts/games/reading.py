"""What the readers of all text formats share: line numbers in errors, and JSON that fails politely."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager

from noughts.games.errors import InvalidFile
from noughts.games.notation import shown

__all__ = ["Lines", "at_line", "broken", "parse_json"]


class Lines:
    """Finds the line, from 1, of a place in a text."""

    def __init__(self, text: str) -> None:
        self._ends = [match.start() for match in re.finditer("\n", text)]

    def at(self, place: int) -> int:
        """Return the line in which the character at a place stands."""
        return bisect_left(self._ends, place) + 1


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
        raise broken(line, f"expected JSON of sensible depth and numbers, got {shown(text)}") from None
