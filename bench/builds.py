"""Builds of other revisions of the package, each made once in ``bench/out/builds``, and the commands that run them."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path

import noughts
from bench.results import OUT, ROOT, say

__all__ = ["commit_of", "current_build", "engine_command"]


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True).stdout


@cache
def commit_of(revision: str) -> str:
    """Return the abbreviated commit of a revision."""
    return _git("rev-parse", "--short=10", f"{revision}^{{commit}}").decode().strip()


def engine_command(revision: str | None = None) -> list[str]:
    """Return the command that runs ``noughts engine`` of a revision, building it if necessary, or of this package."""
    if revision is None:
        return [sys.executable, "-m", "noughts", "engine"]
    # -S ignores the .pth files in the site packages, which would put this package before the build.
    build = _build(revision)
    path = os.pathsep.join([str(build), sysconfig.get_paths()["purelib"]])
    # The script, because early revisions cannot be run with -m.
    return ["env", f"PYTHONPATH={path}", sys.executable, "-S", str(build / "bin" / "noughts"), "engine"]


def _build(revision: str) -> Path:
    """The folder with the built package of a revision."""
    # Type checkers skip a folder with that name; otherwise they would see the package twice.
    target = OUT / "builds" / commit_of(revision) / "site-packages"
    if not (target / "done").exists():
        say(f"building {revision} ({commit_of(revision)}) ...")
        with tempfile.TemporaryDirectory() as folder:
            _unpack(revision, Path(folder))
            _install(Path(folder), target)
        (target / "done").touch()
    return target


def _unpack(revision: str, folder: Path) -> None:
    archive = _git("archive", commit_of(revision))
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)


def _install(source: Path, target: Path) -> None:
    options = ["--quiet", "--no-deps", "--no-build-isolation", "-C", "cmake.define.NOUGHTS_NATIVE=ON"]
    command = [sys.executable, "-m", "pip", "install", *options, "--upgrade", "--target", str(target), str(source)]
    subprocess.run(command, check=True)


@cache
def current_build() -> str:
    """Return a name for this package as it is now: it changes with the core, the games and the engine."""
    folder = Path(noughts.__file__).parent
    core = Path(str(noughts._core.__file__))
    sources = [core, *sorted(folder.glob("games/*.py")), *sorted(folder.glob("engine/*.py"))]
    seen = hashlib.sha1()
    for source in sources:
        seen.update(source.read_bytes())
    return seen.hexdigest()[:10]
