"""Every command of README and the guides works as it is printed; one that runs long is interrupted."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import noughts as no
from noughts.games.atomic_file import write_file
from pages import PAGES, blocks, commands
from paths import ROOT
from terminals import environment

SECONDS = 15
"""A command still at work after this time is interrupted, and must end then."""
STARTED = re.compile(r"(?:echo .*\| |printf .*\| )?(?:noughts|python examples/)")
ELSEWHERE = ("--on ray", "dist/noughts-", "~/", "| source", "mandoc", "--full")
"""Commands with one of these need a cluster, a wheel, your own folders, another program, or a whole screen."""
TOO_LONG_TO_PREPARE = ("--from-proof qubic.ngp", "train-brick-pyramid")
NOTHING_TO_DO = ("no unfinished tournament", "nothing to plot", "address already in use")
"""Right answers to commands that depend on what was played before, or on other programs."""
PLACEHOLDERS = {"[ID]": "", "ID": "1", "ID...": "1", "ID FILE": "1 exported.ngn"}
GUIDES = [
    page for page in PAGES if "tutorials" not in page.parts and page.name not in ("architecture.md", "package.md")
]
RUN = GUIDES if os.environ.get("NOUGHTS_SLOW") else [ROOT / "docs" / "configuration.md"]
SEARCH = """
from noughts.textbook import Result


def {name}(position{more}):
    return Result(0, position.legal_moves[0], 1)
"""
PLAN = """
game = "3x3"
rounds = 1
[[bots]]
run = "easy"
[[bots]]
run = "random"
"""


def printed(page: Path) -> Iterator[str]:
    """Yield the commands of a page without their explanations, with a saved game for each placeholder."""
    for block in blocks(page):
        if block.kind == "console":
            lines = [re.split(r"\s+#\s", command.line)[0] for command in commands(block.text)]
        else:
            lines = [re.split(r"\s{2,}|\s#\s", line)[0] for line in block.text.splitlines() if block.kind in ("", "sh")]
        for line in lines:
            if STARTED.match(line) and not any(word in line for word in (*ELSEWHERE, *TOO_LONG_TO_PREPARE)):
                yield re.sub(r"\[ID\]|\bID\b(?: FILE|\.\.\.)?", lambda found: PLACEHOLDERS[found[0]], line)


def prepare(folder: Path) -> None:
    """Write the files and saved games that the pages speak of."""
    bot = (ROOT / "examples" / "bots" / "bot.py").read_text(encoding="utf-8")
    shutil.copytree(ROOT / "examples", folder / "examples")
    for name in ("connect4", "5x4", "7x7"):
        shutil.copyfile(ROOT / "examples" / "proofs" / "connect4.ngp", folder / f"{name}.ngp")
    (folder / "proofs" / "15x15").mkdir(parents=True)
    shutil.copyfile(ROOT / "proofs" / "15x15" / "h8-b8-i9.ngp", folder / "proofs" / "15x15" / "h8-b8-i9.ngp")
    for name in ("mygame.json", "pyramid.json"):
        shutil.copyfile(ROOT / "examples" / "games" / "pyramid.json", folder / name)
    for name in ("mybot.py", "submissions/ann.py", "submissions/bob.py", "new", "old"):
        write(folder / name, f"#!{sys.executable}\n{bot}")
        (folder / name).chmod(0o755)
    for name, function, more in (
        ("alphabeta.py", "alphabeta", ""), ("mine.py", "my_minimax", ""), ("limited.py", "search", ", depth=2"),
        ("tictactoe.py", "minimax", ""), ("search.py", "minimax", ""), ("homework/ann.py", "alphabeta", ""),
        ("homework/bob.py", "minimax", ""), ("project/search.py", "alphabeta", ""),
    ):  # fmt: skip
        write(folder / name, SEARCH.format(name=function, more=more))
    write(folder / "rules.py", "from search import minimax\n")
    write(folder / "cup.toml", PLAN)
    write(folder / "requests.jsonl", '{"id": 1, "game": "3x3", "move": "b2"}\n')
    for name in ("game.ngn", "cup.ngn"):
        no.save(no.Playthrough(no.Game("15x15:5" if name == "cup.ngn" else "3x3"), [4, 0]), folder / name)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, text)


def run(line: str, folder: Path, typed: str = "") -> tuple[int, str]:
    """Run a command of a page in a folder; returns its exit code and its last words."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    data = environment(folder / ".noughts", PATH=programs, NOUGHTS_WEB_OPEN="false", BROWSER="true")
    # The keyboard's Ctrl-C reaches the whole group, so the command gets one of its own.
    with subprocess.Popen(
        ["bash", "-c", line], cwd=folder, env=data | {"NOUGHTS_CONFIG": str(folder / "config.toml")}, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    ) as child:  # fmt: skip
        try:
            _, errors = child.communicate(typed, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGINT)
            _, errors = child.communicate(timeout=60)
    return child.returncode, errors


def is_mistake(code: int, errors: str) -> bool:
    return "Traceback" in errors or (code == 2 and not any(words in errors for words in NOTHING_TO_DO))


@pytest.mark.parametrize("page", RUN, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_of_a_guide_runs(page: Path, tmp_path: Path) -> None:
    prepare(tmp_path)
    if page.name == "autograders.md":
        shutil.rmtree(tmp_path / "project")  # a folder of this name is written there
    run("noughts play 3x3 --o friend", tmp_path, "b2\na1\nb1\n")
    wrong = [(line, *done) for line in printed(page) if is_mistake(*(done := run(line, tmp_path)))]
    assert wrong == []


def test_commands_of_the_guides_are_found() -> None:
    found = {line for page in GUIDES for line in printed(page)}
    assert {"noughts games show 1", "noughts arena cup submissions --format knockout", "noughts config"} <= found
    assert len(found) > 90


def test_command_that_does_not_exist_leaves_with_2(tmp_path: Path) -> None:
    assert run("noughts paly 3x3", tmp_path)[0] == 2
