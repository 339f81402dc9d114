"""The first commands of a newcomer: the bare command, a mistyped one, ``python -m noughts``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from terminals import in_process


@pytest.mark.parametrize("group", [(), ("arena",), ("classic",)], ids=lambda words: " ".join(words) or "noughts")
def test_a_group_alone_prints_its_help_as_help_does(group: tuple[str, ...], tmp_path: Path) -> None:
    alone = in_process(tmp_path, *group)
    assert alone == in_process(tmp_path, *group, "--help")
    assert alone.returncode == 0
    assert alone.stdout.startswith(f"Usage: {' '.join(('noughts', *group))} ")
    assert len(alone.stdout.splitlines()) > 8
    assert alone.stderr == ""


def test_every_command_of_a_group_is_described_in_full(tmp_path: Path) -> None:
    for words in ((), ("arena",), ("classic",), ("games",)):
        assert "..." not in in_process(tmp_path, *words, "--help").stdout.partition("Commands:")[2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("plya",), "no such command 'plya'; did you mean play?"),
        (("PLAY",), "no such command 'PLAY'; did you mean play?"),
        (("arena", "rnu"), "no such command 'rnu'; did you mean run?"),
        (("classic", "ulitmate"), "no such command 'ulitmate'; did you mean ultimate?"),
        (("games", "shwo", "1"), "no such command 'shwo'; did you mean show?"),
        (("zzz",), "no such command 'zzz'; noughts --help lists them"),
        (("arena", "zzz"), "no such command 'zzz'; noughts arena --help lists them"),
    ],
)
def test_a_mistyped_command_gets_the_nearest_one(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = in_process(tmp_path, *words)
    assert done == (2, "", f"noughts: {message}\n")


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "noughts", "--version"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("noughts ")


def test_the_module_calls_itself_by_a_command_that_works() -> None:
    done = subprocess.run([sys.executable, "-m", "noughts", "arena"], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("Usage: python -m noughts arena ")


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (("play", "conect4"), "connect4"),
        (("hint", "qubix"), "qubic"),
        (("play", "3x3", "--against", "insnae"), "insane"),
        (("play", "3x3", "--o", "freind"), "friend"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else words,
)
def test_a_mistyped_game_or_player_gets_the_nearest_one(words: tuple[str, ...], near: str, tmp_path: Path) -> None:
    done = in_process(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"; did you mean {near}?\n")
