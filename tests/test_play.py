"""``noughts play`` through a pipe: whole games typed from standard input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

COMMAND = [sys.executable, "-c", "from noughts.cli import main; main()"]


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "NOUGHTS_DATA": str(tmp_path / "data"), "COLUMNS": "80"}


def play(home: dict[str, str], *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "play", *arguments], input=typed, capture_output=True, text=True, env=home, timeout=30, check=False
    )


def events_of(result: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_two_people_play_a_game_to_its_end(home: dict[str, str]) -> None:
    result = play(home, "3x3", "--o", "friend", typed="5\n1\n3\n7\n4\n9\n6\n")
    assert result.returncode == 0
    assert "You (X) win with the line a2–b2–c2." in result.stdout
    assert result.stderr == ""


def test_session_asks_when_nothing_is_said(home: dict[str, str]) -> None:
    result = play(home, typed="tictactoe\nfriend\nyou\nb2\n")
    assert [question for question in ("Which game?", "Against whom?", "Who begins?") if question in result.stdout] == [
        "Which game?",
        "Against whom?",
        "Who begins?",
    ]
    assert "You (X) play b2." in result.stdout


def test_wrong_answers_are_asked_again(home: dict[str, str]) -> None:
    result = play(home, typed="7x\n99\n4x4:3\nnobody\nfriend\n4\nopponent\na1\n")
    assert "expected a game id" in result.stdout
    assert "expected a number or a name of the list, got 'nobody'" in result.stdout
    assert "4x4:3 begins. X: friend. O: you." in result.stdout


def test_random_mover_is_repeatable(home: dict[str, str]) -> None:
    first, second = (play(home, "qubic", "--x", "random", "--o", "random", "--seed", "7", "--json") for _ in range(2))
    moves = [event["text"] for event in events_of(first) if event["event"] == "moved"]
    assert moves == [event["text"] for event in events_of(second) if event["event"] == "moved"]
    assert events_of(first)[-2]["event"] == "ended"


def test_json_session_gives_one_event_a_line_and_talks_elsewhere(home: dict[str, str]) -> None:
    result = play(home, "3x3", "--o", "friend", "--json", typed="b2\nb2\nquit\n")
    assert [event["event"] for event in events_of(result)] == [
        "started",
        "turned",
        "moved",
        "turned",
        "refused",
        "left",
    ]
    assert "to move" in result.stderr


def test_unknown_game_is_one_line_and_exit_code_2(home: dict[str, str]) -> None:
    result = play(home, "chess")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("noughts: expected a game id")
    assert result.stderr.count("\n") == 1


def test_bytes_that_are_no_text_are_wrong_input(home: dict[str, str]) -> None:
    result = subprocess.run(
        [*COMMAND, "play", "3x3", "--o", "friend"], input=b"\xff\xfe\nb2\n", capture_output=True, env=home, check=False
    )
    assert result.returncode == 0
    assert b"You (X) play b2." in result.stdout


def test_terminal_without_unicode_gets_plain_letters(home: dict[str, str]) -> None:
    typed = "a1\nb1\na2\nb2\na3\n"
    result = play({**home, "PYTHONIOENCODING": "ascii"}, "3x3", "--o", "friend", typed=typed)
    assert result.returncode == 0
    assert "You (X) win with the line a3-a2-a1." in result.stdout


def test_end_of_the_input_at_a_question_takes_what_is_offered(home: dict[str, str]) -> None:
    result = play(home)
    assert result.returncode == 0
    assert "tictactoe (3x3) begins. X: you. O: difficult." in result.stdout


def test_loaded_game_that_is_over_is_shown_and_not_counted(home: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "game.ngn"
    file.write_text('[Game "3x3"]\n[Result "1-0"]\n\n1. a1 b1 2. a2 b2 3. a3 1-0\n')
    result = play(home, "--load", str(file), typed="stats\n")
    assert "You (X) win with the line" in result.stdout
    assert "No finished game yet." in result.stdout


def test_loaded_game_that_is_resigned_is_counted(home: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "game.ngn"
    file.write_text('[Game "3x3"]\n\n1. b2 a1 *\n')
    result = play(home, "--load", str(file), "--o", "random", typed="resign\n")
    assert "Against random at tictactoe: 0 won, 0 drawn, 1 lost in 1 game." in result.stdout


def test_loaded_game_is_kept_when_it_is_left(home: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "game.ngn"
    file.write_text('[Game "3x3"]\n\n1. b2 a1 *\n')
    assert "noughts games resume 1" in play(home, "--load", str(file), "--o", "friend").stdout
