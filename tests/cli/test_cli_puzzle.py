"""``noughts puzzle``: a puzzle at the prompt, the one of the day, the list, and the rating."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from noughts.analysis.puzzle_choice import rating_after
from noughts.analysis.puzzles import puzzle_of_day, shipped_puzzles
from noughts.store import PuzzleTry, Store
from terminals import run

FORK = "e8c9943f37"
"""x1o/o2/x2 x: c1 makes two threats."""


def tries(data: Path) -> list[PuzzleTry]:
    with Store(data / "noughts.sqlite3") as store:
        return store.puzzle_tries()


def test_a_puzzle_is_solved_move_by_move(tmp_path: Path) -> None:
    puzzle = next(each for each in shipped_puzzles() if each.id == FORK)
    typed = "\n".join([puzzle.position().game.format_cell(cell) for cell in puzzle.line[::2][: puzzle.steps]])
    done = run(tmp_path, "puzzle", FORK, typed=f"{typed}\n")
    text = " ".join(done.stdout.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Puzzle {FORK}: Tic-tac-toe, rating {puzzle.rating}" in text
    assert f"{puzzle.text}. Type a move." in text
    assert "Yes. " in text
    assert "answers" in text
    assert "Solved. Your puzzle rating: 833 (+33)." in text
    assert tries(tmp_path) == [PuzzleTry(FORK, True, False)]


def test_a_wrong_move_is_refuted_and_counts_once(tmp_path: Path) -> None:
    first = next(each for each in shipped_puzzles() if each.start == "x1o/o2/x2 x")
    done = run(tmp_path, "puzzle", first.id, typed="z9\na1\nb2\nb1\nhint\nhint\nc1\nb2\n")
    answers = [" ".join(part.split()) for part in done.stdout.split("your move (X): ")[1:]]
    assert answers[0].startswith("z9 expected a square from a1 to c3")
    assert answers[1].startswith("a1 a1 is taken by X")
    assert answers[3].startswith("b1 b1 does not win in 2 moves")
    assert answers[3].endswith("Try another move, or press enter.")
    assert answers[4].startswith("hint Make two threats with one move.")
    assert answers[5].startswith("hint Look at ")
    assert tries(tmp_path) == [PuzzleTry(first.id, False, False)]


def test_the_second_hint_is_the_line_that_wins(tmp_path: Path) -> None:
    # Score Four: 1b2 makes a threat on the row above it; the column 1b4–1b1 has marks of both sides.
    done = run(tmp_path, "puzzle", "f56c678a72", typed="hint\nhint\n")
    assert "Look at the row 2a2–2d2." in done.stdout


def test_enter_shows_the_solution_and_leaving_counts_for_nothing(tmp_path: Path) -> None:
    shown = run(tmp_path, "puzzle", FORK, typed="\n")
    assert "The solution is " in shown.stdout
    left = run(tmp_path, "puzzle", "--game", "3x3", typed="quit\n")
    assert (left.returncode, len(tries(tmp_path))) == (0, 1)


def test_the_next_puzzle_is_another_one_of_the_game(tmp_path: Path) -> None:
    done = run(tmp_path, "puzzle", "--game", "tictactoe", typed="\n\n\nquit\n")
    found = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("Puzzle ")]
    assert len(found) == len(set(found)) == 2
    assert done.stdout.count(": Tic-tac-toe, rating ") == 2
    assert {each.puzzle + ":" for each in tries(tmp_path)} == set(found)


def test_the_puzzle_of_the_day_and_the_list_can_be_read_by_programs(tmp_path: Path) -> None:
    found = json.loads(run(tmp_path, "puzzle", "--daily", "--json").stdout)
    assert found["id"] == puzzle_of_day(date.today()).id
    listed = json.loads(run(tmp_path, "puzzle", "--list", "--game", "connect4", "--theme", "zugzwang", "--json").stdout)
    assert {(each["game"], "zugzwang" in each["themes"]) for each in listed} == {("7x6:4+gravity", True)}


def test_the_list_says_which_are_solved(tmp_path: Path) -> None:
    run(tmp_path, "puzzle", FORK, typed="\n")
    lines = run(tmp_path, "puzzle", "--list", "--game", "3x3", columns=100).stdout.splitlines()
    assert [line.split("  ")[0] for line in lines if " failed " in line] == [FORK]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nonsense",), "expected the id of a puzzle, which noughts puzzle --list shows, got 'nonsense'"),
        ((FORK, "--daily"), "expected an id or --daily, not both"),
        (("--theme", "luck"), "expected a theme of fork, "),
        (("--game", "3x3", "--theme", "sending"), "expected a theme that puzzles of this game have: fork, "),
        (("--game", "9x9:9"), "there are no puzzles of 9×9, only of "),
    ],
)
def test_wrong_words_are_named_in_one_line(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    done = run(tmp_path, "puzzle", *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"noughts: {message}")


def test_hints_and_unknown_puzzles_change_no_rating() -> None:
    ratings = {"a": 1000}
    assert rating_after([PuzzleTry("a", True, True), PuzzleTry("gone", False, False)], ratings) == 800
    assert (
        rating_after([PuzzleTry("a", False, True)], ratings)
        < 800
        < rating_after([PuzzleTry("a", True, False)], ratings)
    )
