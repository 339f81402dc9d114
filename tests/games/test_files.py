"""Files of playthroughs and of games."""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import pytest

import noughts as no
from noughts import Playthrough
from noughts.games import atomic_file, formats
from noughts.games.atomic_file import write_file
from noughts.games.file_lock import try_lock
from paths import ROOT
from plays import fano, random_play, tower

EXAMPLES, DOCUMENTATION = ROOT / "examples" / "games", ROOT / "docs" / "formats.md"


@pytest.mark.parametrize("name", ["game.ngn", "game.sgf", "GAME.NGN"])
def test_saved_playthrough_loads_as_it_was(name: str, tmp_path: Path) -> None:
    play = random_play(no.Game("5x5:4"), "files")
    no.save(play, tmp_path / name)
    assert no.load(tmp_path / name) == play
    assert no.load(str(tmp_path / name)) == play


@pytest.mark.parametrize("name", ["games.ngn", "games.sgf"])
def test_one_file_holds_several_playthroughs(name: str, tmp_path: Path) -> None:
    plays = [random_play(no.Game("4x4:3"), str(seed)) for seed in range(5)]
    no.save(plays, tmp_path / name)
    assert no.load_all(tmp_path / name) == plays
    assert no.load(tmp_path / name) == plays[0]


def test_format_goes_by_the_name(tmp_path: Path) -> None:
    play = Playthrough(no.Game("3x3"))
    with pytest.raises(ValueError, match=r"expected a file name that ends in \.ngn or \.sgf, got 'game\.txt'"):
        no.save(play, "game.txt")
    with pytest.raises(ValueError, match=r"expected a file name that ends in \.ngn or \.sgf"):
        no.load(tmp_path)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("broken.ngn", b'[Game "3x3"]\n\n1. b2 b2 *\n', "line 3: move 2: b2 is taken by X"),
        ("empty.ngn", b"", "line 1: expected a playthrough, got none"),
        ("bytes.ngn", b'[Game "3x3"]\n{\xff} *', "line 2: expected text in UTF-8"),
        ("unknown.sgf", b"(;GM[4]CA[klingon])", "line 1: expected a known character set in CA, got 'klingon'"),
        ("wrong.sgf", b"(;GM[4]CA[UTF-8]\nPB[Zo\xeb])", "line 2: expected text in UTF-8"),
    ],
)
def test_broken_file_is_an_error_with_its_name_and_line(name: str, data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(no.InvalidFile) as caught:
        no.load(path)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        no.load(tmp_path / "missing.ngn")


def test_text_that_is_already_decoded_ignores_the_declared_character_set() -> None:
    (play,) = formats.parse_plays("\ufeff(;GM[4]CA[ISO-8859-1]PB[Zoë])", "sgf", name="the file")
    assert play.tags["X"] == "Zoë"


@pytest.mark.parametrize(
    "data", [b"(;GM[4]CA[ISO-8859-1]PB[Zo\xeb])", b"(;GM[4]PB[Zo\xeb])", "(;GM[4]PB[Zoë])".encode()]
)
def test_sgf_is_read_in_its_own_character_set(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "old.sgf").write_bytes(data)
    assert no.load(tmp_path / "old.sgf").tags["X"] == "Zoë"


def test_save_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, play = tmp_path / "game.ngn", Playthrough(no.Game("3x3"), ["b2"])
    no.save(play, path)

    def full_disk(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic_file, "_wait_for_disk", full_disk)
    with pytest.raises(OSError, match="No space left"):
        no.save(play.replace(moves=["a1"]), path)
    assert no.load(path) == play
    assert os.listdir(tmp_path) == ["game.ngn"]


SAVING = """
import sys
from noughts.games.atomic_file import atomic_file
with atomic_file(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("saving", flush=True)
    sys.stdin.read()
"""


def test_saving_removes_what_killed_saves_of_the_same_file_left_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    kept = {"a.txt", "b.txt.12-345.tmp", "a.txt.tmp", "a.txt.12-345.tmp.gz"}
    for name in (*kept, "a.txt.12-345.tmp", f"a.txt.{os.getpid()}-0123abcd.tmp"):  # the process of a number lives
        (tmp_path / name).write_text("half")
    with ExitStack() as running:
        saves = [running.enter_context(_saving(target)) for _ in range(2)]
        saves[0].kill()
        saves[0].wait(30)
        write_file(target, "new")
        assert target.read_text() == "new"
        beside = {path.name for path in tmp_path.iterdir()} - kept
        assert [name.split(".")[2].partition("-")[0] for name in beside] == [str(saves[1].pid)]
        saves[1].communicate(timeout=30)
    assert target.read_text() == "half"  # the other save ended later
    assert {path.name for path in tmp_path.iterdir()} == kept


def _saving(path: Path) -> subprocess.Popen[str]:
    """Start a process that is in the middle of saving a file until its input ends."""
    command = [sys.executable, "-c", SAVING, str(path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "saving\n"
    return process


def test_temporary_file_that_was_taken_for_a_leftover_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def lock_late(file: BinaryIO) -> None:
        calls.append(file.name)
        if len(calls) == 1:
            os.remove(file.name)
        elif len(calls) == 2:
            raise BlockingIOError
        try_lock(file)

    monkeypatch.setattr(atomic_file, "try_lock", lock_late)
    write_file(tmp_path / "a.txt", "new")
    assert len(set(calls)) == 3
    assert (tmp_path / "a.txt").read_text() == "new"


def test_file_is_saved_where_files_cannot_be_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(file: BinaryIO) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(atomic_file, "try_lock", no_locks)
    (tmp_path / "a.txt.12-345.tmp").write_text("perhaps being written")
    write_file(tmp_path / "a.txt", "new")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "a.txt": "new",
        "a.txt.12-345.tmp": "perhaps being written",
    }


def test_folder_that_cannot_be_flushed_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken_folder(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken_folder)
    with pytest.raises(OSError, match=r"Input/output error.*a\.txt"):
        write_file(tmp_path / "a.txt", "new")


def test_game_that_a_format_cannot_hold_leaves_the_old_file(tmp_path: Path) -> None:
    path, play = tmp_path / "game.sgf", Playthrough(no.Game("3x3"), ["b2"])
    no.save(play, path)
    with pytest.raises(ValueError, match="expected a 2D board"):
        no.save([play, Playthrough(no.Game("qubic"))], path)
    assert no.load_all(path) == [play]


def test_saving_keeps_permissions_and_follows_links(tmp_path: Path) -> None:
    path, link = tmp_path / "game.ngn", tmp_path / "link.ngn"
    play = Playthrough(no.Game("3x3"), ["b2"])
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    no.save(play, link)
    assert link.is_symlink()
    assert no.load(path) == play
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_saving_to_a_device_does_not_replace_it() -> None:
    write_file("/dev/null", "text")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_saved_game_loads_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    for game in (fano(), tower(), no.Game("5x5:4+misere")):
        no.save_game(game, path)
        assert no.load_game(path) == game
        assert json.loads(path.read_text()) == game.to_data()


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.name)
def test_example_games_are_as_they_would_be_saved(path: Path) -> None:
    assert formats.format_game(no.load_game(path)) == path.read_text()


def test_examples_include_a_layout_and_supported_cells() -> None:
    games = [no.load_game(path) for path in EXAMPLES.glob("*.json")]
    assert all(game.coordinates for game in games)
    assert sorted(game.has_gravity for game in games) == [False, True]


def test_examples_in_the_documentation_are_true() -> None:
    blocks = re.findall(r"```(?:json)?\n(.*?)```", DOCUMENTATION.read_text(encoding="utf-8"), re.DOTALL)
    ngn, game = blocks
    (play,) = formats.parse_plays(ngn.encode(), "ngn", "formats.md")
    assert formats.format_plays([play], "ngn") == ngn
    assert no.Game.from_data(json.loads(game)) == no.load_game(EXAMPLES / "fano.json")


@pytest.mark.parametrize("rests_on", [{"2": 0}, {"2": [0]}, [None, None, 0], [[], [], [0]]])
def test_supports_of_cells_may_be_written_in_several_ways(rests_on: object, tmp_path: Path) -> None:
    data = {"name": "steps", "cells": 3, "lines": [[0, 1]], "rests_on": rests_on}
    (tmp_path / "steps.json").write_text(json.dumps(data))
    assert no.load_game(tmp_path / "steps.json").rests_on == ((), (), (0,))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected JSON: expecting value at column 1"),
        ('{"name": "y",\n "cells": 3,\n}', "line 3: expected JSON: "),
        ("[1]", "expected a game id or an object with name, cells and lines, got list"),
        ('{"name": "y", "cells": 3}', "expected the key 'lines' in a custom game"),
        ('{"name": "y", "cells": 3, "lines": [[0, 7]]}', ""),
        (
            '{"name": "y", "cells": 3, "lines": [[0, 1]], "rests_on": {"a": 1}}',
            "expected cells as numbers, got str",
        ),
        (
            '{"name": "y", "cells": 3, "lines": [[0, 1]], "misere": "false"}',
            "expected misere as true or false, got 'false'",
        ),
        ('"3x"', "expected a game id"),
        ("[" * 100_000, "line 1: expected JSON without deep nesting and huge numbers"),
        ("1" * 5000, "line 1: expected JSON without deep nesting and huge numbers"),
    ],
)
def test_broken_game_file_is_an_error_with_its_name(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(text)
    with pytest.raises(no.InvalidFile) as caught:
        no.load_game(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "\n" not in str(caught.value)


def test_games_are_found_by_id_alias_and_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no.save_game(fano(), tmp_path / "fano.json")
    no.save_game(fano(), tmp_path / "plain")
    monkeypatch.chdir(tmp_path)
    assert no.find_game("4x4:3") == no.Game("4x4:3")
    assert no.find_game("qubic") == no.Game("4x4x4")
    assert no.find_game("fano.json") == fano()
    assert no.find_game(str(tmp_path / "fano.json")) == fano()
    assert no.find_game("plain") == fano()


def test_game_that_is_not_found_says_what_was_tried() -> None:
    with pytest.raises(no.InvalidGame, match=r"expected a game file, but there is no file 'no/such\.json'"):
        no.find_game("no/such.json")
    with pytest.raises(
        no.InvalidGame, match=r"expected a game id, .* got 'chess' \(and there is no file of that name\)"
    ):
        no.find_game("chess")


def test_example_script_makes_saves_and_plays_a_game(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "examples" / "custom_game.py"), str(tmp_path)]
    output = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=True).stdout
    play = no.load(tmp_path / "triangle.ngn")
    assert output == f"{play!r}\n"
    assert play.game == no.load_game(tmp_path / "triangle.json")
    assert play.outcome is not None
