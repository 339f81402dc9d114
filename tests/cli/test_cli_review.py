"""``noughts review``: the last game, a saved one or a file; in words, and step by step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from noughts import Side
from noughts.store import Store
from plays import position_after
from terminals import run

LOST = "a2 b2 b1 a1 b3 c3"
"""X overlooks the diagonal with its third move."""


def keep(data: Path, moves: str, o: str = "easy") -> int:
    position = position_after("3x3", *moves.split())
    with Store(data / "noughts.sqlite3") as store:
        number = store.begin(position, "you", o)
        if position.outcome is not None:
            store.finish(number, position.outcome)
    return number


def test_review_alone_reviews_the_last_game_in_words(tmp_path: Path) -> None:
    keep(tmp_path, "b2 a1 c3 a3 a2 c2 b1 b3 c1")
    keep(tmp_path, LOST)
    done = run(tmp_path, "review")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Tic-tac-toe (3x3)  X: you  O: easy  0-1\nO wins with a line\n")
    text = " ".join(done.stdout.split())
    assert "5. X b3, which leaves c3 to O, who completes the diagonal c3–a1 there: a blunder" in text
    assert "that turns a draw into a loss. Better: c3, which blocks the diagonal c3–a1." in text


def test_an_id_reviews_that_game_and_stats_have_its_accuracy(tmp_path: Path) -> None:
    number = keep(tmp_path, LOST)
    keep(tmp_path, "b2 a1", o="friend")
    with Store(tmp_path / "noughts.sqlite3") as store:
        before = store.get(number)
    assert json.loads(run(tmp_path, "review", str(number), "--json").stdout)["x"] == "you"
    with Store(tmp_path / "noughts.sqlite3") as store:
        after = store.get(number)
    assert before.accuracy == {Side.X: None, Side.O: None}
    assert after.accuracy[Side.O] == 100
    assert after.accuracy[Side.X] == pytest.approx(71, abs=2)
    assert after.summary.updated == before.summary.updated
    assert "71%" in run(tmp_path, "stats").stdout


def test_review_with_a_limit_of_its_own_leaves_the_saved_accuracy(tmp_path: Path) -> None:
    number = keep(tmp_path, LOST)
    assert run(tmp_path, "review", "--depth", "1").returncode == 0
    with Store(tmp_path / "noughts.sqlite3") as store:
        assert store.get(number).accuracy == {Side.X: None, Side.O: None}


@pytest.mark.parametrize(
    ("which", "message"),
    [
        ((), "there is no saved game to review yet; noughts play starts one"),
        (("7",), "there is no saved game 7; noughts games lists them"),
        (
            ("game.txt",),
            "expected the number of a saved game, or a file name that ends in .ngn or .sgf, got 'game.txt'",
        ),
        (("game.ngn",), "cannot read game.ngn: no such file or directory"),
        (("1", "--step", "--json"), "expected --step or --json, not both"),
    ],
)
def test_games_that_are_not_there_are_named_in_one_line(tmp_path: Path, which: tuple[str, ...], message: str) -> None:
    done = run(tmp_path, "review", *which)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"noughts: {message}\n")


def test_step_asks_for_the_better_move_and_says_why_others_are_not(tmp_path: Path) -> None:
    keep(tmp_path, LOST)
    done = run(tmp_path, "review", "--step", typed="z9\nb1\nb3\na3\nhint\nc3\n")
    assert done.returncode == 0
    text = " ".join(done.stdout.split())
    assert "1 move could be better." in text
    assert "1 [O]| X |" in text, "the board before the move is drawn"
    assert "Mistake 1 of 1. Move 5: You played b3, a blunder that turns a draw into a loss: it leaves c3 to O" in text
    answers = done.stdout.split("a better move for X: ")[1:]
    assert [answer.splitlines()[0] for answer in answers] == ["z9", "b1", "b3", "a3", "hint", "c3"]
    assert answers[1].splitlines()[1] == "b1 is taken by X"
    assert answers[2].splitlines()[1] == "b3 is the move that was played."
    assert answers[3].splitlines()[1].startswith("a3 loses: O answers c3, which completes the diagonal")
    assert answers[4].splitlines()[1] == "O threatens to complete a line."
    assert answers[5].splitlines()[1:4] == [
        "Yes.",
        "The best move is c3: it blocks the diagonal c3–a1.",
        "After c3: a3 c1",
    ]
    assert "Accuracy: X (you) 71%, O (easy) 100%." in text


def test_step_shows_the_move_when_enter_is_pressed_and_can_go_back_and_leave(tmp_path: Path) -> None:
    keep(tmp_path, "a1 b1 c1 b2 b3", o="friend")  # each side missed something
    done = run(tmp_path, "review", "--step", typed="\nback\nquit\n")
    assert done.returncode == 0
    assert done.stdout.count("Mistake 1 of") == 2
    assert "The best move is" in done.stdout


def test_step_through_a_game_without_mistakes_says_so(tmp_path: Path) -> None:
    keep(tmp_path, "b2 a1 c3 a3 a2 c2 b1 b3 c1")
    done = run(tmp_path, "review", "--step")
    assert "No mistakes." in done.stdout
