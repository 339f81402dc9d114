"""Playthroughs are saved move by move, and survive a killed process."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from noughts import Game, Side
from noughts import store as store_package
from noughts.games.outcome import decide
from noughts.store import Busy, Store, StoreError, database, open_store_if_possible, store_path
from noughts.store.schema import STEPS
from noughts.store.web_games import FriendGame, FriendGames, VisitorGames
from noughts.web import rooms
from plays import position_after
from terminals import environment


def keep(store: Store, game: str = "3x3", moves: str = "", x: str = "you", o: str = "random") -> int:
    position = position_after(game, *moves.split())
    return store.begin(position, x, o)


def test_queries_number_no_parameters() -> None:
    """From Python 3.14 on, values for numbered parameters must have names."""
    for path in Path(store_package.__file__ or "").parent.glob("*.py"):
        assert not re.search(r"\?[0-9]", path.read_text(encoding="utf-8")), path


def test_saved_playthrough_comes_back_with_its_moves_players_and_result(store: Store) -> None:
    number = keep(store, moves="b2 a1")
    store.add_move(number, 3, "X", 0, seconds=1.5)
    store.finish(number, decide(Game("3x3").start(), "resign", "O"))
    saved = store.get(number)
    assert [saved.game.format_cell(move) for move in saved.moves] == ["b2", "a1", "a3"]
    assert (saved.summary.x, saved.summary.o, saved.summary.plies) == ("you", "random", 3)
    assert saved.move_seconds == (None, None, 1.5)
    assert saved.playthrough().outcome == (Side.O, "resign", (0, 2))


def test_moves_taken_back_are_forgotten_with_the_result(store: Store) -> None:
    number = keep(store, moves="a1 b1 a2 b2 a3")
    position = store.get(number).position()
    assert position.outcome is not None
    store.finish(number, position.outcome)
    store.truncate(number, 3)
    assert (len(store.get(number).moves), store.get(number).summary.outcome) == (3, None)


def test_custom_game_is_saved_with_its_rules(store: Store) -> None:
    game = Game.from_lines("corner game", cells=4, lines=[[0, 1], [2, 3]])
    number = store.begin(game.start(), "you", "friend")
    assert store.get(number).game == game


def test_same_ply_from_two_sessions_is_refused(store: Store) -> None:
    number = keep(store, moves="b2")
    with pytest.raises(StoreError, match="changed by another session"):
        store.add_move(number, 1, "X", 0)
    assert store.get(number).moves == (4,)


def test_deleted_playthrough_is_gone_and_its_number_is_not_given_again(store: Store) -> None:
    number = keep(store, moves="b2")
    store.delete(number)
    with pytest.raises(StoreError, match=f"there is no saved game {number}"):
        store.get(number)
    with pytest.raises(StoreError, match=f"there is no saved game {number}"):
        store.delete(number)
    with pytest.raises(StoreError, match=f"there is no saved game {number}"):
        store.change(number, x="ann")
    assert store.connection.execute("SELECT count(*) FROM moves").fetchone()[0] == 0
    assert keep(store) == number + 1


def test_list_shows_the_latest_first_and_can_be_narrowed(store: Store) -> None:
    first, second, third = keep(store), keep(store, "4x4x4", "1a1"), keep(store, moves="b2")
    store.finish(first, decide(Game("3x3").start(), "agreement"))
    assert [summary.id for summary in store.list()] == [third, second, first]
    assert [summary.id for summary in store.list("3x3")] == [third, first]
    assert [summary.id for summary in store.list("3x3", unfinished=True)] == [third]
    assert [summary.id for summary in store.list(limit=1)] == [third]


def test_records_count_from_the_side_of_the_player(store: Store) -> None:
    for x, o, winner in [("you", "easy", "X"), ("easy", "you", "X"), ("you", "easy", "O"), ("easy", "you", "O")]:
        number = keep(store, x=x, o=o)
        store.add_move(number, 1, "X", 0, seconds=2.0)
        store.add_move(number, 2, "O", 1, seconds=4.0)
        store.finish(number, decide(Game("3x3").start(), "resign", winner))
    drawn = keep(store, x="you", o="easy")
    store.finish(drawn, decide(Game("3x3").start(), "agreement"))
    store.change(drawn, x_accuracy=80.0, o_accuracy=20.0)
    keep(store, x="you", o="easy")  # unfinished, so it does not count
    (record,) = store.player_records()
    assert (record.played, record.won, record.drawn, record.lost) == (5, 2, 1, 2)
    assert record.seconds == pytest.approx(3.0)
    assert record.plies == pytest.approx(8 / 5)
    assert record.accuracy == 80.0
    assert store.player_records("easy")[0].accuracy == 20.0
    assert store.player_records(game="4x4x4") == []


def test_namesakes_are_counted_once(store: Store) -> None:
    store.finish(keep(store, x="random", o="random"), decide(Game("3x3").start(), "resign", "X"))
    assert [(record.played, record.won) for record in store.player_records("random")] == [(1, 1)]


def test_new_file_has_the_latest_version(store: Store) -> None:
    assert store.connection.execute("PRAGMA user_version").fetchone()[0] == len(STEPS)
    assert store.connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_step_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "noughts.sqlite3"
    with Store(path) as store:
        keep(store, moves="b2")
    broken = "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT; CREATE TABLE playthroughs (id INTEGER)"
    with monkeypatch.context() as patch:
        patch.setattr("noughts.store.schema.STEPS", (*STEPS, broken))
        with pytest.raises(StoreError, match="already exists"):
            Store(path)
    with Store(path) as store:
        assert store.get(1).moves == (4,)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("PRAGMA user_version = 99", "newer noughts"),
        ("CREATE TABLE recipes (name TEXT)", "database of another program"),
        (None, "not a database"),
    ],
)
def test_file_that_is_no_store_of_ours_is_refused_and_untouched(
    tmp_path: Path, statement: str | None, message: str
) -> None:
    path = tmp_path / "noughts.sqlite3"
    if statement is None:
        path.write_text("this is a letter to my aunt, and no database at all\n" * 50)
    else:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(statement)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=message):
        Store(path)
    assert path.read_bytes() == before


def test_folder_that_cannot_be_made_is_an_error_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot make the folder .*deeper: not a directory; set NOUGHTS_DATA"):
        Store(tmp_path / "file" / "deeper" / "noughts.sqlite3")


def test_environment_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NOUGHTS_DATA", str(tmp_path))
    assert store_path() == tmp_path / "noughts.sqlite3"
    monkeypatch.delenv("NOUGHTS_DATA")
    assert "noughts" in store_path().parts


def make_store_with_log(folder: Path) -> Path:
    """A store with a game, its last move only in the log, as a program that was killed leaves it."""
    with Store(folder / "live.sqlite3") as store:
        number = store.begin(Game("3x3").start(), "you", "easy")
        store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store.add_move(number, 1, "X", 4)
        for end in ("", "-wal"):
            shutil.copyfile(f"{store.path}{end}", folder / f"noughts.sqlite3{end}")
    return folder / "noughts.sqlite3"


def make_store_without_log(folder: Path) -> Path:
    with Store(folder / "noughts.sqlite3") as store:
        store.begin(Game("3x3").start().after("b2"), "you", "easy")
    return store.path


@pytest.mark.parametrize("make_store", [make_store_with_log, make_store_without_log])
@pytest.mark.parametrize("fails", ["writing", "writing and sharing"])
def test_saved_games_can_be_read_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_store: Callable[[Path], Path], fails: str
) -> None:
    path = make_store(tmp_path)
    back_up = database._back_up

    def refuse(path: Path) -> sqlite3.Connection:
        raise StoreError(f"{path}: the disk is full")

    def back_up_copies_only(copy: sqlite3.Connection, path: Path, how: str) -> None:
        if how == "mode=ro":
            raise sqlite3.OperationalError("attempt to write a readonly database")
        back_up(copy, path, how)

    monkeypatch.setattr(database, "connect", refuse)
    if fails == "writing and sharing":
        monkeypatch.setattr(database, "_back_up", back_up_copies_only)
    with Store(path, read_only=True) as store:
        assert store.get(1).moves == (4,)
        assert [summary.id for summary in store.list()] == [1]
    with Store(tmp_path / "nowhere" / "noughts.sqlite3", read_only=True) as store:
        assert store.list() == []


def test_store_that_another_program_writes_to_is_not_copied_to_be_read(tmp_path: Path) -> None:
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    assert database.is_locked(error)
    assert not database.is_locked(sqlite3.OperationalError("disk I/O error"))


def test_wrong_system_clock_deletes_no_friend_game(store: Store) -> None:
    with store.transaction():
        FriendGames(store).add(friend_game("a" * 12))
        FriendGames(store).add(friend_game("b" * 12))
        store.connection.execute("UPDATE friend_games SET updated = '2001-01-01T00:00:00+00:00'")
    assert rooms._delete_old_games(store) == 2
    store.connection.execute("UPDATE friend_games SET idle_hours = ?", (rooms.DELETE_IDLE_HOURS - 1,))
    FriendGames(store).change("a" * 12, x_name="Ann")
    assert rooms._delete_old_games(store) == 1
    assert FriendGames(store).find("a" * 12) is not None
    assert FriendGames(store).find("b" * 12) is None


def friend_game(id: str) -> FriendGame:
    no_tokens = dict.fromkeys(Side, "")
    return FriendGame(id, Game("3x3").start(), no_tokens, dict.fromkeys(Side), Side.O)


def test_two_processes_write_to_one_store(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from noughts import Game; from noughts.store import Store\n"
        "store = Store(Path(sys.argv[1]))\n"
        "for _ in range(20):\n"
        "    number = store.begin(Game('3x3').start(), 'you', 'random'); store.add_move(number, 1, 'X', 4)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "noughts.sqlite3")]
    processes = [subprocess.Popen(command, env=os.environ) for _ in range(2)]
    assert [process.wait(timeout=60) for process in processes] == [0, 0]
    with Store(tmp_path / "noughts.sqlite3") as store:
        assert len(store.list()) == 40
        assert json.dumps([summary.plies for summary in store.list()]) == json.dumps([1] * 40)


def test_store_is_opened_if_possible_with_one_warning(tmp_path: Path) -> None:
    warnings: list[str] = []
    path = tmp_path / "noughts.sqlite3"
    assert open_store_if_possible(path, warn=warnings.append, read_only=True) is None
    assert not path.exists()
    store = open_store_if_possible(path, warn=warnings.append)
    assert store is not None
    store.close()
    assert warnings == []
    path.write_text("not a database, but long enough to look like one " * 10)
    assert open_store_if_possible(path, warn=warnings.append) is None
    (warning,) = warnings
    assert warning.startswith(f"continuing without saved games and solved positions: {path}")


def test_busy_store_raises_for_callers_that_try_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*arguments: object, **options: object) -> Store:
        raise Busy("another program is writing")

    monkeypatch.setattr("noughts.store.store.Store", busy)
    warnings: list[str] = []
    with pytest.raises(Busy):
        open_store_if_possible(tmp_path / "a", warn=warnings.append, raise_busy=True)
    assert open_store_if_possible(tmp_path / "a", warn=warnings.append) is None
    assert len(warnings) == 1


def test_games_of_visitors_are_visible_only_to_them(store: Store) -> None:
    mine, yours, other = (keep(store, moves="b2") for _ in range(3))
    games = VisitorGames(store)
    games.assign_owner(mine, "me")
    games.assign_owner(yours, "you")
    assert [summary.id for summary in games.list("me", None, False, 10)] == [mine]
    assert (games.is_visible(mine, "me"), games.is_visible(mine, "you"), games.is_visible(mine, None)) == (
        True,
        False,
        True,
    )
    assert games.count("you") == 1
    assert [summary.id for summary in store.list()] == [other]
    games.delete_oldest(1)
    assert games.count("me") + games.count("you") == 1


def test_visitors_of_an_older_file_keep_their_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "noughts.sqlite3"
    with monkeypatch.context() as patch:
        patch.setattr("noughts.store.schema.STEPS", STEPS[:6])
        with Store(path) as store:
            number = keep(store, moves="b2")
            store.connection.execute("INSERT INTO shelves (playthrough, shelf) VALUES (?, 'me')", (number,))
    with Store(path) as store:
        assert VisitorGames(store).count("me") == 1


# Upgrades


def old_store(path: Path, version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a store of an earlier version with one saved game."""
    with monkeypatch.context() as patch:
        patch.setattr("noughts.store.schema.STEPS", STEPS[:version])
        with closing(database.connect(path)) as connection:
            connection.execute(
                "INSERT INTO playthroughs (game, x, o, source, started, updated)"
                " VALUES ('3x3', 'you', 'easy', 'terminal', '2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00+00:00')"
            )
            connection.execute("INSERT INTO moves (playthrough, ply, side, move) VALUES (1, 1, 'X', 4)")


def version_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("SELECT move FROM moves").fetchall() == [(4,)]
        return version


@pytest.mark.parametrize("version", range(1, len(STEPS)))
def test_upgrade_keeps_a_copy_of_the_old_store_and_says_so_in_one_line(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "noughts.sqlite3"
    old_store(path, version, monkeypatch)
    for _ in range(2):
        with Store(path) as store:
            assert store.get(1).moves == (4,)
    copy = tmp_path / f"noughts.sqlite3.v{version}"
    assert sorted(tmp_path.iterdir()) == [path, copy]
    assert (version_of(path), version_of(copy)) == (len(STEPS), version)
    assert [record.getMessage() for record in caplog.records] == [
        f"{path} is upgraded from version {version} to {len(STEPS)}; the old one is kept as {copy}"
    ]


def test_new_store_and_one_that_is_only_read_from_a_copy_leave_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "noughts.sqlite3"
    Store(path).close()
    assert os.listdir(tmp_path) == ["noughts.sqlite3"]
    path.unlink()
    old_store(path, 8, monkeypatch)
    with closing(database._copy_in_memory(path)) as copy:
        assert copy.execute("PRAGMA user_version").fetchone()[0] == len(STEPS)
    assert not list(tmp_path.glob("*.v8"))


def test_store_is_not_upgraded_if_it_cannot_be_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "noughts.sqlite3"
    old_store(path, 8, monkeypatch)
    (tmp_path / "noughts.sqlite3.v8").mkdir()
    with pytest.raises(StoreError, match=r"cannot copy .* to .*v8: is a directory"):
        Store(path)
    assert version_of(path) == 8


def test_processes_that_upgrade_at_the_same_time_keep_one_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "noughts.sqlite3"
    old_store(path, 3, monkeypatch)
    command = [sys.executable, "-c", "from noughts.store import Store; Store()"]
    started = [subprocess.Popen(command, env=environment(tmp_path), stderr=subprocess.PIPE, text=True) for _ in "123"]
    lines = [process.communicate(timeout=60)[1] for process in started]
    assert [process.returncode for process in started] == [0, 0, 0]
    assert sum(line.count("is upgraded from version 3") for line in lines) == 1
    assert (version_of(path), version_of(tmp_path / "noughts.sqlite3.v3")) == (len(STEPS), 3)
