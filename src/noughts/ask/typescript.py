"""TypeScript declarations of all requests, answers and progress reports: ``python -m noughts.ask.typescript``."""

from __future__ import annotations

import json

from noughts.ask.json_schema import Schema, table_definitions
from noughts.ask.table import QUESTIONS

__all__ = ["typescript"]

HEADER = "// Made from the table of questions by noughts.ask.typescript. Do not edit.\n"
TYPES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def typescript() -> str:
    """Return the declarations: one exported type for each class, by name, and the types of each question."""
    kinds = table_definitions()
    declared = [_declaration(name, kinds[name]) for name in sorted(kinds)]
    return "\n".join([HEADER, *declared, _questions()])


def _type_text(schema: Schema) -> str:
    """The type of a value: ``string | null``, ``Candidate[]``."""
    if "$ref" in schema:
        return str(schema["$ref"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(map(_type_text, schema["anyOf"]))
    match schema.get("type"):
        case None:
            return "unknown"
        case "array":
            item = _type_text(schema["items"])
            return f"({item})[]" if " | " in item else f"{item}[]"
        case "object":
            key = _type_text(schema.get("propertyNames", {"type": "string"}))
            return f"Record<{key}, {_type_text(schema.get('additionalProperties', {}))}>"
        case plain:
            return TYPES[plain]


def _declaration(name: str, schema: Schema) -> str:
    about = f"{_comment(schema).rstrip()}\n"
    if "enum" in schema:
        return f"{about}export type {name} = {_type_text(schema)};\n"
    required = schema.get("required", [])
    fields = [
        f"  {_comment(field)}{key}{'' if key in required else '?'}: {_type_text(field)};\n"
        for key, field in schema["properties"].items()
    ]
    return f"{about}export interface {name} {{\n{''.join(fields)}}}\n"


def _comment(schema: Schema) -> str:
    return f"/** {schema['description']} */ " if "description" in schema else ""


def _questions() -> str:
    """The request, the answer and the progress of each question by its name."""
    rows = [
        f"  {each.name}: {{ request: {each.request.__name__}; answer: {each.answer.__name__}; "
        f"progress: {'never' if each.progress is None else each.progress.__name__} }};\n"
        for each in QUESTIONS.values()
    ]
    return f"/** The types of the questions by name. */\nexport interface Questions {{\n{''.join(rows)}}}\n"


if __name__ == "__main__":
    print(typescript(), end="")
