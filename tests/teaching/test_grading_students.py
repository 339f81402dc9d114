"""Faulty programs of students in four styles: each is recognised with the right diagnosis; the right ones pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from noughts.teaching.grading import DIAGNOSES, Grade, Submission, grade
from student_programs import grade_program

RIGHT = [
    ("minimax_right", "minimax", "noughts"),
    ("alphabeta_right", "alphabeta", "noughts"),
    ("cs50_right", "minimax", "cs50"),
    ("aima_right", "minimax", "aima"),
    ("aima_right", "alphabeta", "aima"),
    ("course_right", "minimax", "course"),
    ("course_right", "alphabeta", "course"),
    ("course_right", "depth-limited", "course"),
    ("course_right", "heuristic", "course"),
    ("course_right", "ordering", "course"),
    ("limited_right", "depth-limited", "noughts"),
    ("order_right", "ordering", "noughts"),
    ("heuristic_right", "heuristic", "noughts"),
    ("heuristic_open_lines", "heuristic", "noughts"),
    ("mcts_right", "mcts", "noughts"),
    ("mcts_last_move_first", "mcts", "noughts"),
    ("player_right", "player", "noughts"),
]
FAULTY = [
    ("minimax_mover_side", "minimax", "mover-side"),
    ("minimax_swapped", "minimax", "swapped-min-max"),
    ("minimax_always_max", "minimax", "always-max"),
    ("minimax_forgets_undo", "minimax", "forgets-undo"),
    ("minimax_pair_swapped", "minimax", "value-and-move-swapped"),
    ("minimax_last_move", "minimax", "plays-last"),
    ("negamax_leaf", "alphabeta", "negamax-leaf"),
    ("alphabeta_wrong_cut", "alphabeta", "wrong-cut"),
    ("alphabeta_late_cut", "alphabeta", "late-cut"),
    ("alphabeta_no_window", "alphabeta", "no-cuts"),
    ("alphabeta_later_ties", "alphabeta", "keeps-later-ties"),
    ("table_bounds", "alphabeta", "table-bounds"),
    ("limited_one_less", "depth-limited", "depth-one-less"),
    ("limited_estimate_side", "depth-limited", "estimate-side"),
    ("order_none", "ordering", "sorted-in-place"),
    ("order_taken", "ordering", "order-adds-moves"),
    ("order_worst_first", "ordering", "order-reversed"),
    ("heuristic_one_sided", "heuristic", "heuristic-one-sided"),
    ("heuristic_unbounded", "heuristic", "heuristic-unbounded"),
    ("heuristic_mover_side", "heuristic", "heuristic-mover-side"),
    ("heuristic_constant", "heuristic", "heuristic-constant"),
    ("heuristic_estimate_sign", "heuristic", "heuristic-sign"),
    ("mcts_wrong_sign", "mcts", "mcts-wrong-sign"),
    ("mcts_opponent_helps", "mcts", "mcts-opponent-helps"),
    ("mcts_no_exploration", "mcts", "mcts-no-exploration"),
    ("mcts_picks_by_value", "mcts", "mcts-picks-by-value"),
    ("player_misses_win", "player", "misses-win"),
    ("player_taken_cell", "player", "illegal-move"),
    ("player_no_block", "player", "misses-block"),
    ("cs50_shallow_copy", "minimax", "shallow-copy"),
    ("cs50_one_diagonal", "minimax", "winner-misses-diagonals"),
    ("cs50_no_draw", "minimax", "terminal-misses-draw"),
    ("cs50_accepts_illegal", "minimax", "result-accepts-illegal"),
    ("cs50_empty_line", "minimax", "winner-empty-line"),
    ("cs50_taken_cells", "minimax", "actions-exchanged"),
    ("cs50_forgets_mark", "minimax", "result-unchanged"),
    ("cs50_mistypes_name", "minimax", "name-error"),
    ("cs50_o_first", "minimax", "turn-swapped"),
    ("cs50_returns_value", "minimax", "returns-value"),
    ("cs50_root_maximises", "minimax", "root-always-max"),
    ("cs50_one_ply", "minimax", "one-ply"),
    ("aima_shared_board", "minimax", "shallow-copy"),
    ("aima_plays_on", "minimax", "terminal-misses-win"),
    ("aima_wrong_player", "alphabeta", "leaf-side"),
    ("aima_min_at_root", "minimax", "swapped-min-max"),
    ("course_mutates", "minimax", "no-copy"),
    ("course_forgets_o", "minimax", "forgets-loss"),
    ("course_small_win", "depth-limited", "small-win"),
    ("course_depth", "depth-limited", "depth-one-less"),
    ("course_order_drops", "ordering", "order-drops-moves"),
]

HOSTILE = [
    ("hostile_syntax_error", "syntax-error"),
    ("hostile_reads_input", "reads-input"),
    ("hostile_recursion", "endless-recursion"),
    ("hostile_system_exit", "exits"),
    ("hostile_os_exit", "ends-process"),
    ("hostile_memory", "memory"),
]


@pytest.mark.parametrize(("name", "task", "style"), RIGHT)
def test_a_right_program_passes(name: str, task: str, style: str, programs: Path) -> None:
    outcome = grade_program(programs / f"{name}.py", task)
    assert outcome.passed, outcome
    assert (outcome.style, outcome.score, outcome.diagnosis) == (style, 1, None)
    assert all(outcome.state(each.id) == "holds" for each in outcome.properties), outcome


def test_a_search_that_keeps_its_positions_and_expands_late_passes(programs: Path) -> None:
    outcome = grade_program(programs / "mcts_keeps_positions.py", "mcts")
    assert outcome.passed, outcome
    assert outcome.state("replies") == outcome.state("explores") == "holds"


def check_diagnosis(outcome: Grade, diagnosis: str) -> None:
    assert not outcome.passed
    assert diagnosis in DIAGNOSES
    assert outcome.diagnosis is not None, outcome
    assert outcome.diagnosis.id == diagnosis, outcome


@pytest.mark.parametrize(("name", "task", "diagnosis"), FAULTY)
def test_a_faulty_program_is_recognised(
    name: str, task: str, diagnosis: str, programs: Path, request: pytest.FixtureRequest
) -> None:
    if diagnosis == "late-cut":  # told by the nodes on many boards
        request.getfixturevalue("all_boards")
    check_diagnosis(grade_program(programs / f"{name}.py", task), diagnosis)


@pytest.mark.parametrize(("name", "diagnosis"), HOSTILE)
def test_a_program_that_harms_its_process_is_recognised(name: str, diagnosis: str, programs: Path) -> None:
    check_diagnosis(grade(Submission(programs / f"{name}.py"), task="alphabeta", seconds=100, memory_mb=256), diagnosis)


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("alphabeta_wrong_cut", "alphabeta"),
        ("cs50_root_maximises", "minimax"),
        ("aima_wrong_player", "alphabeta"),
        ("course_small_win", "depth-limited"),
    ],
)
def test_a_process_of_its_own_gives_a_program_the_same_grade(name: str, task: str, programs: Path) -> None:
    program = programs / f"{name}.py"
    apart = grade(Submission(program), task=task, seconds=100)
    assert apart.to_data() == grade_program(program, task, repairs=True).to_data() | {"sandbox": True}
