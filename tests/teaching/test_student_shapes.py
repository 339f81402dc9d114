"""Programs of many shapes: brute force agrees with the table of their mistakes, and graders can be measured."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from mutants import mutant_of
from noughts.teaching.grading import Submission, grade
from student_judge import Judge
from student_programs import grade_program
from student_shapes import Program, make_program, programs_of_shapes

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


RIGHT = {"cs50": "cs50_pairs", "aima": "aima_fig52", "course": "course_right", "noughts": "position_pairs"}
"""A right program in each style, which passes as minimax and as alpha-beta."""
SAMPLE = [("cs50", 1), ("aima", 2), ("course", 3), ("noughts", 2)]


CHUNK = 25


def disagreement(style: str, number: int, folder: Path, is_apart: bool) -> str:
    """Return how the grade of a mutant differs from brute force, which tries more boards where the two do not agree."""
    mutant = mutant_of(make_program(RIGHT[style], {}), number)
    task = ("minimax", "alphabeta")[number % 2]
    main = mutant.write(folder / f"{style}_{number}")
    outcome = grade(Submission(main), task=task, seconds=200) if is_apart else grade_program(main, task)
    tried = (4, 8) if is_apart or not outcome.passed else (4,)
    wrong = next((found for empty in tried if (found := Judge(mutant, task, empty).wrong)), {})
    return "" if outcome.passed == (not wrong) else f"mutant {number}, brute force: {wrong}; the grader: {outcome}"


@needs_timers
@pytest.mark.parametrize(("style", "number"), SAMPLE)
def test_mutants_pass_if_and_only_if_brute_force_finds_no_fault(style: str, number: int, tmp_path: Path) -> None:
    assert not disagreement(style, number, tmp_path, is_apart=False)


@needs_timers
@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 500, CHUNK))
@pytest.mark.parametrize("style", RIGHT)
def test_five_hundred_mutants_of_each_style_are_graded_as_brute_force_decides(
    style: str, first: int, tmp_path: Path
) -> None:
    found = [disagreement(style, number, tmp_path, is_apart=True) for number in range(first, first + CHUNK)]
    assert not any(found), "\n".join(filter(None, found))
