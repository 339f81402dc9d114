"""Programs of many shapes: brute force agrees with the table of their mistakes, and graders can be measured."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from noughts.teaching.grading import Submission, grade
from student_judge import Judge
from student_shapes import Program, programs_of_shapes

PROGRAMS = programs_of_shapes()
CASES = [(program, task) for program in PROGRAMS for task in (*program.passes, *program.fails)]
QUICK = [case for case in CASES if not case[0].shows][::12]
"""A sample for the normal run."""


def case_id(value: Program | str) -> str:
    return value if isinstance(value, str) else value.name


def check_table(program: Program, task: str, max_empty: int) -> None:
    wrong = Judge(program, task, max_empty, program.shows).wrong
    assert bool(wrong) == (task in program.fails), wrong
    assert not wrong or next(iter(wrong)) in program.properties, wrong


needs_timers = pytest.mark.skipif(not hasattr(signal, "SIGVTALRM"), reason="there are no timers of processor time")


def test_names_of_faulty_programs_are_unique_and_each_has_its_key_words() -> None:
    faulty = [program for program in PROGRAMS if program.fails]
    assert len(faulty) >= 60
    assert all(program.wrong and program.words and program.properties for program in faulty)


@needs_timers
@pytest.mark.parametrize(("program", "task"), QUICK, ids=case_id)
def test_brute_force_agrees_with_a_sample_of_the_table(program: Program, task: str) -> None:
    check_table(program, task, 4)


@needs_timers
@pytest.mark.slow
@pytest.mark.parametrize(("program", "task"), CASES, ids=case_id)
def test_brute_force_agrees_with_the_table(program: Program, task: str) -> None:
    check_table(program, task, 8)


@pytest.mark.slow
@pytest.mark.parametrize(("program", "task"), CASES, ids=case_id)
def test_grader_agrees_with_brute_force(program: Program, task: str, tmp_path: Path) -> None:
    main = program.write(tmp_path / "submission")
    outcome = grade(Submission(main, folder=main.parent), task=task, seconds=100)
    print("passed" if outcome.passed else "failed", outcome.diagnosis)
    assert outcome.passed == (task in program.passes), f"wrong verdict: {outcome.diagnosis}"
    if not outcome.passed:
        assert outcome.diagnosis is not None
        assert program.is_right_diagnosis(outcome.diagnosis.sentence), f"wrong diagnosis: {outcome.diagnosis}"
