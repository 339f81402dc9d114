"""A small change that repairs a program shows the line of its mistake."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import NamedTuple

import pytest

from noughts.json_types import JsonObject
from noughts.teaching.grading import Submission
from noughts.teaching.grading.diagnosis.repairs import KINDS as DIAGNOSED_KINDS
from noughts.teaching.grading.diagnosis.repairs import record_repair
from noughts.teaching.grading.runtime.edits import KINDS, EditableProgram
from noughts.teaching.grading.runtime.modules import Modules, load_modules
from noughts.teaching.grading.runtime.time_limit import TooSlow, limited_time
from student_programs import CS50_ROOT_O, RIGHT_PROGRAMS, Patch, apply_patches, grade_program

NEGAMAX = """\
from noughts import Game


def search(position, colour):
    if position.is_over:
        return colour * {"X": 1, "O": -1, None: 0}[position.winner], None
    best_value, best_move = -2, None
    for move in position.legal_moves:
        position.play(move)
        value = -search(position, -colour)[0]
        position.undo()
        if value > best_value:
            best_value, best_move = value, move
    return best_value, best_move


def minimax(position):
    colour = 1 if position.turn == "X" else -1
    value, move = search(position, colour)
    return colour * value, move
"""
FLAT = """\
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def wins(board, mark):
    return any(board[a] == board[b] == board[c] == mark for a, b, c in LINES)


def score(board, computers_turn):
    if wins(board, "O"):
        return 1
    if wins(board, "X"):
        return -1
    if " " not in board:
        return 0
    scores = []
    for cell in range(9):
        if board[cell] == " ":
            board[cell] = "O" if computers_turn else "X"
            scores.append(score(board, not computers_turn))
            board[cell] = " "
    return max(scores) if computers_turn else min(scores)


def best_move(board):
    best, chosen = -2, None
    for cell in range(9):
        if board[cell] == " ":
            board[cell] = "O"
            value = score(board, False)
            board[cell] = " "
            if value > best:
                best, chosen = value, cell
    return chosen
"""
PAIR = "value = -search(position, -colour)[0]"
KEPT = "best_value, best_move = value, move"
PLAY, UNDO = "        position.play(move)\n", "        position.undo()\n"
AFTER: list[Patch] = [(PLAY, "        after = position.after(move)\n"), (UNDO, "")]
"""Makes a search endless that goes on with the position itself."""
WON = '    if wins(board, "O"):\n        return 1\n'
FULL = "        return 0\n"


class Fault(NamedTuple):
    """A fault in a right program; its diagnosis, and a part of the line that is wrong."""

    right: str
    patches: list[Patch]
    diagnosis: str
    line: str
    task: str = "minimax"


FAULTS = {
    "choice": Fault("cs50_right", [(CS50_ROOT_O, CS50_ROOT_O.replace("min(", "max(", 1))], "root-always-max", "max("),
    "comparison": Fault("alphabeta_right", [("value >= beta", "value <= beta")], "wrong-cut", "<= beta", "alphabeta"),
    "bound": Fault("alphabeta_right", [("value >= beta", "value >= alpha")], "wrong-cut", ">= alpha", "alphabeta"),
    "undo": Fault("negamax", [(KEPT, f"{KEPT}\n            position.undo()")], "extra-statement", "position.undo()"),
    "turn": Fault("flat", [("score(board, False)", "score(board, True)")], "same-side", "score(board, True)"),
    "sign": Fault("negamax", [(PAIR, PAIR.replace("-colour", "colour"))], "colour-kept", "search(position, colour)"),
    "return": Fault("negamax", [("    return best_v", "        return best_v")], "wrong-indent", "return best"),
    "mark": Fault("flat", [('turn))\n            board[cell] = " "', "turn))")], "missing-undo", "scores.append"),
    "order": Fault("flat", [(WON, ""), (FULL, FULL + WON)], "wrong-order", 'wins(board, "O")'),
    "line": Fault("flat", [("(2, 4, 6)]", "(2, 4, 7)]")], "wrong-line", "LINES"),
    "overwritten": Fault(
        "negamax",
        [(PLAY, PLAY.replace("position", "position = position", 1).replace("play", "after")), (UNDO, "")],
        "overwrites-parameter",
        "position = position.after(move)",
    ),
    "condition": Fault(
        "negamax", [("if value > best_value:", "if value > best_value or not best_move:")], "wrong-branch", "not best"
    ),
    "endless": Fault("negamax", AFTER, "wrong-variable", "search(position, -colour)"),
}


def sources() -> dict[str, str]:
    files = {path.stem: path.read_text(encoding="utf-8") for path in RIGHT_PROGRAMS.glob("*.py")}
    return {**files, "negamax": NEGAMAX, "flat": FLAT}


@pytest.mark.parametrize("name", FAULTS)
def test_a_repair_shows_the_line_of_the_mistake(tmp_path: Path, name: str) -> None:
    fault = FAULTS[name]
    program = tmp_path / "mine.py"
    source = apply_patches(name, sources()[fault.right], fault.patches)
    program.write_text(source, encoding="utf-8")
    found = grade_program(program, fault.task, repairs=True).diagnosis
    assert found is not None
    assert (found.id, fault.line in found.place) == (fault.diagnosis, True), found
    number, _, text = found.place.removeprefix("line ").partition(": ")
    assert source.splitlines()[int(number) - 1].strip().startswith(text.removesuffix("..."))
    assert found.text == f"{found.sentence} Look at {found.place}"


def test_a_repair_in_another_file_of_a_project_names_the_file(tmp_path: Path) -> None:
    rules, _, search = FLAT.partition("def score")
    (tmp_path / "rules.py").write_text(rules.replace("(2, 4, 6)", "(2, 4, 7)"), encoding="utf-8")
    (tmp_path / "mine.py").write_text(f"from rules import wins\n\n\ndef score{search}", encoding="utf-8")
    found = grade_program(tmp_path / "mine.py", "minimax", repairs=True).diagnosis
    assert found is not None
    assert (found.id, found.place.partition(": ")[0]) == ("wrong-line", "rules.py, line 1"), found


def test_every_kind_of_edit_has_a_diagnosis() -> None:
    assert set(DIAGNOSED_KINDS) == set(KINDS)


@pytest.mark.parametrize("name", ["cs50_right", "alphabeta_right", "course_right", "aima_right", "flat", "negamax"])
def test_edits_leave_the_program_as_it_was(name: str) -> None:
    source = sources()[name]
    function = {"cs50_right": "minimax", "course_right": "minimax_ab", "flat": "best_move"}.get(name, "alphabeta")
    function = {"aima_right": "alpha_beta_search", "negamax": "minimax"}.get(name, function)
    program = EditableProgram({"mine.py": source})
    edits = program.edits(function, kept=())
    assert {edit.kind for edit in edits} >= {"comparison", "variable"}
    places = [KINDS.index(edit.kind) for edit in edits]
    assert sum(one > next for one, next in pairwise(places)) == 1, "those of several places come last"
    before = [ast.dump(each) for each in ast.parse(source).body]
    codes = [program.code(edit) for edit in edits]
    assert [ast.dump(each) for each in program.statements] == before
    assert sum(code is not None for code in codes) > 0.9 * len(codes)
    lines = source.splitlines()
    assert all(lines[edit.line - 1].strip() for edit in edits)


def test_other_code_of_a_module_keeps_its_objects(tmp_path: Path) -> None:
    source = (
        "table = {1: 2}\n\n\nclass Board:\n    def size(self):\n        return 3\n\n\ndef search():\n    return 1\n"
    )
    file = tmp_path / "mine.py"
    file.write_text(source, encoding="utf-8")
    modules = load_modules(file)
    table, search, board = modules["table"], modules["search"], modules["Board"]
    assert isinstance(table, dict)
    assert isinstance(board, type)
    assert callable(search)
    made = board()
    table[5] = 6
    modules.rerun([compile(source.replace("1\n", "10\n").replace("return 3", "return 30"), str(file), "exec")])
    assert (modules["table"] is table, modules["search"] is search, modules["Board"] is board) == (True, True, True)
    assert (table, search(), made.size()) == ({1: 2}, 10, 30)
    assert isinstance(modules, Modules)


def test_a_limit_within_a_limit_leaves_the_outer_one() -> None:
    start = process_time()
    with pytest.raises(TooSlow):
        _work_after_an_inner_limit(start)
    assert process_time() - start < 2


def _work_after_an_inner_limit(start: float) -> None:
    with limited_time(0.2):
        with limited_time(5):
            pass
        while process_time() - start < 5:
            pass


def test_a_search_that_recurses_endlessly_is_not_tried_on_every_board(tmp_path: Path) -> None:
    program = tmp_path / "mine.py"
    program.write_text(apply_patches("endless", NEGAMAX, AFTER), encoding="utf-8")
    graded = grade_program(program, "minimax")
    assert graded.failures["runs"].diagnosis is not None
    assert graded.failures["runs"].diagnosis.id == "endless-recursion"
    assert graded.positions < 100


def test_a_claimed_repair_must_be_a_line_of_the_program(tmp_path: Path) -> None:
    program = tmp_path / "mine.py"
    program.write_text(sources()["flat"].replace("score(board, False)", "score(board, True)"), encoding="utf-8")
    graded = grade_program(program, "minimax")
    before = graded.diagnosis
    claims: list[JsonObject] = [
        {},
        {"kind": "turn", "file": "mine.py", "line": 0},
        {"kind": "turn", "file": "mine.py", "line": 999},
        {"kind": "turn", "file": "../mine.py", "line": 3},
        {"kind": "turn", "line": 3},
        {"kind": "?", "file": "mine.py", "line": 3},
    ]
    submission = Submission(program).read()
    for claim in claims:
        record_repair(graded, claim, submission)
        assert graded.diagnosis == before
