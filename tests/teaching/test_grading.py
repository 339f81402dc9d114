"""The grader passes right searches of any style and names the mistake of wrong ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

import student_searches as students
from noughts.games import Position, Side
from noughts.teaching import Grade, grade
from noughts.teaching.grading import TASKS
from noughts.textbook import (
    alphabeta,
    alphabeta_with_table,
    best_lines_first,
    evaluate_lines,
    evaluate_nothing,
    evaluate_outcome,
    iterative_deepening,
)
from paths import HELPERS


@cache
def grade_once(search: Callable[[Any], Any]) -> Grade:
    """Return the grade of a search, which several tests look at."""
    return grade(search)


RIGHT = [
    alphabeta_with_table,
    partial(iterative_deepening, seconds=60),
    partial(alphabeta, order=best_lines_first),
    students.right_alphabeta,
    students.right_with_copies,
]


@pytest.mark.usefixtures("all_boards")
@pytest.mark.parametrize("search", RIGHT)
def test_a_right_search_passes(search: Callable[[Any], Any]) -> None:
    outcome = grade_once(search)
    assert outcome.passed, outcome
    assert outcome.positions >= 627


def test_minimax_passes_where_it_need_not_prune() -> None:
    assert grade(students.right_minimax, "2x3:3", prunes=False).passed


@pytest.mark.parametrize(
    ("search", "failing"),
    [
        (students.wrong_bound, {"cuts", "move"}),
        (students.sign_error, {"value"}),
        (students.no_undo, {"undo"}),
        (students.never_undoes, {"undo"}),
        (students.wrong_move, {"move"}),
        (students.returns_nothing, {"runs"}),
        (students.raises, {"runs"}),
    ],
)
def test_a_planted_mistake_is_found_and_named(search: Callable[[Any], Any], failing: set[str]) -> None:
    outcome = grade_once(search)
    assert set(outcome.failures) == failing, outcome


def first_message(outcome: Grade, name: str) -> str:
    failure = outcome.failures[name]
    return f"{failure.position}: {failure.message}"


def test_a_wrong_cut_is_explained_by_the_move_it_removed() -> None:
    expected = "xox/oox/3 x: expected +1, got 0: c1 was pruned, worth +1"
    assert first_message(grade_once(students.wrong_bound), "cuts") == expected


def test_a_sign_error_shows_on_the_smallest_position() -> None:
    assert first_message(grade_once(students.sign_error), "value") == "xox/oxo/ox1 x: expected +1, got -1"


def test_marks_left_on_the_board_are_named() -> None:
    assert first_message(grade_once(students.no_undo), "undo") == "xox/oxo/1x1 o: left on the board: c1"


def test_a_search_that_never_ends_is_stopped() -> None:
    def forever(position: Any) -> None:
        while True:
            position.play(position.legal_moves[0])
            position.undo()

    outcome = grade(forever)
    assert first_message(outcome, "nodes") == "xox/oxo/ox1 x: stopped after 121 nodes; plain minimax visits 2"
    assert outcome.diagnosis is not None
    assert outcome.diagnosis.id == "endless-loop"


def test_the_report_marks_each_property() -> None:
    report = str(grade_once(students.wrong_move))
    assert report.splitlines()[0].startswith("wrong_move: 5 of 6 properties hold on ")
    assert report.count("✓") == 5
    assert "✗ move: its move is one of the best" in report
    assert all(f" {each.id}: {each.description}" in report for each in TASKS["alphabeta"].properties)


def test_unchecked_property_is_not_reported_as_holding() -> None:
    report = str(grade_once(students.raises))
    assert report.count("✓") == 0
    assert report.count("(could not be checked)") == 5


def test_a_game_too_large_to_grade_on_is_refused() -> None:
    with pytest.raises(ValueError, match="of at most 20,000 positions to grade on without a depth, got 4x4"):
        grade(alphabeta, game="4x4")


def from_the_side_to_move(position: Any) -> students.Answer:
    value, move = students.right_alphabeta(position)
    return (value if position.turn is Side.X else -value), move


def negated(position: Any) -> students.Answer:
    value, move = students.right_alphabeta(position)
    return -value, move


def text_for_move(position: Any) -> tuple[int, str]:
    value, move = students.right_alphabeta(position)
    return value, str(move)


@pytest.mark.parametrize(
    ("search", "diagnosis"),
    [
        (from_the_side_to_move, "mover-side"),
        (negated, "wrong-sign"),
        (students.sign_error, "negamax-leaf"),
        (students.no_undo, "forgets-undo"),
        (students.returns_nothing, "returns-nothing"),
        (students.raises, "key-error"),
    ],
)
def test_a_mistake_behind_all_wrong_answers_is_named(search: Callable[[Any], Any], diagnosis: str) -> None:
    outcome = grade_once(search)
    assert not outcome.passed
    assert outcome.diagnosis is not None
    assert outcome.diagnosis.id == diagnosis
    assert f"  {outcome.diagnosis.sentence}\n" in f"{outcome}\n"


def test_a_move_returned_as_text_is_named_as_such() -> None:
    outcome = grade(text_for_move)
    assert set(outcome.failures) == {"move"}
    assert outcome.failures["move"].message == "expected the move as an integer, such as 8 for c1, got '8'"


def test_a_taken_cell_is_the_mistake_of_the_move_and_not_of_the_value() -> None:
    outcome = grade(lambda position: (0, 4))
    found = {failure.property: failure.diagnosis.id for failure in outcome.gravest_failures if failure.diagnosis}
    assert found == {"value": "constant-value", "move": "move-taken"}
    assert list(found) == ["value", "move"]


def loops(position: Any) -> None:
    while True:
        pass


def exits(position: Any) -> None:
    os._exit(7)


def leaves(position: Any) -> None:
    raise SystemExit("enough")


def test_time_in_which_a_search_sleeps_does_not_count() -> None:
    naps = iter([2.2])

    def sleepy(position: Position) -> students.Answer:
        time.sleep(next(naps, 0))
        return students.right_alphabeta(position)

    assert grade(sleepy, "2x2", seconds=2).passed


def test_a_search_that_sleeps_without_end_is_stopped() -> None:
    outcome = grade(lambda _: time.sleep(600), seconds=0.2)
    message = "xox/oxo/ox1 x: no answer: the search was stopped after 1 s, in most of which it did not run"
    assert first_message(outcome, "runs") == message


def test_a_search_that_loops_without_touching_the_position_is_stopped() -> None:
    outcome = grade(loops, seconds=0.5)
    assert first_message(outcome, "runs").startswith("xox/oxo/ox1 x: no answer: the search was stopped after ")
    assert set(outcome.failures) == {"runs"}
    assert outcome.diagnosis is not None
    assert outcome.diagnosis.id == "endless-loop"


def test_a_search_that_ends_the_process_fails_alone() -> None:
    message = "xox/oxo/ox1 x: the program ended with exit code 7"
    assert first_message(grade(exits, seconds=60), "runs") == message
    line = leaves.__code__.co_firstlineno + 1
    assert first_message(grade(leaves), "runs") == (
        f'xox/oxo/ox1 x: SystemExit: enough at test_grading.py, line {line}: raise SystemExit("enough")'
    )


def test_a_process_of_its_own_gives_the_same_grade() -> None:
    assert grade(students.wrong_bound, seconds=60).to_data() == grade_once(students.wrong_bound).to_data()


def test_a_grade_survives_its_json() -> None:
    outcome = grade_once(students.wrong_bound)
    assert Grade.from_data(json.loads(json.dumps(outcome.to_data()))) == outcome
    with pytest.raises(ValueError, match="expected version 1 of noughts-grade, got None of None"):
        Grade.from_data({})


def test_points_are_those_of_the_properties_that_hold() -> None:
    outcome = grade_once(students.wrong_bound)
    lost = sum(each.points for each in TASKS["alphabeta"].properties if each.id in ("cuts", "move"))
    assert (outcome.points, outcome.max_points) == (10 - lost, 10)
    assert outcome.score == (10 - lost) / 10
    assert grade_once(students.right_alphabeta).score == 1
    assert grade_once(students.raises).score == 0


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_senseless_number_of_seconds_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="expected a number of seconds above 0"):
        grade(students.right_alphabeta, seconds=seconds)


def test_a_search_to_a_depth_is_graded_on_any_game() -> None:
    outcome = grade(partial(alphabeta, evaluate=evaluate_lines), game="4x4:3", depth=2)
    assert outcome.passed, outcome
    assert (outcome.positions, outcome.depth) == (60, 2)
    assert str(outcome).splitlines()[0].endswith("6 of 6 properties hold on 60 positions of 4x4:3 at depth 2")


def test_another_evaluation_at_the_depth_is_a_wrong_value() -> None:
    assert "value" in grade(partial(alphabeta, evaluate=evaluate_nothing), game="4x4:3", depth=2).failures
    assert grade(alphabeta, game="4x4:3", depth=2, evaluate=evaluate_outcome).passed


WITHOUT_FORK = """
import student_searches as students
from noughts.teaching import grade
from noughts.teaching.grading import client, grader

grader.can_fork = client.can_fork = lambda: False
if __name__ == "__main__":
    print(grade(students.raises, seconds=100))
    try:
        grade(lambda position: (0, 0), seconds=100)
    except ValueError as error:
        print(error)
"""


@pytest.mark.usefixtures("all_boards")
def test_where_processes_cannot_fork_a_search_that_can_be_imported_is_graded(tmp_path: Path) -> None:
    (tmp_path / "homework.py").write_text(WITHOUT_FORK)
    changed = os.environ | {"PYTHONPATH": str(HELPERS)}
    words = [sys.executable, str(tmp_path / "homework.py")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=110, check=True, env=changed)
    report, _, refusal = done.stdout.rpartition("\non this system ")
    assert report == str(grade(students.raises))
    assert refusal.startswith("a search with a time limit must be importable")
