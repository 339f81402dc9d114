"""On Windows and macOS noughts works, except for programs as players on Windows, where one line says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from paths import HELPERS, ROOT
from terminals import environment

SUPERVISION = ("bubblewrap", "forked", "program", "regular_files", "supervisor", "visible_files")
POSIX_ONLY = tuple(f"src/noughts/process/{name}.py" for name in SUPERVISION)
"""The modules that run programs under supervision."""


def test_noughts_is_used_as_on_windows(tmp_path: Path) -> None:
    """``windows.py`` simulates it and uses one command after the other."""
    variables = environment(tmp_path / "data", NOUGHTS_CONFIG=str(tmp_path / "config.toml"), COLUMNS="80")
    walk = [sys.executable, str(HELPERS / "windows.py")]
    done = subprocess.run(walk, cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=240, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.slow
@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_types_are_right_for_other_systems(platform: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "mypy", "--platform", platform, "--cache-dir", str(tmp_path), "src/noughts"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert [line for line in errors if not line.startswith(POSIX_ONLY)] == []
    assert done.returncode in (0, 1), done.stderr
