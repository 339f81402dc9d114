"""The types of the page in TypeScript, from the schemas of the table of questions and of the web interface.

``make page-types`` writes them to ``static/js/server/types.d.ts``, which is neither committed nor sent to browsers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import is_dataclass
from pathlib import Path

from noughts.ask.json_schema import Schema, Schemas
from noughts.ask.requests import NoRequest
from noughts.web import friend_messages, saved_games
from noughts.web.about import AboutAnswer
from noughts.web.api.qr import QrAnswer, QrRequest
from noughts.web.api.think import ErrorMessage, QueuedMessage, StoppedMessage
from noughts.web.in_browser import BROWSER_QUESTIONS
from noughts.web.lobby import LobbyAnswer

__all__ = ["TYPES_FILE", "typescript"]

TYPES_FILE = Path(__file__).parent / "static" / "js" / "server" / "types.d.ts"
HEAD = "// The requests and answers of the table of questions. Written by `make page-types`.\n"
REQUESTS = (
    saved_games.SaveRequest,
    friend_messages.FriendRequest,
    friend_messages.ClaimRequest,
    friend_messages.ResignRequest,
    friend_messages.HelloMessage,
    friend_messages.ActionMessage,
    QrRequest,
)
ANSWERS = (
    saved_games.SavedGamesAnswer,
    saved_games.SavedPlaythroughAnswer,
    saved_games.IdAnswer,
    friend_messages.FriendAnswer,
    friend_messages.JoinAnswer,
    friend_messages.WelcomeMessage,
    friend_messages.UpdateMessage,
    friend_messages.RefusedMessage,
    LobbyAnswer,
    QueuedMessage,
    StoppedMessage,
    ErrorMessage,
    QrAnswer,
)
"""Requests and answers that are not in the table."""


def typescript() -> str:
    """Return the declarations of all requests and answers, and of the table of questions."""
    asked = {name: (each.request, each.answer, each.progress) for name, each in BROWSER_QUESTIONS.items()}
    asked = {"about": (NoRequest, AboutAnswer, None), **asked}
    requests = [*(request for request, _, _ in asked.values()), *REQUESTS]
    answers = [*(kind for _, *kinds in asked.values() for kind in kinds if kind is not None), *ANSWERS]
    table = [
        f"  {name}: {{ request: {request.__name__}; answer: {answer.__name__}; "
        f"progress: {'never' if progress is None else progress.__name__} }};"
        for name, (request, answer, progress) in asked.items()
    ]
    declared = _declarations(answers, is_answer=True) | _declarations(requests, is_answer=False)
    head = [HEAD, "/** All questions by name. */", "export interface Questions {", *table, "}", ""]
    return "\n".join([*head, *(declared[name] for name in sorted(declared))])


def _declarations(kinds: Iterable[type], *, is_answer: bool) -> dict[str, str]:
    """Return the declarations of requests or of answers, of their bases and of the classes that they refer to."""
    schemas = Schemas(is_answer=is_answer)
    for kind in kinds:
        schemas.refer_to(kind)
    for kind in [*schemas.classes.values()]:
        for base in filter(is_dataclass, kind.__mro__):
            schemas.refer_to(base)
    return {name: _declare(kind, schemas.found) for name, kind in schemas.classes.items()}


def _declare(kind: type, schemas: dict[str, Schema]) -> str:
    name, schema = kind.__name__, schemas[kind.__name__]
    about = f"/** {schema['description'].partition(chr(10))[0].replace('``', '`')} */"
    if "enum" in schema:
        return f"{about}\nexport type {name} = {_type(schema)};\n"
    bases = [base.__name__ for base in kind.__bases__ if is_dataclass(base)]
    head = f"export interface {name}{' extends ' if bases else ''}{', '.join(bases)} {{"
    inherited = {field for base in bases for field in schemas[base]["properties"]}
    fields = [
        _declare_field(field, found, field in schema.get("required", ()))
        for field, found in schema["properties"].items()
        if field not in inherited
    ]
    return "\n".join([about, head, *fields, "}\n"])


def _declare_field(name: str, schema: Schema, is_required: bool) -> str:
    about = f"  /** {schema['description']} */\n" if "description" in schema else ""
    return f"{about}  {name}{'' if is_required else '?'}: {_type(schema)};"


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(_type, schema["anyOf"])))
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    match schema.get("type"):
        case None:
            return "unknown"
        case "array":
            item = _type(schema["items"])
            return f"({item})[]" if " | " in item else f"{item}[]"
        case "object":
            names, values = schema.get("propertyNames", {"type": "string"}), schema.get("additionalProperties", {})
            return f"Record<{_type(names)}, {_type(values)}>"
        case "integer":
            return "number"
        case plain:
            return str(plain)


if __name__ == "__main__":
    TYPES_FILE.write_text(typescript())
