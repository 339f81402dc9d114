"""Reading plain data key by key, and collecting every mistake instead of stopping at the first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from noughts.games.quoting import quote

__all__ = ["BadPlan", "Reader"]

LONGEST = 40
"""Characters of a key that a message shows without quotation marks."""


CLOCK = r"([0-9]{1,6}(?:\.[0-9]{1,9})?)(?:\+([0-9]{1,4}(?:\.[0-9]{1,9})?))?"


class BadPlan(ValueError):
    """A tournament that cannot be played; ``mistakes`` has a line for each thing that is wrong."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = list(mistakes)


class Reader:
    """A table of keys. Each question returns the value or its default; whatever is wrong becomes a mistake.

    >>> reader = Reader({"rounds": "many", "sed": 1}, ["rounds", "seed"])
    >>> reader.whole("rounds", 1, 100, default=1)
    1
    >>> reader.mistakes
    ['sed: unknown key; did you mean seed?', "rounds: expected a whole number from 1 to 100, got 'many'"]
    """

    def __init__(
        self, data: Mapping[str, Any], keys: Sequence[str], at: str = "", into: list[str] | None = None
    ) -> None:
        self.data = data
        self.at = at
        self.mistakes: list[str] = [] if into is None else into
        for key in data:
            if key not in keys:
                self._unknown(key, keys)

    def _unknown(self, key: str, keys: Sequence[str]) -> None:
        near = get_close_matches(key, keys, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(keys)}"
        self.mistakes.append(f"{self.path(key)}: unknown key; {hint}")

    def path(self, key: str) -> str:
        """Return how a key is named in messages: ``bots[2].run``."""
        name = key if key.isprintable() and len(key) <= LONGEST else quote(key)
        return f"{self.at}.{name}" if self.at else name

    def wrong(self, key: str, expected: str, got: object) -> None:
        """Note a mistake; ``got`` is a text about it."""
        self.mistakes.append(f"{self.path(key)}: expected {expected}, got {got}")

    def has(self, key: str) -> bool:
        """Whether the key is given."""
        return key in self.data

    def text(self, key: str, default: str = "", needed: str = "") -> str:
        """Return a text that is not empty; ``needed`` says what it must be where it cannot be left out."""
        if key not in self.data:
            if needed:
                self.wrong(key, needed, "nothing")
            return default
        value = self.data[key]
        if not isinstance(value, str) or not value.strip():
            self.wrong(key, needed or "a text", quote(value))
            return default
        if any("\ud800" <= letter <= "\udfff" for letter in value):  # bytes of a command line that are no UTF-8
            self.wrong(key, "text in UTF-8", quote(value.encode(errors="replace").decode()))
            return default
        return value

    def choice(self, key: str, options: Sequence[str], default: str) -> str:
        """Return one of the options."""
        value = self.data.get(key, default)
        if value not in options:
            self.wrong(key, f"one of {', '.join(options)}", quote(value))
            return default
        return str(value)

    def whole(self, key: str, least: int, most: int, default: int | None = None) -> int | None:
        """Return a whole number of a range."""
        value = self.data.get(key, default)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.wrong(key, f"a whole number from {least} to {most}", quote(value))
            return default
        return value

    def number(self, key: str, least: float, most: float, default: float | None = None) -> float | None:
        """Return a number of a range; the least itself counts only where it is 0."""
        value = self.data.get(key, default)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            self.wrong(key, f"a number from {least:g} to {most:g}", quote(value))
            return default
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        value = self.data.get(key, default)
        if not isinstance(value, bool):
            self.wrong(key, "true or false", quote(value))
            return default
        return value

    def clock(self, key: str) -> tuple[float, float] | None:
        """Return seconds and increment of a clock such as ``60+0.5``."""
        if key not in self.data:
            return None
        value = self.data[key]
        match = re.fullmatch(CLOCK, str(value).replace(" ", ""))
        if isinstance(value, bool) or match is None or float(match[1]) + float(match[2] or 0) <= 0:
            self.wrong(key, 'seconds and increment such as "60+0.5"', quote(value))
            return None
        return float(match[1]), float(match[2] or 0)

    def table(self, key: str, keys: Sequence[str]) -> Reader:
        """Return the reader of a table inside; an empty one when it is not there."""
        value = self.data.get(key, {})
        if not isinstance(value, Mapping):
            self.wrong(key, "a table", quote(value))
            value = {}
        return Reader(value, keys, self.path(key), self.mistakes)

    def tables(self, key: str, keys: Sequence[str], needed: str) -> list[Reader]:
        """Return the readers of a list of tables, counted from 1 in messages."""
        value = self.data.get(key)
        if not isinstance(value, list) or not value:
            self.wrong(key, needed, "nothing" if value is None else quote(value))
            return []
        readers = []
        for number, item in enumerate(value, 1):
            if isinstance(item, Mapping):
                readers.append(Reader(item, keys, f"{self.path(key)}[{number}]", self.mistakes))
            else:
                self.wrong(f"{key}[{number}]", "a table", quote(item))
        return readers

    def texts(self, key: str) -> list[str]:
        """Return a list of texts."""
        value = self.data.get(key, [])
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.wrong(key, "a list of texts", quote(value))
            return []
        return value
