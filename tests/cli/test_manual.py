"""The manual pages are made from the help texts, and man shows them without a warning."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import click
import pytest

from noughts import __version__
from noughts.cli.main import COMMANDS, group
from noughts.cli.manual import format_pages
from terminals import Terminal, in_process, parameters


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return format_pages(group, __version__)


def section(page: str, title: str) -> str:
    return page.partition(f"\n.SH {title}\n")[2].partition("\n.SH ")[0]


def test_every_command_has_a_page_and_is_in_the_list(pages: dict[str, str]) -> None:
    assert pages.keys() == {"noughts.1", *(f"noughts-{name}.1" for name in COMMANDS)}
    assert section(pages["noughts.1"], "COMMANDS").count(".TP") == len(COMMANDS)
    for name in ("GAMES", "PLAYERS", "EXIT STATUS", "ENVIRONMENT", "FILES"):
        assert section(pages["noughts.1"], name)


def test_a_page_has_the_help_of_its_command(pages: dict[str, str]) -> None:
    page = pages["noughts-solve.1"]
    assert section(page, "NAME") == "noughts-solve \\- prove whether a position is a win, a draw or a loss"
    assert section(page, "SYNOPSIS") == "\\fBnoughts solve\\fP [\\fIOPTIONS\\fP] \\fIGAME\\fP [\\fIPOSITION\\fP]"
    assert "\\fB\\-s\\fP, \\fB\\-\\-seconds\\fP \\fINUMBER\\fP\nTime limit in seconds." in section(page, "OPTIONS")
    assert "noughts solve qubic \\-\\-proof qubic.ngp\n" in section(page, "EXAMPLES")


def test_the_page_of_a_group_has_its_commands(pages: dict[str, str]) -> None:
    commands = section(pages["noughts-arena.1"], "COMMANDS")
    assert ".SS noughts arena sprt [\\fIOPTIONS\\fP] \\fIFIRST\\fP \\fISECOND\\fP\n" in commands
    assert commands.count(".SS ") == 9


def test_every_option_is_described() -> None:
    options = {name: each for name, each in parameters(group) if isinstance(each, click.Option)}
    assert [name for name, each in options.items() if not each.help or each.help.startswith("Default")] == []


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")
def test_mandoc_has_no_complaints(pages: dict[str, str], tmp_path: Path) -> None:
    for name, text in pages.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = ["mandoc", "-T", "lint", "-W", "warning", *sorted(pages)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    complaints = [line for line in done.stdout.splitlines() if "missing date" not in line]
    assert (complaints, done.stderr) == ([], "")


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")
def test_a_page_reads_as_its_help_does(pages: dict[str, str]) -> None:
    command = ["mandoc", "-T", "utf8", "-O", "width=100"]
    done = subprocess.run(
        command, input=pages["noughts-play.1"], capture_output=True, encoding="utf-8", timeout=60, check=True
    )
    text = " ".join(letter_by_letter(done.stdout).split())
    assert "SYNOPSIS noughts play [OPTIONS] [GAME] DESCRIPTION Play GAME in the terminal" in text
    assert "--against WHO Your opponent; --first decides who begins." in text


def letter_by_letter(text: str) -> str:
    """Return the text without overstriking, which stands for bold and underlined letters."""
    while "\b" in text:
        at = text.index("\b")
        text = text[: at - 1] + text[at + 1 :]
    return text


def test_in_a_pipe_the_source_of_a_page_is_printed(pages: dict[str, str], tmp_path: Path) -> None:
    assert in_process(tmp_path, "man") == (0, pages["noughts.1"], "")
    assert in_process(tmp_path, "man", "play") == (0, pages["noughts-play.1"], "")


def test_all_pages_are_written_to_a_folder(pages: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "share" / "man1"
    assert in_process(tmp_path, "man", "-o", str(folder)) == (0, "", f"{folder}: {len(pages)} pages\n")
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == pages


def test_on_a_terminal_man_shows_the_page(tmp_path: Path) -> None:
    man = tmp_path / "man"
    man.write_text('#!/bin/sh\necho "shown: ${1##*/} $(grep -c "^.SH" "$1")"\nexit 7\n')
    man.chmod(0o755)
    terminal = Terminal(tmp_path, "man", "verify", setting=f"PATH={tmp_path}:/usr/bin:/bin")
    terminal.wait_for("shown: noughts-verify.1 6")
    assert terminal.end() == 7


def test_without_man_the_help_is_recommended(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "man", setting=f"PATH={tmp_path}")
    terminal.wait_for("noughts: there is no man program to show the page; noughts --help has the same")
    assert terminal.end() == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nonsense",), "invalid value for '[COMMAND]': 'nonsense' is not one of "),
        (("play", "-o", "x"), "expected a command or --output, which writes all pages, got both"),
        (("-o", "/dev/null/man"), "cannot write to /dev/null/man: not a directory"),
    ],
    ids=["nonsense", "both", "no folder"],
)
def test_wrong_usage_is_one_line(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = in_process(tmp_path, "man", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"noughts: {message}")
    assert done.stderr.count("\n") == 1
