"""Programs that attack the host or each other, in a tournament and in a cup: one table of results for both.

They are the attacks of ``hostile_programs``, which are graded, too, and the ways to fail of the mock bot. The long form
plays all of them, in cups of several also against each other.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from arenas import PROGRAM, noughts, run_plan
from clusters import run_with_ray
from cups import FAIR, write_bot
from hostile_programs import HOSTILE, SECRET, SHORT, bait, hostile_program
from mocks import ATTACKS, EXPECTED, LONG_SECONDS, MOCK, QUIET, SHORT_SECONDS, WAYS, nothing_left
from noughts.arena.plan import read_plan
from noughts.arena.tournaments import Result, Tournaments
from noughts.process.sandbox import why_no_sandbox
from noughts.store import Store

pytestmark = pytest.mark.skipif(why_no_sandbox() is not None, reason="the sandbox does not work here")
GAME = "4x4"
"""No way to fail needs more moves than everyone has in it."""
MEMORY_MB = 200
FAIR_NAME = "fair"
IN_A_TOURNAMENT = (
    *("crash-in-the-middle", "illegal", "flood-a-line", "close-stdout", "hang"),
    *("fill-sockets", "zombies", "odd-name", "kill-both-supervisors", "daemonise"),
    *SHORT,
)
IN_A_CUP = ("leave-connections", "starts many threads", "becomes another program")
"""The ways of the short form."""
ALL = (*WAYS, *HOSTILE)
WAIT_SECONDS = 1800
CUPS = 16
"""Cups of the long form, in which each way plays once."""


def expected(way: str) -> str | None:
    """Return the reason of the forfeit; None for a program that plays to the end."""
    return HOSTILE[way].results[0] if way in HOSTILE else WAYS.get(way)


def write_program(folder: Path, way: str, values: dict[str, object]) -> str:
    """Write a hostile program that speaks JSON lines into a folder, and return its command there."""
    if way in WAYS:
        (folder / "mock.py").write_bytes(MOCK.read_bytes())
        return f"env LC_MOCK_FILE=/tmp/lock {sys.executable} -S -E mock.py {way}"
    name = f"{re.sub('[^a-z]', '_', way)}.py"
    (folder / name).write_text(hostile_program(HOSTILE[way], **values))
    return f"{sys.executable} {name}"


def check_results(results: Iterable[Result], ways: Sequence[str]) -> int:
    """Check results against the table and return their number: a program that fails does so in its way, and loses."""
    found = list(results)
    wrong = []
    for result in found:
        assert SECRET not in f"{result.detail}{result.stderr}"
        players = {result.x: expected(result.x), result.o: expected(result.o)}
        if result.failure is None:
            is_right = not any(players.values())
        else:
            is_right = result.loser is not None and players[result.loser] == result.failure and bool(result.detail)
            if result.loser == "crash-in-the-middle":
                assert "no idea what to do" in str(result.stderr)
        if not is_right:
            wrong.append((result.x, result.o, result.loser, result.failure, result.detail, result.stderr))
    assert wrong == []
    played = {name for result in found for name in (result.x, result.o)}
    assert played == {FAIR_NAME, *ways}
    return len(found)


def tournament(folder: Path, ways: Sequence[str], values: dict[str, object]) -> dict[str, Any]:
    """Return the data of a tournament of a fair player against hostile programs, whose files are put into a folder."""
    bots: list[dict[str, Any]] = [{"name": FAIR_NAME, "run": "random"}]
    for way in ways:
        limit = {"seconds": SHORT_SECONDS if expected(way) == "time" else LONG_SECONDS, "startup": 1.0}
        run = write_program(folder, way, values)
        bots.append({"name": way, "run": run, "protocol": "json", "memory_mb": MEMORY_MB, "limit": limit})
    return {"game": GAME, "format": "gauntlet", "challengers": [FAIR_NAME], "concurrency": 4, "bots": bots}


def toml(value: object) -> str:
    """Return a value as text of a tournament file."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {toml(each)}' for key, each in value.items())} }}"
    return f"[{', '.join(map(toml, value))}]" if isinstance(value, list) else json.dumps(value)


def play_tournament(folder: Path, ways: Sequence[str]) -> int:
    """Play a tournament and check its results."""
    programs = folder / "programs"
    programs.mkdir()
    with bait(folder / "others") as values, nothing_left(), Store(folder / "store") as store:
        plan = read_plan(tournament(programs, ways, values), programs)
        return check_results(run_plan(store, plan).results.values(), ways)


def play_cup(folder: Path, ways: Sequence[str], *options: str) -> int:
    """Play a cup of a fair and of hostile submissions, and check its results."""
    write_bot(folder / "class", FAIR_NAME, FAIR.format(number=1))
    words = ("--all", "--no-page", "--game", GAME, "--memory", str(MEMORY_MB), "-o", str(folder / "cup"), *options)
    with bait(folder / "class" / FAIR_NAME) as values, nothing_left():
        for way in ways:
            (folder / "class" / way).mkdir()
            run = write_program(folder / "class" / way, way, values)
            (folder / "class" / way / "bot.toml").write_text(f'run = "{run}"\nprotocol = "json"\n')
        process = noughts(folder, "arena", "cup", str(folder / "class"), *words)
        output, errors = process.communicate(timeout=WAIT_SECONDS)
        assert process.returncode == 0, errors
        assert SECRET not in output + errors
    with Store(folder / "cup" / "cup.sqlite3") as store:
        return check_results(Tournaments(store).results(1), ways)


def test_hostile_programs_lose_a_tournament_in_the_ways_of_the_table(tmp_path: Path) -> None:
    assert play_tournament(tmp_path, IN_A_TOURNAMENT) == 2 * len(IN_A_TOURNAMENT)


def test_hostile_submissions_lose_a_cup_in_the_ways_of_the_table(tmp_path: Path) -> None:
    make_odd_submissions(tmp_path / "class")
    play_cup(tmp_path, IN_A_CUP, "--seconds", "5", "--format", "knockout", "-c", "3")


@pytest.mark.slow
def test_all_hostile_programs_lose_a_tournament(tmp_path: Path) -> None:
    assert play_tournament(tmp_path, ALL) == 2 * len(ALL)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(CUPS))
def test_all_hostile_submissions_lose_a_cup(tmp_path: Path, number: int) -> None:
    ways = ALL[number::CUPS]
    assert play_cup(tmp_path, ways, "--seconds", "4", "-c", "4") == len(ways) * (len(ways) + 1)


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")
def test_hostile_programs_lose_a_tournament_on_a_cluster(tmp_path: Path) -> None:
    ways = ["kill-both-supervisors", "hog-shared-memory", "swarm", "make-files", "close-stdout", "daemonise"]
    file, there = tmp_path / "cup.toml", tmp_path / "there"
    file.write_text("\n".join(f"{key} = {toml(value)}" for key, value in tournament(tmp_path, ways, {}).items()))
    run_with_ray("-c", PROGRAM, "arena", "run", str(file), "--store", str(there), "--on", "ray")
    with Store(there) as store:
        assert check_results(Tournaments(store).results(1), ways) == 2 * len(ways)


def test_table_has_all_ways() -> None:
    assert {*EXPECTED, *QUIET, *ATTACKS} <= WAYS.keys()
    assert sum(hostile.results[0] is not None for hostile in HOSTILE.values()) > 25


def make_odd_submissions(folder: Path) -> None:
    """Write submissions that cannot play, and must not keep others from it."""
    files = {
        "bomb/bot.toml": ".".join("a" * 300_000) + " = 1",
        "outside/command": "../fair/bot.sh",
        "options/command": "--reuid=0/bot",
        "reader/bot.c": '#include "/etc/shadow"\n#include "../cup.json"\n',
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text)
    subprocess.run(["mkdir", "-p", f"deep{100 * '/d'}"], cwd=folder, check=True, timeout=60)
    (folder / "link.py").symlink_to("/etc/passwd")
    (folder / "broken").symlink_to("/nowhere")
    os.mkfifo(folder / "pipe.py")
    (folder / "unnamed").mkdir()
    Path(os.fsdecode(os.fsencode(folder) + b"/unnamed/bot\xff.py")).write_text("")
