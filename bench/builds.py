"""Earlier versions of the package, built once each into ``bench/out/builds``."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import noughts
from bench.results import OUT, say

__all__ = ["build_of", "current_build", "name_of"]

ROOT = Path(__file__).parent.parent


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True).stdout


@cache
def name_of(revision: str) -> str:
    """Return the short name of a revision's commit."""
    return _git("rev-parse", "--short=10", f"{revision}^{{commit}}").decode().strip()


def build_of(revision: str) -> Path:
    """Return the folder with the built package of a revision, building it when it is not there."""
    # A folder of that name is passed over by type checkers, which would take the package for a second copy.
    target = OUT / "builds" / name_of(revision) / "site-packages"
    if not (target / "done").exists():
        say(f"building {revision} ({name_of(revision)}) ...")
        with tempfile.TemporaryDirectory() as folder:
            _unpack(revision, Path(folder))
            _install(Path(folder), target)
        (target / "done").touch()
    return target


def _unpack(revision: str, folder: Path) -> None:
    archive = _git("archive", name_of(revision))
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)


def _install(source: Path, target: Path) -> None:
    options = ["--quiet", "--no-deps", "--no-build-isolation", "-C", "cmake.define.NOUGHTS_NATIVE=ON"]
    command = [sys.executable, "-m", "pip", "install", *options, "--upgrade", "--target", str(target), str(source)]
    subprocess.run(command, check=True)


@cache
def current_build() -> str:
    """Return a name for the package as it is imported here: it changes with the core, the weights and the levels."""
    folder = Path(noughts.__file__).parent
    core = Path(str(noughts._core.__file__))
    sources = [core, *sorted(folder.glob("games/*.py")), *sorted(folder.glob("engine/*.py"))]
    seen = hashlib.sha1()
    for source in sources:
        seen.update(source.read_bytes())
    return seen.hexdigest()[:10]
