"""TypeScript declarations of all requests, answers and progress reports: ``python -m noughts.ask.typescript``."""

from __future__ import annotations

import json

from noughts.ask.json_schema import Schema, definitions
from noughts.ask.table import QUESTIONS

__all__ = ["references", "table_definitions", "typescript"]

PREFIX = ""
HEADER = "// Made from the table of questions by noughts.ask.typescript. Do not edit.\n"
TYPES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def typescript() -> str:
    """Return the declarations: one exported type for each class, by name, and the types of each question."""
    kinds = table_definitions()
    declared = [_declaration(name, kinds[name]) for name in sorted(kinds)]
    return "\n".join([HEADER, *declared, _questions()])


def table_definitions() -> dict[str, Schema]:
    """Return the schemas of all classes of the table by name; references are bare names."""
    questions = QUESTIONS.values()
    answers = [kind for each in questions for kind in (each.answer, each.progress) if kind is not None]
    requests = definitions([each.request for each in questions], prefix=PREFIX)
    return requests | definitions(answers, prefix=PREFIX, is_answer=True)


def references(schema: object) -> set[str]:
    """Return the names of the classes that a schema refers to."""
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    own = {schema["$ref"]} if isinstance(schema, dict) and "$ref" in schema else set()
    return own.union(*map(references, inner))


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
