"""Commands started in the background of a script or under nohup: an ignored signal stays ignored."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from terminals import PROGRAM, environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

SECONDS = 60


@contextmanager
def ignoring(folder: Path, signals: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A command started by a shell that ignores some signals."""
    shell = ["bash", "-c", f'trap "" {signals}; exec "$@"', "bash", sys.executable, "-c", PROGRAM, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        shell, env=environment(folder), cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_web_in_the_background_is_not_interrupted_and_ends_when_asked_to(tmp_path: Path) -> None:
    with ignoring(tmp_path, "INT", "web", "--port", "0", "--no-open") as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        process.send_signal(signal.SIGINT)
        for _ in range(3):
            assert urlopen(f"{address}api/about", timeout=SECONDS).status == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == -signal.SIGTERM


def test_game_under_nohup_outlives_its_terminal(tmp_path: Path) -> None:
    with ignoring(tmp_path, "HUP", "play", "3x3", "--o", "friend") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert "begins" in process.stdout.readline()
        process.send_signal(signal.SIGHUP)
        out, _ = process.communicate("b2\nquit\n", timeout=SECONDS)
        assert process.returncode == 0
        assert "The game is saved." in out


def test_solve_in_the_background_is_not_interrupted(tmp_path: Path) -> None:
    with ignoring(tmp_path, "INT HUP", "solve", "4x4", "-") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("4/4/4/4 x\n")
        assert "draw" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGHUP)
        out, _ = process.communicate("x3/4/4/4 o\n", timeout=SECONDS)
        assert process.returncode == 0
        assert "draw" in out
