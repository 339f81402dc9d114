"""Reads plain data key by key and collects every mistake instead of stopping at the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

from noughts.games.quoting import quote

__all__ = ["Fields", "InvalidPlan"]

MAX_KEY_CHARACTERS = 40
"""Longer keys are quoted in messages."""
Option = TypeVar("Option", bound=str)


class InvalidPlan(ValueError):
    """A tournament that cannot be played; ``mistakes`` has one line for each mistake."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = list(mistakes)


class Fields:
    """A table of keys. Each method returns the value of a key or its default; a wrong value becomes a mistake.

    >>> fields = Fields({"rounds": "many", "sed": 1}, ["rounds", "seed"])
    >>> fields.whole("rounds", 1, 100, default=1)
    1
    >>> fields.mistakes
    ['unknown key `sed`; did you mean `seed`?', "rounds: expected a whole number from 1 to 100, got 'many'"]
    """

    def __init__(
        self, data: Mapping[str, Any], keys: Sequence[str], prefix: str = "", mistakes: list[str] | None = None
    ) -> None:
        self.data = data
        self.prefix = prefix
        self.mistakes: list[str] = [] if mistakes is None else mistakes
        for key in data:
            if key not in keys:
                self._add_unknown(key, keys)

    def _add_unknown(self, key: str, keys: Sequence[str]) -> None:
        near = get_close_matches(key, keys, 1)
        hint = f"did you mean `{near[0]}`?" if near else f"the keys are {', '.join(keys)}"
        self.mistakes.append(f"unknown key `{self.path(key)}`; {hint}")

    def path(self, key: str) -> str:
        """Return the name of a key in messages: ``bots[2].run``."""
        name = key if key.isprintable() and len(key) <= MAX_KEY_CHARACTERS else quote(key)
        return f"{self.prefix}.{name}" if self.prefix else name

    def add_mistake(self, key: str, expected: str, got: object) -> None:
        self.mistakes.append(f"{self.path(key)}: expected {expected}, got {got}")

    def has(self, key: str) -> bool:
        return key in self.data

    def text(self, key: str, default: str = "", required: str = "") -> str:
        """Return a non-empty text; ``required`` describes it if the key is mandatory."""
        if key not in self.data:
            if required:
                self.add_mistake(key, required, "nothing")
            return default
        value = self.data[key]
        if not isinstance(value, str) or not value.strip():
            self.add_mistake(key, required or "a text", quote(value))
            return default
        if any("\ud800" <= letter <= "\udfff" for letter in value):  # command-line bytes that are not UTF-8
            self.add_mistake(key, "text in UTF-8", quote(value.encode(errors="replace").decode()))
            return default
        return value

    def choice(self, key: str, options: Sequence[Option], default: Option) -> Option:
        value = self.data.get(key, default)
        found = next((option for option in options if option == value), None)
        if found is None:
            self.add_mistake(key, f"one of {', '.join(options)}", quote(value))
            return default
        return found

    def whole(self, key: str, least: int, most: int, default: int | None = None) -> int | None:
        """Return a whole number in a range."""
        value = self.data.get(key, default)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.add_mistake(key, f"a whole number from {least} to {most}", quote(value))
            return default
        return value

    def number(self, key: str, least: float, most: float, default: float | None = None) -> float | None:
        value = self.data.get(key, default)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            self.add_mistake(key, f"a number from {least:g} to {most:g}", quote(value))
            return default
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        value = self.data.get(key, default)
        if not isinstance(value, bool):
            self.add_mistake(key, "true or false", quote(value))
            return default
        return value

    def table(self, key: str, keys: Sequence[str]) -> Fields:
        """Return the fields of a nested table; an absent one is empty."""
        value = self.data.get(key, {})
        if not isinstance(value, Mapping):
            self.add_mistake(key, "a table", quote(value))
            value = {}
        return Fields(value, keys, self.path(key), self.mistakes)

    def tables(self, key: str, keys: Sequence[str], required: str) -> list[Fields]:
        """Return the fields of each table of a list; messages count them from 1."""
        value = self.data.get(key)
        if not isinstance(value, list) or not value:
            self.add_mistake(key, required, "nothing" if value is None else quote(value))
            return []
        tables = []
        for number, item in enumerate(value, 1):
            if isinstance(item, Mapping):
                tables.append(Fields(item, keys, f"{self.path(key)}[{number}]", self.mistakes))
            else:
                self.add_mistake(f"{key}[{number}]", "a table", quote(item))
        return tables

    def texts(self, key: str) -> list[str]:
        """Return a list of texts; a single text is a list of one."""
        value = self.data.get(key, [])
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.add_mistake(key, "a list of texts", quote(value))
            return []
        return value
