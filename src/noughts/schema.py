"""Plain frozen dataclasses, read from JSON with checks and written as JSON: requests, answers, plans, settings.

A field is checked by its type; a class with ``from_data`` and ``to_data`` reads and writes its own data. Rules that a
type cannot say stand beside it, in ``Annotated``; a plain text there is the description of the field, which the
reference, OpenAPI and the schemas of MCP show::

    @dataclass(frozen=True, kw_only=True)
    class AnalyseRequest(PositionRequest):
        lines: Annotated[int, Bound(at_least=1, at_most=20), "Number of lines."] = 3
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from noughts.games.quoting import nearest, quote

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from noughts.json_types import Json

__all__ = [
    "Bound",
    "CheckedBy",
    "Example",
    "Expected",
    "Flag",
    "InvalidData",
    "Length",
    "OneOf",
    "Pattern",
    "Range",
    "Shape",
    "encode",
    "loads",
    "plain",
    "read",
    "read_value",
]

S = TypeVar("S")
Reader = Callable[[object, str], Any]
"""Takes data and the path of its field; returns the checked value or raises InvalidData."""


class InvalidData(ValueError):
    """Data that a request does not accept: one line with what was expected, where, and what came."""


class Shape:
    """Base class of requests and answers, which are frozen dataclasses."""

    @classmethod
    def from_attributes(cls: type[S], holder: object, **given: Any) -> S:
        """Return an instance with the given fields; the others are the attributes of ``holder`` with their names."""
        names = [name for name in _field_names(cast(Hashable, cls)) if name not in given]
        return cls(**given, **{name: getattr(holder, name) for name in names})


@dataclass(frozen=True)
class Bound:
    """The range of a number."""

    at_least: float | None = None
    above: float | None = None
    at_most: float | None = None

    def check(self, value: float, path: str) -> None:
        """Raise InvalidData if the number is outside of the range."""
        if self.at_least is not None and value < self.at_least:
            raise _refusal(f"at least {self.at_least:g}", path, value)
        if self.above is not None and value <= self.above:
            raise _refusal(f"more than {self.above:g}", path, value)
        if self.at_most is not None and value > self.at_most:
            raise _refusal(f"at most {self.at_most:g}", path, value)


@dataclass(frozen=True)
class Range:
    """The range of a number, which messages state as a whole; whole numbers if the first is one."""

    least: float
    most: float
    otherwise: str = ""
    """Words for other values that are accepted instead."""

    @property
    def text(self) -> str:
        kind = "a whole number" if isinstance(self.least, int) else "a number"
        least, most = (f"{bound:g}" if isinstance(bound, float) else bound for bound in (self.least, self.most))
        return f"{kind} from {least} to {most}{self.otherwise}"

    def check(self, value: float, path: str) -> None:
        """Raise InvalidData if the number is outside of the range."""
        if not self.least <= value <= self.most:
            raise _refusal(self.text, path, value)


@dataclass(frozen=True)
class Expected:
    """The words for what is expected, in place of those of the type, and whether it must be given."""

    text: str
    is_required: bool = False


Flag = Annotated[bool, Expected("true or false")]


@dataclass(frozen=True)
class Length:
    """The maximum length of a text, a list or an object."""

    at_most: int

    def check(self, value: str | tuple[object, ...] | dict[str, object], path: str) -> None:
        if len(value) > self.at_most:
            raise _refusal(f"at most {self.at_most} {'letters' if isinstance(value, str) else 'entries'}", path, value)


@dataclass(frozen=True)
class Pattern:
    """A regular expression that the whole text must match."""

    text: str

    def check(self, value: str, path: str) -> None:
        if not re.fullmatch(self.text, value):
            raise _refusal(f"a text like {self.text}", path, value)


@dataclass(frozen=True)
class OneOf:
    """The texts to choose from."""

    texts: tuple[str, ...]

    def check(self, value: str, path: str) -> None:
        if value not in self.texts:
            raise _refusal(_alternatives(self.texts), path, value)


@dataclass(frozen=True, eq=False)
class CheckedBy:
    """A function that returns the checked value, or raises ValueError with the text ``expected …``."""

    call: Callable[[Any], object]


@dataclass(frozen=True, eq=False)
class Example:
    """A value that documentation shows."""

    value: object


# Reading


def loads(text: str | bytes) -> Json:
    """Return the data of a JSON text; raises InvalidData, also for NaN and for data nested too deep."""
    try:
        data: Json = json.loads(text, parse_constant=_refuse_constant)
        return data
    except (ValueError, RecursionError):
        raise InvalidData("expected JSON, got something else") from None


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def read(kind: type[S], data: object) -> S:
    """Return data, as JSON has it, as a request or an answer; raises InvalidData.

    >>> @dataclass(frozen=True)
    ... class Point(Shape):
    ...     x: Annotated[int, Bound(at_least=0)] = 0
    >>> read(Point, {"x": 3})
    Point(x=3)
    >>> read(Point, {"x": -1})
    Traceback (most recent call last):
    ...
    noughts.schema.InvalidData: expected at least 0 for 'x', got -1
    """
    found: S = _reader(cast(Hashable, kind))(data, "")
    return found


def read_value(kind: object, data: object) -> Any:
    """Return data as a value of any type of a field; raises InvalidData."""
    return _reader(kind)(data, "")


@cache
def _reader(kind: object) -> Reader:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _annotated(arguments[0], arguments[1:])
    if origin is Literal:
        return _one_of({value: value for value in arguments})
    if origin in (UnionType, Union):
        return _union([_reader(each) for each in arguments if each is not type(None)], type(None) in arguments)
    if origin is tuple:
        return _sequence(_reader(arguments[0]))
    if origin is dict:
        return _mapping(_reader(arguments[0]), _reader(arguments[1]))
    if kind in PLAIN:
        return PLAIN[kind]
    if hasattr(kind, "from_data"):
        return _converted(kind.from_data)
    if isinstance(kind, type) and is_dataclass(kind):
        return _object(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _one_of({member.value: member for member in kind})
    raise TypeError(f"no JSON has a value of {kind}")


def _read_integer(value: object, path: str) -> int:
    number = _read_number(value, path, "a valid integer")
    if number % 1 != 0:
        raise _refusal("a valid integer", path, value)
    return int(number)


def _read_number(value: object, path: str, expected: str = "a valid number") -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _refusal(expected, path, value)
    if not -math.inf < value < math.inf:
        raise _refusal("a finite number", path, value)
    return value


def _read_text(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise _refusal("a valid string", path, value)
    return value


def _read_boolean(value: object, path: str) -> bool:
    if not isinstance(value, bool):
        raise _refusal("a valid boolean", path, value)
    return value


def _read_anything(value: object, _: str) -> object:
    return value


PLAIN: dict[object, Reader] = {
    int: _read_integer,
    float: _read_number,
    str: _read_text,
    bool: _read_boolean,
    Any: _read_anything,
    object: _read_anything,
}


def _annotated(kind: object, notes: tuple[object, ...]) -> Reader:
    inner = _reader(kind)
    rules = [note for note in notes if hasattr(note, "check")]
    checks = [note.call for note in notes if isinstance(note, CheckedBy)]
    expected = [note.text for note in notes if isinstance(note, Expected | Range)]

    def read_checked(value: object, path: str) -> object:
        try:
            found = inner(value, path)
        except InvalidData:
            if expected:
                raise _refusal(expected[-1], path, value) from None
            raise
        if found is None:
            return None
        try:
            for call in checks:
                found = call(found)
        except InvalidData:
            raise
        except ValueError as error:
            raise _refusal(str(error).removeprefix("expected "), path, value) from None
        for rule in rules:
            rule.check(found, path)
        return found

    return read_checked


def _one_of(values: dict[object, object]) -> Reader:
    expected = _alternatives(values)

    def read_choice(value: object, path: str) -> object:
        if not isinstance(value, str) or value not in values:
            raise _refusal(expected, path, value)
        return values[value]

    return read_choice


def _alternatives(values: Iterable[object]) -> str:
    *most, last = [f"'{value}'" for value in values]
    return f"{', '.join(most)} or {last}" if most else last


def _converted(convert: Callable[[object], object]) -> Reader:
    def read_converted(value: object, path: str) -> object:
        try:
            return convert(value)
        except (ValueError, TypeError, KeyError) as error:
            raise InvalidData(str(error)) from None

    return read_converted


def _union(readers: list[Reader], may_be_none: bool) -> Reader:
    def read_any(value: object, path: str) -> object:
        if value is None and may_be_none:
            return None
        for reader in readers[:-1]:
            with suppress(InvalidData):
                return reader(value, path)
        return readers[-1](value, path)

    return read_any


def _sequence(item: Reader) -> Reader:
    def read_items(value: object, path: str) -> tuple[object, ...]:
        if not isinstance(value, list | tuple):
            raise _refusal("a valid list", path, value)
        return tuple([item(each, f"{path}.{at}") for at, each in enumerate(value)])

    return read_items


def _mapping(key: Reader, item: Reader) -> Reader:
    def read_entries(value: object, path: str) -> dict[object, object]:
        if not isinstance(value, dict):
            raise _refusal("a JSON object", path, value)
        return {key(name, f"{path}.{name}"): item(each, f"{path}.{name}") for name, each in value.items()}

    return read_entries


def _object(kind: type[DataclassInstance]) -> Reader:
    hints = get_type_hints(kind, include_extras=True)
    readers = {field.name: _reader(hints[field.name]) for field in fields(kind)}
    required = [field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING]

    def read_object(value: object, path: str) -> object:
        if not isinstance(value, dict):
            raise _refusal("a JSON object", path, value)
        prefix = f"{path}." if path else ""
        values = {}
        for name, reader in readers.items():
            if name in value:
                values[name] = reader(value[name], prefix + name)
            elif name in required:
                raise InvalidData(f"expected the field {quote(prefix + name)}")
        for name in value:
            if name not in readers:
                near = nearest(str(name), readers)
                raise InvalidData(
                    f"unknown field {quote(f'{prefix}{name}')}" + (f"; did you mean {quote(near)}?" if near else "")
                )
        return kind(**values)

    return read_object


def _refusal(expected: str, path: str, value: object) -> InvalidData:
    where = f" for {quote(path)}" if path else ""
    got = f", got {quote(value)}" if isinstance(value, str | int | float) else ""
    return InvalidData(f"expected {expected}{where}{got}")


# Writing


def plain(value: object) -> Any:
    """Return a dataclass, or data that contains some, as plain data for JSON."""
    return json.loads(encode(value))


def encode(value: object) -> str:
    """Return a request, an answer, or data that contains some, as JSON: on one line, in ASCII, and always the same."""
    return json.dumps(value, default=_contents, separators=(",", ":"), allow_nan=False)


def _contents(value: object) -> object:
    """The fields of a dataclass, or the data of a class that has its own, for ``json``."""
    if hasattr(value, "to_data"):
        return value.to_data()
    return {written: getattr(value, name) for written, name in _written_names(cast(Hashable, type(value)))}


@cache
def _written_names(kind: type[DataclassInstance]) -> tuple[tuple[str, str], ...]:
    """The names of the fields, without the underscore after keywords such as ``from_``, and as they are."""
    return tuple([(name.removesuffix("_"), name) for name in _field_names(kind)])


@cache
def _field_names(kind: type[DataclassInstance]) -> tuple[str, ...]:
    return tuple([field.name for field in fields(kind)])
