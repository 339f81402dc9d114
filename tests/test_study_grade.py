"""The grader passes right searches of any style and names the mistake of wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import student_searches as students
from noughts.study import Grade, grade
from noughts.study.grading import PROPERTIES
from noughts.textbook import (
    alphabeta,
    alphabeta_with_history,
    alphabeta_with_table,
    aspiration_windows,
    best_lines_first,
    center_first,
    iterative_deepening,
    negascout,
)

RIGHT = [
    alphabeta,
    alphabeta_with_history,
    alphabeta_with_table,
    aspiration_windows,
    negascout,
    partial(iterative_deepening, seconds=60),
    partial(alphabeta, order=center_first),
    partial(alphabeta, order=best_lines_first),
    students.right_alphabeta,
    students.right_with_copies,
]


@pytest.mark.parametrize("search", RIGHT)
def test_a_right_search_passes(search: Callable[[Any], Any]) -> None:
    outcome = grade(search)
    assert outcome.passed, outcome
    assert outcome.positions == 627


def test_minimax_passes_where_it_need_not_prune() -> None:
    assert grade(students.right_minimax, prunes=False).passed


@pytest.mark.parametrize(
    ("search", "failing"),
    [
        (students.wrong_bound, {"cuts", "move"}),
        (students.no_bound_flags, {"value", "cuts"}),
        (students.sign_error, {"value", "cuts"}),
        (students.no_undo, {"undo"}),
        (students.never_undoes, {"undo"}),
        (students.wrong_move, {"move"}),
        (students.late_cut, {"nodes"}),
        (students.right_minimax, {"nodes"}),
        (students.returns_nothing, {"runs"}),
        (students.raises, {"runs"}),
    ],
)
def test_a_planted_mistake_is_found_and_named(search: Callable[[Any], Any], failing: set[str]) -> None:
    outcome = grade(search)
    assert set(outcome.failures) == failing, outcome


def first_message(outcome: Grade, name: str) -> str:
    failure = outcome.failures[name][0]
    return f"{failure.position}: {failure.message}"


def test_a_wrong_cut_is_explained_by_the_move_it_removed() -> None:
    expected = "xox/oox/3 x: expected +1, got 0: c1 was pruned, worth +1"
    assert first_message(grade(students.wrong_bound), "cuts") == expected


def test_a_sign_error_shows_on_the_smallest_position() -> None:
    assert first_message(grade(students.sign_error), "value") == "xox/oxo/ox1 x: expected +1, got -1"


def test_marks_left_on_the_board_are_named() -> None:
    assert first_message(grade(students.no_undo), "undo") == "xox/oxo/1x1 o: left on the board: c1"


def test_a_search_that_never_ends_is_stopped() -> None:
    def forever(position: Any) -> None:
        while True:
            position.play(position.legal_moves[0])
            position.undo()

    outcome = grade(forever)
    assert first_message(outcome, "nodes") == "xox/oxo/ox1 x: stopped after 121 nodes, five times as many as expected"


def test_the_report_marks_each_property() -> None:
    report = str(grade(students.wrong_move))
    assert report.splitlines()[0] == "wrong_move: 5 of 6 properties hold on 627 positions of 3x3"
    assert report.count("✓") == 5
    assert "✗ move: its move is one of the best" in report
    assert all(f" {name}: {meaning}" in report for name, meaning in PROPERTIES.items())


def test_what_could_not_be_checked_is_not_said_to_hold() -> None:
    report = str(grade(students.raises))
    assert report.count("✓") == 0
    assert report.count("(could not be checked)") == 5


def test_a_game_too_large_to_grade_on_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a game of at most 20,000 positions to grade on, got 4x4"):
        grade(alphabeta, game="4x4")
