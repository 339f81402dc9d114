"""``noughts judge``: one JSON answer for each line of input, sensible or not."""

from __future__ import annotations

import io
import json
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
from noughts.players.protocols.json_lines import format_question
from noughts.players.protocols.judge_lines import MAX_LINE_CHARACTERS, serve_judge
from paths import ROOT

COMMAND = [str(Path(sys.executable).parent / "noughts"), "judge"]
LIMIT = no.Limit(nodes=500)
JUDGE = Judge(LIMIT)
FANO = {
    "name": "fano",
    "cells": 7,
    "lines": [[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6], [2, 3, 6], [2, 4, 5]],
}


def ask_lines(text: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    serve_judge(io.StringIO(text), out, JUDGE)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def ask(**request: Any) -> dict[str, Any]:
    (answer,) = ask_lines(json.dumps(request))
    return answer


def test_request_for_a_judgement_has_values_and_the_regret_of_the_move() -> None:
    answer = ask(id="a", game="3x3", moves=["b2"], move="b3")
    assert (answer["id"], answer["value"], sorted(answer["best"])) == ("a", "draw", ["a1", "a3", "c1", "c3"])
    assert len(answer["moves"]) == 8
    proposal = answer["proposal"]
    assert (proposal["verdict"], proposal["regret"], proposal["exact"]) == ("worse", 1.0, True)
    assert (proposal["value"], proposal["plies"]) == ("loss", 6)


@pytest.mark.parametrize(
    ("move", "verdict"), [("b2", "illegal"), ("the middle", "invalid"), (None, "invalid"), ("a3", "best")]
)
def test_proposal_has_its_verdict(move: object, verdict: str) -> None:
    proposal = ask(game="3x3", moves=["b2"], move=move)["proposal"]
    assert (proposal["proposed"], proposal["verdict"]) == (move, verdict)
    assert ("regret" in proposal) == (verdict == "best")
    assert ("message" in proposal) == (verdict != "best")


def test_without_a_proposal_there_is_no_verdict() -> None:
    answer = ask(game="3x3", position="3/1x1/3 o")
    assert "proposal" not in answer
    assert answer["turn"] == "O"


def test_question_of_a_tournament_with_the_answer_of_a_bot_is_a_request() -> None:
    position = no.Game("connect4").start()
    position.play_all("dd")
    question = json.loads(format_question(position, no.Limit(seconds=0.01)))
    assert ask(**question, move="d")["proposal"]["verdict"] == "best"


def test_custom_game_as_data() -> None:
    answer = ask(game=FANO, moves=[0], move=0)
    assert (answer["game"], answer["value"], answer["proposal"]["verdict"]) == ("fano", "loss", "illegal")


def test_rated_opponent_moves_with_its_rating() -> None:
    answer = ask(game="connect4", moves=["d"], ask="play", level="Easy", seed=3)
    assert answer == ask(game="connect4", moves=["d"], ask="play", level="easy", seed=3)
    assert (answer["level"], answer["rating"], answer["measured"], answer["turn"]) == ("easy", 1000, True, "X")
    assert answer["move"] not in answer["legal"]
    assert ask(game=FANO, ask="play", level="elo:1200")["measured"] is False
    assert ask(game="3x3", moves=["a3", "b3", "b2", "c3"], ask="play", level="master")["winner"] == "X"


def test_move_in_the_documentation_is_the_one_that_is_played() -> None:
    text = (ROOT / "docs" / "judge.md").read_text(encoding="utf-8")
    request, answer = text.partition("```json\n")[2].partition("**play**")[2].partition("```json\n")[2].split("\n", 1)
    assert ask(**json.loads(request)) == json.loads(answer.partition("```")[0])


def test_levels_below_the_engine_differ_by_seed() -> None:
    moves = {ask(game="15x15:5", ask="play", level="random", seed=seed)["move"] for seed in range(8)}
    assert len(moves) > 3


def test_position_can_be_shown() -> None:
    answer = ask(game="3x3", moves=["b2"], ask="show")
    assert answer["board"] == str(no.Game("3x3").start().after("b2"))
    assert (len(answer["legal"]), answer["over"], answer["winner"]) == (8, False, None)
    over = ask(game="3x3", position="xxx/oo1/3 -", ask="show")
    assert (over["over"], over["winner"], over["reason"], over["legal"]) == (True, "X", "line", [])


MISTAKES = [
    ("nonsense", "expected a JSON object on one line, got 'nonsense'"),
    ("{", "expected a JSON object on one line, got '{'"),
    ("[1, 2]", "expected a JSON object, got [1, 2]"),
    ("null", "expected a JSON object, got null"),
    ('{"game": "3x3", "id": NaN}', "expected a JSON object on one line"),
    ('{"game": "3x3", "id": [1]}', 'expected "id" as text or a number, got [1]'),
    ("{}", 'expected an object with "game" and "moves"'),
    ('{"game": "chess"}', "expected a game id"),
    ('{"game": 3}', "expected a game id or an object"),
    ('{"game": {"name": "x"}}', "expected the key 'cells' in a custom game"),
    ('{"game": "3x3", "ask": "win"}', 'expected "ask" as judge, play, show, got'),
    ('{"game": "3x3", "ask": ["judge"]}', 'expected "ask" as judge, play, show, got ["judge"]'),
    ('{"game": "3x3", "tme_ms": 5}', "unknown key 'tme_ms'; did you mean \"time_ms\"?"),
    ('{"game": "3x3", "level": "easy"}', '"level" belongs to "ask": "play"'),
    ('{"game": "3x3", "ask": "play"}', "expected random, beginner"),
    ('{"game": "3x3", "ask": "play", "level": "elo:9999"}', "expected random, beginner"),
    ('{"game": "3x3", "ask": "play", "level": "master:/etc/passwd"}', "expected random, beginner"),
    ('{"game": "3x3", "ask": "play", "level": "bot:true"}', "expected random, beginner"),
    ('{"game": "3x3", "ask": "play", "level": "easy", "seed": 1.5}', 'expected "seed" as a whole number, got 1.5'),
    ('{"game": "3x3", "moves": ["b2", "b2"]}', "ply 2: b2 is taken by X"),
    ('{"game": "3x3", "position": 7}', 'expected "position" as text, got 7'),
    ('{"game": "3x3", "position": "3/1x1/3 o", "moves": ["a3"]}', "the moves lead to 'x2/3/3 o', not to \"position\""),
    ('{"game": "3x3", "position": "xxx/oo1/3 -"}', "expected a position with a side to move"),
    ('{"game": "3x3", "time_ms": 1e999}', 'expected "time_ms" of at most'),
    ('{"game": "3x3", "time_ms": 3600001}', 'expected "time_ms" of at most 3600000'),
    ('{"game": "3x3", "time_ms": "soon"}', 'expected "time_ms" as a number'),
    ('{"game": "3x3", "nodes": 100000001}', 'expected "nodes" of at most 100000000'),
    ('{"game": "3x3", "nodes": 0}', "expected nodes above 0, got 0"),
    (f'{{"game": "3x3", "nodes": 1{"0" * 5000}}}', "expected JSON without huge numbers"),
    ("[" * 100_000, "expected JSON with less nesting"),
    ("x" * (MAX_LINE_CHARACTERS + 5), f"expected a line of at most {MAX_LINE_CHARACTERS} characters"),
    ("x" * (3 * MAX_LINE_CHARACTERS), f"expected a line of at most {MAX_LINE_CHARACTERS} characters"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "error"), MISTAKES, ids=[line[:60] for line, _ in MISTAKES])
def test_mistake_is_answered_on_one_line_and_the_next_request_is_served(line: str, error: str) -> None:
    answers = ask_lines(line + '\n{"id": 2, "game": "3x3", "ask": "show"}\n')
    assert answers[0]["error"].startswith(error)
    assert answers[1]["id"] == 2
    assert len(answers) == 2


def test_mistake_keeps_the_id_of_its_request() -> None:
    assert ask(id=7, game="chess")["id"] == 7
    assert ask_lines('{"id": 8, "game": "3x3", "move": ' + "[" * 900 + "]" * 900 + "}")[0]["id"] == 8


def test_bug_is_logged_and_answered_as_one(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: object, **__: object) -> None:
        raise TypeError("a bug")

    monkeypatch.setattr(Judge, "judge", fail)
    answers = ask_lines('{"id": 1, "game": "3x3"}\n{"id": 2, "game": "3x3", "ask": "show"}\n')
    assert answers[0] == {"id": 1, "error": "internal error"}
    assert answers[1]["position"] == "3/3/3 x"
    assert "TypeError: a bug" in caplog.text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
VALUES = JSON | st.sampled_from(["3x3", "connect4", "play", "show", "easy", "b2", [0], ["b2"], "3/1x1/3 o", 5])
KEYS = st.sampled_from(["id", "ask", "game", "start", "position", "moves", "move", "level", "seed", "time_ms", "nodes"])


@settings(max_examples=120, deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=6))
def test_any_request_has_one_answer(request: dict[str, Any]) -> None:
    answer = ask(**({"game": "3x3", "nodes": 100} | request))
    assert "id" in answer
    assert "error" in answer or "legal" in answer or "best" in answer
    assert answer.get("error") != "internal error"


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40).filter(lambda text: "\n" not in text and "\r" not in text and text.strip()))
def test_any_line_has_one_answer(line: str) -> None:
    assert len(ask_lines(line)) == 1


# As a program


def run(typed: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *options], input=typed, capture_output=True, timeout=120, check=False)


def test_program_answers_a_batch_in_order_until_its_input_ends() -> None:
    lines = [json.dumps({"id": number, "game": "3x3", "ask": "show"}) for number in range(50)]
    lines.insert(20, '{"id": "judged", "game": "4x4:3", "move": "a1"}')
    lines.append("")
    done = run("\n".join(lines).encode() + b'\xff\n{"id": 99, "game"')  # the last line is unfinished
    assert (done.returncode, done.stderr) == (0, b"")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [*range(20), "judged", *range(20, 50), None, None]
    assert all("error" in answer for answer in answers[-2:])


def test_options_are_the_limit_of_requests_without_one() -> None:
    lines = b'{"game": "15x15:5"}\n{"game": "15x15:5", "depth": 1}\n'
    first, second = [json.loads(line) for line in run(lines, "--nodes", "700").stdout.splitlines()]
    assert (first["limit"], second["limit"]) == ("700 nodes", "3600 s, depth 1")


def test_interrupt_ends_the_program_in_one_line() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(b'{"game": "3x3"}\n')
        program.stdin.flush()
        assert b"draw" in program.stdout.readline()
        program.stdin.write(b'{"game": "15x15:5", "time_ms": 3600000}\n')
        program.stdin.flush()
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=60)
    assert (program.returncode, out, err.strip()) == (130, b"", b"interrupted")
