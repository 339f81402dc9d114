"""Real projects are graded as they are, and searches where mistakes show: early, and where pruning saves nodes."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner

from noughts.cli.grade import command
from noughts.teaching.grading import Grade, Submission, grade
from noughts.teaching.grading.html_report import summary_html
from student_programs import grade_program
from student_shapes import SHAPES_FOLDER

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

OTHER_GAMES = """

class ConnectFour(TicTacToe):
    def actions(self, state):
        return [(x, y) for (x, y) in state.moves if x == 3 or (x + 1, y) in state.board]


class Gomoku(TicTacToe):
    def __init__(self):
        super().__init__()
        self.k = 5
"""
SPARSE = """
SQUARES = [(row, column) for row in range(3) for column in range(3)]
LINES = [[(i, j) for j in range(3)] for i in range(3)] + [[(i, j) for i in range(3)] for j in range(3)]
LINES += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]


def turn(marks):
    return "XO"[len(marks) % 2]


def score(marks):
    for a, b, c in LINES:
        if marks.get(a) and marks.get(a) == marks.get(b) == marks.get(c):
            return {"X": 1, "O": -1}[marks[a]]
    if len(marks) == 9:
        return 0
    side = turn(marks)
    return (max if side == "X" else min)(score({**marks, at: side}) for at in SQUARES if at not in marks)


def decide(marks):
    side = turn(marks)
    best = max if side == "X" else min
    return best((at for at in SQUARES if at not in marks), key=lambda at: score({**marks, at: side}))
"""
OWN_SHAPES = {
    "computer_is_o": ("best_move(board)", ("if alpha >= beta:", "if beta <= alpha:")),
    "named_tuples": ("decide(s, low, high) for minimax, play for result", ("if low >= high:",)),
    "nested_functions": ("choose_move(board)", ("if alpha >= beta:",)),
}
"""Programs with names of their own, what is taken of them, and their cuts."""


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


@pytest.mark.usefixtures("all_boards")
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


@pytest.mark.parametrize("task", ["minimax", "alphabeta"])
def test_the_file_with_all_games_of_aima_gets_full_marks(task: str, tmp_path: Path, programs: Path) -> None:
    changes = [("\n\nclass TicTacToe(Game):", FIGURE)]
    outcome = grade_program(write(tmp_path, programs / "aima_right.py", *changes, more=OTHER_GAMES), task)
    assert (outcome.style, outcome.score) == ("aima", 1), outcome


@pytest.mark.parametrize(("cut", "fails"), [("if alpha >= beta:", set()), ("if False:", {"nodes"})])
def test_a_game_class_may_have_states_and_moves_of_its_own(cut: str, fails: set[str], tmp_path: Path) -> None:
    program = write(tmp_path, SHAPES_FOLDER / "game_of_tuples.py", ("if alpha >= beta:", cut))
    outcome = grade_program(program, "alphabeta")
    assert (outcome.style, set(outcome.failures)) == ("aima", fails), outcome


def test_a_wrong_rule_of_a_game_class_with_states_of_its_own_is_replaced(tmp_path: Path) -> None:
    change = ('if mark == "-"]', 'if mark != "-"]')
    outcome = grade_program(write(tmp_path, SHAPES_FOLDER / "game_of_tuples.py", change), "alphabeta")
    assert (set(outcome.failures), outcome.replaced) == ({"actions"}, ("actions",)), outcome


def test_a_result_that_does_not_pass_the_turn_is_named_although_to_move_depends_on_it(
    tmp_path: Path, programs: Path
) -> None:
    change = ("return GameState(other, ", "return GameState(state.to_move, ")
    outcome = grade_program(write(tmp_path, programs / "aima_right.py", change), "minimax")
    assert (set(outcome.failures), outcome.replaced) == ({"result"}, ("result",)), outcome
    assert outcome.diagnosis is not None
    assert outcome.diagnosis.id == "result-keeps-turn"


def test_a_project_is_graded_with_its_own_game_whose_wins_may_have_any_size(tmp_path: Path, programs: Path) -> None:
    game, _, searches = (programs / "aima_right.py").read_text(encoding="utf-8").partition("def minmax_decision")
    for old, new in (
        ("return 1 if", "return 100 if"),
        ("else -1\n", "else -100\n"),
        ("return state.moves\n", "return state.moves[1:] or state.moves\n"),
    ):
        assert old in game
        game = game.replace(old, new)
    (tmp_path / "game.py").write_text(game, encoding="utf-8")
    (tmp_path / "search.py").write_text(f"import math\n\n\ndef minmax_decision{searches}", encoding="utf-8")
    outcome = grade(Submission(tmp_path / "search.py", folder=tmp_path), task="minimax", seconds=100)
    assert (set(outcome.failures), outcome.replaced) == ({"actions"}, ("actions",)), outcome


def test_a_mistyped_line_is_named(tmp_path: Path) -> None:
    change = ("(2, 4, 6))", "(2, 4, 7))")
    outcome = grade_program(write(tmp_path, SHAPES_FOLDER / "game_of_tuples.py", change), "alphabeta")
    assert outcome.diagnosis is not None
    assert outcome.diagnosis.id == "lines-mistyped", outcome


def test_a_board_that_the_program_never_makes_is_tried(tmp_path: Path) -> None:
    """The board of one is an array, that of the other a dictionary without the empty cells."""
    program = tmp_path / "sparse.py"
    program.write_text(SPARSE)
    for found in (write(tmp_path, SHAPES_FOLDER / "numpy_board.py"), program):
        outcome = grade_program(found, "minimax")
        assert (outcome.style, outcome.score) == ("own", 1), outcome


@pytest.mark.parametrize("task", ["minimax", "alphabeta", "depth-limited"])
def test_a_project_of_several_files_gets_full_marks(task: str) -> None:
    folder = SHAPES_FOLDER / "split"
    outcome = grade(Submission(folder / "main.py", folder=folder), task=task)
    assert (outcome.style, outcome.score) == ("course", 1), outcome


def test_states_are_those_of_the_students_own_functions(tmp_path: Path) -> None:
    """A state with more keys than the board, and another mark for empty cells, is never written by the grader."""
    copytree(SHAPES_FOLDER / "split", tmp_path / "split")
    rules = tmp_path / "split" / "rules.py"
    text = rules.read_text(encoding="utf-8").replace('"current_player"', '"side_to_play"').replace('" "', '"."')
    rules.write_text(text, encoding="utf-8")
    outcome = grade(Submission(tmp_path / "split" / "search.py", folder=tmp_path / "split"), task="minimax")
    assert (outcome.style, outcome.score) == ("course", 1), outcome


CHANGE = ("    choose = max", "    state.cells[0] = state.cells[0] if state.cells[0] != ' ' else '*'\n    choose = max")


@pytest.mark.parametrize(("change", "fails"), [(("", ""), set()), (CHANGE, {"undo"})])
def test_a_state_without_equality_is_compared_by_what_it_holds(
    change: tuple[str, str], fails: set[str], tmp_path: Path, programs: Path
) -> None:
    text = (programs / "course_state_object.py").read_text(encoding="utf-8")
    program = tmp_path / "mine.py"
    program.write_text(text.replace(*change), encoding="utf-8")
    outcome = grade_program(program, "minimax")
    assert (outcome.style, outcome.failures.keys() & {"undo"}) == ("course", fails), outcome
    assert outcome.passed == (not fails)


def run(*arguments: object) -> tuple[int, list[Grade], str]:
    result = CliRunner().invoke(command, [*map(str, arguments), "--json"], standalone_mode=False)
    grades = [Grade.from_data(each) for each in json.loads(result.stdout)] if result.stdout else []
    return result.return_value, grades, result.stderr + str(result.exception or "")


def test_a_folder_whose_files_import_each_other_is_one_submission() -> None:
    code, grades, errors = run(SHAPES_FOLDER / "split", "--task", "minimax")
    assert (code, len(grades)) == (0, 1)
    assert "one submission" in errors


def test_files_can_be_graded_together_or_each_for_itself() -> None:
    folder = SHAPES_FOLDER / "split"
    assert run(folder / "rules.py", folder / "search.py", "--together", "--task", "alphabeta")[0] == 0
    assert len(run(folder, "--each", "--task", "minimax")[1]) == 3


def test_a_class_of_files_that_do_not_import_each_other_stays_a_class(tmp_path: Path, programs: Path) -> None:
    for name in ("anna", "ben"):
        (tmp_path / f"{name}.py").write_text((programs / "hostile_syntax_error.py").read_text())
    assert len(run(tmp_path)[1]) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((SHAPES_FOLDER, SHAPES_FOLDER / "string_negamax.py"), "expected one folder, or files"),
        ((SHAPES_FOLDER / "split" / "rules.py", SHAPES_FOLDER / "string_negamax.py"), "files of the same folder"),
    ],
)
def test_what_cannot_be_graded_together_is_said_in_one_line(arguments: tuple[Path, ...], message: str) -> None:
    assert message in run(*arguments, "--together")[2]


@pytest.mark.parametrize("name", OWN_SHAPES)
def test_the_search_of_a_program_with_its_own_names_is_found(name: str, tmp_path: Path) -> None:
    taken, cuts = OWN_SHAPES[name]
    right = grade_program(SHAPES_FOLDER / f"{name}.py", "minimax")
    assert (right.style, right.score) == ("own", 1), right
    assert taken in right.taken
    assert f"It took {taken}" in str(right)
    assert f"It took {taken}" in summary_html(right)
    plain = write(tmp_path, SHAPES_FOLDER / f"{name}.py", *((cut, "if False:") for cut in cuts))
    assert set(grade_program(plain, "alphabeta").failures) == {"nodes"}


def test_a_wrong_program_with_its_own_names_fails(tmp_path: Path) -> None:
    change = ("best = min(best, minimax(board, depth + 1, True, alpha, beta))", "best = -9")
    outcome = grade_program(write(tmp_path, SHAPES_FOLDER / "computer_is_o.py", change), "minimax")
    assert "move" in outcome.failures, outcome


def test_a_style_can_be_named(tmp_path: Path) -> None:
    code, (outcome,), _ = run(SHAPES_FOLDER / "frozen_state.py", "--style", "own")
    assert (code, outcome.style) == (0, "own")
    _, (outcome,), _ = run(SHAPES_FOLDER / "frozen_state.py", "--style", "cs50")
    assert "needs the functions player, actions" in outcome.failures["runs"].message


def test_a_missing_function_is_named_with_the_way_to_name_it(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("def show(board):\n    print(board)\n")
    message = grade_program(program, "minimax").failures["runs"].message
    assert "has no function minimax" in message
    assert "FILE.py:FUNCTION" in message
    assert "--style" in message


def test_a_program_that_loops_while_it_is_tried_is_stopped(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("def my_move(board):\n    while True:\n        pass\n")
    assert "has no function" in grade_program(program, "minimax").failures["runs"].message
