"""Programs as opponents, from Python and in the terminal: good ones play, bad ones lose or are refused."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from mocks import UNCONFINED
from noughts import Game
from noughts.engine import Limit, level
from noughts.players import Limits, PlayerFailed, open_player
from terminals import in_process, without_spaces

FIRST = """\
import json, sys
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["legal"][0]}), flush=True)
"""
LATE = """\
import json, os, sys, time
for line in sys.stdin:
    move = json.loads(line)["legal"][0]
    if not os.path.exists("been-late"):
        open("been-late", "w").close()
        time.sleep(1)
    print(json.dumps({"move": move}), flush=True)
"""


def test_late_answer_is_not_taken_for_the_next_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(LATE)
    position, limits = Game("3x3").start(), Limits(first_seconds=0.2)
    with open_player(f"json:{sys.executable} bot.py", limits=limits, sandbox=UNCONFINED) as bot:
        with pytest.raises(PlayerFailed, match="no answer within"):
            bot.choose(position, Limit(seconds=0.1))
        assert bot.choose(position.after("a3"), Limit(seconds=10)) == 1


def test_program_is_an_opponent_in_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(FIRST)
    who = f"bot:{sys.executable} {tmp_path / 'bot.py'}"
    result = in_process(tmp_path, "play", "3x3", "--o", who, typed="b2\nmoves\n")
    assert without_spaces(f"O ({who}) plays a3.") in without_spaces(result.stdout)
    resumed = in_process(tmp_path, "games", "resume", typed="a1\nmoves\n")
    assert "played: b2 a3 a1 b3" in resumed.stdout


def test_program_that_breaks_down_loses_the_game(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("input()\nraise RuntimeError('no idea')\n")
    who = f"json:{sys.executable} {tmp_path / 'bot.py'}"
    result = in_process(tmp_path, "play", "3x3", "--o", who, typed="b2\n")
    said = without_spaces(result.stdout)
    assert without_spaces(f"O ({who}) failed: the program ended with exit code 1") in said
    assert without_spaces("stderr: RuntimeError: no idea") in said
    assert without_spaces("You win because the opponent's program failed.") in said


@pytest.mark.parametrize(
    ("option", "who", "said"),
    [
        ("--x", "bot:nonexistent", "cannot start nonexistent: no such file"),
        ("--o", "bot:false", "cannot use bot:false: speaks none of"),
        ("--o", "json:false", "cannot use json:false: the program ended with exit code 1"),
        ("--o", "ugi:nonexistent", "cannot start nonexistent: no such file"),
        ("--x", "gomocup:false", "cannot use gomocup:false: does not speak gomocup"),
        ("--o", "nowhere.py:choose", "stderr: cannot load 'nowhere.py': no such file"),
    ],
)
def test_program_that_does_not_start_is_refused_before_the_first_move(
    tmp_path: Path, option: str, who: str, said: str
) -> None:
    result = in_process(tmp_path, "play", "gomoku", option, who, typed="h8\n")
    assert (result.returncode, result.stdout) == (2, "")
    assert said in result.stderr
    assert "no saved games yet" in in_process(tmp_path, "games").stderr


def test_game_with_a_program_that_is_gone_is_not_resumed(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(FIRST)
    who = f"json:{sys.executable} {tmp_path / 'bot.py'}"
    in_process(tmp_path, "play", "3x3", "--o", who, typed="b2\n")
    (tmp_path / "bot.py").write_text("raise SystemExit(3)")
    result = in_process(tmp_path, "games", "resume", typed="a1\n")
    assert result.returncode == 2
    assert "the program ended with exit code 3" in result.stderr


def test_opponent_that_does_not_start_is_refused_in_the_middle_of_a_game(tmp_path: Path) -> None:
    result = in_process(tmp_path, "play", "3x3", "--o", "random", typed="level bot:nonexistent\nb2\n")
    assert "cannot start nonexistent: no such file" in " ".join(result.stdout.split())
    assert "O (random) plays" in result.stdout


def test_insane_move_on_the_cube_takes_a_fifth_of_a_second_at_most() -> None:
    position, bot, slowest = Game("4x4x4").start(), level("insane", seed=1), 0.0
    for _ in range(12):
        began = time.process_time()
        position.play(bot.choose(position))
        slowest = max(slowest, time.process_time() - began)
    assert slowest < 0.2
