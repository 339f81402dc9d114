"""Searches are tried where mistakes show: on early boards, and where pruning saves nodes."""

from __future__ import annotations

from pathlib import Path

import pytest

from student_programs import grade_program

FIGURE = '''

class Figure(Game):
    """An abstract tree with three moves at its root."""

    def __init__(self):
        self.initial = "A"

    def actions(self, state):
        return {"A": ["b", "c", "d"]}.get(state, [])

    def result(self, state, move):
        return move

    def utility(self, state, player):
        return {"b": 3, "c": 2, "d": 1}[state]

    def to_move(self, state):
        return "MAX" if state == "A" else "MIN"


class TicTacToe(Game):'''
OPENING = """

search_all = minimax


def minimax(board):
    if len(actions(board)) >= 6:
        return sorted(actions(board))[0]
    return search_all(board)
"""


def write(folder: Path, source: Path, *changes: tuple[str, str], more: str = "") -> Path:
    text = source.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    program = folder / "program.py"
    program.write_text(text + more, encoding="utf-8")
    return program


@pytest.mark.parametrize("name", ["cs50_right", "course_right", "aima_right"])
def test_plain_minimax_fails_as_alphabeta(name: str, tmp_path: Path, programs: Path) -> None:
    renamed = {
        "course_right": [("def minimax_ab(", "def pruned(")],
        "aima_right": [("def alpha_beta_search(", "def p(")],
    }
    more = "\nalpha_beta_search = minmax_decision\n" if name == "aima_right" else ""
    changes = renamed.get(name, [])
    if name == "course_right":
        more = "\nminimax_ab = minimax\n"
    outcome = grade_program(write(tmp_path, programs / f"{name}.py", *changes, more=more), "alphabeta")
    assert set(outcome.failures) == {"nodes"}, outcome
    assert outcome.diagnosis is not None
    assert outcome.diagnosis.id == "no-cuts"


def test_a_failed_rule_does_not_shorten_the_test_of_the_search(programs: Path) -> None:
    right = grade_program(programs / "cs50_right.py", "minimax")
    accepts = grade_program(programs / "cs50_accepts_illegal.py", "minimax")
    assert set(accepts.failures) == {"result"}
    assert accepts.positions == right.positions


def test_a_program_that_does_not_search_the_opening_fails(tmp_path: Path, programs: Path) -> None:
    outcome = grade_program(write(tmp_path, programs / "cs50_right.py", more=OPENING), "minimax")
    assert set(outcome.failures) == {"move"}, outcome


def test_the_report_says_how_many_early_boards_were_tried(programs: Path) -> None:
    title = str(grade_program(programs / "cs50_right.py", "minimax")).splitlines()[0]
    assert title.endswith("of 3x3, 24 of them before the fourth move")


@pytest.mark.parametrize("task", ["minimax", "alphabeta"])
def test_tictactoe_is_found_among_the_games_of_a_file(task: str, tmp_path: Path, programs: Path) -> None:
    program = write(tmp_path, programs / "aima_right.py", ("\n\nclass TicTacToe(Game):", FIGURE))
    outcome = grade_program(program, task)
    assert (outcome.passed, outcome.score) == (True, 1), outcome


def test_a_taken_cell_is_shown_before_one_outside_the_board(programs: Path) -> None:
    outcome = grade_program(programs / "cs50_accepts_illegal.py", "minimax")
    failure = outcome.failures["result"]
    assert failure.message.endswith("which is taken")
    assert failure.call == "result([[EMPTY, EMPTY, EMPTY], [EMPTY, X, EMPTY], [EMPTY, EMPTY, EMPTY]], (1, 1))"
