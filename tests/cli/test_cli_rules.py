"""``noughts rules``."""

from __future__ import annotations

import json

from click.testing import CliRunner

from noughts.cli.main import group


def run(*arguments: str) -> str:
    result = CliRunner().invoke(group, ["rules", *arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_rules_are_sentences_with_boards() -> None:
    text = run("ultimate")
    assert text.startswith("How to play Ultimate\n\n1. Nine small boards make one large board.")
    assert text.count("a b c   d e f   g h i") == 4
    assert "A move is a square from a1 to i9" in text


def test_without_a_game_the_known_ones_are_listed() -> None:
    assert "qubic" in run()
    assert json.loads(run("--json"))["games"][0]["id"] == "3x3"


def test_json_is_the_answer_of_the_question() -> None:
    answer = json.loads(run("3x3+misere", "--json"))
    assert answer["title"] == "3×3, misère"
    assert answer["steps"][1]["boards"][-1]["winning_cells"] == [3, 4, 5]
