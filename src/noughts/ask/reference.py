"""The reference of all questions in Markdown: ``python -m noughts.ask.reference FILE`` brings FILE up to date."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from noughts.analysis.evaluation import Evaluation
from noughts.ask.evaluations import Candidate
from noughts.ask.json_schema import Schema, definitions, references, schema_of, table_definitions
from noughts.ask.question import AnyQuestion, Tag
from noughts.ask.requests import GameRequest, PositionRequest, SearchRequest
from noughts.ask.table import QUESTIONS

__all__ = ["reference", "with_reference"]

START, END = "<!-- The questions: written by `make reference`. -->", "<!-- End of the questions. -->"
COMMON: tuple[type, ...] = (SearchRequest, PositionRequest, GameRequest, Candidate, Evaluation)
"""Types whose fields many requests and answers have; they are described once."""

TITLES = {
    Tag.GAMES: "Games and positions",
    Tag.THINKING: "Thinking",
    Tag.LEARNING: "Learning",
    Tag.FILES: "Files",
}
BOUNDS = {
    "minimum": "at least {:,.10g}",
    "exclusiveMinimum": "more than {:,.10g}",
    "maximum": "at most {:,.10g}",
    "maxLength": "at most {:,.10g} letters",
    "maxItems": "at most {:,.10g} entries",
    "maxProperties": "at most {:,.10g} entries",
}
MAX_BOUND = 10**9
"""Bounds beyond it stand for no bound at all."""


def reference() -> str:
    """Return the questions in groups with the fields of their requests and answers, then the types that they share."""
    kinds = (
        table_definitions() | definitions(COMMON[:3], prefix="") | definitions(COMMON[3:], prefix="", is_answer=True)
    )
    shared = _shared_kinds(kinds)
    groups = ["\n".join([f"### {TITLES[tag]}\n", *_questions(tag, kinds, shared)]) for tag in Tag]
    types = [f"#### {name}\n\n{_type(kinds[name], _common_base(name))}" for name in sorted(shared)]
    return "\n".join([*groups, "### Types\n", *types])


def _shared_kinds(kinds: dict[str, Schema]) -> set[str]:
    """The names of the types that are described once, below the questions: all but those of a single question."""
    answers = [each.answer.__name__ for each in QUESTIONS.values()]
    inner = {name for kind in kinds.values() for name in references(kind)}
    alone = {name for name in answers if answers.count(name) == 1 and name not in inner}
    requests = {each.request.__name__ for each in QUESTIONS.values()}
    return (kinds.keys() - alone - requests) | {each.__name__ for each in COMMON}


def _common_base(name: str) -> type | None:
    """The common type whose fields the type with a name has, too."""
    classes = {each.__name__: each for question in QUESTIONS.values() for each in (question.request, question.answer)}
    kind = ({each.__name__: each for each in COMMON} | classes).get(name)
    return next((each for each in COMMON if kind is not None and kind is not each and issubclass(kind, each)), None)


def _questions(tag: Tag, kinds: dict[str, Schema], shared: set[str]) -> list[str]:
    return [_question(each, kinds, shared) for each in QUESTIONS.values() if each.tag is tag]


def _question(question: AnyQuestion, kinds: dict[str, Schema], shared: set[str]) -> str:
    request, answer = kinds[question.request.__name__], question.answer.__name__
    about = [question.about]
    if question.gives_partial_answers:
        about.append("If it is stopped, it answers with the result so far.")
    if question.progress is question.answer:
        about.append("Its progress reports are answers so far.")
    elif question.progress is not None:
        about.append(f"Its progress reports are of type {_link(question.progress.__name__)}.")
    takes = _fields(request, _common_base(question.request.__name__), is_request=True)
    gives = f"**Answer.** A {_link(answer)}.\n"
    if answer not in shared:
        gives = f"**Answer.** {_type(kinds[answer], _common_base(answer))}"
    return "\n".join([f"#### `{question.name}`\n", f"{' '.join(about)}\n", *([takes] if takes else []), gives])


def _fields(schema: Schema, base: type | None, is_request: bool) -> str:
    """The fields of a type, without those of its common base, which is named."""
    inherited = () if base is None else schema_of(base)["properties"]
    own = {name: field for name, field in schema["properties"].items() if name not in inherited}
    before = [] if base is None else [f"The fields of {_link(base.__name__)}{', and:' if own else '.'}\n"]
    rows = _request_rows(own, schema) if is_request else _answer_rows(own)
    return "\n".join([*before, *([*rows, ""] if own else [])])


def _request_rows(own: dict[str, Schema], schema: Schema) -> list[str]:
    return [
        "| field | type | default | |",
        "|---|---|---|---|",
        *(
            f"| `{name}` | {_type_words(field)} | {_default(name, field, schema)} | {_notes(field)} |"
            for name, field in own.items()
        ),
    ]


def _answer_rows(own: dict[str, Schema]) -> list[str]:
    """A line for each field with a description, and one for the others. ``/openapi.json`` has the types of all."""
    described = {name: notes for name, field in own.items() if (notes := _notes(field))}
    others = ", ".join([f"`{name}`{_linked_type(field)}" for name, field in own.items() if name not in described])
    lines = [f"- `{name}`{_linked_type(own[name])}: {notes}" for name, notes in described.items()]
    return [*lines, *([f"- {others}"] if others else [])]


def _linked_type(field: Schema) -> str:
    """The type of a field in brackets, if it leads to another type."""
    words = _type_words(field)
    return f" ({words})" if "](#" in words else ""


def _type(schema: Schema, base: type | None = None) -> str:
    if "enum" in schema:
        return f"{schema['description']} {_type_words(schema)}.\n"
    return f"{schema['description']}\n\n{_fields(schema, base, 'additionalProperties' in schema)}"


def _type_words(schema: Schema) -> str:
    if "$ref" in schema:
        return _link(schema["$ref"])
    if "enum" in schema:
        return ", ".join([f"`{value}`" for value in schema["enum"]])
    if "anyOf" in schema:
        return " or ".join(map(_type_words, schema["anyOf"]))
    match schema.get("type"):
        case None:
            return "anything"
        case "array":
            return f"list of {_type_words(schema['items'])}"
        case "object" if "additionalProperties" in schema:
            key = schema.get("propertyNames", {}).get("$ref")
            by = "" if key is None else f" by {_link(key)}"
            return f"object of {_type_words(schema['additionalProperties'])}{by}"
        case plain:
            return str(plain)


def _link(name: str) -> str:
    return f"[{name}](#{name.lower()})"


def _default(name: str, field: Schema, schema: Schema) -> str:
    if name in schema.get("required", []):
        return "required"
    return f"`{json.dumps(field['default'])}`" if "default" in field else "null"


def _notes(field: Schema) -> str:
    """The description of a field and its bounds."""
    bounds = [text.format(field[key]) for key, text in BOUNDS.items() if key in field and field[key] <= MAX_BOUND]
    limits = ", ".join(bounds)
    return " ".join([each for each in (field.get("description", ""), limits and f"{limits.capitalize()}.") if each])


def with_reference(page: str) -> str:
    """Return a page with the reference of the questions between its two marks."""
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n\n{reference()}\n{END}{after}"


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(with_reference(path.read_text(encoding="utf-8")), encoding="utf-8")
