"""Reports of a running solve: what they contain, as text and as JSON events."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import noughts as no
from noughts.proof.solver import ProofProgress, SolveProgress, Solver
from terminals import PROGRAM, Terminal, environment

EXHAUSTIVE, BY_PROOF_NUMBERS = "7x5:4+gravity", "8x4:4"
LONG_PROOF = "6x5:4+gravity"
"""Solved at once, but its proof takes many seconds."""


def run(data: Path, *arguments: str, input: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, "solve", *arguments],
        env=environment(data), cwd=data, input=input or "", capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("id", [EXHAUSTIVE, BY_PROOF_NUMBERS])
def test_reports_tell_share_rate_table_and_line(id: str) -> None:
    seen: list[SolveProgress] = []

    def watch(progress: SolveProgress) -> bool:
        seen.append(progress)
        return len(seen) < 3

    start = no.Game(id).start()
    no.solve(start, memory_mb=16, progress=watch)
    last = seen[-1]
    assert last.rate > 0
    assert 0 < last.table_bytes <= 16 << 20
    assert 0 <= last.hashfull <= 1000
    start.play_all(last.line)
    for progress in seen:
        if progress.share is not None:
            assert 0 < progress.share.low < progress.share.estimate < progress.share.high < 1
    assert last.share is not None
    assert str(last.share) in str(last)


def test_json_is_one_object_and_events_end_with_the_same_one(tmp_path: Path) -> None:
    plain = json.loads(run(tmp_path, EXHAUSTIVE, "--fresh", "--json", "--memory", "16").stdout)
    lines = run(tmp_path, EXHAUSTIVE, "--fresh", "--events", "--memory", "16").stdout.splitlines()
    *progress, result = (json.loads(line) for line in lines)
    assert (result["event"], result["answer"], result["proof"]) == ("result", plain, None)
    assert progress
    for event in progress:
        assert event["event"] == "progress"
        assert event["position"] == plain["position"]
        found = event["progress"]
        assert found["nodes"] > 0
        assert found["nodes_per_second"] > 0
        assert found["done"] is None or 0 < found["done"][1] < found["done"][0] < found["done"][2] < 1


def test_every_line_of_input_has_its_event(tmp_path: Path) -> None:
    done = run(tmp_path, "3x3", "--events", input="3/1x1/3 o\nnonsense\n")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events] == ["result", "error"]
    assert events[1]["line"] == 2
    assert done.returncode == 1


def test_quick_solve_shows_nothing(tmp_path: Path) -> None:
    assert run(tmp_path, "5x5:4", "--fresh").stderr == ""


@pytest.mark.parametrize(("columns", "setting"), [(80, ""), (40, "NO_COLOR=1")])
def test_terminal_shows_a_bar_that_is_erased_at_the_end(columns: int, setting: str, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "solve", EXHAUSTIVE, "--memory", "16", columns=columns, setting=setting)
    drawing = terminal.wait_for("draw, best ")
    lines = [line.split("\x1b[J")[-1].split("\r")[-1] for line in drawing.split("\x1b[K\r\n")]
    assert all(len(line) < columns for line in lines[1:-1])
    assert "% full" in drawing
    assert "\x1b[J" in drawing.rpartition("% full")[2]
    assert "\x1b[3" not in drawing


def test_writing_a_proof_reports_progress_and_an_exception_leaves_the_solver_as_it_was() -> None:
    solver = Solver(no.Game(LONG_PROOF).start(), memory_mb=16)
    solution = solver.solve()
    seen: list[ProofProgress] = []

    def watch(progress: ProofProgress) -> None:
        seen.append(progress)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solution.prove(watch)
    first, last = seen
    assert 0 < first.nodes <= last.nodes
    assert 0 <= first.share.low <= last.share.low <= last.share.estimate <= last.share.high < 1
    assert solver.solve().value is solution.value is no.Value.DRAW


def test_interrupted_proof_keeps_the_value_and_says_how_to_write_it(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "solve", LONG_PROOF, "--memory", "16", "--proof", "p.ngp", columns=200)
    terminal.wait_for("writing the proof")
    terminal.wait_for("a second")
    terminal.child.kill(signal.SIGINT)
    terminal.wait_for("interrupted; the value is stored; to write the proof: noughts solve ")
    assert terminal.end() == 130
    assert not (tmp_path / "p.ngp").exists()
    assert "known from an earlier solve" in run(tmp_path, LONG_PROOF).stdout
