"""What stands in the way of a build is said in one line, before the build."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).parent.parent / "tools" / "check-build-tools"


def check(compiler: str, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    """Run the check for a compiler and a Python."""
    environment = os.environ | {"CXX": compiler}
    return subprocess.run([CHECK, python], env=environment, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    ("compiler", "message"),
    [
        ("nonexistent", "no C++ compiler (nonexistent); on Debian: apt-get install g++"),
        ("false", "false does not compile C++20; GCC 10 or Clang 13 or later is needed"),
    ],
)
def test_missing_compiler_is_one_line(compiler: str, message: str) -> None:
    done = check(compiler)
    assert (done.returncode, done.stderr) == (1, f"noughts cannot be built: {message}\n")


def test_missing_python_is_one_line() -> None:
    done = check("c++", "nopython")
    assert done.stderr == "noughts cannot be built: no nopython found; install Python 3.11 or later\n"


@pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler")
def test_compiler_behind_another_program_or_with_options_will_do() -> None:
    assert "compiler" not in check("env c++ -O1").stderr
