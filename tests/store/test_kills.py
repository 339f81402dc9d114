"""``play`` and ``arena`` killed with ``kill -9`` at random moments: what they reported is saved, and they continue."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import noughts as no
from mocks import nothing_left
from noughts.store import Store
from terminals import PROGRAM, environment

SLOW = bool(os.environ.get("NOUGHTS_SLOW"))
KILLS = 25 if SLOW else 3
DELAY_SECONDS = 0.02
"""The longest time from a reported event to the kill: about as long as a few moves take."""

Results = dict[tuple[int, int, int], tuple[tuple[str, ...], str | None]]
"""The moves and the winner of each playthrough, by its key."""


def start(data: Path, *words: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words], env=environment(data), cwd=data, stdin=pipe, stdout=pipe, text=True,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip


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


def test_killed_tournament_has_every_result_that_was_reported_and_continues(tmp_path: Path) -> None:
    random, path = Random(2), tmp_path / "noughts.sqlite3"
    seen: Results = {}
    rounds = 40 * KILLS
    run = ["arena", "run", "--bot", "a=random", "--bot", "b=random", "--game", "3x3", "--rounds", str(rounds), "--json"]
    with nothing_left():
        for number in range(KILLS):
            process = start(tmp_path, *(["arena", "resume", "1", "--json"] if number else run))
            reported = kill_after(process, "played", random.randrange(1, 30), random.random() * DELAY_SECONDS)
            found = results(path)
            assert len(found) >= len(seen) + len(reported)
            assert seen.items() <= found.items()
            for event in reported:
                pairing, pair, leg = event["key"]
                assert found[pairing, pair, leg] == (tuple(event["moves"]), event["winner"])
            seen = found
        assert len(seen) < 2 * rounds, "it must be killed in the middle"
        process = start(tmp_path, "arena", "resume", "1", "--json")
        process.communicate(timeout=240)
    assert process.returncode == 0
    found = results(path)
    assert len(found) == 2 * rounds
    assert seen.items() <= found.items()


def results(path: Path) -> Results:
    """The moves and the winner of each playthrough in a store, by its key."""
    check_database(path)
    game = no.Game("3x3")
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT pairing, pair, leg, moves, winner FROM tournament_plays").fetchall()
    return {
        (pairing, pair, leg): (tuple(game.format_cell(int(move)) for move in moves.split()), winner)
        for pairing, pair, leg, moves, winner in rows
    }
