"""The lessons: both notebooks of each are written from its source, run without errors, and ask questions throughout."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from noughts.teaching import check, grade, reveal
from noughts.teaching.tree.trace import record_typed
from noughts.teaching.tree.typed_tree import TypedTree
from noughts.textbook import alphabeta, minimax
from paths import ROOT

LESSONS = (
    "minimax_to_table",
    "heuristics_and_the_horizon",
    "move_ordering",
    "monte_carlo_tree_search",
    "learning_by_self_play",
    "solving_and_proving",
)
SHORT = {"learning_by_self_play": {"PLAYTHROUGHS": 1_000, "NETWORK_PLAYTHROUGHS": 64}}
"""Smaller numbers for the sizes that a lesson assigns, by lesson."""


def load_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("lessons", ROOT / "tools" / "lessons.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tool = load_tool()
SOURCES: dict[str, Path] = {source.stem[2:]: source for source in tool.SOURCES}


def run(lesson: str, for_teachers: bool) -> tuple[str, list[Any]]:
    """Run the notebook of a lesson in its short form; return the text it prints, and its outputs."""
    source = SOURCES[lesson]
    cells = list(tool.cells(source, for_teachers))
    outputs = [output for output in tool.run(cells, source.name, SHORT.get(lesson)) if output is not None]
    return "".join(output.printed for output in outputs), outputs


def test_there_is_a_source_for_every_lesson() -> None:
    assert tuple(SOURCES) == LESSONS


def test_students_notebooks_are_current() -> None:
    committed = {path: path.read_text(encoding="utf-8") for path in tool.FOLDER.glob("*.ipynb")}
    assert committed == tool.notebooks(), "run make lessons"


@pytest.mark.parametrize("lesson", LESSONS)
def test_students_notebook_runs_although_no_exercise_is_done(lesson: str) -> None:
    printed, outputs = run(lesson, for_teachers=False)
    assert "· not done yet" in printed
    assert "✗" not in printed
    assert "✓" not in printed
    assert "You made no prediction" in printed
    assert sum(output.picture is not None for output in outputs) >= 2
    assert all(output.alt for output in outputs if output.picture)


@pytest.mark.parametrize("lesson", LESSONS)
def test_teachers_notebook_does_every_exercise(lesson: str) -> None:
    printed, _ = run(lesson, for_teachers=True)
    assert "✓" in printed
    assert "not done yet" not in printed
    assert "✗" not in printed
    assert "You made no prediction" not in printed


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_section_asks_a_question_or_sets_an_exercise(lesson: str) -> None:
    text = SOURCES[lesson].read_text(encoding="utf-8")
    assert "**Time**" in text
    assert "**Difficulty**" in text
    sections = [section for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:] if section[0].isdigit()]
    assert len(sections) >= 5
    assert all("**Question " in section or "**Exercise " in section for section in sections)
    numbers = [int(number) for number in re.findall(r"\*\*Question (\d+)\.\*\*", text)]
    assert numbers == list(range(1, len(numbers) + 1))
    minutes = re.findall(r"\*\*Exercise (\d+)\*\* \((\d+) minutes\)", text)
    assert [int(number) for number, _ in minutes] == list(range(1, text.count("**Exercise ") + 1))


@pytest.mark.parametrize("lesson", LESSONS)
def test_students_notebook_contains_no_answers(lesson: str) -> None:
    notebook = json.loads(tool.notebook(SOURCES[lesson]))
    text = "\n".join("".join(cell["source"]) for cell in notebook["cells"])
    assert "**Answer.**" not in text
    assert "# answer" not in text
    assert not any(cell.get("outputs") for cell in notebook["cells"])


@pytest.mark.parametrize("lesson", LESSONS)
def test_lesson_ends_with_five_exam_questions_whose_answers_only_teachers_get(lesson: str) -> None:
    text = SOURCES[lesson].read_text(encoding="utf-8")
    exam = text.split("## For the exam\n", 1)[1]
    questions = re.findall(
        r"^\*\*Exam (\d)\.\*\* (.+?)\n\n```answer\n(.+?)\n```$", exam, flags=re.MULTILINE | re.DOTALL
    )
    assert [number for number, _, _ in questions] == ["1", "2", "3", "4", "5"]
    assert "```python" not in exam
    for_students, for_teachers = (
        "".join(cell.source for cell in tool.cells(SOURCES[lesson], for_teachers)) for for_teachers in (False, True)
    )
    for _, question, answer in questions:
        assert question in for_students
        assert answer.splitlines()[0] not in for_students
        assert answer.splitlines()[0] in for_teachers


def test_student_writes_minimax_before_the_lesson_prints_it() -> None:
    cells = [cell.source for cell in tool.cells(SOURCES["minimax_to_table"])]
    printed = next(number for number, source in enumerate(cells) if "getsource(minimax)" in source)
    exercise = next(number for number, source in enumerate(cells) if source.startswith("def my_minimax"))
    assert exercise < printed


def test_tree_on_paper_comes_before_alphabeta_and_shows_bounds() -> None:
    text = SOURCES["minimax_to_table"].read_text(encoding="utf-8")
    assert text.index("## 4. A tree on paper") < text.index("## 5. Alpha-beta")
    cells = list(tool.cells(SOURCES["minimax_to_table"], for_teachers=True))
    needed = ("import inspect", "value_of_paper_tree", "leaves_looked_at")
    paper = [cell for cell in cells if cell.is_code and any(name in cell.source for name in needed)]
    picture = list(tool.run(paper, "paper"))[-1].picture
    assert "≤ 4" in picture
    assert "≤ 3" in picture


@pytest.mark.parametrize(
    ("leaves", "value", "visited"),
    [
        ("5 8 6 / 4 9 7 / 6 3 1", 5, 6),
        ("7 3 9 / 2 8 5 / 6 4 8", 4, 7),
        ("4 6 8 / 3 7 9 / 2 8 5", 4, 5),
        ("2 9 / 7 8 / 5 6", 7, 5),
        ("7 8 / 2 9 / 5 6", 7, 4),
    ],
)
def test_trees_of_the_exam_questions_have_the_values_of_the_answers(leaves: str, value: int, visited: int) -> None:
    trace = record_typed(alphabeta, TypedTree.parse(leaves))
    seen = [node for node in trace.root.walk() if node.value is not None and not node.children]
    assert (trace.root.value, len(seen)) == (value, visited)


def test_lesson_on_learning_says_whose_values_are_learned() -> None:
    answer = SOURCES["learning_by_self_play"].read_text(encoding="utf-8").split("**Question 8.**")[1].split("```")[1]
    assert "it learns the values of *greedy* play" in answer
    assert "only that is called *on-policy*" in answer


def test_exploration_constant_belongs_to_the_range_of_the_results() -> None:
    text = " ".join(SOURCES["monte_carlo_tree_search"].read_text(encoding="utf-8").split())
    assert "For payments between 0 and 1 theory gives c = √2" in text
    assert "between −1 and +1, twice as wide a range, so the same caution would need c = 2√2" in text


def test_page_of_a_lesson_shows_outputs_and_folds_answers() -> None:
    files = tool._page_files(SOURCES["solving_and_proving"])
    page = files["6_solving_and_proving.md"]
    assert page.startswith("# Lesson 6: Solving and proving\n\n[Download the notebook](6_solving_and_proving.ipynb)")
    folded = re.findall(r"<details.*?</details>", page, flags=re.DOTALL)
    assert len(folded) > 5
    assert "It is 765." in "".join(folded)
    assert "It is 765." not in re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL)
    pictures = re.findall(r"!\[[^]]+\]\((.+?)\)", page)
    assert len(pictures) >= 2
    assert all(files[picture].lstrip().startswith("<svg") for picture in pictures)


def test_make_lessons_writes_the_notebooks_for_teachers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    monkeypatch.setattr(tool, "SOLUTIONS", tmp_path / "solutions")
    tool.write_notebooks()
    written = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((tmp_path / "solutions").iterdir())]
    assert len(written) == len(LESSONS)
    assert all("**Answer.**" in json.dumps(notebook) for notebook in written)


@pytest.mark.parametrize(
    ("prediction", "answer", "printed"),
    [
        (..., 18_297, "You made no prediction. It is 18,297."),
        (18_297, 18_297, "You predicted 18,297. Right!"),
        (18_000, 18_297, "You predicted 18,000. It is 18,297."),
        (1_000, 18_297, "You predicted 1,000. It is 18,297, 18 times as much."),
        (40_000, 20_000, "You predicted 40,000. It is 20,000; your prediction is 2 times as much."),
        (0, -1, "You predicted 0. It is -1."),
        (True, False, "You predicted True. It is False."),
        ("O", "X", "You predicted O. It is X."),
        (0.5, 0.25, "You predicted 0.5. It is 0.25; your prediction is 2 times as much."),
    ],
)
def test_answer_is_shown_beside_the_prediction(
    prediction: object, answer: object, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    reveal(prediction, answer)
    assert capsys.readouterr().out == printed + "\n"


def not_written(position: object) -> int:
    raise NotImplementedError


def wrong(position: object) -> tuple[int, int | None]:
    return 0, 0


@pytest.mark.parametrize(
    ("test", "printed"),
    [
        (lambda: True, "✓ it works"),
        (lambda: False, "✗ it works"),
        (lambda: not_written(0) == 1, "· not done yet: it works"),
        (lambda: int("a") == 1, "✗ it works: ValueError: invalid literal"),
        (lambda: grade(not_written), "· not done yet: it works"),
        (lambda: grade(minimax, "2x2", prunes=False), "✓ it works: "),
        (lambda: grade(wrong, "2x2"), "✗ it works\n\nwrong: "),
    ],
)
def test_check_of_an_exercise_never_raises(
    test: Callable[[], Any], printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    check("it works", test)
    assert capsys.readouterr().out.startswith(printed)
