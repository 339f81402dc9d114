"""The first commands of a newcomer: the bare command, a mistyped one, ``python -m noughts``."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from noughts.cli.main import COMMANDS
from paths import ROOT
from terminals import Terminal, in_process, run


@pytest.mark.parametrize("group", [(), ("arena",), ("classic",)], ids=lambda words: " ".join(words) or "noughts")
def test_a_group_alone_prints_its_help_as_help_does(group: tuple[str, ...], tmp_path: Path) -> None:
    alone = in_process(tmp_path, *group)
    assert alone == in_process(tmp_path, *group, "--help")
    assert alone.returncode == 0
    assert alone.stdout.startswith(f"Usage: {' '.join(('noughts', *group))} ")
    assert len(alone.stdout.splitlines()) > 8
    assert alone.stderr == ""


def test_every_command_of_a_group_is_described_in_full(tmp_path: Path) -> None:
    assert "..." not in in_process(tmp_path, "--help").stdout.partition("Play:")[2]
    for words in (("arena",), ("classic",), ("games",)):
        assert "..." not in in_process(tmp_path, *words, "--help").stdout.partition("Commands:")[2]


def test_help_groups_the_commands_by_purpose(tmp_path: Path) -> None:
    text = in_process(tmp_path, "--help").stdout
    headings = [line.removesuffix(":") for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert headings == ["Options", "Play", "Study", "Compete", "Teach", "Research", "Set up"]
    listed = re.findall(r"^  ([a-z]+)  ", text, re.MULTILINE)
    modules = {path.stem for path in (ROOT / "src/noughts/cli").glob("*.py") if "\n@click." in path.read_text("utf-8")}
    assert len(listed) == len(set(listed)) == len(COMMANDS)
    assert {*listed} == {*COMMANDS} <= modules


def test_help_has_placeholders_and_bounds_for_people(tmp_path: Path) -> None:
    text = in_process(tmp_path, "analyse", "--help").stdout
    assert re.search(r"--lines N +Number of lines\.\s+\[default: 3; 1 to 1,024\]", text)
    assert re.search(r"--nodes N +Positions to visit\.\s+\[at least 1\]", text)
    assert re.search(r"--seconds NUMBER +Time to think, in seconds\.\s+\[above 0 and up to 86,400\]", text)


def test_help_fits_narrow_terminals(tmp_path: Path) -> None:
    for words in ((), ("play",), ("arena", "run"), ("tree",), ("grade",)):
        lines = in_process(tmp_path, *words, "--help", columns=40).stdout.splitlines()
        assert [
            line for line in lines if len(line) > 40 and not line.startswith("  noughts ")
        ] == []  # examples are whole


@pytest.mark.parametrize("columns", [30, 40])
def test_narrow_terminals_break_no_word(tmp_path: Path, columns: int) -> None:
    terminal = Terminal(tmp_path, "play", "3x3", "--o", "friend", columns=columns)
    terminal.answer("to move: ", "nonsense", "resign")
    terminal.answer("no: ", "yes")
    terminal.answer("quit: ", "quit")
    assert terminal.end() == 0
    words = terminal.text.split()
    assert {"nonsense", "expected", "resign", "undo,", "quit:"} <= {*words}
    assert max(map(len, terminal.text.splitlines())) <= columns


def test_errors_break_no_word_on_a_narrow_terminal(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "review", "nonsense", columns=30)
    assert terminal.end() == 2
    assert terminal.text.splitlines() == [
        "noughts: expected the number",
        "of a saved game, or a file",
        "name that ends in .ngn or",
        ".sgf, got 'nonsense'",
    ]


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


@pytest.mark.parametrize("words", [("solve", "3x3"), ("hint", "3x3", "--nodes", "100"), ("stats",), ("play", "--help")])
def test_sentences_fit_narrow_terminals(tmp_path: Path, words: tuple[str, ...]) -> None:
    run(tmp_path, "puzzle", "e8c9943f37", typed="\n")
    text = run(tmp_path, *words, columns=40).stdout.partition("Options:")[0]
    assert text
    assert max(map(len, text.splitlines())) <= 40
