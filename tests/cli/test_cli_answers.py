"""The commands are adapters of the table: ``--json`` prints the answer of a question, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import noughts as no
from noughts.ask import QUESTIONS, ask, encode, read
from noughts.cli.main import group

POSITION = "3/1x1/3 o"
GAME = {"game": "3x3", "start": POSITION}
TRACE = {"game": "3x3", "start": "xox/1o1/1x1 o"}

pytestmark = pytest.mark.usefixtures("empty_data_folder")


@pytest.mark.parametrize(
    ("command", "question", "request_data"),
    [
        (("analyse", "3x3", POSITION, "--nodes", "900", "--lines", "2"), "analyse", GAME | {"nodes": 900, "lines": 2}),
        (("analyse", "5x5:4", "--depth", "3"), "analyse", {"game": "5x5:4", "depth": 3}),
        (("hint", "3x3", POSITION, "--nodes", "900"), "hint", GAME | {"nodes": 900}),
        (("solve", "3x3", POSITION), "solve", GAME | {"nodes": 100_000}),
        (("solve", "8x4:4", "--nodes", "300"), "solve", {"game": "8x4:4", "nodes": 300}),
        (("tree", "3x3", "xox/1o1/1x1 o"), "trace", TRACE),
        (
            ("tree", "3x3", "xox/1o1/1x1 o", "-a", "iterative_deepening", "-d", "2"),
            "trace",
            {
                "game": "3x3",
                "start": "xox/1o1/1x1 o",
                "algorithm": "iterative_deepening",
                "depth": 2,
                "evaluate": "lines",
            },
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_command_prints_the_answer_of_the_table(
    command: tuple[str, ...], question: str, request_data: dict[str, Any]
) -> None:
    done = CliRunner().invoke(group, [*command, "--json"])
    asked = QUESTIONS[question]
    assert done.stdout == encode(ask(asked, read(asked.request, request_data))) + "\n"


def test_review_prints_an_answer_for_each_playthrough(tmp_path: Path) -> None:
    path = tmp_path / "games.ngn"
    play = no.Playthrough(no.Game("3x3"), [4, 1, 0], tags={"X": "Ann"})
    no.save([play, play], path)
    done = CliRunner().invoke(group, ["review", str(path), "--nodes", "500", "--json"])
    request = {"game": "3x3", "moves": [4, 1, 0], "tags": {"X": "Ann"}, "nodes": 500}
    asked = QUESTIONS["review"]
    answer = encode(ask(asked, read(asked.request, request)))
    assert done.stdout.splitlines() == [answer, answer]
    assert done.stderr.count("answered in ") == 2


@pytest.mark.parametrize(
    ("command", "question"),
    [
        ("analyse", "analyse"),
        ("hint", "hint"),
        ("review", "review"),
        ("solve", "solve"),
        ("compare", "compare"),
        ("tree", "trace"),
    ],
)
def test_help_of_json_names_the_answer_and_its_fields(command: str, question: str) -> None:
    text = " ".join(CliRunner().invoke(group, [command, "--help"]).output.split()).replace("web- api", "web-api")
    answer = QUESTIONS[question].answer
    assert f"{answer.__name__} of docs/web-api.md, which has {', '.join(answer.__dataclass_fields__)}." in text


def test_time_of_an_answer_is_on_standard_error() -> None:
    done = CliRunner().invoke(group, ["analyse", "3x3", POSITION, "--nodes", "100", "--json"])
    assert "seconds" not in json.loads(done.stdout)
    assert done.stderr.startswith("answered in 0.")
