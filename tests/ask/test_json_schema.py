"""The schemas of requests and answers: they describe exactly the JSON that is read and written."""

from __future__ import annotations

import re
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from noughts.ask import QUESTIONS, InvalidData, read
from noughts.ask.json_schema import definitions, references, schema_of
from noughts.ask.reference import reference, with_reference
from paths import ROOT
from question_examples import EXAMPLES

PREFIX = "#/components/schemas/"


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("analyse", {"lines": 0}),
        ("analyse", {"seconds": 0}),
        ("analyse", {"seconds": None}),
        ("analyse", {"moves": ["a" * 41]}),
        ("analyse", {"every": "yes"}),
        ("compare", {"evaluate": "luck"}),
        ("setup", {"marks": "X..?....."}),
        ("move", {"clock": {"control": "5+3", "left": {"X": 1, "Z": 2}}}),
        ("move", {"seed": 1.5}),
        ("export", {"comments": {"one": "the middle"}}),
    ],
)
def test_schema_refuses_exactly_what_the_reader_refuses(name: str, fields: dict[str, Any]) -> None:
    question, data = QUESTIONS[name], EXAMPLES[name] | fields
    is_valid = jsonschema.Draft202012Validator(schema_of(question.request)).is_valid(data)
    try:
        read(question.request, data)
    except InvalidData:
        assert not is_valid
    else:
        assert is_valid


def test_definitions_refer_to_each_other_by_the_prefix_and_a_name_stands_for_one_shape() -> None:
    requests = definitions([each.request for each in QUESTIONS.values()], prefix=PREFIX)
    kinds = [kind for each in QUESTIONS.values() for kind in (each.answer, each.progress) if kind is not None]
    answers = definitions(kinds, prefix=PREFIX, is_answer=True)
    assert references([requests, answers]) <= {PREFIX + name for name in requests | answers}
    assert all(requests[name] == answers[name] for name in requests.keys() & answers.keys())
    assert all(schema["description"] for schema in (requests | answers).values())


def test_fields_have_their_descriptions_bounds_and_defaults() -> None:
    lines = schema_of(QUESTIONS["analyse"].request)["properties"]["lines"]
    assert lines == {
        "type": "integer", "minimum": 1, "maximum": 1024, "description": "Number of moves to return.", "default": 3
    }  # fmt: skip


def test_reference_describes_every_question_and_every_link_has_a_target() -> None:
    text = reference()
    titles = {title.strip("`").lower() for title in re.findall(r"^#### (.*)$", text, re.MULTILINE)}
    assert titles >= QUESTIONS.keys()
    assert {*re.findall(r"\(#(\w+)\)", text)} <= titles
    assert "| `lines` | integer | `3` | Number of moves to return. At least 1, at most 1,024. |" in text


def test_reference_in_the_documentation_is_current() -> None:
    page = (ROOT / "docs" / "web-api.md").read_text(encoding="utf-8")
    assert page == with_reference(page), "make reference brings docs/web-api.md up to date"
