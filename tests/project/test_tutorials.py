"""The tutorials work as they are written: every file is saved, every command run, every line of output found."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pages import Block, Command, blocks, commands
from paths import ROOT
from terminals import environment, in_process

TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
PROMPT = re.compile(r"^(?:your move|review, new).*?: (?P<typed>\S.*)$")
SHELL = re.compile(r"[|<>;&$]")
TIME = re.compile(r"\b\d+(?:\.\d+)? (m?s)\b")


def expected_status(command: Command) -> int:
    return 1 if "forged" in command.line and command.line.startswith("noughts verify") else 0


def without_times(text: str) -> str:
    """A text with all times replaced, and without line breaks: a terminal of another width breaks lines elsewhere."""
    return " ".join(TIME.sub(r"0 \1", text).split())


def run(command: Command, folder: Path) -> str:
    """Run a command in a folder, typing what is shown after prompts; returns its output."""
    typed = "".join(f"{found['typed']}\n" for found in map(PROMPT.match, command.shown) if found)
    if command.line.startswith("noughts ") and not SHELL.search(re.sub(r"'[^']*'|\"[^\"]*\"", "", command.line)):
        done = in_process(folder / ".noughts", *shlex.split(command.line, comments=True)[1:], typed=typed)
        assert done.returncode == expected_status(command), f"{command.line}: {done.stdout}{done.stderr}"
        return done.stdout + done.stderr
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    shell = subprocess.run(
        ["bash", "-c", command.line], input=typed, cwd=folder, env=environment(folder / ".noughts", PATH=programs),
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert shell.returncode == expected_status(command), f"{command.line}: {shell.stdout}{shell.stderr}"
    return shell.stdout + shell.stderr


def check(command: Command, output: str) -> None:
    """Check that the lines shown below a command are in its output, in their order."""
    rest = without_times(output)
    for line in command.shown:
        if not PROMPT.match(line):
            _, found, rest = rest.partition(without_times(line))
            assert found, f"{command.line}: expected {line!r} in {output}"


def steps(tutorial: Path) -> Iterator[Block]:
    """Yield the blocks of a tutorial that are to be followed; the slow ones too if slow tests run."""
    marks = {None, "slow"} if os.environ.get("NOUGHTS_SLOW") else {None}
    yield from (block for block in blocks(tutorial) if block.mark in marks)


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: str(path.stem))
def test_tutorial_works_as_it_is_written(tutorial: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if "examples" in tutorial.read_text(encoding="utf-8"):
        shutil.copytree(ROOT / "examples", "examples")
    for block in steps(tutorial):
        if block.file:
            Path(block.file).parent.mkdir(exist_ok=True)
            Path(block.file).write_text(block.text, encoding="utf-8")
        elif block.kind == "console":
            for command in commands(block.text):
                check(command, run(command, tmp_path))


def test_line_that_is_not_printed_fails_a_tutorial() -> None:
    with pytest.raises(AssertionError, match="expected 'three'"):
        check(Command("count", ["one", "three"]), "one\ntwo\n")
