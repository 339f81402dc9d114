"""Gradebooks of a class, and projects whose questions have points."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from noughts.cli.main import group
from noughts.teaching.autograder import AutograderSettings, Project, grade_project
from noughts.teaching.autograder.gradescope import format_project_results
from noughts.teaching.autograder.project import ProjectGrade
from noughts.teaching.gradebook import GradebookRow, format_gradebook, row_of
from noughts.teaching.grading import Grade
from student_programs import RIGHT_PROGRAMS, grade_program

RIGHT = (RIGHT_PROGRAMS / "course_right.py").read_text()
QUESTIONS = {"rules": 7.0, "heuristic": 10.0}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(group, ["grade", *arguments], standalone_mode=False)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


# Gradebooks


@pytest.mark.parametrize("student", ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "＝1", "\r@a"])
def test_student_whose_name_is_a_formula_is_shown_as_text(student: str) -> None:
    (row,) = rows_of(format_gradebook([GradebookRow(student, {"q1": 1}, 1)]))
    assert not row["student"].lstrip().startswith(("=", "+", "-", "@", "＝"))
    assert row["total"] == "1"


def test_student_cannot_add_rows_or_columns() -> None:
    (row,) = rows_of(format_gradebook([GradebookRow('eve",9,9\nbob,9,9', {"q1": 1}, 1)]))
    assert row == {"student": 'eve",9,9\\nbob,9,9', "total": "1", "max": "1", "q1": "1"}


def test_columns_of_all_students_are_there_and_empty_where_they_do_not_apply() -> None:
    rows = rows_of(format_gradebook([GradebookRow("ann", {"value": 3}, 3), GradebookRow("bob", {"move": 0.5}, 2)]))
    assert rows == [
        {"student": "ann", "total": "3", "max": "3", "value": "3", "move": ""},
        {"student": "bob", "total": "0.5", "max": "2", "value": "", "move": "0.5"},
    ]


def test_gradebook_has_the_points_of_each_property(tmp_path: Path) -> None:
    for student, source in {"ann": RIGHT, "bob": "def evaluate(position):\n    return 1\n"}.items():
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "main.py").write_text(source)
    done = run(str(tmp_path / "class"), "--task", "heuristic", "--csv", str(tmp_path / "grades.csv"), "--json")
    assert done.return_value == 1
    grades = [Grade.from_data(data) for data in json.loads(done.stdout)]
    rows = rows_of((tmp_path / "grades.csv").read_text())
    assert [row["student"] for row in rows] == ["ann", "bob"]
    for row, grade in zip(rows, grades, strict=True):
        assert (float(row["total"]), float(row["max"])) == (grade.points, grade.max_points)
        held = {each.id for each in grade.properties if grade.state(each.id) == "holds"}
        assert {
            name for name, points in row.items() if name not in ("student", "total", "max") and points > "0"
        } == held


def test_gradebook_that_cannot_be_written_is_refused_before_anything_is_graded(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def evaluate(position):\n    return 1\n")
    done = run(str(tmp_path / "a.py"), "--task", "heuristic", "--csv", str(tmp_path / "none" / "grades.csv"))
    assert "grades.csv: its folder does not exist" in str(getattr(done.exception, "message", done.exception))
    assert done.stdout == ""


# Projects


def grade_source(folder: Path, source: str, questions: dict[str, float] | None = None) -> ProjectGrade:
    path = folder / "project.py"
    path.write_text(source)
    project = Project.of_parts(questions or QUESTIONS, AutograderSettings("minimax", style="course"))
    return ProjectGrade("project.py", grade_project(project, lambda settings: grade_program(path, settings.task)))


def test_right_project_has_all_points_of_every_question(tmp_path: Path) -> None:
    graded = grade_source(tmp_path, RIGHT)
    assert graded.passed
    assert [(result.question.label, result.points) for result in graded.results] == [
        ("q1 rules", 7),
        ("q2 heuristic", 10),
    ]
    assert [mark.id for mark in graded.results[0].marks][:2] == ["player", "actions"]
    assert {"player", "winner"}.isdisjoint(mark.id for mark in graded.results[1].marks)


def test_question_that_is_not_written_yet_costs_its_own_points_alone(tmp_path: Path) -> None:
    start = RIGHT.index("def evaluate(state):")
    end = RIGHT.index("def minimax(state):")
    starter = RIGHT[:start] + "def evaluate(state):\n    raise NotImplementedError\n\n\n" + RIGHT[end:]
    graded = grade_source(tmp_path, starter)
    assert [result.points for result in graded.results] == [7, 0]
    assert (graded.points, graded.max_points, graded.passed) == (7, 17, False)
    assert row_of("ann", graded) == ("ann", {"q1 rules": 7, "q2 heuristic": 0}, 17)


def test_wrong_rule_costs_points_of_the_rules(tmp_path: Path) -> None:
    assert RIGHT.count("def player(state):") == 1
    graded = grade_source(tmp_path, RIGHT + "\n\ndef player(state):\n    return 'X'\n")
    failed = [mark.id for mark in graded.results[0].marks if not mark.passed]
    assert "player" in failed
    assert "actions" not in failed


def test_project_without_the_rules_gets_no_points_for_them(tmp_path: Path) -> None:
    graded = grade_source(tmp_path, "def evaluate(position):\n    return 1\n")
    rules = graded.results[0]
    assert (rules.points, rules.max_points) == (0, 7)
    assert rules.marks[0].message == "The submission has no rules of the game."


def test_gradescope_numbers_the_tests_of_each_question(tmp_path: Path) -> None:
    graded = grade_source(tmp_path, RIGHT)
    results = format_project_results(graded.results, 1.0)
    tests = results["tests"]
    assert (results["score"], sum(test["max_score"] for test in tests)) == (17, 17)
    assert [test["number"] for test in tests[:2]] == ["1.1", "1.2"]
    assert tests[0]["name"].startswith("q1 player: ")
    assert tests[-1]["number"].startswith("2.")
    assert results["output_format"] == "html"
    assert results["output"].startswith("<h3>q1 rules: 7/7</h3><h3>q2 heuristic: 10/10</h3><p>")
    assert results["output"].count("<summary>The report as text</summary>") == 1


def test_grade_prints_the_points_of_each_question(tmp_path: Path) -> None:
    for student in ("ann", "bob"):
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "main.py").write_text(RIGHT if student == "ann" else "x = 1\n")
    options = ("-q", "rules=7", "-q", "heuristic=10", "--csv", str(tmp_path / "grades.csv"))
    done = run(str(tmp_path / "class"), *options)
    assert done.return_value == 1
    assert "17/17" in done.stdout
    assert "1 of 2 with all points" in done.stdout
    rows = rows_of((tmp_path / "grades.csv").read_text())
    assert [(row["total"], row["q1 rules"], row["q2 heuristic"]) for row in rows] == [
        ("17", "7", "10"),
        ("0", "0", "0"),
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-q", "minimax"], "expected PART=POINTS for --question"),
        (["-q", "minimax=0"], "expected PART=POINTS for --question"),
        (["-q", "minimax=nan"], "expected PART=POINTS for --question"),
        (["-q", "chess=3"], "expected a task, one of minimax"),
        (["-q", "minimax=3", "-q", "minimax=4"], "expected one question about minimax, got two"),
        (["-q", "minimax=3", "--task", "minimax"], "with --question"),
    ],
)
def test_nonsense_about_questions_is_one_line(options: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    done = run(str(tmp_path / "a.py"), *options)
    assert message in str(getattr(done.exception, "message", done.exception))
    assert "\n" not in str(done.exception)
