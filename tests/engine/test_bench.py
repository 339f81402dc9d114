"""The benchmark and its signature."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

import noughts as no
from noughts import _core
from noughts.cli import bench
from noughts.engine.signature import CASES, measure_cases, signature
from paths import ROOT

SIGNATURE = ROOT / "bench" / "signature"
COMMAND = [sys.executable, "-c", "from noughts.cli import main; main()", "bench"]


def test_signature_is_the_one_on_file_in_every_process() -> None:
    """It changes with the search: `make signature` writes the new one, and the commit message states it."""
    expected = int(SIGNATURE.read_text())
    assert signature(measure_cases()) == expected
    words = [*COMMAND, "--json", "--repeat", "1"]
    result = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
    printed = json.loads(result.stdout)
    assert printed["signature"] == expected
    assert sum(game["nodes"] for game in printed["games"].values()) == expected


def test_benchmark_runs_with_the_instruction_set_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.engine.signature.CASES", CASES[:1])
    try:
        result = CliRunner().invoke(bench.command, ["--repeat", "1", "--instructions", "portable"])
        assert result.output.endswith(", networks use portable\n")
        refused = CliRunner().invoke(bench.command, ["--instructions", "mmx"])
        assert refused.exit_code == 2
        assert "portable, got mmx" in " ".join(refused.output.split())
    finally:
        _core.set_instruction_set(_core.instruction_sets()[0])


def test_benchmark_has_every_family_and_only_unfinished_positions() -> None:
    games = {case.game for case in CASES}
    assert {"3x3", "4x4:3", "4x4x4", "7x6:4+gravity", "15x15:5+exact", "10x10:5+wrap", "triangle"} <= games
    assert {"ultimate:3", "ultimate:3+open", "ultimate:3+count", "ultimate:4", "4x4x4x4", "3x3+misere"} <= games
    for case in CASES:
        position = case.parse()
        assert not position.is_over
        assert position.text == case.position


def test_searches_of_the_benchmark_stop_at_their_depth() -> None:
    for case in CASES[:6]:
        result = no.Engine(hash_mb=16, book=False).search(case.parse(), no.Limit(depth=case.depth))
        assert result.depth == case.depth or result.value is not None


def test_time_is_that_of_the_processor_and_the_fastest_run_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.engine.signature.CASES", CASES[:1])
    ticks = iter([0.0, 5.0, 5.0, 7.0, 7.0, 10.0])
    monkeypatch.setattr("time.process_time", lambda: next(ticks))
    assert [found.seconds for found in measure_cases(repeats=3)] == [2.0]
