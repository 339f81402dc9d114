"""Solving by jobs: the same values, certificates joined from parts, and nothing is lost when a process dies."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import noughts as no
from clusters import run_with_ray
from inline_tasks import InlineTasks
from mocks import nothing_left
from noughts.games.checked_records import format_record
from noughts.process.tasks import LocalTasks
from noughts.proof.jobs import Answer, JobSolver, Journal, answer
from noughts.proof.jobs.joined_proof import join_proof
from noughts.proof.jobs.tree import JobNode, JobTree
from noughts.proof.jobs.worker import Part
from noughts.store import Store
from second_checker import build_checker, verdicts
from terminals import Result, environment, in_process
from waiting import wait_until

SOLVED = [
    ("3x3", 3),
    ("6x4:4", 30),
    ("7x6:5", 60),
    ("5x4:4+exact", 5),
    ("3x3+misere", 10),
    ("4x4:3+misere", 2000),
    ("4x4+gravity", 100),
    ("3x3x3+gravity", 20),
    ("ultimate:2", 50),
    ("ultimate:2+misere+count", 200),
]
PROGRAM = "from noughts.proof.jobs import solve; solve.FIRST_NODES = 300\nfrom noughts.cli import main; main()"


def check(solution: no.Solution, value: no.Value | None) -> None:
    """Check the value and the joined certificate, by both checkers."""
    assert solution.value is value
    proof = solution.proof
    assert proof is not None
    report = no.verify(proof)
    assert verdicts(build_checker(), [proof.text.encode()]) == [(proof.value, report.nodes, report.positions)]


@pytest.mark.parametrize(("id", "nodes"), SOLVED, ids=[id for id, _ in SOLVED])
def test_jobs_find_the_same_value_and_their_certificates_join(id: str, nodes: int) -> None:
    position, tasks = no.Game(id).start(), InlineTasks()
    check(JobSolver(position, first_nodes=nodes, memory_mb=1).solve(tasks), no.solve(position).value)
    assert tasks.answers > 1


@pytest.mark.parametrize("id", ["4x4", "5x4:4"])
def test_draw_by_strategy_stealing_has_a_move(id: str) -> None:
    solution = JobSolver(no.Game(id).start(), first_nodes=100, memory_mb=1).solve(InlineTasks())
    assert solution.proof is not None
    assert "\nS" in solution.proof.text
    assert solution.move is not None
    assert no.solve(no.Game(id).start().after(solution.move)).value is no.Value.DRAW


def test_every_first_move_draws_where_marks_never_hurt_and_the_game_is_a_draw() -> None:
    dice, draws = random.Random(6), 0
    for number in range(60):
        cells = dice.randrange(5, 10)
        lines = {tuple(sorted(dice.sample(range(cells), dice.randrange(2, 5)))) for _ in range(dice.randrange(2, 7))}
        start = no.Game.from_lines(f"lines {number}", cells, lines).start()
        if no.solve(start).value is no.Value.DRAW:
            draws += 1
            assert {no.solve(start.after(cell)).value for cell in start.legal_moves} == {no.Value.DRAW}
    assert draws > 10


def test_symmetric_and_repeated_positions_are_solved_once() -> None:
    solver = JobSolver(no.Game("4x4").start(), first_nodes=1, memory_mb=1)
    proof = solver.solve(InlineTasks()).proof
    assert proof is not None
    assert proof.symmetries
    no.verify(proof)


def test_limit_gives_bounds() -> None:
    solution = JobSolver(no.Game("5x5:4").start(), first_nodes=5).solve(InlineTasks(), no.Limit(nodes=20))
    assert (solution.value, solution.lower, solution.upper) == (None, "draw", "win")
    assert solution.proof is None


# The journal


def interrupted(path: Path, answers: int) -> no.Position:
    """Solve 6x4:4 until some answers are in the journal."""
    position = no.Game("6x4:4").start()
    solver = JobSolver(position, Journal(path, position, is_new=True), first_nodes=30, memory_mb=1)
    with pytest.raises(KeyboardInterrupt):
        solver.solve(InlineTasks(most=answers))
    return position


@pytest.mark.parametrize("cut", [0, 1, 30])
def test_journal_continues_an_interrupted_solve_even_if_its_last_line_is_cut(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    position = interrupted(path, 8)
    path.write_bytes(path.read_bytes()[: -cut or None])
    kept, rest = _records(path), InlineTasks()
    for tasks in (rest, InlineTasks(most=0)):  # the second time nothing is left to do
        journal = Journal(path, position, is_new=False)
        check(JobSolver(position, journal, first_nodes=30, memory_mb=1).solve(tasks), no.Value.DRAW)
    assert kept == (8 if cut == 0 else 7)
    assert rest.answers > 0
    assert _records(path) == kept + rest.answers


def _records(path: Path) -> int:
    """The number of answers in the complete lines of a journal."""
    lines = path.read_text().splitlines(keepends=True)
    return sum(json.loads(line)["entry"][0] == "record" for line in lines[1:] if line.endswith("\n"))


def test_journal_of_another_position_is_refused(tmp_path: Path) -> None:
    interrupted(tmp_path / "journal", 2)
    other = no.Game("5x5:4").start()
    with pytest.raises(OSError, match="expected the journal of a solve of this position"):
        JobSolver(other, Journal(tmp_path / "journal", other, is_new=False))
    (tmp_path / "journal").write_text("something else\n")
    with pytest.raises(OSError, match="expected the journal of a solve, got another file"):
        JobSolver(other, Journal(tmp_path / "journal", other, is_new=False))


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "[1]",
        "[[1]]",
        '["expand", "X"]',
        '["expand", "Y", "6/6/6/6 x"]',
        '["expand", "X", "nonsense"]',
        '["expand", "X", "xo4/6/6/6 x"]',
        '["record", "X", "6/6/6/6 x"]',
        '["record", "X", "6/6/6/6 x", 20, 7, 0.1]',
        '["record", "X", "6/6/6/6 x", 20, ["yes", 1, 1, 20, 0.1, null], 0.1]',
        '["record", "X", "6/6/6/6 x", 20, [null, 1, 1, 20, 0.1, null], "soon"]',
    ],
)
def test_line_that_does_not_belong_to_a_journal_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    position = interrupted(path, 1)
    path.write_bytes(_lines_of(path)[0] + format_record({"entry": json.loads(line)}))
    with pytest.raises(OSError, match="journal: line 2 is not that of a journal"):
        JobSolver(position, Journal(path, position, is_new=False))


def _lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def test_journal_of_an_earlier_version_is_refused_and_untouched(tmp_path: Path) -> None:
    path, position = tmp_path / "journal", no.Game("3x3").start()
    path.write_text('{"noughts_jobs": 1, "game": "3x3", "position": "3/3/3 x"}\n["expand", "X", "3/3/3 x"]\n')
    before = path.read_bytes()
    with pytest.raises(OSError, match="written by another version of noughts"):
        JobSolver(position, Journal(path, position, is_new=False))
    assert path.read_bytes() == before


@pytest.mark.parametrize("damaged", range(11))
def test_damaged_line_costs_only_the_jobs_that_need_it(damaged: int, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    position = interrupted(path, 8)
    lines = _lines_of(path)
    assert len(lines) == 11
    lines[damaged] = _damage(lines[damaged])
    path.write_bytes(b"".join(lines))
    journal = Journal(path, position, is_new=False)
    solver = JobSolver(position, journal, first_nodes=30, memory_mb=1)
    assert journal.damaged_lines == 1
    assert solver.dependent_lines + solver._jobs >= 8 - 1 if damaged else solver._jobs == 8
    rest = InlineTasks()
    check(solver.solve(rest), no.Value.DRAW)
    assert _lines_of(path)[: len(lines)] == lines  # nothing that was written is lost
    again = JobSolver(position, Journal(path, position, is_new=False), first_nodes=30, memory_mb=1)
    check(again.solve(InlineTasks(most=0)), no.Value.DRAW)


def _damage(line: bytes) -> bytes:
    """Change one bit in the middle of a line."""
    at = len(line) // 2
    return line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]


def messages(found: Result) -> str:
    """Return standard error without the time that an answer took."""
    return re.sub(r"answered in [\d.]+ s\n", "", found.stderr)


def test_command_says_how_many_lines_of_a_journal_are_damaged(tmp_path: Path) -> None:
    path = tmp_path / "j"
    interrupted(path, 8)
    lines = _lines_of(path)
    expanded = next(number for number, line in enumerate(lines) if b'"expand"' in line)
    lines[expanded] = _damage(lines[expanded])
    path.write_bytes(b"".join(lines))
    found = in_process(tmp_path, "solve", "6x4:4", "--memory", "4", "--on", "local:1", "--resume", str(path), "--json")
    assert re.fullmatch(
        r"noughts: .*/j: 1 damaged line ignored, and \d+ lines? that cannot be used without; "
        r"their jobs are done again\n",
        messages(found),
    )
    assert json.loads(found.stdout)["value"] == "draw"


def test_entries_are_on_disk_before_the_next_jobs_are_collected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_size))
    path, tasks = tmp_path / "journal", InlineTasks(most=8)
    collect = tasks.collect

    def collect_on_disk() -> list[tuple[Any, Any]]:
        assert _records(path) == tasks.answers if tasks.answers else not path.exists() or _records(path) == 0
        assert not path.exists() or path.stat().st_size in synced
        return collect()

    monkeypatch.setattr(tasks, "collect", collect_on_disk)
    position = no.Game("6x4:4").start()
    solver = JobSolver(position, Journal(path, position, is_new=True), first_nodes=30, memory_mb=1)
    with pytest.raises(KeyboardInterrupt):
        solver.solve(tasks)
    assert _records(path) == 8


def test_entries_that_could_not_be_written_are_written_by_the_next_flush(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path / "journal", no.Game("3x3").start(), is_new=True)
    journal.write("one")
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", lambda descriptor: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(OSError, match="No space left"):
            journal.flush()
    journal.flush()
    assert b"one" in (tmp_path / "journal").read_bytes()


def test_new_journal_leaves_the_old_one_if_it_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal"
    position = interrupted(path, 4)
    before = path.read_bytes()

    def full_disk(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(os, "fsync", full_disk)
        with pytest.raises(OSError, match="No space left"):
            JobSolver(position, Journal(path, position, is_new=True), first_nodes=30).solve(InlineTasks())
        assert path.read_bytes() == before
        with pytest.raises(OSError, match="No space left"):
            JobSolver(position, Journal(path, position, is_new=False), first_nodes=30).solve(InlineTasks())
    assert path.read_bytes() == before


# Answers that are not true


def forge(path: Path, change: Callable[[list[Any]], None]) -> None:
    """Change the answers of a journal, with the checksums that fit."""
    lines = _lines_of(path)
    entries = [json.loads(line)["entry"] for line in lines[1:]]
    for entry in entries:
        if entry[0] == "record" and entry[4][0] is not None:
            change(entry[4])
    path.write_bytes(lines[0] + b"".join(format_record({"entry": entry}) for entry in entries))


def claim_the_opposite(answer: list[Any]) -> None:
    answer[0] = not answer[0]


def claim_without_certificate(answer: list[Any]) -> None:
    answer[0], answer[5] = not answer[0], None


def claim_without_nodes(answer: list[Any]) -> None:
    answer[0], answer[5] = not answer[0], [["t"], []]


def claim_by_numbers(answer: list[Any]) -> None:
    answer[:3], answer[5] = [None, 5, 0], None


def refer_to_no_symmetry(answer: list[Any]) -> None:
    answer[5][1] = []


@pytest.mark.parametrize("change", [claim_the_opposite, claim_without_nodes, claim_by_numbers, refer_to_no_symmetry])
def test_forged_answer_is_neither_printed_nor_stored(change: Callable[[list[Any]], None], tmp_path: Path) -> None:
    words = ["solve", "3x3", "--on", "local:1", "--memory", "4"]
    journal = str(tmp_path / "j")
    assert in_process(tmp_path, *words, "--save", journal).returncode == 0
    (tmp_path / "noughts.sqlite3").unlink()
    forge(tmp_path / "j", change)
    proof = tmp_path / "p.ngp"
    for more in ([], ["--json"], ["--proof", str(proof)]):
        found = in_process(tmp_path, *words, "--resume", journal, *more)
        assert (found.returncode, found.stdout) == (1, "")
        assert re.fullmatch(
            r"noughts: .*/j: the value is not proven, since the certificate is wrong .*\n", found.stderr
        )
        assert not proof.exists()
    with Store(tmp_path / "noughts.sqlite3") as store:
        assert not store.solved.has_any(no.Game("3x3"))


def test_answer_of_a_journal_without_a_certificate_is_found_again(tmp_path: Path) -> None:
    words = ["solve", "3x3", "--on", "local:1", "--memory", "4", "--json"]
    journal = str(tmp_path / "j")
    in_process(tmp_path, *words, "--save", journal)
    forge(tmp_path / "j", claim_without_certificate)
    found = in_process(tmp_path, *words, "--resume", journal)
    assert json.loads(found.stdout)["value"] == "draw"
    assert messages(found) == ""


def test_answers_of_a_journal_are_stored_once_their_certificate_is_checked(tmp_path: Path) -> None:
    words = ["solve", "3x3", "--on", "local:1", "--memory", "4", "--json"]
    journal = str(tmp_path / "j")
    in_process(tmp_path, *words, "--save", journal)
    (tmp_path / "noughts.sqlite3").unlink()
    assert messages(in_process(tmp_path, *words, "--resume", journal)) == ""
    with Store(tmp_path / "noughts.sqlite3") as store:
        assert store.solved.find(no.Game("3x3").start()) is not None


# Processes


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_solve_survives_the_death_of_workers() -> None:
    killed: list[int] = []

    def kill(tasks: LocalTasks[Any]) -> Callable[[object], None]:
        def report(progress: object) -> None:
            if len(killed) < 2 and tasks._processes:
                killed.append(tasks._processes[0]._worker.pid)
                os.kill(killed[-1], signal.SIGKILL)

        return report

    with nothing_left(), closing(LocalTasks[Any](answer, 2)) as tasks:
        solver = JobSolver(no.Game("6x4:4").start(), first_nodes=100, memory_mb=4)
        check(solver.solve(tasks, progress=kill(tasks)), no.Value.DRAW)
    assert len(killed) == 2


def test_command_continues_after_the_driver_was_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, "solve", "6x4:4", "--memory", "4", "--on", "local:2"]
    with nothing_left():
        process = subprocess.Popen(
            [*command, "--save", "journal"], env=environment(tmp_path), cwd=tmp_path, stdin=subprocess.DEVNULL
        )
        with process:
            wait_until(lambda: _lines(tmp_path / "journal") >= 4 or process.poll() is not None)
            process.kill()
            process.wait(30)
    left = _lines(tmp_path / "journal")
    done = subprocess.run(
        [*command, "--resume", "journal", "--proof", "p.ngp", "--fresh", "--json"],
        env=environment(tmp_path), cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=120, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["value"] == "draw"
    assert _lines(tmp_path / "journal") > left >= 4
    no.verify(no.Proof.load(tmp_path / "p.ngp"))


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")
def test_solve_on_a_cluster_writes_a_certificate(tmp_path: Path) -> None:
    words = ["solve", "5x4:4", "--memory", "4", "--on", "ray", "--proof", str(tmp_path / "p.ngp"), "--json"]
    printed = run_with_ray("-c", PROGRAM, *words, **environment(tmp_path))
    assert json.loads(printed)["value"] == "draw"
    no.verify(no.Proof.load(tmp_path / "p.ngp"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--on", "local:0"], "expected local:N with N from 1 to 999, or ray, got 'local:0'"),
        (["--on", "mars"], "expected local:N with N from 1 to 999, or ray, got 'mars'"),
        (["--on", "local:2", "--threads", "2"], "expected --threads or --on, got both: a job has one thread"),
        (["--on", "local:2", "--resume", "none.jobs"], "none.jobs: no such file or directory"),
    ],
)
def test_bad_input_gets_one_clear_line(words: list[str], said: str, tmp_path: Path) -> None:
    found = in_process(tmp_path, "solve", "3x3", *words)
    assert found.returncode == 2
    assert said in found.stderr
    assert found.stderr.count("\n") == 1


def test_without_ray_one_line_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    found = in_process(tmp_path, "solve", "3x3", "--fresh", "--on", "ray")
    assert found.returncode == 2
    assert "--on ray needs Ray" in found.stderr


def test_references_of_parts_are_shifted_when_they_join() -> None:
    position = no.Game("3x3").start()
    tree = JobTree(position, no.Side.X)
    tree.expand(tree.root)
    part = Part(["r 1:1 ~ 2 = 4", "f 4", "m 5 1"], [])
    tree.record(tree.root.children[0], 1, Answer(True, 0, 0, 1, 0.0, part))
    text = join_proof(position, no.Value.WIN, [tree], is_stolen=False).text
    assert text.splitlines()[2:] == ["m 0 1", "r 1:2 ~ 3 = 4", "f 4", "m 5 2"]


def open_leaves(tree: JobTree) -> list[JobNode]:
    """Return the leaves that may still matter, by a walk through the tree."""
    waiting, seen, leaves = [tree.root], {tree.root}, []
    while waiting:
        node = waiting.pop()
        if node.is_solved:
            continue
        if node.edges is None:
            leaves.append(node)
        fresh = [child for child in node.children if child not in seen]
        seen.update(fresh)
        waiting += fresh
    return leaves


def check_counts(choices: random.Random) -> int:
    """Compare the counts with a walk while a tree grows at random; return how many leaves were solved."""
    tree = JobTree(no.Game("4x3").start(), no.Side.X)
    tree.expand(tree.root)
    solved = 0
    for _ in range(200):
        leaves = open_leaves(tree)
        assert (tree.leaves, tree.running) == (len(leaves), sum(leaf.is_running for leaf in leaves))
        if not leaves:
            break
        leaf = choices.choice(leaves)
        if not leaf.is_running and choices.random() < 0.4:
            tree.expand(leaf)
        elif not leaf.is_running:
            tree.start(leaf, 1)
        else:
            can_win = None if choices.random() < 0.5 else leaf.attacks is (choices.random() < 0.95)
            solved += can_win is not None
            tree.record(leaf, 1, Answer(can_win, 3, 2, 1, 0.0, None))
    return solved


def test_counts_of_open_leaves_are_those_of_a_walk() -> None:
    assert sum(check_counts(random.Random(seed)) for seed in range(10)) > 50
