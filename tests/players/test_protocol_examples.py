"""The ready-made bots: short, and they play."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mocks import nothing_left
from noughts import Game, Limit
from noughts.players import Limits, open_player
from paths import ROOT

BOTS = ROOT / "examples" / "bots"
LANGUAGES = {"bot.py": sys.executable, "bot.js": "node", "bot.cpp": "c++", "bot.sh": "sh"}


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The command of each bot whose language is installed."""
    found = {name: f"{tool} {BOTS / name}" for name, tool in LANGUAGES.items() if shutil.which(tool)}
    if "bot.cpp" in found:
        program = tmp_path_factory.mktemp("bots") / "bot"
        subprocess.run(["c++", "-O1", "-o", str(program), str(BOTS / "bot.cpp")], timeout=120, check=True)
        found["bot.cpp"] = str(program)
    return found


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("id", ["3x3", "ultimate:3"])
def test_ready_made_bot_plays_to_the_end(name: str, id: str, commands: dict[str, str]) -> None:
    if name not in commands:
        pytest.skip(f"{LANGUAGES[name]} is not installed")
    position = Game(id).start()
    with nothing_left(), open_player(commands[name], protocol="json") as bot:
        bot.new_game(position)
        while not position.is_over:
            position.play(bot.choose(position, Limit(seconds=5)))


@pytest.mark.parametrize("path", sorted(filter(Path.is_file, BOTS.iterdir())), ids=lambda path: path.name)
def test_ready_made_bot_has_under_20_lines(path: Path) -> None:
    assert len(path.read_text().splitlines()) < 20


@pytest.mark.parametrize("protocol", ["auto", "python", "in-process"])
def test_bot_as_a_class_plays_in_process_and_in_a_child(protocol: str) -> None:
    position = Game("3x3").start()
    with (
        nothing_left(),
        open_player(f"{BOTS / 'greedy.py'}:Greedy", protocol=protocol, limits=Limits(quit_seconds=5)) as bot,
    ):
        position.play_all(("a1", "b2", "a2"))
        assert position.format_move(bot.choose(position, Limit(seconds=5))) == "a3"
