"""``noughts grade`` on files, folders and programs that misbehave."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from noughts.games import Game
from noughts.teaching.grading import DIAGNOSES, STYLES, TASKS, Grade, Submission, grade
from noughts.teaching.grading.grader import EXAMINERS
from paths import ROOT
from terminals import Result, run_here


def noughts_grade(*words: str | Path, code: int = 1) -> Result:
    """Run ``noughts grade``, which must end with an exit code; the submission has a process of its own."""
    done = run_here("grade", *words)
    assert done.returncode == code, done
    return done


def test_a_folder_of_submissions_is_a_table_with_the_commonest_mistakes(tmp_path: Path, programs: Path) -> None:
    for name in ("minimax_swapped", "minimax_mover_side", "hostile_syntax_error"):
        shutil.copy(programs / f"{name}.py", tmp_path)
    (tmp_path / "ann").mkdir()
    shutil.copy(programs / "minimax_swapped.py", tmp_path / "ann" / "solution.py")
    (tmp_path / "_helper.py").write_text("")
    (tmp_path / "notes.txt").write_text("")
    lines = noughts_grade(tmp_path, "--task", "minimax").stdout.splitlines()
    assert lines[0].split() == ["submission", "points", "result", "why"]
    assert [line.split()[0].removeprefix(f"{tmp_path}/").partition(":")[0] for line in lines[1:5]] == [
        "ann/solution.py",
        "hostile_syntax_error.py",
        "minimax_mover_side.py",
        "minimax_swapped.py",
    ]
    assert "SyntaxError" in lines[2]
    assert "0/10" in lines[2]
    assert lines[3].endswith(DIAGNOSES["mover-side"])
    assert lines[5] == "0 of 4 passed"
    assert lines[6] == f"2 × swapped-min-max: {DIAGNOSES['swapped-min-max']}"


def test_json_follows_the_documented_schema(tmp_path: Path, programs: Path) -> None:
    data: dict[str, Any] = json.loads(
        noughts_grade(programs / "alphabeta_wrong_cut.py", "--task", "alphabeta", "--json").stdout
    )[0]
    documented = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    assert all(f"`{key}`" in documented for key in data)
    assert (data["format"], data["version"], data["task"], data["style"]) == (
        "noughts-grade",
        1,
        "alphabeta",
        "noughts",
    )
    assert (data["passed"], data["points"], data["max_points"], data["score"]) == (False, 6, 10, 0.6)
    assert data["diagnosis"] == {
        "id": "wrong-cut",
        "sentence": DIAGNOSES["wrong-cut"],
        "place": "line 17: if value >= alpha:",
    }
    failing = [each for each in data["properties"] if each["state"] == "fails"]
    assert [each["id"] for each in failing] == ["cuts", "move"]
    assert [each["diagnosis"]["id"] for each in failing] == ["wrong-cut", "move-follows-value"]
    assert failing[0]["position"] == data["tree"]["position"]
    assert Grade.from_data(data).to_data() == data


def test_the_report_shows_the_students_own_tree_and_its_first_wrong_node(programs: Path) -> None:
    report = noughts_grade(programs / "cs50_root_maximises.py").stdout
    assert "First wrong node, at the root: expected 0, got +1." in report
    assert "Its moves are worth (2, 1) +1, (2, 2) 0; O chooses the smallest: 0." in report
    assert "MIN +1 *  ✗ should be 0" in report
    assert "├─ (2, 1) MAX +1" in report


def test_the_tree_is_saved_as_a_picture(tmp_path: Path, programs: Path) -> None:
    picture = tmp_path / "mistake.svg"
    done = noughts_grade(programs / "minimax_swapped.py", "--task", "minimax", "--tree", picture)
    assert "mistake.svg: 5 nodes" in done.stderr
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    done = noughts_grade(programs / "alphabeta_right.py", "--tree", tmp_path / "none.svg", code=0)
    assert "no tree to save" in done.stderr
    assert not (tmp_path / "none.svg").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--task", "chess"), "'chess' is not one of"),
        (("--tree", "mistake.doc"), "expected a file ending in"),
        (("--task", "alphabeta", "--depth", "2"), "expected no depth for the task alphabeta, got 2"),
        (("--task", "alphabeta", "--no-pruning"), "expected --task alphabeta or --no-pruning, got both"),
        (("--memory", "0"), "--memory"),
    ],
)
def test_bad_options_get_one_clear_line(words: tuple[str, ...], message: str, programs: Path) -> None:
    done = noughts_grade(programs / "alphabeta_right.py", *words, code=2)
    assert message in done.stderr
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)


def test_a_custom_game_is_refused(tmp_path: Path, programs: Path) -> None:
    game = Game.from_lines("triangle", cells=3, lines=[[0, 1, 2]])
    (tmp_path / "triangle.json").write_text(json.dumps(game.to_data()))
    done = noughts_grade(programs / "cs50_right.py", "--game", tmp_path / "triangle.json", code=2)
    assert "expected a game with an id to grade on, got the custom game 'triangle'" in done.stderr


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    assert "there is no Python file in" in noughts_grade(tmp_path, code=2).stderr


def test_a_task_that_a_style_does_not_have_is_named(programs: Path) -> None:
    outcome = grade(Submission(programs / "cs50_right.py"), task="mcts", seconds=60)
    assert outcome.failures["runs"].message.startswith(
        "ImportError: cannot grade mcts in the style of CS50 AI's tictactoe; try minimax, alphabeta, player"
    )


def test_rules_that_hold_keep_their_points_when_the_search_loops(programs: Path) -> None:
    outcome = grade(Submission(programs / "cs50_loops.py"), task="minimax", seconds=6)
    assert outcome.state("result") == outcome.state("utility") == "holds"
    assert outcome.failures.keys() <= {"nodes", "runs"}  # a busy machine reaches the limit on time first
    assert outcome.diagnosis is not None
    assert outcome.diagnosis.id == "endless-loop"


def test_a_program_that_prints_at_every_node_is_cut_short(programs: Path) -> None:
    command = [sys.executable, "-m", "noughts", "grade", str(programs / "hostile_prints.py"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert json.loads(done.stdout)[0]["passed"]
    assert 2000 < len(done.stderr) < 2200
    assert "the rest of its output is not shown" in done.stderr


def test_a_search_that_catches_every_exception_is_stopped(programs: Path) -> None:
    outcome = grade(Submission(programs / "hostile_catches_all.py"), task="alphabeta", seconds=60)
    assert outcome.failures["nodes"].message.startswith("stopped after ")


def test_a_search_that_loops_is_stopped(programs: Path) -> None:
    outcome = grade(Submission(programs / "hostile_loops.py"), seconds=0.5)
    assert outcome.diagnosis is not None
    assert outcome.diagnosis.id == "endless-loop"


def test_every_task_can_be_graded_and_has_points() -> None:
    assert set(EXAMINERS) == set(TASKS)
    for task in TASKS.values():
        ids = [each.id for each in task.properties]
        assert ids[0] == "runs"
        assert len(set(ids)) == len(ids)
        assert all(each.points > 0 for each in task.properties)
    for style in STYLES.values():
        assert set(style.functions) <= set(TASKS)


def test_a_function_of_a_notebook_is_graded_in_its_style(programs: Path) -> None:
    names: dict[str, Any] = {"__name__": "notebook"}
    source = (programs / "cs50_right.py").read_text(encoding="utf-8")
    exec(compile(source, "<cell>", "exec"), names)
    outcome = grade(names["minimax"], task="minimax")
    assert (outcome.style, outcome.passed) == ("cs50", True)


UNREADABLE = """
class Odd(Exception):
    def __str__(self):
        raise ValueError

    __repr__ = __str__

def huge(position):
    return 10**5000, 0

def odd(position):
    return Odd(), Odd()

def raises(position):
    raise Odd

def text(position):
    return "a", "b"

def constant(position):
    return 0, position.legal_moves[0]
"""


@pytest.mark.parametrize(
    ("name", "diagnosis"),
    [
        ("huge", "answer-form"),
        ("odd", "answer-form"),
        ("raises", "raises"),
        ("text", "value-form"),
        ("constant", "constant-value"),
    ],
)
def test_answers_that_cannot_be_read_fail_without_harm(name: str, diagnosis: str, tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text(UNREADABLE)
    outcome = grade(Submission(tmp_path / "odd.py", name), seconds=60)
    assert not outcome.passed
    assert outcome.diagnosis is not None
    assert outcome.diagnosis.id == diagnosis, outcome


def test_every_diagnosis_is_documented() -> None:
    documented = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    for id, sentence in DIAGNOSES.items():
        assert f"| `{id}` | {sentence} |\n" in documented
