"""The core compiles for systems that are not here."""

from __future__ import annotations

import subprocess
import sys

import pytest

from paths import ROOT

TARGETS = ["x86_64-windows-gnu", "aarch64-macos", "aarch64-linux-musl"]


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_core_compiles_for(target: str) -> None:
    pytest.importorskip("ziglang", reason="ziglang is not installed")
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "cross-compile", target], capture_output=True, text=True, timeout=1800
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"the core compiles for {target}\n"


def test_instructions_beyond_cpp_are_in_one_header() -> None:
    beyond = ("__int128", "__builtin_", "vector_size", "__attribute__", "__extension__")
    files = [file for file in (ROOT / "core").rglob("*.[ch]pp") if file.parent.name not in ("wasm", "python")]
    users = [file.name for file in files if any(word in file.read_text() for word in beyond)]
    assert users == ["machine.hpp"]
