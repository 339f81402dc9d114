"""A submission cannot touch its grade, the grader, its neighbours or anything else."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import pytest
from test_grading_cli import noughts_grade

import noughts
import student_searches as students
from hostile_programs import HOSTILE, SECRET, SHORT, bait, hostile_program, left_behind
from noughts import _core
from noughts.games import Game, Position, Side
from noughts.process.failure import FailureReason, PlayerFailed
from noughts.process.forked import can_fork
from noughts.process.limits import Deadline, Limits
from noughts.process.sandbox import NO_SANDBOX, why_no_sandbox
from noughts.teaching.autograder import AutograderSettings, mark
from noughts.teaching.autograder.gradescope import format_results
from noughts.teaching.autograder.marks import state_of
from noughts.teaching.autograder.project import Project
from noughts.teaching.autograder.running import grade_folder
from noughts.teaching.grading import Grade, Submission, grade
from noughts.teaching.grading.client import PipeClient
from noughts.teaching.grading.exams.evidence import Evidence
from noughts.teaching.grading.grader import GradingJob
from noughts.teaching.grading.html_report import class_html
from noughts.teaching.grading.judge import judge_of, unfinished_positions
from noughts.teaching.grading.runtime.child import READY
from noughts.teaching.grading.runtime.recording_position import NodeCount, RecordingPosition, VisitedNode
from noughts.teaching.grading.runtime.server import SubmissionServer
from noughts.teaching.grading.tasks import TASKS
from noughts.textbook import evaluate_outcome
from waiting import wait_until

SLOW = bool(os.environ.get("NOUGHTS_SLOW"))
SECONDS = 60
"""For one submission on a busy machine."""
NEEDS_SANDBOX = pytest.mark.skipif(why_no_sandbox() is not None, reason=str(why_no_sandbox()))

# Hostile programs


def diagnosis_of(data: dict[str, Any]) -> str:
    return str(data["diagnosis"]["id"]) if data["diagnosis"] else ""


ENDLESS = [name for name, hostile in HOSTILE.items() if hostile.results[1] == "endless-loop"]
"""Attacks that end with the time of the submission."""


@NEEDS_SANDBOX
def test_hostile_programs_of_a_class_get_honest_grades_and_harm_no_neighbour(tmp_path: Path, programs: Path) -> None:
    names = {f"{number:02}_hostile.py": name for number, name in enumerate(HOSTILE if SLOW else SHORT)}
    neighbour = f"# {SECRET}\n{(programs / 'alphabeta_right.py').read_text()}"
    folder = tmp_path / "class"
    with bait(tmp_path / "others") as values:
        folder.mkdir()
        for file, name in names.items():
            if name not in ENDLESS:
                (folder / file).write_text(hostile_program(HOSTILE[name], **values | {"FOLDER": folder}))
        for file in ("00_first.py", "10_middle.py", "zz_last.py"):
            (folder / file).write_text(neighbour)
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        command = [folder, "--json", "--task", "alphabeta", "--seconds", SECONDS, "--memory", "256"]
        done = noughts_grade(*map(str, command))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    grades = {Path(each["name"].partition(":")[0]).name: each for each in json.loads(done.stdout)}
    assert grades.keys() == before.keys()
    wrong = {}
    for file, data in grades.items():
        assert data["sandbox"] is True
        if file not in names:
            assert (data["passed"], data["points"]) == (True, 10), (file, data)
        elif data["passed"] or data["points"] > 5 or diagnosis_of(data) != HOSTILE[names[file]].results[1]:
            wrong[names[file]] = (data["points"], diagnosis_of(data), [each["message"] for each in data["properties"]])
    assert not wrong
    assert SECRET not in done.stdout + done.stderr
    assert "\x1b" not in done.stderr


@NEEDS_SANDBOX
@pytest.mark.parametrize("name", ENDLESS if SLOW else ENDLESS[1:2])
def test_a_hostile_program_that_does_not_end_is_ended(name: str, tmp_path: Path) -> None:
    (tmp_path / "hostile.py").write_text(hostile_program(HOSTILE[name]))
    outcome = grade(Submission(tmp_path / "hostile.py"), seconds=1)
    assert diagnosis_of(outcome.to_data()) == HOSTILE[name].results[1], outcome
    assert outcome.points <= 5


def hide_pruning(position: Position) -> students.Answer:
    """Search without pruning, where the recorder does not see it."""
    return students.right_minimax(Game("3x3").parse(position.text))


FORGED_COUNT = """
from noughts.teaching.grading.runtime.recording_position import RecordingPosition

RecordingPosition.play = lambda self, move: self._position.play(move)
RecordingPosition.undo = lambda self: self._position.undo()
RecordingPosition.after = lambda self, move: self._position.after(move)
"""


@NEEDS_SANDBOX
def test_a_count_that_is_forged_is_no_evidence_of_pruning(tmp_path: Path, programs: Path) -> None:
    source = (programs / "alphabeta_no_window.py").read_text()
    (tmp_path / "forged.py").write_text(FORGED_COUNT + source)
    outcome = grade(Submission(tmp_path / "forged.py"), seconds=SECONDS)
    assert (outcome.points, outcome.max_points, outcome.state("nodes")) == (9, 10, "unchecked"), outcome
    assert "· nodes: it visits few enough nodes (by the program's own count)" in str(outcome)
    assert [each["claimed"] for each in outcome.to_data()["properties"]] == [False] * 5 + [True]


def test_a_search_on_a_board_of_its_own_gets_no_point_for_nodes() -> None:
    outcome = grade(hide_pruning)
    assert outcome.claimed == {"nodes"}
    assert (outcome.points, outcome.max_points) == (9, 10)
    marks = mark(outcome, 100, {})
    assert [each.points for each in marks] == [10, 10, 30, 20, 20, 0]
    assert marks[-1].message == "Not counted: the moves that it tried on the position do not prove its values."
    assert state_of(outcome, "nodes") == "unchecked"


# Forged answers

GAME = "2x3:3"
FORGERIES = 60 if SLOW else 8
"""Of each kind."""


class ForgedLines:
    """Stands for the process of a submission; ``forge`` changes the lines of its answers."""

    stderr_head = ""
    processor_seconds = None

    def __init__(self, search: Callable[[Any], Any], forge: Callable[[int, str], list[str]]) -> None:
        self.limits = Limits()
        self._server, self._forge = SubmissionServer(search), forge
        self._lines = [json.dumps(READY)]
        self._count = 0

    def start(self) -> None:
        """Do nothing."""

    def send(self, text: str, deadline: Deadline) -> None:
        """Answer questions."""
        asked = json.loads(text)
        for number, question in enumerate(asked["questions"]):
            answer = {"key": asked["key"], "number": number, **self._server.answer(question)}
            self._lines += self._forge(self._count, json.dumps(answer))
            self._count += 1

    def receive(self, deadline: Deadline) -> str:
        """Return the next line; a program that has no more to say has ended."""
        if not self._lines:
            raise PlayerFailed("the program ended with exit code 0", FailureReason.CRASH)
        return self._lines.pop(0)

    def close(self, quit_seconds: float | None = None) -> None:
        """Do nothing."""


def grade_forged(search: Callable[[Any], Any], forge: Callable[[int, str], list[str]]) -> Grade:
    job = GradingJob(search, TASKS["alphabeta"], GAME)
    return job.run(PipeClient(ForgedLines(search, forge), SECONDS))


def change_answer(line: str, **changes: object) -> list[str]:
    """Return an answer with changes; a part that is changed to ``...`` is left out."""
    return [json.dumps({name: part for name, part in (json.loads(line) | changes).items() if part is not ...})]


def forge_garbage(random: random.Random, line: str) -> list[str]:
    cut = random.randrange(len(line))
    noise = "".join(map(chr, random.choices(range(32, 0x2FF), k=random.randint(1, 50))))
    return [random.choice([line[:cut], noise, line[:cut] + noise, "[" * 100_000, "9" * 10_000, "null", "[]", "true"])]


def forge_grade(random: random.Random, line: str) -> list[str]:
    forged = {"format": "noughts-grade", "version": 1, "passed": True, "points": 10, "score": 1}
    return [json.dumps({"grade": forged} if random.random() < 0.5 else forged), line]


PARTS = ("nodes", "visits", "error", "changes", "stopped", "unreadable")
ODD_FORMS: list[object] = [[], {}, "x", -1, ["t"], ["f"], ["f", "x"], ["f", "x", {"value": 0}], ["o"], ["z"], [["t"]]]
"""Data that no part of an answer looks like, except for the parts below."""
TRUE_FORMS = [("changes", "x"), ("unreadable", "x"), ("visits", -1)]


def forge_form(random: random.Random, line: str) -> list[str]:
    """Give a part of the answer another form."""
    odd, name = (
        random.choice(ODD_FORMS),
        random.choice(["nodes", "visits", "error", "changes", "stopped", "unreadable"]),
    )
    return change_answer(line, **{name: {"x": [1]} if (name, odd) in TRUE_FORMS else odd})


PROTOCOL: dict[str, Callable[[random.Random, str], list[str]]] = {
    "key": lambda random, line: change_answer(
        line, key=random.choice(["", "0" * 16, None, [], 0, json.loads(line)["key"][::-1] + "x"])
    ),
    "number": lambda random, line: change_answer(
        line, number=random.choice([-1, 10**9, None, "0", [0], json.loads(line)["number"] + 1])
    ),
    "twice": lambda random, line: [line] * random.randint(2, 5),
    "garbage": forge_garbage,
    "grade": forge_grade,
    "silence": lambda random, line: [],
    "form": forge_form,
}
"""Forgeries of a program that is right: each must cost it everything."""

ODD_MOVES = [-1, 99, 10**200, None, "a1", 0.0, ["t", 0, 0], ["o", "4"], True]
Forge = Callable[[random.Random, dict[str, Any]], dict[str, Any]]
"""Returns the changes to an answer."""


def forge_value(random: random.Random, data: dict[str, Any]) -> dict[str, Any]:
    kind, value, move = data["answer"][:3]
    odd = [value + 1, value - 1, -value - 2, 10**299, 0.5, "x", None, ["o", "0"]]
    return {"answer": [kind, random.choice(odd), move]}


CONTENT: dict[str, Forge] = {
    "value": forge_value,
    "move": lambda random, data: {"answer": [*data["answer"][:2], random.choice(ODD_MOVES)]},
    "changes": lambda random, data: {"changes": "left on the board: a1"},
    "error": lambda random, data: {
        "error": {"text": "x" * random.randint(0, 10_000), "diagnosis": random.choice(["passed", "raises", ""])}
    },
}
"""Answers of a program that is right, made wrong: none may pass."""


def shrink(random: random.Random, node: Any, keep: float) -> Any:
    """Return a part of a visited tree."""
    if not isinstance(node, list):
        return node
    kept = node[:2]
    for move, child in zip(node[2::2], node[3::2], strict=True):
        if random.random() < keep:
            kept += [move, shrink(random, child, keep)]
    return kept


def count_plays(node: Any) -> int:
    if not isinstance(node, list):
        return 0
    return sum((child[0] if isinstance(child, list) else child) + count_plays(child) for child in node[3::2])


def with_count(visits: Any) -> dict[str, Any]:
    """Return a visited tree with the number of its nodes."""
    return {"visits": visits, "nodes": 1 + count_plays(visits)}


TREES: dict[str, Forge] = {
    "count": lambda random, data: {"nodes": random.randint(1, 3)},
    "empty tree": lambda random, data: {"nodes": 1, "visits": 0},
    "small tree": lambda random, data: with_count(
        shrink(random, data.get("visits", 0), random.choice([0.2, 0.4, 0.6]))  # none if the search was stopped
    ),
    "illegal tree": lambda random, data: with_count([0, 0, random.choice([8, 99, -0, 10**9]), [1, 0, 0, 1]]),
    "no tree": lambda random, data: {"nodes": 1, "visits": ...},
}
"""Trees of a program that does not prune, made small: none may count as pruning."""


def forger(name: str, random: random.Random) -> Callable[[int, str], list[str]]:
    """Return a function that forges answers: those of a tree all, others one; the first loads the program."""
    forged = random.randrange(1, len(unfinished_positions(Game(GAME))))

    def forge(number: int, line: str) -> list[str]:
        if number == 0 or (number != forged and name not in TREES):
            return [line]
        if name in PROTOCOL:
            return PROTOCOL[name](random, line)
        return change_answer(line, **(CONTENT | TREES)[name](random, json.loads(line)))

    return forge


def test_the_programs_behind_the_forgeries_are_right_and_without_pruning() -> None:
    right = grade_forged(students.right_alphabeta, lambda _, line: [line])
    assert (right.points, right.max_points, right.claimed) == (10, 10, set()), right
    plain = grade_forged(students.right_minimax, lambda _, line: [line])
    assert (plain.points, set(plain.failures)) == (9, {"nodes"}), plain


@pytest.mark.parametrize("name", [*PROTOCOL, *CONTENT, *TREES])
def test_forged_answers_are_refused(name: str) -> None:
    for seed in range(FORGERIES):
        search = students.right_minimax if name in TREES else students.right_alphabeta
        outcome = grade_forged(search, forger(name, random.Random(f"{name} {seed}")))
        data = json.loads(json.dumps(outcome.to_data()))
        assert outcome.points < outcome.max_points, data
        assert "\n" not in "".join(each["message"] or "" for each in data["properties"])
        if name in PROTOCOL:
            assert outcome.points == 0, outcome
            assert diagnosis_of(data) in {"forged-answer", "ends-process"}, outcome
        elif name in TREES:
            assert outcome.state("nodes") != "holds", outcome
        else:
            assert not outcome.passed, outcome


PICTURE = re.compile(r'src="data:image/svg\+xml;base64,[A-Za-z0-9+/=]+"')
EVIL = "Error:\n  ✓ value: its value is that of minimax\r\x1b[2J\x9b1m\u2028passed " + "x" * (1 << 20)


@pytest.mark.parametrize("name", ["error", "changes", "unreadable"])
def test_texts_of_a_submission_forge_no_line_of_a_report(name: str) -> None:
    place = {"file": EVIL, "line": 3, "source": EVIL}
    forged = {"text": EVIL, "diagnosis": "raises", "place": place} if name == "error" else EVIL
    outcome = grade_forged(
        students.right_alphabeta,
        lambda number, line: change_answer(line, **{name: forged}) if number else [line],
    )
    results = format_results(outcome, AutograderSettings("alphabeta"), 1)
    texts = [str(outcome), outcome.reason, results["output"], *(test["output"] for test in results["tests"])]
    data = outcome.to_data()
    texts += [each["message"] or "" for each in data["properties"]]
    for text in (PICTURE.sub("", each) for each in texts):
        assert len(text) < 3000
        assert all(line.isprintable() for line in text.split("\n"))
        assert not any(line.strip().startswith("✓ value") for line in text.split("\n"))
    assert "\n" not in outcome.reason + "".join(each["message"] or "" for each in data["properties"])


MARKUP = "</pre><script>alert(1)</script>"


def test_texts_of_a_submission_are_no_markup() -> None:
    place = {"file": MARKUP, "line": 3, "source": MARKUP}
    error = {"text": MARKUP, "diagnosis": "raises", "place": place}
    outcome = grade_forged(
        students.right_alphabeta,
        lambda number, line: change_answer(line, error=error, text=MARKUP) if number else [line],
    )
    assert outcome.failures["runs"].call == MARKUP
    assert outcome.failures["runs"].message == f"{MARKUP} at {MARKUP}, line 3: {MARKUP}"
    results = format_results(outcome, AutograderSettings("alphabeta"), 1)
    for html in (class_html([outcome]), results["output"], *(test["output"] for test in results["tests"])):
        assert "<script>alert" not in html
    assert "&lt;script&gt;alert" in results["tests"][0]["output"]


@pytest.mark.parametrize(
    "place",
    [
        {"file": "a.py", "line": 0, "source": ""},
        {"file": "a.py", "line": "1", "source": ""},
        {"file": 1, "line": 1, "source": ""},
        {"line": 1, "source": ""},
        ["a.py", 1],
    ],
)
def test_a_place_of_an_error_that_has_another_form_is_refused(place: object) -> None:
    error = {"text": "Error", "diagnosis": "raises", "place": place}
    outcome = grade_forged(
        students.right_alphabeta, lambda number, line: change_answer(line, error=error) if number else [line]
    )
    assert diagnosis_of(outcome.to_data()) == "forged-answer"


def test_an_error_while_loading_forges_no_line_of_a_report() -> None:
    error = {"text": EVIL, "diagnosis": "raises"}
    outcome = grade_forged(students.right_alphabeta, lambda _, line: change_answer(line, error=error))
    assert len(outcome.failures["runs"].message) <= 300
    assert outcome.failures["runs"].message.isprintable()


@pytest.mark.parametrize(
    ("reason", "cause", "diagnosis"),
    [
        ("limit", "memory", "memory"),
        ("limit", "files", "too-many-files"),
        ("limit", "processes", "too-many-processes"),
        ("crash", "signal", "crashes"),
        ("crash", "", "ends-process"),
    ],
)
def test_a_limit_is_named_by_the_supervisor_and_not_guessed_from_its_text(
    reason: str, cause: str, diagnosis: str
) -> None:
    class Failing(ForgedLines):
        def receive(self, deadline: Deadline) -> str:
            if self._count:
                raise PlayerFailed("the memory of files was ended by processes", reason, cause)
            return super().receive(deadline)

    lines = Failing(students.right_alphabeta, lambda _, line: [line])
    outcome = GradingJob(students.right_alphabeta, TASKS["alphabeta"], GAME).run(PipeClient(lines, SECONDS))
    assert diagnosis_of(outcome.to_data()) == diagnosis


def test_a_search_that_loops_without_moving_keeps_the_points_of_the_rules(programs: Path) -> None:
    class Looping(ForgedLines):
        def send(self, text: str, deadline: Deadline) -> None:
            if json.loads(text)["questions"][0]["ask"] == "call":
                raise PlayerFailed("no answer in time", FailureReason.TIME)
            super().send(text, deadline)

    names: dict[str, Any] = {}
    exec((programs / "cs50_right.py").read_text(encoding="utf-8"), names)
    looping = Looping(names["minimax"], lambda _, line: [line])
    outcome = GradingJob(names["minimax"], TASKS["minimax"]).run(PipeClient(looping, SECONDS))
    assert diagnosis_of(outcome.to_data()) == "endless-loop"
    assert outcome.failures["runs"].message == "no answer: the search was stopped after 60 s"
    assert outcome.points == 7


# Evidence


def proves(search: Callable[[Any], Any], text: str) -> bool:
    position = Game("3x3").parse(text)
    watched = RecordingPosition(position.copy(), NodeCount(1 << 60))
    search(watched)
    return Evidence(judge_of(Game("3x3"), None, evaluate_outcome)).proves(position, watched.tree)


@pytest.mark.parametrize("text", ["x2/1o1/3 x", "xo1/1x1/3 o", "x2/3/3 o"])
def test_every_right_search_proves_its_value(text: str) -> None:
    for search in (students.right_alphabeta, students.right_with_copies, students.right_minimax):
        assert proves(search, text), search


def test_a_tree_without_a_move_that_matters_proves_nothing() -> None:
    position = Game("3x3").parse("xox/oox/3 x")
    assert not proves(students.wrong_bound, position.text)
    evidence = Evidence(judge_of(Game("3x3"), None, evaluate_outcome))
    assert not evidence.proves(position, VisitedNode())


def test_a_move_that_wins_at_once_is_proof_enough() -> None:
    position = Game("3x3").parse("xx1/oo1/3 x")
    tree = VisitedNode()
    tree.step(2)
    assert position.after(2).winner is Side.X
    assert Evidence(judge_of(Game("3x3"), None, evaluate_outcome)).proves(position, tree)


# Files


@contextmanager
def deep_folder(folder: Path, depth: int) -> Iterator[None]:
    """Make folders within a folder, and remove them again: 1,200 are too deep for programs that recurse, as pytest."""
    subprocess.run(["mkdir", "-p", "d/" * depth], cwd=folder, check=True, timeout=SECONDS)
    try:
        yield
    finally:
        subprocess.run(["rm", "-r", "d"], cwd=folder, check=True, timeout=SECONDS)


def test_a_submission_is_graded_from_memory_after_its_files_are_gone(tmp_path: Path, programs: Path) -> None:
    shutil.copy(programs / "alphabeta_right.py", tmp_path / "helper.py")
    (tmp_path / "mine.py").write_text("from helper import alphabeta\n")
    (tmp_path / "notes.py").write_text("")
    read = Submission(tmp_path / "mine.py").read()
    assert read.files is not None
    assert set(read.files) == {"mine.py", "helper.py"}
    shutil.rmtree(tmp_path)
    assert grade(read, seconds=SECONDS).passed


def test_links_devices_and_the_files_of_others_do_not_belong_to_a_submission(tmp_path: Path) -> None:
    ann = tmp_path / "ann"
    (ann / "data").mkdir(parents=True)
    (tmp_path / "bob.py").write_text(f"# {SECRET}")
    (ann / "main.py").write_text("import bob, other")
    (ann / "data" / "table.json").write_text("{}")
    (ann / "bob.py").symlink_to("../bob.py")
    (ann / "other").symlink_to("..")
    os.mkfifo(ann / "pipe.py")
    read = Submission(ann / "main.py", folder=ann).read()
    assert read.files is not None
    assert set(read.files) == {"main.py", "data/table.json"}
    (tmp_path / "cy.py").write_text("import bob, dan")
    (tmp_path / "dan.py").write_text("")
    alone = Submission(tmp_path / "cy.py").read([tmp_path / "bob.py", tmp_path / "cy.py"])
    assert alone.files is not None
    assert set(alone.files) == {"cy.py", "dan.py"}


def test_a_class_skips_links_and_grades_around_a_submission_that_is_too_large(tmp_path: Path, programs: Path) -> None:
    (tmp_path / "linked.py").symlink_to(programs / "alphabeta_right.py")
    (tmp_path / "eve").mkdir()
    (tmp_path / "eve" / "main.py").write_text("")
    (tmp_path / "eve" / "data").write_bytes(bytes(9 << 20))
    shutil.copy(programs / "alphabeta_right.py", tmp_path / "right.py")
    lines = noughts_grade(tmp_path, "--task", "alphabeta").stdout.splitlines()
    assert "The submission is too large" in lines[1]
    assert lines[2].split()[1:] == ["10/10", "passed"]
    assert lines[3] == "1 of 2 passed"


def test_folders_without_end_cost_one_submission_and_not_the_class(tmp_path: Path, programs: Path) -> None:
    (tmp_path / "eve").mkdir()
    (tmp_path / "eve" / "main.py").write_text("")
    shutil.copy(programs / "alphabeta_right.py", tmp_path / "right.py")
    with deep_folder(tmp_path / "eve", 1200):
        data = json.loads(noughts_grade(tmp_path, "--json", "--task", "alphabeta").stdout)
    assert [diagnosis_of(each) for each in data] == ["too-large", ""]
    assert "64 folders within folders" in data[0]["properties"][0]["message"]
    assert data[1]["passed"]


def test_a_chain_of_modules_and_a_huge_source_are_read_without_being_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ast.parse", lambda *ignored: pytest.fail("the grader parses a submission"))
    for number in range(990):
        (tmp_path / f"m{number}.py").write_text(f"x = 1; import os, m{number + 1} as next\n")
    (tmp_path / "m990.py").write_text("from package.part import thing\n")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "part.py").write_text("[" * (1 << 20))
    (tmp_path / "notes.py").write_text("")
    read = Submission(tmp_path / "m0.py").read()
    assert read.files is not None
    assert len(read.files) == 992
    assert "package/part.py" in read.files


def test_names_of_files_do_not_forge_lines(tmp_path: Path) -> None:
    (tmp_path / "a\n\x1b[2Jb.py").write_text("def alphabeta(position):\n    return 0, 0\n")
    (tmp_path / "c.py").write_text("")
    done = noughts_grade(tmp_path, "--task", "alphabeta")
    assert "a\\n\\x1b[2Jb.py" in done.stdout.splitlines()[1]
    assert "a\\n\\x1b[2Jb.py" in json.loads(noughts_grade(tmp_path, "--json").stdout)[0]["name"]


@pytest.mark.parametrize("opens_folders", [True, False])
def test_folders_are_read_without_links_on_every_system(
    opens_folders: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.process.regular_files.OPENS_FOLDERS", opens_folders)
    (tmp_path / "data").mkdir()
    for name in ("main.py", "data/table", "data/b"):
        (tmp_path / name).write_text(name)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "x").write_text("")
    (tmp_path / "link").symlink_to("/etc")
    read = Submission(tmp_path / "main.py", folder=tmp_path).read()
    assert read.files == {"data/b": b"data/b", "data/table": b"data/table", "main.py": b"main.py"}
    with deep_folder(tmp_path, 100):
        assert Submission(tmp_path / "main.py", folder=tmp_path).read().problem is not None


@NEEDS_SANDBOX
def test_a_grader_that_is_killed_has_printed_every_grade_that_was_known(tmp_path: Path, programs: Path) -> None:
    mark = f"left-behind-{uuid4().hex}"
    shutil.copy(programs / "alphabeta_right.py", tmp_path / "a.py")
    leaves = hostile_program(HOSTILE["leaves a process behind"], MARK=mark)
    (tmp_path / "b.py").write_text(leaves + "import time\ntime.sleep(600)\n")
    command = [sys.executable, "-m", "noughts", "grade", str(tmp_path), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as grader:
        assert grader.stdout is not None
        assert grader.stdout.readline() == "[\n"
        first = grader.stdout.readline()
        grader.send_signal(signal.SIGKILL)
    assert json.loads(first.removesuffix(",\n"))["passed"]
    wait_until(lambda: not left_behind(mark), 20)


# Without a sandbox


def test_without_a_sandbox_the_grader_stops_with_one_line(monkeypatch: pytest.MonkeyPatch, programs: Path) -> None:
    monkeypatch.setattr("noughts.process.sandbox.why_no_sandbox", lambda: "there is no sandbox")
    for options in ((), ("--json",)):
        done = noughts_grade(programs / "alphabeta_right.py", *options, code=2)
        assert done.stdout == ""
        assert "there is no sandbox; without a sandbox programs run with your rights: --no-sandbox" in done.stderr
        assert done.stderr.count("\n") == 1


def test_every_report_says_that_there_was_no_sandbox(tmp_path: Path) -> None:
    for name in ("first.py", "again.py"):
        (tmp_path / name).write_text("def search(position):\n    raise SystemExit\n\n\nexit()\n", encoding="utf-8")
    options = ("--no-sandbox", "--allow-root")
    assert NO_SANDBOX in noughts_grade(tmp_path / "again.py", *options).stdout
    assert NO_SANDBOX in noughts_grade(tmp_path, *options).stdout
    assert [each["sandbox"] for each in json.loads(noughts_grade(tmp_path, "--json", *options).stdout)] == [False] * 2
    settings = AutograderSettings("minimax", sandbox="never", file="again.py")
    results = format_results(grade_folder(settings, tmp_path), settings, 1)
    assert results["extra_data"]["sandbox"] is False
    assert NO_SANDBOX in results["output"]


@pytest.fixture(scope="module")
def public_python() -> Iterator[Path]:
    """A Python with noughts that every user may run; that of the tests may be in the home of root."""
    system = Path("/usr/bin/python3")
    if os.name != "posix" or os.geteuid() != 0 or not system.exists() or shutil.which("setpriv") is None:
        pytest.skip("needs root, setpriv and a Python of the system")
    with TemporaryDirectory(prefix="noughts-test-", dir="/tmp") as name:
        subprocess.run([system, "-m", "venv", "--without-pip", name], timeout=SECONDS, check=True)
        (packages,) = Path(name, "lib").glob("python3*/site-packages")
        shutil.copytree(
            Path(noughts.__file__).parent, packages / "noughts", ignore=shutil.ignore_patterns("__pycache__")
        )
        shutil.copy(_core.__file__, packages / "noughts")
        subprocess.run(["chmod", "-R", "a+rX", name], timeout=SECONDS, check=True)
        python = Path(name, "bin", "python")
        if subprocess.run([python, "-c", "import noughts._core"], cwd="/", timeout=SECONDS, check=False).returncode:
            pytest.skip("the Python of the system cannot import noughts")
        yield python


SHOW_USER = "import os\nraise RuntimeError(f'user {os.getuid()}, groups {os.getgroups()}')\n"


@pytest.mark.parametrize("sandbox", ["if-available", "never"])
def test_without_a_sandbox_root_gives_up_its_rights_unless_the_settings_say_never(
    sandbox: str, public_python: Path, tmp_path: Path
) -> None:
    for name in ("bin", "submission"):
        (tmp_path / name).mkdir()
    for program in ("setpriv", "test"):  # but no bubblewrap
        (tmp_path / "bin" / program).symlink_to(shutil.which(program) or program)
    (tmp_path / "submission" / "main.py").write_text(SHOW_USER)
    project = Project.of_task(AutograderSettings("alphabeta", sandbox=sandbox))
    (tmp_path / "settings.json").write_text(project.to_json())
    places = [tmp_path / name for name in ("settings.json", "submission", "results.json")]
    command: list[str | Path] = [public_python, "-P", "-m", "noughts.teaching.autograder.gradescope", *places]
    environment = {"PATH": str(tmp_path / "bin")}
    subprocess.run(command, cwd=tmp_path, env=environment, timeout=SECONDS, check=True)
    results = json.loads((tmp_path / "results.json").read_text())
    assert results["extra_data"]["sandbox"] is False
    match = re.search(r"RuntimeError: user (\d+), groups \[(.*)\]", results["tests"][0]["output"])
    assert match is not None, results
    assert (match[1] == "0") is (sandbox == "never")
    assert sandbox == "never" or match[2] == ""


def test_an_autograder_that_must_use_a_sandbox_stops_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, programs: Path
) -> None:
    monkeypatch.setattr("noughts.process.sandbox.why_no_sandbox", lambda: "there is no sandbox")
    shutil.copy(programs / "alphabeta_right.py", tmp_path)
    with pytest.raises(ValueError, match="there is no sandbox"):
        grade_folder(AutograderSettings("alphabeta", sandbox="always"), tmp_path)


# Functions of this process


def takes_memory(position: Any) -> None:
    held = []
    while True:
        held.append(b"x" * (1 << 22))


@pytest.mark.skipif(not can_fork(), reason="processes cannot be forked")
def test_a_function_in_a_fork_has_limits_and_leaves_nothing_behind() -> None:
    mark, left = f"left-behind-{uuid4().hex}", []

    def leaves_a_process(position: Any) -> students.Answer:
        left.append(position)
        if len(left) == 1 and os.fork() == 0:
            os.setsid()
            os.execv(sys.executable, [sys.executable, "-c", f"import time; time.sleep(600)  # {mark}"])
        return 0, position.legal_moves[0]

    assert not grade(leaves_a_process, seconds=SECONDS).passed
    assert left_behind(mark) == []
    assert diagnosis_of(grade(takes_memory, seconds=SECONDS, memory_mb=64).to_data()) == "memory"
