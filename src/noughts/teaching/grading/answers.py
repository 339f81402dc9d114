"""Answers of a submission as plain data: made where the submission runs, read where it is judged.

JSON has no tuples, sets or objects; they travel as lists that begin with a letter.

=======================  =========================================================================
data                     stands for
=======================  =========================================================================
null, true, 1, 0.5, "a"  themselves
``["t", ...]``           a tuple; ``l`` a list, ``s`` a set
``["i", text, ...]``     another thing with items, such as a generator, and its ``repr``
``["f", text, {...}]``   a thing with the attribute ``move``, and perhaps ``value``, and its ``repr``
``["o", text]``          any other thing, by its ``repr``
=======================  =========================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from numbers import Real
from operator import index
from typing import SupportsIndex, TypeGuard

from noughts.json_types import Json

__all__ = [
    "Malformed",
    "OpaqueIterable",
    "OpaqueMove",
    "OpaqueResult",
    "OpaqueValue",
    "Unreadable",
    "decode",
    "encode",
    "is_number",
]

MAX_BITS = 1000
"""Larger integers are not numbers that a search returns, and do not fit into a float."""
MAX_ITEMS = 10_000
MAX_NESTING = 8
MAX_TEXT = 1000
KINDS: dict[str, Callable[[Iterable[object]], object]] = {"t": tuple, "l": list, "s": frozenset}


class Unreadable(ValueError):
    """An answer cannot be written as plain data."""


class Malformed(ValueError):
    """Data does not have the form that ``encode`` gives it."""


@dataclass(frozen=True)
class OpaqueValue:
    """An object of the submission: its ``repr``, by which it is compared."""

    text: str

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, repr=False)
class OpaqueIterable(OpaqueValue):
    """An object with items that is neither a list nor a tuple nor a set."""

    items: tuple[object, ...]

    def __iter__(self) -> Iterator[object]:
        return iter(self.items)


@dataclass(frozen=True, repr=False)
class OpaqueMove(OpaqueValue):
    """An object with the attribute ``move``."""

    move: object


@dataclass(frozen=True, repr=False)
class OpaqueResult(OpaqueMove):
    """An object with the attributes ``move`` and ``value``."""

    value: object


def encode(answer: object) -> Json:
    """Return an answer as plain data; raises Unreadable, and any exception of the answer's own methods."""
    return _encode(answer, MAX_NESTING)


def _encode(answer: object, nesting: int) -> Json:
    if answer is None or isinstance(answer, bool):
        return answer
    if nesting == 0:
        raise Unreadable(f"lists in lists, more than {MAX_NESTING} of them inside each other")
    if isinstance(answer, str) and len(answer) <= MAX_TEXT and type(answer) is str:
        return answer
    if isinstance(answer, Real) or _has_index(answer):
        return _encode_number(answer)
    if hasattr(answer, "move"):
        fields = {name: getattr(answer, name) for name in ("move", "value") if hasattr(answer, name)}
        return ["f", _repr(answer), {name: _encode(value, nesting - 1) for name, value in fields.items()}]
    if isinstance(answer, tuple | list | set | frozenset):
        letter = "t" if isinstance(answer, tuple) else "l" if isinstance(answer, list) else "s"
        return [letter, *_encode_items(answer, nesting)]
    if isinstance(answer, Iterable) and not isinstance(answer, str | bytes):
        text = _repr(answer)
        return ["i", text, *_encode_items(answer, nesting)]
    return ["o", _repr(answer)]


def _has_index(answer: object) -> TypeGuard[SupportsIndex]:
    return hasattr(type(answer), "__index__")


def _encode_number(answer: Real | SupportsIndex) -> int | float:
    if _has_index(answer):
        number = index(answer)
        if number.bit_length() > MAX_BITS:
            raise Unreadable(f"an integer of {number.bit_length():,} bits")
        return int(number)
    real = float(answer)
    return int(real) if not isinstance(answer, float) and real.is_integer() else real


def _encode_items(answer: Iterable[object], nesting: int) -> list[Json]:
    items = list(islice(answer, MAX_ITEMS + 1))
    if len(items) > MAX_ITEMS:
        raise Unreadable(f"more than {MAX_ITEMS:,} items")
    return [_encode(item, nesting - 1) for item in items]


def _repr(answer: object) -> str:
    return repr(answer)[:MAX_TEXT]


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether it is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def decode(data: Json, nesting: int = MAX_NESTING) -> object:
    """Return the answer that data stands for; raises Malformed. The data may come from a hostile program."""
    if data is None or isinstance(data, bool | float):
        return data
    if isinstance(data, int) and data.bit_length() <= MAX_BITS:
        return data
    if isinstance(data, str) and len(data) <= MAX_TEXT:
        return data
    if not isinstance(data, list) or not data or not isinstance(data[0], str) or nesting == 0:
        raise Malformed("an answer has an unknown form")
    try:
        return _decode_tagged(data[0], data[1:], nesting - 1)
    except (TypeError, IndexError):  # a set of lists, or parts that are missing
        raise Malformed("an answer has an unknown form") from None


def _decode_tagged(letter: str, items: list[Json], nesting: int) -> object:
    if letter in KINDS:
        return KINDS[letter](decode(item, nesting) for item in items)
    text = items[0]
    if isinstance(text, str) and len(text) <= MAX_TEXT:
        if letter == "i":
            return OpaqueIterable(text, tuple(decode(item, nesting) for item in items[1:]))
        if letter == "o" and len(items) == 1:
            return OpaqueValue(text)
        if letter == "f" and len(items) == 2 and isinstance(items[1], dict):
            fields = {name: decode(value, nesting) for name, value in items[1].items()}
            return (OpaqueResult if "value" in fields else OpaqueMove)(text, **fields)
    raise Malformed("an answer has an unknown form")
