"""Files, journals and the store when a disk is full or fails, or the process is killed, at each of their steps."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import fault_injection
from fault_injection import CASES

SLOW = bool(os.environ.get("NOUGHTS_SLOW"))
EFFORT = 12 if SLOW else 1
EVERY = {
    **dict.fromkeys(CASES, 4),
    **dict.fromkeys(("cup", "records"), 15),
    **dict.fromkeys(("backup", "moves", "tournament"), 25),
    **dict.fromkeys(("new store", "upgrade"), 50),
    "restore": 120,
}
"""In the short form one operation in this many fails; in the long form every one does."""
MEMORY = Path("/dev/shm")
"""A folder in memory, if there is one: on a disk most of the time would be spent flushing."""

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("cc") is None or bool(os.environ.get("NOUGHTS_SANITIZED")),
    reason="needs Linux, a C compiler and a process without sanitizers",
)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that makes file operations fail."""
    path = tmp_path_factory.mktemp("faults") / "fault_injection.so"
    source = Path(fault_injection.__file__).with_suffix(".c")
    subprocess.run(
        ["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-o", path, source, "-ldl"],
        check=True, timeout=60,
    )  # fmt: skip
    return path


@pytest.fixture
def folder() -> Iterator[Path]:
    with TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as path:
        yield Path(path)


def inject(library: Path, case: str, folder: Path) -> dict[str, Any]:
    """Let the operations of a case fail in all ways; returns the number of faults and the problems."""
    every = 1 if SLOW else EVERY.get(case, 1)
    command = [sys.executable, fault_injection.__file__, str(library), case, str(EFFORT), str(every), str(folder)]
    done = subprocess.run(
        command, env=os.environ | {"LD_PRELOAD": str(library)}, capture_output=True, text=True, check=False,
        timeout=3000 if SLOW else 240,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("case", CASES)
def test_old_or_new_contents_are_whole_after_a_fault_at_any_step(case: str, library: Path, folder: Path) -> None:
    found = inject(library, case, folder)
    assert found["problems"] == []
    assert found["faults"] >= 10
    assert found["errors"] >= found["faults"] // 2  # the others are short writes, and details that do not matter
    print(f"{case}: {found['faults']} faults")


@pytest.mark.parametrize(
    ("case", "kind"), [("in place", "NO_SPACE"), ("in place", "KILL_HALFWAY"), ("not flushed", "POWER_CUT")]
)
def test_careless_writes_are_found_out(case: str, kind: str, library: Path, folder: Path) -> None:
    assert any(problem.startswith(kind) for problem in inject(library, case, folder)["problems"])
