"""A system clock that jumps back and forth by a day changes dates and nothing else."""

from __future__ import annotations

import datetime as dates
import re
import time
from itertools import cycle
from pathlib import Path

import pytest

import noughts as no
from arenas import make_plan, run_plan
from inline_tasks import InlineTasks
from noughts.arena.tournaments import Tournaments
from noughts.games import Side
from noughts.match import Clock, Match, TimeControl
from noughts.match.recorder import Recorder
from noughts.proof.jobs import JobSolver, Journal
from noughts.store import Store
from noughts.store.web_games import FriendGame, FriendGames, VisitorGames
from noughts.teaching.cup import cup as cup_module
from noughts.teaching.cup.cup import Cup, CupSettings
from noughts.web.room import Room

SOURCES = Path(no.__file__).parent
DAY_SECONDS = 86_400.0
MODULES = ("store.store", "store.backup", "arena.worker", "teaching.cup.cup")
"""Modules that ask for the date."""


@pytest.fixture(autouse=True)
def jumping_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every time that the date is asked for, it is a day later or a day earlier than the truth."""
    jumps, now = cycle((DAY_SECONDS, -DAY_SECONDS, 0.0)), time.time

    class JumpingDate(dates.datetime):
        @classmethod
        def now(cls, tz: dates.tzinfo | None = None) -> JumpingDate:
            return cls.fromtimestamp(now() + next(jumps), tz)

    monkeypatch.setattr(time, "time", lambda: now() + next(jumps))
    for module in MODULES:
        monkeypatch.setattr(f"noughts.{module}.datetime", JumpingDate)


def test_clocks_of_a_match_and_of_a_room_lose_only_the_time_that_passed(tmp_path: Path) -> None:
    game = no.Game("3x3").start()
    names = {Side.X: "you", Side.O: "friend"}
    friend = FriendGame(
        "abc", game, names, dict.fromkeys(Side), Side.O, clock=(60.0, 2.0), left=dict.fromkeys(Side, 60.0)
    )
    with Store(tmp_path / "s.sqlite3") as store:
        match = Match(game.copy(), names, clock=Clock(TimeControl.parse("1+2")))
        match.subscribe(Recorder(store, pytest.fail).record)
        began = time.monotonic()
        for each in (match, Room(friend).match):  # the clock of a room runs from its beginning
            each.start()
            for move in (4, 0, 5):
                each.play(move)
            passed = time.monotonic() - began
            assert each.clock is not None
            for side, bonus in ((Side.X, 4.0), (Side.O, 2.0)):
                assert 60.0 + bonus - passed - 0.01 <= each.clock.left(side) <= 60.0 + bonus
        saved = store.get(1)
        assert saved.moves == (4, 0, 5)
        assert all(seconds is not None and 0 <= seconds < 60 for seconds in saved.move_seconds)


def test_saved_games_keep_their_order(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite3") as store:
        numbers = [store.begin(no.Game("3x3").start().after(4), "you", "easy") for _ in range(6)]
        assert [summary.id for summary in store.list()] == numbers[::-1]
        assert len({summary.started.date() for summary in store.list()}) == 3, "the clock must jump"


def test_oldest_games_of_visitors_are_those_that_were_saved_first(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite3") as store:
        games = VisitorGames(store)
        for _ in range(9):
            games.assign_owner(store.begin(no.Game("3x3").start().after(4), "you", "easy"), "me")
        games.delete_oldest(4)
        assert sorted(summary.id for summary in games.list("me", None, False, 99)) == [6, 7, 8, 9]


def test_friend_games_are_not_taken_for_idle(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite3") as store:
        games = FriendGames(store)
        names = dict.fromkeys(Side, "me")
        for id in ("a", "b", "c"):
            games.add(FriendGame(id, no.Game("3x3").start(), names, dict.fromkeys(Side), Side.O))
        assert games.delete_idle(1) == 0
        games.add_idle_hour()
        games.add_move("b", 1, 4)
        games.change("b", winner=None)
        assert games.delete_idle(1) == 2
        assert games.find("b") is not None


def test_solve_by_jobs_takes_the_time_that_passed_and_continues(tmp_path: Path) -> None:
    path, position = tmp_path / "journal", no.Game("6x4:4").start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        JobSolver(position, Journal(path, position, is_new=True), first_nodes=30).solve(InlineTasks(most=8))
    resumed = JobSolver(position, Journal(path, position, is_new=False), first_nodes=30)
    solution = resumed.solve(InlineTasks(), no.Limit(seconds=3600))
    assert solution.value is no.Value.DRAW
    assert 0 < solution.seconds < time.monotonic() - began + 0.1


@pytest.mark.processes
def test_tournament_is_played_once_and_found_again(tmp_path: Path) -> None:
    plan = make_plan(tmp_path, "random", "beginner", game="3x3", rounds=3)
    with Store(tmp_path / "s.sqlite3") as store:
        run = run_plan(store, plan)
        tournaments = Tournaments(store)
        assert len(list(tournaments.results(1))) == len(run.results) == 6
        assert all(result.failure is None for result in tournaments.results(1))
        assert tournaments.summary(1).is_finished


def test_cup_finds_its_own_tournament_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cup_module, "find_submissions", lambda folder: [])
    (tmp_path / "class").mkdir()
    with Store(tmp_path / "s.sqlite3") as store:
        numbers = []
        for _ in range(3):
            cup = Cup(tmp_path / "class", tmp_path / "home")
            with cup.lock():
                cup.begin(CupSettings(guests=("random", "easy")))
                first, _ = cup.tournament(Tournaments(store))
                cup.load()
                assert cup.tournament(Tournaments(store))[0] == first
            numbers.append(first)
        assert numbers == [1, 2, 3]


WALL_CLOCK = re.compile(r"(?<![\w.])(?:time\.)?time\(\)|datetime\.now|datetime\.utcnow|date\.today")
DATES = {
    "teaching/cup/cup.py": "the name of a cup",
    "arena/worker.py": "the date of a result",
    "cli/backup.py": "the name of a file",
    "cli/puzzle.py": "the puzzle of the day",
    "cli/terminal/commands.py": "the date of a saved game",
    "games/atomic_file.py": "the age of a file, on Windows",
    "store/backup.py": "the date of a backup",
    "store/store.py": "the dates of saved games",
    "web/room.py": "a number that grows across restarts; the page accepts a smaller one",
}


def test_system_clock_is_asked_for_dates_alone() -> None:
    """Durations and limits follow the monotonic clock."""
    found = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if WALL_CLOCK.search(path.read_text(encoding="utf-8"))
    }
    assert found <= DATES.keys()
