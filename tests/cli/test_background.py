"""Commands started in the background of a script or under nohup: an ignored signal stays ignored."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from terminals import Process

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

SECONDS = 60


def ignoring(folder: Path, signals: str, *arguments: str) -> Process:
    """A command started by a shell that ignores some signals."""
    return Process(folder, *arguments, shell=["bash", "-c", f'trap "" {signals}; exec "$@"', "bash"])


def test_web_in_the_background_is_not_interrupted_and_ends_when_asked_to(tmp_path: Path) -> None:
    with ignoring(tmp_path, "INT", "web", "--port", "0", "--no-open") as process:
        address = process.stdout.readline().strip()
        process.send_signal(signal.SIGINT)
        for _ in range(3):
            assert urlopen(f"{address}api/about", timeout=SECONDS).status == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == -signal.SIGTERM


def test_game_under_nohup_outlives_its_terminal(tmp_path: Path) -> None:
    with ignoring(tmp_path, "HUP", "play", "3x3", "--o", "friend") as process:
        assert "begins" in process.stdout.readline()
        process.send_signal(signal.SIGHUP)
        out, _ = process.communicate("b2\nquit\n", timeout=SECONDS)
        assert process.returncode == 0
        assert "The game is saved." in out


def test_solve_in_the_background_is_not_interrupted(tmp_path: Path) -> None:
    with ignoring(tmp_path, "INT HUP", "solve", "4x4", "-") as process:
        process.stdin.write("4/4/4/4 x\n")
        assert "draw" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGHUP)
        out, _ = process.communicate("x3/4/4/4 o\n", timeout=SECONDS)
        assert process.returncode == 0
        assert "draw" in out
