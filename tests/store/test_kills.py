"""``play`` and ``arena`` killed with ``kill -9`` at random moments: what they reported is saved, and they continue."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import noughts as no
from arenas import noughts, results_in, run_plan
from mocks import command, nothing_left
from noughts.arena.plan import load_plan
from noughts.arena.schedule import Key
from noughts.store import Store

SLOW = bool(os.environ.get("NOUGHTS_SLOW"))
KILLS = 25 if SLOW else 3
DELAY_SECONDS = 0.02
"""The longest time from a reported event to the kill: about as long as a few moves take."""


def start(data: Path, *words: str) -> subprocess.Popen[str]:
    return noughts(data, *words, cwd=data, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)


def check_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def kill_after(process: subprocess.Popen[str], kind: str, count: int, delay: float) -> list[dict[str, Any]]:
    """Kill a process some time after its ``count``-th event of a kind; returns all such events that it reported."""
    assert process.stdout is not None
    events: list[dict[str, Any]] = []
    while len(events) < count and (line := process.stdout.readline()):
        event = json.loads(line)
        events += [event] if event["event"] == kind else []
    time.sleep(delay)
    process.kill()
    rest, _ = process.communicate(timeout=60)
    whole = rest[: rest.rfind("\n") + 1].splitlines()
    return events + [event for event in map(json.loads, whole) if event["event"] == kind]


def test_killed_game_has_every_move_that_was_shown_and_continues(tmp_path: Path) -> None:
    random, game = Random(1), no.Game("15x15:5")
    order = [game.format_cell(cell) for cell in range(game.cells)]
    random.shuffle(order)
    known = 0
    for number in range(KILLS):
        words = ["games", "resume", "1", "--json"] if number else ["play", "15x15:5", "--o", "friend", "--json"]
        process = start(tmp_path, *words)
        assert process.stdin is not None
        count = random.randrange(1, 5)
        process.stdin.write("".join(f"{move}\n" for move in order[known : known + count + 3]))
        process.stdin.flush()
        shown = kill_after(process, "moved", count, random.random() * DELAY_SECONDS)
        assert len(shown) >= count
        check_database(tmp_path / "noughts.sqlite3")
        with Store(tmp_path / "noughts.sqlite3") as store:
            saved = store.get(1)
        assert saved.position().ply >= known + len(shown)
        assert [game.format_cell(move) for move in saved.moves] == order[: len(saved.moves)]
        known = len(saved.moves)
        assert saved.summary.outcome is None


def test_killed_tournament_has_every_result_that_was_reported_and_ends_like_an_undisturbed_one(tmp_path: Path) -> None:
    """Its programs end with it, too."""
    random, path, whole = Random(2), tmp_path / "noughts.sqlite3", tmp_path / "whole.sqlite3"
    cup, game = tmp_path / "cup.toml", no.Game("3x3")
    program = f'{{ name = "program", run = "{command("good")}", protocol = "json", restart = false }}'
    cup.write_text(f"""
        game = "3x3"
        rounds = {40 * KILLS}
        concurrency = 2
        openings = {{ plies = 0 }}
        bots = [{{ run = "random" }}, {program}]
    """)
    seen: dict[Key, Any] = {}
    with nothing_left():
        for number in range(KILLS):
            words = ["run", str(cup)] if number == 0 else ["resume", str(cup) if number % 2 else "1"]
            process = start(tmp_path, "arena", *words, "--json")
            reported = kill_after(process, "played", random.randrange(1, 30), random.random() * DELAY_SECONDS)
            check_database(path)
            found = {result[0]: result for result in results_in(path)}
            assert len(found) >= len(seen) + len(reported)
            assert seen.items() <= found.items()
            for event in reported:
                _, _, _, _, moves, _, winner, *_ = found[Key(*event["key"])]
                assert ([game.format_cell(move) for move in moves], winner) == (event["moves"], event["winner"])
            seen = found
        assert len(seen) < 80 * KILLS, "it must be killed in the middle"
        process = start(tmp_path, "arena", "resume", "--json")
        process.communicate(timeout=240)
    assert process.returncode == 0
    with Store(whole) as store:
        run_plan(store, load_plan(cup))
    assert results_in(path) == results_in(whole)
