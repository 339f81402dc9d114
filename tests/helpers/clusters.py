"""Programs that use Ray, which leaves threads and handlers behind: each runs in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from tempfile import TemporaryDirectory

from mocks import nothing_left


def run_with_ray(*words: str, **variables: str) -> str:
    """Run a Python program to its end and return its output.

    It has a folder of its own, because Ray keeps the address of the latest cluster there and connects to it unasked.
    """
    with TemporaryDirectory(prefix="ray") as folder, nothing_left():
        done = subprocess.run(
            [sys.executable, *words],
            env=os.environ | {"RAY_TMPDIR": folder} | variables,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
