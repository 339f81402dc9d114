"""All questions alike: requests and answers are JSON and back, nonsense is refused, and work can be stopped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from threading import Timer
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.ask import QUESTIONS, Context, InvalidData, Stopped, encode, read
from noughts.ask import ask as ask_question
from noughts.ask.json_schema import schema_of
from noughts.schema import loads
from question_examples import EXAMPLES
from questions import ask, refusal

LARGE: dict[str, Any] = {"game": "20x20:5", "moves": [190, 211], "nodes": 10**9}
"""Takes minutes; the limit in nodes is not reached."""


def test_every_question_has_an_example() -> None:
    assert EXAMPLES.keys() == QUESTIONS.keys()


@pytest.mark.parametrize("name", EXAMPLES)
def test_request_and_answer_survive_the_way_through_json_and_fit_their_schemas(name: str) -> None:
    question = QUESTIONS[name]
    request = read(question.request, EXAMPLES[name])
    assert read(question.request, loads(encode(request))) == request
    answer = ask_question(question, request)
    assert isinstance(answer, question.answer)
    text = encode(answer)
    assert text.isascii()
    assert "\n" not in text
    assert read(question.answer, loads(text)) == answer
    assert question.words is None or question.words(answer)

    takes, gives = schema_of(question.request), schema_of(question.answer, is_answer=True)
    for schema in (takes, gives):
        jsonschema.Draft202012Validator.check_schema(schema)
    accepts = jsonschema.Draft202012Validator(takes)
    assert accepts.is_valid(EXAMPLES[name])
    assert not accepts.is_valid({**EXAMPLES[name], "colour": "red"})
    jsonschema.Draft202012Validator(gives).validate(loads(text))
    assert gives["required"] == list(gives["properties"])


NONSENSE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**400), 10**400)
    | st.floats()
    | st.text(max_size=50)
    | st.sampled_from(["3x3", "4x4x4", "fano", "3/1x1/3 o", "b2", "X", "O", "..", "time", "XX..OO...", "X.......\n"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.parametrize("name", QUESTIONS)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_nonsense_is_read_or_refused_in_one_line(name: str, data: st.DataObject) -> None:
    names = [field.name for field in fields(QUESTIONS[name].request)]
    nonsense = data.draw(st.dictionaries(st.sampled_from([*names, "spam"]), NONSENSE, max_size=6) | NONSENSE)
    if isinstance(nonsense, dict) and "game" in names:
        nonsense.setdefault("game", "3x3")
    problem = ""
    try:
        QUESTIONS[name].prepare_public(read(QUESTIONS[name].request, nonsense))
    except ValueError as error:
        problem = str(error)
    assert "\n" not in problem
    assert len(problem) < 1000


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "expected a JSON object"),
        ({}, "expected the field 'game'"),
        ({"game": "3x3", "mvoes": []}, "unknown field 'mvoes'; did you mean 'moves'?"),
        ({"game": 3}, "expected a JSON object for 'game', got 3"),
        ({"game": "3x3", "moves": "b2"}, "expected a valid list for 'moves', got 'b2'"),
        ({"game": "3x3", "moves": [[4]]}, "expected a valid string for 'moves.0'"),
        ({"game": "3x3", "seconds": 0}, "expected more than 0 for 'seconds', got 0"),
        ({"game": "3x3", "seconds": True}, "expected a valid number for 'seconds', got true"),
        ({"game": "3x3", "nodes": 1.5}, "expected a valid integer for 'nodes', got 1.5"),
        ({"game": "3x3", "nodes": float("inf")}, "expected a finite number for 'nodes', got Infinity"),
        ({"game": "3x3", "lines": 2000}, "expected at most 1024 for 'lines', got 2000"),
    ],
)
def test_wrong_data_is_refused_with_what_was_expected_and_where(data: object, message: str) -> None:
    with pytest.raises(InvalidData, match=rf"^{re.escape(message)}$"):
        read(QUESTIONS["analyse"].request, data)


@pytest.mark.parametrize("text", ["", "{", "NaN", '{"game": Infinity}', "[" * 100_000], ids=lambda text: text[:9])
def test_text_that_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(InvalidData, match="expected JSON"):
        loads(text)


@pytest.mark.parametrize("name", ["move", "hint", "analyse", "judge", "solve", "puzzle", "trace", "compare"])
def test_question_about_a_finished_game_is_refused(name: str) -> None:
    assert refusal(name, game="3x3", moves=[0, 3, 1, 4, 2]) == "the game is over"


def test_bounds_for_strangers_are_not_those_of_others() -> None:
    assert refusal("analyse", game="3x3", seconds=61) == "expected at most 60 for 'seconds', got 61"
    question = QUESTIONS["analyse"]
    assert question.prepare(read(question.request, {"game": "3x3", "seconds": 61})).seconds == 61


@contextmanager
def stopped_soon() -> Iterator[Context]:
    """A context that is stopped after a moment."""
    context = Context()
    timer = Timer(0.1, context.stop)
    timer.start()
    try:
        yield context
    finally:
        timer.cancel()
        timer.join(60)


def test_stopped_question_with_partial_answers_gives_the_one_so_far() -> None:
    with stopped_soon() as context:
        found = ask("analyse", context, **LARGE)
    assert (found["reason"], len(found["moves"])) == ("stopped", 3)
    with stopped_soon() as context:
        assert ask("solve", context, **LARGE)["value"] is None


@pytest.mark.parametrize("name", ["hint", "judge", "move", "review"])
def test_stopped_question_without_partial_answers_has_no_answer(name: str) -> None:
    assert not QUESTIONS[name].gives_partial_answers
    with stopped_soon() as context, pytest.raises(Stopped):
        ask(name, context, **LARGE)
