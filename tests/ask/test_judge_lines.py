"""``noughts judge``: one JSON answer for each line of input, sensible or not."""

from __future__ import annotations

import io
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts as no
from noughts.analysis import Judge
from noughts.analysis.advice import Advisor
from noughts.ask.judge_lines import MAX_LINE_CHARACTERS, JudgeLines, serve_judge_lines
from noughts.players.protocols.json_protocol import format_question
from plays import position_after

COMMAND = [str(Path(sys.executable).parent / "noughts"), "judge"]
LIMIT = no.Limit(nodes=500)
ADVISOR = Advisor()
SERVICE = JudgeLines(lambda: ADVISOR, LIMIT)
DOCUMENTATION = Path(__file__).parents[2] / "docs" / "judge.md"


def ask_lines(text: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    serve_judge_lines(io.StringIO(text), out, lambda: ADVISOR, LIMIT)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def ask(**request: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SERVICE.answer(json.dumps(request)))
    return found


def test_question_without_a_name_is_for_a_judgement() -> None:
    answer = ask(game="3x3", moves=["b2"], move="b3")["answer"]
    assert (answer["value"], answer["proposal"]["verdict"], answer["limit"]) == ("draw", "worse", "500 nodes")


def test_question_of_a_tournament_with_the_answer_of_a_bot_is_a_request() -> None:
    position = position_after("connect4", *"dd")
    question = json.loads(format_question(position, no.Limit(seconds=0.01)))
    judged = ask(**question, move="d")["answer"]
    assert (judged["proposal"]["verdict"], judged["limit"]) == ("best", "0.01 s")
    assert ask(**question, ask="show")["answer"]["position"] == position.text
    assert ask(**question, ask="play", level="Easy", seed=1)["answer"]["level"] == "easy"


def test_lines_in_the_documentation_are_the_ones_that_are_written() -> None:
    text = DOCUMENTATION.read_text(encoding="utf-8")
    examples = re.findall(r"^(\{.*\})\n(\{.*?)(?:\.\.\.)?$", text.partition("## JSON lines")[2], re.MULTILINE)
    assert len(examples) == 3
    for request, answer in examples:
        assert untimed(SERVICE.answer(request)).startswith(untimed(answer))


def untimed(line: str) -> str:
    return re.sub(r'"seconds":[\d.e-]+', "", line)


MISTAKES = [
    ("nonsense", "expected a JSON object on one line, got 'nonsense'"),
    ("{", "expected a JSON object on one line, got '{'"),
    ("[1, 2]", "expected a JSON object, got [1, 2]"),
    ("null", "expected a JSON object, got null"),
    ('{"game": "3x3", "id": NaN}', "expected a JSON object on one line"),
    ('{"game": "3x3", "id": [1]}', "expected 'id' as text or a number, got [1]"),
    ("{}", "expected the field 'game'"),
    ('{"game": "chess"}', "expected a game id"),
    ('{"game": "3x3", "ask": "position", "moves": ["b2", "b2"]}', "move 2: b2 is taken by X"),
    ('{"game": {"name": "x"}}', "expected the key 'cells' in a custom game"),
    ('{"game": "3x3", "ask": "analyze"}', "unknown question 'analyze'; did you mean 'analyse'?"),
    ('{"game": "3x3", "ask": "win"}', "unknown question 'win'; there are catalogue, "),
    ('{"game": "3x3", "ask": ["judge"]}', "expected the name of a question for 'ask'"),
    ('{"game": "3x3", "secnds": 5}', "unknown field 'secnds'; did you mean 'seconds'?"),
    ('{"game": "3x3", "level": "easy"}', "unknown field 'level'"),
    ('{"game": "3x3", "ask": "move", "level": "master:/etc/passwd"}', "expected random, beginner"),
    ('{"game": "3x3", "moves": ["b2", "b2"]}', "move 2: b2 is taken by X"),
    ('{"game": "3x3", "position": "xxx/oo1/3 -"}', "the game is over"),
    ('{"game": "3x3", "time_ms": "soon"}', "expected a valid number for 'time_ms', got 'soon'"),
    ('{"game": "3x3", "time_ms": 1e999}', "expected a finite number for 'seconds'"),
    ('{"game": "3x3", "time_ms": 5, "seconds": 0}', "expected more than 0 for 'seconds', got 0"),
    (f'{{"game": "3x3", "nodes": 1{"0" * 5000}}}', "expected a JSON object on one line"),
    ("[" * 100_000, "expected a JSON object on one line"),
    ("x" * (MAX_LINE_CHARACTERS + 5), f"expected a line of at most {MAX_LINE_CHARACTERS} characters"),
    ("x" * (3 * MAX_LINE_CHARACTERS), f"expected a line of at most {MAX_LINE_CHARACTERS} characters"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "error"), MISTAKES, ids=[line[:60] for line, _ in MISTAKES])
def test_mistake_is_answered_on_one_line_and_the_next_request_is_served(line: str, error: str) -> None:
    answers = ask_lines(line + '\n{"id": 2, "game": "3x3", "ask": "position"}\n')
    assert answers[0]["error"].startswith(error)
    assert [answer["id"] for answer in answers] == [None, 2]


def test_mistake_keeps_the_id_of_its_request() -> None:
    assert ask(id=7, game="chess")["id"] == 7
    assert ask_lines('{"id": 8, "game": "3x3", "move": ' + "[" * 900 + "]" * 900 + "}")[0]["id"] == 8


def test_bug_is_logged_and_answered_as_one(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(Judge, "judge", fail)
    answers = ask_lines('{"id": 1, "game": "3x3"}\n{"id": 2, "game": "3x3", "ask": "position"}\n')
    assert answers[0] == {"id": 1, "error": "internal error"}
    assert answers[1]["answer"]["position"] == "3/3/3 x"
    assert "ValueError: a bug" in caplog.text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
VALUES = JSON | st.sampled_from(["3x3", "connect4", "move", "position", "easy", "b2", [0], ["b2"], "3/1x1/3 o", 5])
KEYS = st.sampled_from(["id", "ask", "game", "start", "position", "moves", "move", "level", "seed", "time_ms", "nodes"])


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=6))
def test_any_request_has_one_answer(request: dict[str, Any]) -> None:
    answer = ask(**({"game": "3x3", "nodes": 100} | request))
    assert answer.keys() in ({"id", "error"}, {"id", "seconds", "answer"})
    assert answer.get("error") != "internal error"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40).filter(lambda text: "\n" not in text and "\r" not in text and text.strip()))
def test_any_line_has_one_answer(line: str) -> None:
    assert len(ask_lines(line)) == 1


# As a program


def run(typed: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *options], input=typed, capture_output=True, timeout=120, check=False)


def test_program_answers_a_batch_in_order_until_its_input_ends() -> None:
    lines = [json.dumps({"id": number, "game": "3x3", "ask": "position"}) for number in range(50)]
    lines.insert(20, '{"id": "judged", "game": "4x4:3", "move": "a1"}')
    lines.append("")
    done = run("\n".join(lines).encode() + b'\xff\n{"id": 99, "game"')  # the last line is unfinished
    assert (done.returncode, done.stderr) == (0, b"")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [*range(20), "judged", *range(20, 50), None, None]
    assert all("error" in answer for answer in answers[-2:])


def test_options_are_the_limit_of_requests_without_one() -> None:
    lines = b'{"game": "15x15:5"}\n{"game": "15x15:5", "depth": 1}\n'
    answers = [json.loads(line)["answer"] for line in run(lines, "--nodes", "700").stdout.splitlines()]
    assert [answer["limit"] for answer in answers] == ["700 nodes", "depth 1"]


def test_interrupt_ends_the_program_in_one_line() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(b'{"game": "3x3"}\n')
        program.stdin.flush()
        assert b"draw" in program.stdout.readline()
        program.stdin.write(b'{"game": "15x15:5", "seconds": 3600}\n')
        program.stdin.flush()
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=60)
    assert (program.returncode, out, err.strip()) == (130, b"", b"interrupted")
