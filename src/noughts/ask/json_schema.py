"""JSON Schema (draft 2020-12) of requests and answers, for the tools of language models and for OpenAPI."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from inspect import cleandoc
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from noughts.ask.table import QUESTIONS
from noughts.schema import Bound, Example, Length, OneOf, Pattern, encode

__all__ = ["Schema", "Schemas", "definitions", "references", "schema_of", "table_definitions"]

Schema = dict[str, Any]

PREFIX = "#/$defs/"
PLAIN: dict[object, Schema] = {
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    Any: {},
    object: {},
    type(None): {"type": "null"},
}
LENGTHS = {"string": "maxLength", "array": "maxItems", "object": "maxProperties"}


def schema_of(kind: type, *, is_answer: bool = False) -> Schema:
    """Return the schema of a request or an answer, with the classes that it refers to in ``$defs``.

    All fields of an answer are required, since answers are written whole. A request has no other fields than these.
    """
    schemas = Schemas(PREFIX, is_answer=is_answer)
    found = schemas.of_class(kind)
    return found | ({"$defs": schemas.found} if schemas.found else {})


def definitions(kinds: Iterable[type], *, prefix: str = PREFIX, is_answer: bool = False) -> dict[str, Schema]:
    """Return the schemas of requests or of answers, and of the classes that they refer to, by name.

    ``prefix`` is the place where they will stand, such as ``#/components/schemas/``.
    """
    schemas = Schemas(prefix, is_answer=is_answer)
    for kind in kinds:
        schemas.refer_to(kind)
    return schemas.found


def table_definitions() -> dict[str, Schema]:
    """Return the schemas of all classes of the table by name; references are bare names."""
    questions = QUESTIONS.values()
    answers = [kind for each in questions for kind in (each.answer, each.progress) if kind is not None]
    requests = definitions([each.request for each in questions], prefix="")
    return requests | definitions(answers, prefix="", is_answer=True)


def references(schema: object) -> set[str]:
    """Return the names of the classes that a schema refers to."""
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    own = {schema["$ref"]} if isinstance(schema, dict) and "$ref" in schema else set()
    return own.union(*map(references, inner))


def _is_required(field: Field[object]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


class Schemas:
    """Makes schemas; collects those of the classes that they refer to in ``found``, the classes in ``classes``."""

    def __init__(self, prefix: str = "", *, is_answer: bool) -> None:
        self._prefix, self._is_answer = prefix, is_answer
        self.found: dict[str, Schema] = {}
        self.classes: dict[str, type] = {}

    def refer_to(self, kind: type) -> Schema:
        name = kind.__name__
        if name not in self.found:
            self.classes[name], self.found[name] = kind, {}  # a class may refer to itself
            self.found[name] = self.of_class(kind)
        return {"$ref": self._prefix + name}

    def of_class(self, kind: Any) -> Schema:
        about = {"description": cleandoc(kind.__doc__).partition("\n\n")[0]}
        if issubclass(kind, Enum):
            return {"type": "string", **about, "enum": [member.value for member in kind]}
        hints = get_type_hints(kind, include_extras=True)
        required = [each.name for each in fields(kind) if self._is_answer or _is_required(each)]
        return {
            "type": "object",
            **about,
            "properties": {each.name: self._of_field(hints[each.name], each) for each in fields(kind)},
            **({"required": required} if required else {}),
            **({} if self._is_answer else {"additionalProperties": False}),
        }

    def _of_field(self, kind: object, field: Field[object]) -> Schema:
        found = self.of_type(kind)
        if self._is_answer or _is_required(field) or field.default is None:
            return found
        default = field.default if field.default_factory is MISSING else field.default_factory()
        return found | {"default": json.loads(encode(default))}

    def of_type(self, kind: object) -> Schema:
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self._annotated(self.of_type(arguments[0]), arguments[1:])
        if origin is Literal:
            return {"type": "string", "enum": list(arguments)}
        if origin in (UnionType, Union):
            return {"anyOf": [self.of_type(each) for each in arguments if not (each is int and float in arguments)]}
        if origin is tuple:
            return {"type": "array", "items": self.of_type(arguments[0])}
        if origin is dict:
            names = {} if arguments[0] is str else {"propertyNames": self.of_type(arguments[0])}
            values = self.of_type(arguments[1])
            return {"type": "object", **names, **({"additionalProperties": values} if values else {})}
        if isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, Enum)):
            return self.refer_to(kind)
        return dict(PLAIN[kind])

    def _annotated(self, found: Schema, notes: tuple[object, ...]) -> Schema:
        for note in notes:
            match note:
                case str():
                    found["description"] = note
                case Bound():
                    found |= _without_none(minimum=note.at_least, exclusiveMinimum=note.above, maximum=note.at_most)
                case Length():
                    found |= {LENGTHS[kind]: note.at_most for kind in _types(found) if kind in LENGTHS}
                case Pattern():
                    found["pattern"] = note.text
                case OneOf():
                    found["enum"] = list(note.texts)
                case Example():
                    found["examples"] = [note.value]
        return found


def _types(schema: Schema) -> list[str]:
    return [each.get("type", "") for each in schema.get("anyOf", [schema])]


def _without_none(**limits: float | None) -> Schema:
    return {name: value for name, value in limits.items() if value is not None}
