"""Backups: one file with everything that is saved, and the way back from it."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest

import noughts as no
from noughts.arena.plan import read_plan
from noughts.arena.tournaments import Tournaments
from noughts.games import ProvenValue, Side
from noughts.settings import change_file
from noughts.store import Store
from noughts.store.schema import STEPS
from noughts.store.web_games import FriendGame, FriendGames
from terminals import Result, environment, in_process
from web_servers import serving

PLAN = {"game": "3x3", "bots": [{"run": "random"}, {"run": "easy"}]}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with something of everything."""
    folder = tmp_path / "data"
    monkeypatch.setenv("NOUGHTS_DATA", str(folder))
    monkeypatch.setenv("NOUGHTS_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.chdir(tmp_path)
    start = no.Game("3x3").start()
    with Store() as store:
        store.begin(start.after("b2"), "you", "easy")
        store.solved.add(start, ProvenValue(no.Value.DRAW, 4))
        Tournaments(store).add(read_plan(PLAN, tmp_path))
        with store.transaction():
            names = dict.fromkeys(Side, "me")
            FriendGames(store).add(FriendGame("abc", start, names, dict.fromkeys(Side), Side.O))
    change_file(tmp_path / "config.toml", "play.against", "insane")
    return folder


def run(*words: str) -> Result:
    return in_process(Path(os.environ["NOUGHTS_DATA"]), *words)


def contents(path: Path) -> list[str]:
    """All rows of a database, after a check."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return list(connection.iterdump())


def test_backup_has_everything_and_restore_brings_it_back(data: Path, tmp_path: Path) -> None:
    store, settings = data / "noughts.sqlite3", tmp_path / "config.toml"
    before = contents(store)
    found = run("backup", "b.zip", "--json")
    assert found.stderr == (
        "backup written to b.zip: 1 saved game, 1 game between friends, 1 tournament, 1 solved position"
        " and the settings\n"
    )
    counts = {"games": 1, "friend_games": 1, "tournaments": 1, "solved": 1, "settings": True, "version": len(STEPS)}
    size = (tmp_path / "b.zip").stat().st_size
    assert json.loads(found.stdout) == {"file": "b.zip", "bytes": size} | counts
    with Store() as changed:
        changed.delete(1)
        changed.begin(no.Game("connect4").start().after("d"), "you", "friend")
    settings.write_text("[play]\nagainst = 'easy'\n")
    after = contents(store)
    found = run("restore", "b.zip", "--json")
    kept = [f"{store}.replaced-1", f"{settings}.replaced-1"]
    assert json.loads(found.stdout) == {"file": "b.zip", "kept": kept} | counts
    assert contents(store) == before
    assert contents(Path(kept[0])) == after
    assert settings.read_text() == '[play]\nagainst = "insane"\n'
    assert Path(kept[1]).read_text() == "[play]\nagainst = 'easy'\n"
    assert sorted(path.name for path in data.iterdir()) == ["noughts.sqlite3", "noughts.sqlite3.replaced-1"]
    with Store() as again:
        assert again.connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert again.get(1).moves == (4,)


def test_backup_is_named_after_the_day_and_overwrites_nothing_unasked(data: Path, tmp_path: Path) -> None:
    assert run("backup").returncode == 0
    (name,) = (path.name for path in tmp_path.glob("*.zip"))
    assert re.fullmatch(r"noughts-backup-\d{4}-\d\d-\d\d\.zip", name)
    found = run("backup", name)
    assert (found.returncode, found.stderr) == (2, f"noughts: {name} already exists; --force overwrites it\n")
    assert run("backup", name, "--force").returncode == 0


def test_without_a_store_there_is_nothing_to_back_up(tmp_path: Path) -> None:
    found = in_process(tmp_path, "backup", str(tmp_path / "b.zip"))
    assert found.returncode == 2
    assert found.stderr.startswith("noughts: there is nothing to back up: ")
    assert os.listdir(tmp_path) == []


def test_backup_is_restored_on_a_new_machine(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("backup", "b.zip")
    before = contents(data / "noughts.sqlite3")
    monkeypatch.setenv("NOUGHTS_DATA", str(tmp_path / "new" / "data"))
    monkeypatch.setenv("NOUGHTS_CONFIG", str(tmp_path / "new" / "config" / "config.toml"))
    found = run("restore", "b.zip", "--json")
    assert json.loads(found.stdout)["kept"] == []
    assert contents(tmp_path / "new" / "data" / "noughts.sqlite3") == before
    assert (tmp_path / "new" / "config" / "config.toml").read_text() == '[play]\nagainst = "insane"\n'


WRITER = """
from noughts import Game
from noughts.store import Store
with Store() as store:
    for number in range(100_000):
        position = Game("3x3").start()
        with store.transaction():
            game = store.begin(position, "you", "friend")
            for ply, move in enumerate((0, 1, 2), 1):
                store.add_move(game, ply, "XO"[ply % 2 == 0], move)
        print(game, flush=True)
"""


def test_backup_while_another_program_writes_has_whole_games_and_all_that_were_saved_before(
    data: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", WRITER]
    with subprocess.Popen(command, env=environment(data), stdout=subprocess.PIPE, text=True) as writer:
        try:
            assert writer.stdout is not None
            for number in range(5):
                last = int(writer.stdout.readline())
                assert run("backup", f"{number}.zip").returncode == 0
                with ZipFile(tmp_path / f"{number}.zip") as archive:
                    archive.extract("noughts.sqlite3", tmp_path / str(number))
                with closing(sqlite3.connect(tmp_path / str(number) / "noughts.sqlite3")) as copy:
                    assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                    counts = copy.execute("SELECT playthrough, count(*) FROM moves GROUP BY 1").fetchall()
                assert {moves for game, moves in counts if game > 1} == {3}
                assert max(game for game, _ in counts) >= last
        finally:
            writer.kill()


def test_restore_is_refused_while_a_server_runs_and_backup_is_not(data: Path, tmp_path: Path) -> None:
    path = data / "noughts.sqlite3"
    with serving(path):
        assert run("backup", "b.zip").returncode == 0
        found = run("restore", "b.zip")
    message = f"noughts: {path} is in use, perhaps by a server or a game; end it and try again\n"
    assert (found.returncode, found.stdout, found.stderr) == (2, "", message)
    assert not list(data.glob("*.replaced*"))
    assert run("restore", "b.zip").returncode == 0


def test_damaged_backup_is_refused_and_nothing_is_replaced(data: Path, tmp_path: Path) -> None:
    run("backup", "b.zip")
    good, before = (tmp_path / "b.zip").read_bytes(), contents(data / "noughts.sqlite3")
    random = Random(1)
    refused = 0
    for _ in range(60):
        at = random.randrange(len(good))
        bad = (
            good[:at]
            if random.random() < 0.3
            else good[:at] + bytes([good[at] ^ 1 << random.randrange(8)]) + good[at + 1 :]
        )
        (tmp_path / "bad.zip").write_bytes(bad)
        found = run("restore", "bad.zip", "--no-settings")
        assert found.returncode == 0 or re.fullmatch(r"noughts: .*bad\.zip.*\n", found.stderr), found.stderr
        refused += found.returncode == 2
        assert contents(data / "noughts.sqlite3") == before  # a change that does no harm restores the same
    assert refused > 50


MEMBERS = {"about": "backup.json", "store": "noughts.sqlite3", "settings": "config.toml"}


def rewrite(path: Path, **members: bytes | None) -> None:
    """Replace members of a backup, or with None remove them."""
    with ZipFile(path) as archive:
        found: dict[str, bytes | None] = {name: archive.read(name) for name in archive.namelist()}
    found |= {MEMBERS[key]: value for key, value in members.items()}
    with ZipFile(path, "w") as archive:
        for name, value in found.items():
            if value is not None:
                archive.writestr(name, value)


def database(script: str, folder: Path) -> bytes:
    path = folder / "made.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return path.read_bytes()


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"about": None}, "expected a whole backup of noughts"),
        ({"store": None}, "expected a whole backup of noughts"),
        ({"about": b"[]"}, "expected a whole backup of noughts: backup.json describes something else"),
        ({"about": b'{"noughts_backup": 2}'}, "was made by a newer noughts: expected version 1, got 2"),
        ({"store": b"a letter to my aunt" * 99}, "b.zip: file is not a database"),
        ({"settings": b"play = ["}, "b.zip/config.toml: expected TOML"),
        ({"settings": b"\xff"}, "b.zip/config.toml: expected a text in UTF-8"),
        ({"about": b" " * 20_000_000}, "backup.json has more than 1,000,000 bytes"),
        ({"settings": b"#" * 20_000_000}, "config.toml has more than 1,000,000 bytes"),
    ],
)
def test_file_that_is_no_backup_is_refused_in_one_line(
    members: dict[str, bytes | None], message: str, data: Path, tmp_path: Path
) -> None:
    run("backup", "b.zip")
    rewrite(tmp_path / "b.zip", **members)
    before = contents(data / "noughts.sqlite3")
    found = run("restore", "b.zip")
    assert (found.returncode, found.stderr.count("\n")) == (2, 1)
    assert message in found.stderr
    assert contents(data / "noughts.sqlite3") == before
    assert not list(data.glob("*.replaced*"))


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("PRAGMA user_version = 99; CREATE TABLE later (id)", "was made by a newer noughts"),
        ("CREATE TABLE recipes (name)", "is a database of another program"),
    ],
)
def test_store_of_another_program_or_a_newer_version_is_not_restored(
    script: str, message: str, data: Path, tmp_path: Path
) -> None:
    run("backup", "b.zip")
    rewrite(tmp_path / "b.zip", store=database(script, tmp_path))
    found = run("restore", "b.zip")
    assert found.returncode == 2
    assert message in found.stderr


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def scribble(path: Path) -> None:
    path.write_text("a letter to my aunt\n" * 99)


def make_newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


@pytest.mark.parametrize("damage", [cut, scribble, make_newer])
def test_store_that_cannot_be_used_is_kept_and_replaced(damage: Callable[[Path], None], data: Path) -> None:
    path = data / "noughts.sqlite3"
    run("backup", "b.zip")
    before = contents(path)
    damage(path)
    damaged = path.read_bytes()
    found = run("restore", "b.zip")
    assert (found.returncode, found.stderr.count("replaced-1")) == (0, 1)
    assert contents(path) == before
    kept = data / "noughts.sqlite3.replaced-1"
    assert kept.read_bytes() == damaged or damage is make_newer


def test_backup_of_an_older_store_does_not_upgrade_it_and_its_restored_copy_is_upgraded_when_opened(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = data / "noughts.sqlite3"
    path.unlink()
    with monkeypatch.context() as patch:
        patch.setattr("noughts.store.schema.STEPS", STEPS[:3])
        Store(path).close()
    before = contents(path)
    assert json.loads(run("backup", "b.zip", "--json").stdout)["version"] == 3
    assert contents(path) == before
    assert json.loads(run("restore", "b.zip", "--json").stdout)["version"] == 3
    Store(path).close()
    assert contents(data / "noughts.sqlite3.v3") == before


def test_settings_that_name_another_data_folder_are_refused_before_anything_changes(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("backup", "b.zip")
    rewrite(tmp_path / "b.zip", settings=b'data = "/elsewhere"\n')
    monkeypatch.delenv("NOUGHTS_DATA")
    change_file(tmp_path / "config.toml", "data", str(data))
    command = [sys.executable, "-m", "noughts", "restore", "b.zip"]
    found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert found.returncode == 2
    assert "the data folder is '/elsewhere' there; set it first" in found.stderr
    assert not list(data.glob("*.replaced*"))
    found = subprocess.run([*command, "--no-settings"], capture_output=True, text=True, check=False, timeout=60)
    assert found.returncode == 0
    assert (data / "noughts.sqlite3.replaced-1").exists()
