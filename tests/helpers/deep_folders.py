"""Folders within folders that are too deep for programs that recurse, pytest among them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["deep_folder"]

SECONDS = 60
DEPTH, STEP = 1200, 100


@contextmanager
def deep_folder(folder: Path) -> Iterator[None]:
    """Make folders within a folder, whose path is too long to be named at once; they are removed at the end."""
    inner = folder
    for _ in range(DEPTH // STEP):
        subprocess.run(["mkdir", "-p", "d/" * STEP], cwd=inner, check=True, timeout=SECONDS)
        inner = inner / Path("d/" * STEP)
    try:
        yield
    finally:
        subprocess.run(["rm", "-r", "d"], cwd=folder, check=True, timeout=SECONDS)
