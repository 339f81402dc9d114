"""The types of the page in TypeScript, from the dataclasses of the table of questions and of the web interface.

``python -m noughts.web.typescript`` writes them to ``static/js/server/types.d.ts``, which is never sent to browsers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from noughts.ask.requests import NoRequest
from noughts.web import friend_messages, saved_games
from noughts.web.about import AboutAnswer
from noughts.web.api.qr import QrAnswer, QrRequest
from noughts.web.api.think import ErrorMessage, QueuedMessage, StoppedMessage
from noughts.web.in_browser import BROWSER_QUESTIONS

__all__ = ["TYPES_FILE", "typescript"]

TYPES_FILE = Path(__file__).parent / "static" / "js" / "server" / "types.d.ts"
HEAD = "// The requests and answers of the table of questions. Written by `make page-types`; do not edit.\n"
PLAIN = {
    int: "number",
    float: "number",
    str: "string",
    bool: "boolean",
    dict: "Record<string, unknown>",
    object: "unknown",
    type(None): "null",
}
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
    requests = _closure([*(request for request, _, _ in asked.values()), *REQUESTS])
    answers = _closure([*(kind for _, *kinds in asked.values() for kind in kinds if kind is not None), *ANSWERS])
    table = [
        f"  {name}: {{ request: {request.__name__}; answer: {answer.__name__}; "
        f"progress: {'never' if progress is None else progress.__name__} }};"
        for name, (request, answer, progress) in asked.items()
    ]
    kinds = sorted(requests | answers, key=lambda kind: kind.__name__)
    declared = [_declare(kind, is_request=kind in requests) for kind in kinds]
    return "\n".join(
        [HEAD, "/** All questions by name. */", "export interface Questions {", *table, "}", "", *declared]
    )


def _closure(kinds: Iterable[object]) -> set[type]:
    """Return the classes that types refer to, and those that these refer to."""
    found: set[type] = set()
    waiting = list(kinds)
    while waiting:
        kind = waiting.pop()
        if kind in found:
            continue
        if isinstance(kind, type) and is_dataclass(kind):
            waiting += [*_bases(kind), *_own_hints(kind).values()]
        if isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, Enum)):
            found.add(kind)
        elif get_origin(kind) is not Literal:
            waiting += [each for each in get_args(kind) if get_origin(each) or isinstance(each, type)]
    return found


def _is_enum(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _bases(kind: type) -> list[type]:
    return [base for base in kind.__bases__ if is_dataclass(base)]


def _own_hints(kind: type) -> dict[str, object]:
    """Return the types of the fields that a class does not inherit."""
    inherited = {each.name for base in _bases(kind) for each in fields(base)}
    hints = get_type_hints(kind, include_extras=True)
    return {each.name: hints[each.name] for each in fields(kind) if each.name not in inherited}


def _declare(kind: Any, is_request: bool) -> str:
    about = f"/** {kind.__doc__.partition(chr(10))[0].replace('``', '`')} */"
    if _is_enum(kind):
        return f"{about}\nexport type {kind.__name__} = {_choices(member.value for member in kind)};\n"
    bases = ", ".join(base.__name__ for base in _bases(kind))
    head = f"export interface {kind.__name__}{f' extends {bases}' if bases else ''} {{"
    by_name = {each.name: each for each in fields(kind)}
    lines = [
        line for name, hint in _own_hints(kind).items() for line in _declare_field(by_name[name], hint, is_request)
    ]
    return "\n".join([about, head, *lines, "}\n"])


def _declare_field(field: Field[object], hint: object, is_request: bool) -> Iterator[str]:
    """Yield the lines of a field; an answer has all its fields, a request those without a default."""
    notes = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    yield from [f"  /** {note} */" for note in notes if isinstance(note, str)]
    is_optional = is_request and (field.default is not MISSING or field.default_factory is not MISSING)
    yield f"  {field.name}{'?' if is_optional else ''}: {_type(hint)};"


def _type(kind: Any) -> str:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _type(arguments[0])
    if origin is Literal:
        return _choices(arguments)
    if origin in (UnionType, Union):
        return " | ".join(dict.fromkeys(_type(each) for each in arguments))
    if origin is tuple:
        item = _type(arguments[0])
        return f"({item})[]" if " | " in item else f"{item}[]"
    if origin is dict:
        return f"Record<{_type(arguments[0])}, {_type(arguments[1])}>"
    return PLAIN[kind] if kind in PLAIN else str(kind.__name__)


def _choices(values: Iterable[str]) -> str:
    return " | ".join(f'"{value}"' for value in values)


if __name__ == "__main__":
    TYPES_FILE.write_text(typescript())
