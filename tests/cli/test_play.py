"""``noughts play`` through a pipe: whole games typed from standard input."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from terminals import Process, Result, in_process, through_pipe


def play(data: Path, *arguments: str, typed: str = "") -> Result:
    return in_process(data, "play", *arguments, typed=typed)


def events_of(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_wrong_answers_are_asked_again(tmp_path: Path) -> None:
    result = play(tmp_path, typed="7x\n99\n4x4:3\nnobody\nfriend\n4\nfriend\na1\n")
    assert "expected a game id" in result.stdout
    assert "expected a number or a name from the list, got 'nobody'" in result.stdout
    assert "4×4, 3 in a row (4x4:3) begins. X: friend. O: you." in result.stdout


@pytest.mark.parametrize(
    "typed", ["quit\n", "q\n", "more\nquit\n", "1\nexit\n", "1\nfriend\nquit\n", "1\nwatch\nquit\n"]
)
def test_every_question_before_a_game_can_be_left(typed: str, tmp_path: Path) -> None:
    result = play(tmp_path, typed=typed)
    assert (result.returncode, result.stderr) == (0, "")
    assert "begins" not in result.stdout.replace("Who begins?", "")


def test_back_returns_to_the_question_before(tmp_path: Path) -> None:
    result = play(tmp_path, typed="back\nmore\nback\nqubic\nfriend\nback\nback\n2\nfriend\nyou\nquit\n")
    assert "this is the first question; quit leaves" in result.stdout
    assert result.stdout.count("Which game?") == 4
    assert result.stdout.count("Against whom?") == 3
    assert "Connect Four (7x6:4+gravity) begins. X: you. O: friend." in result.stdout


def test_help_says_what_can_be_answered(tmp_path: Path) -> None:
    result = play(tmp_path, typed="help\nquit\n")
    assert "Type a number or a name from the list, or press enter" in result.stdout


def test_a_number_beyond_the_list_is_named_as_such(tmp_path: Path) -> None:
    result = play(tmp_path, typed="99\nmore\n99\n0\n1\n99\nquit\n")
    assert result.stdout.count("got '99'") == 3
    assert "expected a number from 1 to 10, got '99'" in result.stdout
    assert "expected a number from 1 to 28, got '0'" in result.stdout
    assert "expected a game id" not in result.stdout


def test_a_game_has_the_same_number_in_the_short_and_the_full_list(tmp_path: Path) -> None:
    shown = play(tmp_path, typed="more\nquit\n").stdout
    short, full = ([*re.findall(r"^ *(\d+)  (\S+)", part, re.MULTILINE)] for part in shown.split("All games:"))
    assert short[-1] == ("10", "more")
    assert full[:9] == short[:-1]
    assert len({name for _, name in full}) == len(full) == 28


@pytest.mark.parametrize("game", ["3x3:5", "100x100:5", "renju", "3x3+foo", "ultimate:9"])
def test_an_impossible_id_is_not_taken_for_a_file(game: str, tmp_path: Path) -> None:
    assert "file" not in play(tmp_path, game).stderr


def test_help_keeps_its_second_column_on_a_narrow_terminal(tmp_path: Path) -> None:
    result = through_pipe(tmp_path, "play", "3x3", "--o", "friend", typed="help\nquit\n", COLUMNS="40")
    assert "  hint         an idea; typed again, a\n               move and why\n" in result.stdout


def test_the_questions_fit_a_narrow_terminal(tmp_path: Path) -> None:
    shown = through_pipe(tmp_path, "play", typed="more\n1\nquit\n", COLUMNS="40").stdout
    assert max(map(len, shown.splitlines())) <= 40
    assert "  20  7x6:4+gravity+misere\n      Connect Four the other way round:\n      four in a row loses.\n" in shown


def test_random_mover_is_repeatable(tmp_path: Path) -> None:
    first, second = (
        play(tmp_path, "qubic", "--x", "random", "--o", "random", "--seed", "7", "--json") for _ in range(2)
    )
    moves = [event["move"] for event in events_of(first) if event["event"] == "moved"]
    assert moves == [event["move"] for event in events_of(second) if event["event"] == "moved"]
    assert events_of(first)[-2]["event"] == "ended"


def test_json_session_gives_one_event_a_line_and_talks_elsewhere(tmp_path: Path) -> None:
    result = play(tmp_path, "3x3", "--o", "friend", "--json", typed="b2\nb2\nquit\n")
    assert [event["event"] for event in events_of(result)] == [
        "started",
        "turn_began",
        "moved",
        "turn_began",
        "refused",
        "left",
    ]
    assert "to move" in result.stderr


def test_bytes_that_are_not_text_are_wrong_input(tmp_path: Path) -> None:
    result = through_pipe(tmp_path, "play", "3x3", "--o", "friend", typed="\udcff\udcfe\nb2\n")
    assert result.returncode == 0
    assert "got '\ufffd\ufffd'" in result.stdout
    assert "You (X) play b2." in result.stdout


def test_terminal_without_unicode_gets_plain_letters(tmp_path: Path) -> None:
    typed = "a1\nb1\na2\nb2\na3\n"
    result = through_pipe(tmp_path, "play", "3x3", "--o", "friend", typed=typed, PYTHONIOENCODING="ascii")
    assert result.returncode == 0
    assert "You win with the line a3-a2-a1." in result.stdout


def test_end_of_the_input_at_a_question_takes_what_is_offered(tmp_path: Path) -> None:
    result = play(tmp_path)
    assert result.returncode == 0
    assert "Tic-tac-toe (3x3) begins. X: you. O: difficult." in result.stdout


@pytest.mark.parametrize(
    ("moves", "options", "typed", "messages"),
    [
        ("1. a1 b1 2. a2 b2 3. a3 1-0", (), "stats\n", ("You win with the line", "No finished game yet.")),
        (
            "1. b2 a1 *",
            ("--o", "random"),
            "resign\n",
            ("Against random at Tic-tac-toe: 0 won, 0 drawn, 1 lost",),
        ),
        ("1. b2 a1 *", ("--o", "friend"), "moves\n", ("played: b2 a1", "noughts games resume 1")),
    ],
    ids=["over", "resigned now", "left"],
)
def test_loaded_game_continues_and_counts_if_it_was_not_over(
    moves: str, options: tuple[str, ...], typed: str, messages: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "game.ngn").write_text(f'[Game "3x3"]\n\n{moves}\n')
    shown = play(tmp_path, "--load", str(tmp_path / "game.ngn"), *options, typed=typed).stdout
    assert [message for message in messages if message not in shown] == []


def test_number_of_thousands_of_digits_is_a_wrong_answer_like_others(tmp_path: Path) -> None:
    result = play(tmp_path, typed=f"{'9' * 5000}\n3x3\n{'9' * 5000}\nfriend\nyou\n{'9' * 5000}\nb2\n")
    assert result.returncode == 0
    assert "You (X) play b2." in result.stdout


def test_closed_pipe_is_not_a_failure(tmp_path: Path) -> None:
    with Process(tmp_path, "play", "qubic", "--x", "random", "--o", "random") as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(60) == 0
