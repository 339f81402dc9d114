"""Limits of time and memory are obeyed, and killed solves continue to the same value."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import noughts as no
from noughts.engine.proof import Proof
from terminals import PROGRAM, environment

TOLERANCE = 1.05
SCHEDULING_SECONDS = 0.25
"""A busy machine may not give the processor back at once."""
MEGABYTE = 1 << 20


def start(data: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "solve", *arguments],
        env=environment(data), cwd=data, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True,
    )  # fmt: skip


@pytest.mark.parametrize("id", ["9x4:4", "connect4"])
def test_time_limit_is_obeyed_within_five_per_cent(id: str, tmp_path: Path) -> None:
    out, _ = start(tmp_path, id, "--seconds", "1", "--memory", "16", "--json").communicate(timeout=120)
    assert 1 <= json.loads(out)["seconds"] < TOLERANCE + SCHEDULING_SECONDS


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="there is no wait4")
@pytest.mark.parametrize("id", ["9x4:4", "connect4"])
def test_memory_limit_is_obeyed_within_five_per_cent(id: str, tmp_path: Path) -> None:
    def peak(megabytes: int, nodes: int) -> float:
        process = start(tmp_path, id, "--memory", str(megabytes), "--nodes", str(nodes), "--fresh")
        resident = os.wait4(process.pid, 0)[2].ru_maxrss
        process.communicate(timeout=60)
        return resident * (1 if sys.platform == "darwin" else 1024) / MEGABYTE

    limit, nodes = (32, 8_000_000) if id == "connect4" else (4, 60_000)
    assert peak(limit, nodes) - peak(1, 1) < limit * TOLERANCE + 2


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("id", ["7x4:4", "5x4:4+gravity"])
def test_killed_solve_continues_to_the_same_value_with_a_proof(id: str, tmp_path: Path) -> None:
    state, proof = tmp_path / "state.solve", tmp_path / "proof.ngp"
    for number in (signal.SIGTERM, signal.SIGKILL):
        process = start(tmp_path, id, "--memory", "16", "--proof", str(proof), "--events", *known(state))
        assert process.stdout is not None
        process.stdout.readline()  # the first report of the solve, or the result of a quick one
        process.send_signal(number)
        process.communicate(timeout=60)
    last = start(tmp_path, id, "--memory", "16", "--proof", str(proof), "--json", *known(state))
    assert json.loads(last.communicate(timeout=120)[0])["value"] == "draw"
    assert no.verify(Proof.load(proof)).nodes > 0


def known(state: Path) -> list[str]:
    return ["--resume" if state.exists() else "--save", str(state)]
