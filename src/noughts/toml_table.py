"""Tables of TOML files as dataclasses. Every mistake gets a line that names its key; its field keeps its default."""

from __future__ import annotations

import tomllib
from collections.abc import Hashable, Mapping
from dataclasses import MISSING, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from noughts.games.quoting import escape_control_characters, nearest, quote
from noughts.schema import CheckedBy, Expected, Flag, InvalidData, read_value

__all__ = ["Flag", "Name", "Text", "parse_toml", "read_table"]

T = TypeVar("T")
MAX_KEY_CHARACTERS = 40
"""Longer keys are quoted in messages."""


def parse_toml(text: str) -> dict[str, object]:
    """Return the data of a TOML text; raises ValueError with one line."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        why = escape_control_characters(str(error))
        raise ValueError(f"expected TOML: {why[:1].lower()}{why[1:]}") from None
    except (ValueError, RecursionError):
        raise ValueError("expected TOML without huge numbers and deep nesting") from None


def read_table(kind: type[T], data: object, mistakes: list[str], path: str = "") -> T:
    """Return a table as a dataclass, whose fields all have defaults; each mistake adds a line.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Cup:
    ...     rounds: int = 1
    ...     seed: int = 1
    >>> mistakes: list[str] = []
    >>> read_table(Cup, {"rounds": "many", "sed": 1}, mistakes)
    Cup(rounds=1, seed=1)
    >>> mistakes
    ['unknown key `sed`; did you mean `seed`?', "rounds: expected a valid integer, got 'many'"]
    """
    if not isinstance(data, Mapping):
        mistakes.append(f"{path}: expected a table, got {quote(data)}")
        return kind()
    hints = _hints(cast(Hashable, kind))
    for key in data:
        if key not in hints:
            near = nearest(key, hints)
            hint = f"did you mean `{near}`?" if near else f"the keys are {', '.join(hints)}"
            mistakes.append(f"unknown key `{_join(path, key)}`; {hint}")
    values = {key: _read_field(hint, data.get(key, MISSING), mistakes, _join(path, key)) for key, hint in hints.items()}
    return kind(**{key: value for key, value in values.items() if value is not MISSING})


@cache
def _hints(kind: object) -> dict[str, object]:
    return get_type_hints(kind, include_extras=True)


def _join(path: str, key: str) -> str:
    name = key if key.isprintable() and len(key) <= MAX_KEY_CHARACTERS else quote(key)
    return f"{path}.{name}" if path else name


def _read_field(kind: object, value: object, mistakes: list[str], path: str) -> object:
    """Return the value of a field; MISSING if it is absent or wrong."""
    notes = [note for note in getattr(kind, "__metadata__", ()) if isinstance(note, Expected)]
    expected = notes[-1] if notes else None
    if value is MISSING:
        if expected is not None and expected.is_required:
            mistakes.append(f"{path}: expected {expected.text}, got nothing")
        return MISSING
    table, is_list = _table_in(kind)
    if table is not None and is_list:
        if not isinstance(value, list) or not value:
            mistakes.append(f"{path}: expected {expected.text if expected else 'tables'}, got {quote(value)}")
            return MISSING
        places = [(f"{path}[{number}]", each) for number, each in enumerate(value, 1)]
        tables: list[object] = [read_table(table, each, mistakes, place) for place, each in places]
        return tuple(found for found, each in zip(tables, value, strict=True) if isinstance(each, Mapping))
    if table is not None:
        return read_table(table, value, mistakes, path)
    try:
        return read_value(kind, value)
    except InvalidData as error:
        got = "" if ", got " in str(error) else f", got {quote(value)}"
        mistakes.extend(f"{path}: {line}{got}" for line in str(error).splitlines())
        return MISSING


def _table_in(kind: object) -> tuple[type | None, bool]:
    """Return the dataclass of a table or of a list of tables, and whether it is a list; None for other types."""
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    options = get_args(kind) if get_origin(kind) in (UnionType, Union, tuple) else (kind,)
    found = next((each for each in options if is_dataclass(each) and not hasattr(each, "from_data")), None)
    return found if isinstance(found, type) else None, get_origin(kind) is tuple


def _check_text(text: str) -> str:
    if not text.strip():
        raise ValueError("expected a text")
    if any("\ud800" <= letter <= "\udfff" for letter in text):  # command-line bytes that are not UTF-8
        raise ValueError("expected text in UTF-8")
    return text


class Name(CheckedBy):
    """A text of at most ``longest`` printable characters."""

    def __init__(self, longest: int) -> None:
        def check(name: str) -> str:
            if len(name) > longest or not name.isprintable():
                raise ValueError(f"expected a name of at most {longest} printable characters")
            return name

        super().__init__(check)


Text = Annotated[str, CheckedBy(_check_text), Expected("a text")]
