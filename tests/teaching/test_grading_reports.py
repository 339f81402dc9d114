"""Reports speak the student's language: the line that failed, calls to paste, and what is wrong in colour."""

from __future__ import annotations

import json
import re
import shutil
from base64 import b64decode
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from noughts.games import Game
from noughts.process.sandbox import why_no_sandbox
from noughts.teaching.autograder import AutograderSettings
from noughts.teaching.autograder.check50 import find_failure
from noughts.teaching.autograder.gradescope import format_results
from noughts.teaching.grading import Grade
from noughts.teaching.grading.html_report import class_html
from noughts.teaching.tree.files import save_tree
from noughts.teaching.tree.text import tree_text
from student_programs import grade_program
from terminals import Terminal, run_here

NEEDS_SANDBOX = pytest.mark.skipif(why_no_sandbox() is not None, reason=str(why_no_sandbox()))
ROOT_MAX = ("return min(actions(board), key", "return max(actions(board), key")
OUTSIDE = ("if line[0] is not EMPTY", "if line[3] is not EMPTY")


def change(folder: Path, source: Path, *changes: tuple[str, str], name: str = "tictactoe.py") -> Path:
    """Write a program with changes, each of a text that it has once."""
    text = source.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@pytest.fixture
def root_max(tmp_path: Path, programs: Path) -> Path:
    """A program whose root takes the maximum for both sides."""
    return change(tmp_path, programs / "cs50_right.py", ROOT_MAX)


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory, programs: Path) -> Grade:
    """The grade of that program."""
    folder = tmp_path_factory.mktemp("root")
    return grade_program(change(folder, programs / "cs50_right.py", ROOT_MAX), "minimax")


# The line of an exception


def line_of(program: Path, text: str) -> int:
    lines = program.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_an_exception_names_its_file_its_line_and_the_source(tmp_path: Path, programs: Path) -> None:
    program = change(tmp_path, programs / "cs50_right.py", OUTSIDE)
    expected = (
        f"IndexError: list index out of range at tictactoe.py, line {line_of(program, 'line[3]')}: "
        "if line[3] is not EMPTY and line[0] == line[1] == line[2]:"
    )
    outcome = grade_program(program, "minimax")
    assert outcome.failures["winner"].message == expected
    results = format_results(outcome, AutograderSettings("minimax"), 1)
    shown = [str(outcome), outcome.reason, json.dumps(outcome.to_data()), class_html([outcome]), json.dumps(results)]
    assert all(expected in text for text in shown)
    reason, _ = find_failure(outcome, "winner") or ("", None)
    assert reason.endswith(expected)


@NEEDS_SANDBOX
def test_the_line_is_that_of_the_students_module_and_not_of_a_library(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("import random\n\n\ndef pick(moves):\n    return random.choice(moves[:0])\n")
    program = tmp_path / "search.py"
    program.write_text("import rules\n\n\ndef search(position):\n    return 0, rules.pick(position.legal_moves)\n")
    done = run_here("grade", str(program), "--task", "minimax")
    assert "at rules.py, line 5: return random.choice(moves[:0])" in done.stdout


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def search(position)\n    return 0, 0\n", "SyntaxError: expected ':' at x.py, line 1: def search(position)"),
        ("import nowhere\n", "ModuleNotFoundError: No module named 'nowhere' at x.py, line 1: import nowhere"),
        ("def search(position):\n    return search(position)\n", " at x.py, line 2: return search(position)"),
        ("def search(position):\n    eval('1 +')\n", "SyntaxError: invalid syntax at <string>, line 1: 1 +"),
        ("def other(position):\n    return 0\n", "ImportError: x.py has no function minimax or search"),
    ],
)
def test_errors_while_loading_and_deep_in_a_search_have_a_line_if_it_is_the_students(
    source: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "x.py").write_text(source)
    assert message in grade_program(tmp_path / "x.py", "minimax").failures["runs"].message


# Calls to paste


def test_boards_are_written_with_the_names_of_the_students_marks(outcome: Grade) -> None:
    assert outcome.failures["move"].call == "minimax([[X, O, X], [O, X, X], [O, EMPTY, EMPTY]])"
    assert "\n      minimax([[X, O, X], [O, X, X], [O, EMPTY, EMPTY]])\n      expected (2, 2)" in str(outcome)
    reason, _ = find_failure(outcome, "move") or ("", None)
    assert reason == "minimax([[X, O, X], [O, X, X], [O, EMPTY, EMPTY]]): expected (2, 2), got (2, 1)"


CALLS = [
    ("cs50_one_diagonal", "minimax", "winner", "None"),
    ("cs50_returns_value", "minimax", "move", "1"),
    ("course_forgets_o", "minimax", "utility", "0"),
    ("aima_plays_on", "minimax", "terminal_test", "False"),
    ("alphabeta_wrong_cut", "alphabeta", "cuts", "(0, "),
    ("limited_one_less", "depth-limited", "value", "(-490, "),
    ("heuristic_mover_side", "heuristic", "wins", "-100"),
    ("order_taken", "ordering", "moves", "[4, "),
    ("player_misses_win", "player", "wins", "8"),
]


@pytest.mark.parametrize(("name", "task", "property", "answer"), CALLS)
def test_a_pasted_call_gives_the_wrong_answer_again(
    name: str, task: str, property: str, answer: str, programs: Path
) -> None:
    program = programs / f"{name}.py"
    failure = grade_program(program, task).failures[property]
    names: dict[str, Any] = {"Game": Game}
    exec(program.read_text(encoding="utf-8"), names)
    assert repr(eval(failure.call, names)).startswith(answer), failure


def test_a_search_that_is_given_our_game_is_called_with_it(programs: Path) -> None:
    call = grade_program(programs / "aima_min_at_root.py", "minimax").failures["move"].call
    assert call.startswith("minmax_decision(GameState(to_move='O', utility=0, board={(1, 1): 'X', ")
    assert call.endswith(", moves=[(3, 2), (3, 3)]), game)")


def test_a_player_is_made_and_called(tmp_path: Path) -> None:
    program = tmp_path / "player.py"
    program.write_text("class player:\n    def choose(self, position):\n        return 0\n")
    failure = grade_program(program, "player").failures["legal"]
    assert failure.call == f'player().choose(Game("3x3").parse("{failure.position}"))'


def test_the_call_of_a_wrong_result_has_the_state_that_our_result_makes(programs: Path) -> None:
    program = programs / "aima_shared_board.py"
    call = grade_program(program, "minimax").failures["result"].call
    names: dict[str, Any] = {}
    exec(program.read_text(encoding="utf-8"), names)
    state = eval(call.removeprefix("TicTacToe().result(").removesuffix(", (1, 1))"), names)
    assert state == names["TicTacToe"]().initial
    names["TicTacToe"]().result(state, (1, 1))
    assert state.board == {(1, 1): "X"}


def test_a_state_that_cannot_be_typed_or_that_is_another_is_not_shown(tmp_path: Path, programs: Path) -> None:
    other = grade_program(change(tmp_path, programs / "aima_right.py", *FORGETFUL), "minimax").failures["move"]
    assert other.lines() == [other.position, other.message]
    plain = ('GameState = namedtuple("GameState", "to_move, utility, board, moves")', STATE_CLASS)
    program = change(tmp_path, programs / "aima_plays_on.py", plain)
    failure = grade_program(program, "minimax").failures["terminal_test"]
    assert failure.lines() == [failure.position, failure.message]


FORGETFUL = [
    ("return max(game.actions(state), key", "return min(game.actions(state), key"),
    (
        "def minmax_decision(state, game):\n",
        "SEEN = []\n\n\ndef minmax_decision(state, game):\n    SEEN.append(state)\n",
    ),
    ("board = state.board.copy()", "board = state.board.copy() if all(each.board for each in SEEN) else {}"),
]
"""A wrong choice of the move, and a search of the empty board after which the boards of all states are wrong."""
STATE_CLASS = """
class GameState:
    def __init__(self, to_move, utility, board, moves):
        self.to_move, self.utility, self.board, self.moves = to_move, utility, board, moves
"""


# What is wrong, in colour


@NEEDS_SANDBOX
@pytest.mark.parametrize(("setting", "is_coloured"), [("", True), ("NO_COLOR=1", False)])
def test_a_terminal_shows_what_is_wrong_in_colour(setting: str, is_coloured: bool, root_max: Path) -> None:
    terminal = Terminal(root_max.parent, "grade", root_max.name, columns=150, setting=setting)
    assert terminal.end() == 1
    assert ("\x1b[31;1mMIN +1 *  ✗ should be 0\x1b[0m" in terminal.seen) is is_coloured
    assert ("\x1b[31;1m✗ move: its move is one of the best\x1b[0m" in terminal.seen) is is_coloured
    assert ("\x1b[31" in terminal.seen) is is_coloured


def test_pipes_get_no_colours(root_max: Path) -> None:
    assert "\x1b" not in run_here("grade", str(root_max)).stdout


def test_the_wrong_node_has_a_colour_of_its_own_in_every_picture(outcome: Grade, tmp_path: Path) -> None:
    trace = outcome.trace
    assert trace is not None
    for suffix in (".svg", ".html", ".dot", ".txt"):
        save_tree(tmp_path / f"tree{suffix}", [trace])
    svg = ElementTree.fromstring((tmp_path / "tree.svg").read_text(encoding="utf-8"))
    wrong = [each for each in svg.iter() if "wrong" in each.get("class", "").split() and each.get("data-id")]
    assert [each.get("data-id") for each in wrong] == ["0"]
    assert "✗ should be 0" in "".join(wrong[0].itertext())
    page = (tmp_path / "tree.html").read_text(encoding="utf-8")
    assert '<g class="node min pv wrong" data-id="0">' in page
    assert ".tree .wrong>.frame" in page
    assert (tmp_path / "tree.dot").read_text(encoding="utf-8").count("color=red") == 1


def test_the_tree_names_moves_as_the_student_writes_them(outcome: Grade) -> None:
    assert outcome.trace is not None
    assert tree_text(outcome.trace).splitlines()[1:3] == ["├─ (2, 1) MAX +1 *", "│  └─ (2, 2) X has won +1 *"]
    assert "\n    2  O |   |\n       0   1   2\n" in str(outcome)


ALWAYS_MAX = """
def minimax(position):
    if position.is_over:
        return {"X": 1, None: 0, "O": -1}[position.winner], None
    return max((minimax(position.after(move))[0], move) for move in position.legal_moves)
"""


def test_boards_of_our_positions_have_the_names_of_its_moves(tmp_path: Path) -> None:
    program = tmp_path / "search.py"
    program.write_text(ALWAYS_MAX)
    assert "\n       a   b   c\n" in str(grade_program(program, "minimax"))


def test_a_wrong_node_is_drawn_even_in_a_tree_that_is_cut_short(tmp_path: Path, programs: Path) -> None:
    leaf = ("    if terminal(board):\n        return utility(board)\n    return min(", LATE_LEAF)
    trace = grade_program(change(tmp_path, programs / "cs50_right.py", leaf), "minimax").trace
    assert trace is not None
    wrong = next(node for node in trace.root.walk() if node.is_wrong)
    assert wrong.depth >= 2
    assert tree_text(trace, 4).count("✗ should be") == 1


LATE_LEAF = """    if terminal(board):
        return utility(board) if winner(board) != X else 0
    return min("""


# Pages with pictures


def pictures(html: str) -> list[ElementTree.Element]:
    """Return the pictures of a page, each of which must be complete and run nothing."""
    found = [b64decode(data).decode() for data in re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', html)]
    assert html.count("<img") == len(found)
    assert not any("<script" in picture for picture in found)
    return [ElementTree.fromstring(picture) for picture in found]


def test_gradescope_shows_the_position_and_the_tree_as_pictures(outcome: Grade) -> None:
    results = format_results(outcome, AutograderSettings("minimax", style="cs50"), 1)
    assert (results["output_format"], results["test_output_format"]) == ("html", "html")
    (tree,) = pictures(results["output"])
    assert any("wrong" in each.get("class", "").split() for each in tree.iter())
    failed = {test["name"].split(":")[0]: test["output"] for test in results["tests"] if test["status"] == "failed"}
    assert failed.keys() == {"move"}
    (board,) = pictures(failed["move"])
    assert "minimax([[X, O, X], [O, X, X], [O, EMPTY, EMPTY]])\nexpected (2, 2), got (2, 1)" in failed["move"]
    labels = "".join(text for text in board.itertext() if text.isdigit())
    assert labels == "012012"  # rows and columns as the student counts them
    assert all(test["output"] == "" for test in results["tests"] if test["status"] == "passed")


@NEEDS_SANDBOX
def test_a_class_is_a_page_with_a_report_for_each_that_failed(root_max: Path, programs: Path) -> None:
    folder = root_max.parent
    shutil.copy(root_max, folder / "again.py")
    shutil.copy(programs / "cs50_right.py", folder / "<b>right.py")
    done = run_here("grade", str(folder), "--report", str(folder / "class.html"))
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, f"{folder / 'class.html'}: 3 reports")
    page = (folder / "class.html").read_text(encoding="utf-8")
    assert "1 of 3 submissions passed" in page
    assert "2 × root-always-max" in page
    assert '<a href="#submission-1-title">again.py:minimax</a>' in page
    assert str(folder) not in page
    assert "<b>right" not in page
    assert "&lt;b&gt;right" in page
    assert len(pictures(page)) == 4  # a board and a tree for both
    assert page.count("minimax([[X, O, X], [O, X, X], [O, EMPTY, EMPTY]])") == 2


@pytest.mark.parametrize(
    ("file", "message"),
    [("class.pdf", "expected a file name that ends in .html"), ("nowhere/class.html", "its folder does not exist")],
)
def test_a_report_that_cannot_be_written_is_refused_before_the_grading(file: str, message: str, root_max: Path) -> None:
    done = run_here("grade", str(root_max), "--report", str(root_max.parent / file))
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
