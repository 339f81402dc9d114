"""Books that are built, saved, shown and checked."""

from __future__ import annotations

import base64
import json
import random
from errno import ENOSPC
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import noughts as no
from noughts.cli import book as cli
from noughts.engine.book import Book, BookEntry, InvalidBook
from noughts.engine.book.builder import BookBuilder
from noughts.engine.book.check import EntryVerdict, check_entry
from noughts.engine.book.keys import key_of, position_of
from noughts.engine.book.statistics import StatisticsBuilder, self_play
from noughts.engine.book.strategy import Strategy
from noughts.engine.instant_proofs import solve_at_once
from noughts.games.position_text import canonical
from plays import play_randomly

GAMES = ["3x3", "4x4x4", "7x6:4+gravity", "15x15:5", "32x32:5", "ultimate:2", "ultimate:3", "ultimate:3+open"]


def built(id: str, **options: object) -> Book:
    book = Book()
    found = list(BookBuilder(book, memory_mb=8).build(no.Game(id).start(), **options))  # type: ignore[arg-type]
    assert all(entry is not None for _, entry in found)
    return book


# --- keys and files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", GAMES)
def test_key_stands_for_exactly_one_position(id: str) -> None:
    game, dice = no.Game(id), random.Random(id)
    for _ in range(20):
        position = play_randomly(game.start(), dice, dice.randrange(12))
        if position.is_over:
            continue
        number = key_of(canonical(position))
        assert position_of(game, number).text == position.canonical_text


@pytest.mark.parametrize("id", GAMES)
def test_saved_book_has_the_same_entries(id: str, tmp_path: Path) -> None:
    game, dice, book = no.Game(id), random.Random(id), Book()
    values = [None, *no.Value]
    while len(book) < 20:
        position = play_randomly(game.start(), dice, dice.randrange(9))
        if not position.is_over:
            move = dice.choice([None, *position.legal_moves])
            plies, *counts = (dice.choice([0, 3, 70_000]) for _ in range(4))
            book.add(position, BookEntry(move, dice.choice(values), plies or None, *counts))
    book.save(tmp_path / "my.ngb")
    again = Book.load(tmp_path / "my.ngb")
    one, other = book.chapter(game), again.chapter(game)
    assert one is not None
    assert other is not None
    assert [(each.text, entry) for each, entry in one.items()] == [(each.text, entry) for each, entry in other.items()]
    assert all(again.find(position) == book.find(position) for position, _ in one.items())
    again.save(tmp_path / "again.ngb")
    assert (tmp_path / "again.ngb").read_bytes() == (tmp_path / "my.ngb").read_bytes()


def test_loaded_book_can_be_extended(tmp_path: Path) -> None:
    game, book = no.Game("3x3"), Book()
    book.add(game.start(), BookEntry(4, no.Value.DRAW))
    book.save(tmp_path / "my.ngb")
    again = Book.load(tmp_path / "my.ngb")
    again.add(game.start().after(4), BookEntry(0, no.Value.DRAW))
    again.add(game.start(), BookEntry(0, no.Value.DRAW))
    assert len(again) == 2
    again.save(tmp_path / "my.ngb")
    entry = Book.load(tmp_path / "my.ngb").find(game.start())
    assert entry is not None
    assert entry.move == 0


def test_book_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(ENOSPC, "no space left on device")

    file, book = tmp_path / "my.ngb", Book()
    book.save(file)
    old = file.read_bytes()
    book.add(no.Game("3x3").start(), BookEntry(4, no.Value.DRAW))
    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="no space left"):
        book.save(file)
    assert file.read_bytes() == old


OLD_BOOK = (
    "bm91Z2h0cy1ib29rIDIKAAAAg3siZ2FtZXMiOlt7ImdhbWUiOiI1eDU6NCIsImVudHJpZXMiOjMsIm1vc3RfbWFya3MiOjIsIndpZHRocyI6WzUs"
    "MSwxLDEsMl0sImJ5dGVzIjo5NiwiZGlnZXN0IjoiNDg3NjBkYTNkNjY5MTFkNDdiNDRiMzA2OWMxNTE0OTIifV19n5fB3FxHo7mCzWGVODTD1v03"
    "elhaAAAE5ta0RgIAIQEcAAAAEM9YzOAAKQAjXQAAagCH92UI50z7pJ8/EuqEVGBRyHd4eK2jDmU5ERnPPhgAAAAA30k7/KkRVMwAAT8qwVbjox+2"
    "830BAAAAAARZWg=="
)
"""A file of version 2 with three positions of 5x5:4."""


def test_book_of_version_2_is_read_and_saved_as_version_3(tmp_path: Path) -> None:
    file, start = tmp_path / "my.ngb", no.Game("5x5:4").start()
    file.write_bytes(base64.b64decode(OLD_BOOK))
    for _ in range(2):
        book = Book.load(file)
        assert len(book) == 3
        assert book.find(start) == BookEntry(12, no.Value.DRAW)
        assert book.find(start.after("c3")) == BookEntry(6, wins=3, draws=300, losses=1)
        assert book.find(start.after("c3").after("b2")) == BookEntry(7, no.Value.WIN, 5)
        book.save(file)
        assert file.read_bytes().startswith(b"noughts-book 3\n")


def test_damaged_book_of_version_2_is_refused(tmp_path: Path) -> None:
    file, data = tmp_path / "my.ngb", base64.b64decode(OLD_BOOK)
    for at in range(len(data)):
        file.write_bytes(data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :])
        with pytest.raises(InvalidBook):
            Book.load(file)


def test_damaged_book_is_refused_wherever_the_damage_is(tmp_path: Path) -> None:
    file, book = tmp_path / "my.ngb", built("4x4:4+gravity")
    book.save(file)
    data = file.read_bytes()
    for at in range(0, len(data), 7):
        file.write_bytes(data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :])
        with pytest.raises(InvalidBook):
            Book.load(file)
    for end in range(0, len(data), 13):
        file.write_bytes(data[:end])
        with pytest.raises(InvalidBook):
            Book.load(file)


@pytest.mark.parametrize("contents", [b"", b"{}", b'{"format": "noughts-book-1"}', b"noughts-book 1\n", b"\x00" * 100])
def test_other_file_is_refused_in_one_line(contents: bytes, tmp_path: Path) -> None:
    file = tmp_path / "my.ngb"
    file.write_bytes(contents)
    result = CliRunner().invoke(cli.command, ["show", "--file", str(file)])
    assert result.exit_code == 2
    message = result.output.splitlines()[-1]
    assert "expected a book of the format noughts-book 3" in message


def test_move_that_is_not_legal_is_refused() -> None:
    game, book = no.Game("3x3"), Book()
    position = game.start().after(4)
    book.add(position, BookEntry(4, no.Value.DRAW))
    with pytest.raises(InvalidBook, match="illegal move"):
        book.find(position)


# --- building -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["4x4:4+gravity", "4x3:3", "ultimate:2", "3x3+misere", "5x4:4"])
def test_built_book_is_proven_by_the_solver(id: str) -> None:
    book = built(id, plies=2)
    chapter = book.chapter(no.Game(id))
    assert chapter is not None
    assert len(chapter) >= 3
    for position, entry in chapter.items():
        assert check_entry(position, entry) is EntryVerdict.PROVEN


def test_custom_game_gets_a_book() -> None:
    game = no.Game.from_lines("square", cells=9, lines=[[0, 1, 3], [1, 2, 5], [3, 6, 7], [5, 7, 8], [0, 4, 8]])
    book = Book()
    list(BookBuilder(book, memory_mb=8).build(game.start()))
    entry = book.find(game.start())
    assert entry is not None
    assert entry.value == no.solve(game.start()).value


@pytest.mark.parametrize("id", ["6x5:4", "5x5:4+wrap", "4x3:3+misere", "ultimate:2", "6x4:4+gravity"])
def test_strategy_of_a_proof_wins(id: str) -> None:
    game, dice = no.Game(id), random.Random(id)
    proof = no.solve(game.start()).proof
    assert proof is not None
    strategy, book = Strategy(proof), Book()
    assert strategy.side is not None
    found = list(BookBuilder(book, no.Limit(seconds=5), 8, strategy).build(strategy.start, [strategy.side]))
    assert all(entry is not None for _, entry in found)
    for _ in range(10):
        position = game.start()
        while not position.is_over:
            if position.turn is not strategy.side:
                position.play(dice.choice(position.legal_moves))
                continue
            known = book.look_up(position) or solve_at_once(position)
            assert known is not None
            assert known.value == "win"
            position.play(known.move)  # type: ignore[arg-type]
        assert position.winner is strategy.side


def test_check_finds_a_wrong_entry() -> None:
    game = no.Game("4x3:3")
    start, blunder = game.start(), game.parse("xx2/oo2/4 x")
    assert check_entry(start, BookEntry(game.parse_cell("b2"), no.Value.WIN)) is EntryVerdict.PROVEN
    assert check_entry(start, BookEntry(game.parse_cell("b2"), no.Value.DRAW)) is EntryVerdict.WRONG
    assert check_entry(blunder, BookEntry(game.parse_cell("d1"), no.Value.WIN)) is EntryVerdict.WRONG
    assert check_entry(blunder, BookEntry(game.parse_cell("c3"), no.Value.WIN)) is EntryVerdict.PROVEN


# --- statistics -----------------------------------------------------------------------------------------------------


def test_playthroughs_are_counted_and_the_best_move_chosen() -> None:
    game, book = no.Game("3x3"), Book()
    builder = StatisticsBuilder(book, most_plies=2)
    won = no.Playthrough(game, ["b2", "b1", "a1", "a2", "c3"])
    lost = no.Playthrough(game, ["a1", "b2", "b1", "a3", "a2", "c1"])
    unfinished = no.Playthrough(game, ["a1"])
    assert [builder.add(each) for each in (won, won, lost, unfinished)] == [True, True, True, False]
    builder.choose_moves()
    entry = book.find(game.start())
    assert entry is not None
    assert (entry.wins, entry.draws, entry.losses, entry.value) == (2, 0, 1, None)
    assert entry.move == game.parse_cell("b2")
    assert len(book) == 3


def test_self_play_with_a_limit_in_nodes_is_repeatable() -> None:
    game, limit = no.Game("4x4:4"), no.Limit(nodes=300)
    engine = no.Engine(hash_mb=1, book=False)
    one, other = (self_play(game, 7, limit, 4, engine) for _ in range(2))
    assert one.moves == other.moves
    assert one.outcome is not None


# --- the command ----------------------------------------------------------------------------------------------------


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(cli.command, arguments, standalone_mode=False)
    found = 2 if isinstance(result.exception, click.UsageError) else result.return_value or 0
    assert found == code, result.output
    return result.stdout


def test_building_continues_from_an_existing_book(tmp_path: Path) -> None:
    file = str(tmp_path / "my.ngb")
    run("build", "4x3:3", "--out", file)
    run("build", "4x3:3", "--plies", "2", "--out", file)
    shown = run("show", "4x3:3", "--file", file, "--all").splitlines()
    assert shown[0] == "4/4/4 x  proven win in at most 7 plies: play b2"
    assert len(shown) == 6
    assert run("show", "--file", file).split()[-7:] == ["4x3", "6", "2", "0", "4", "0", "2"]


def test_show_lists_the_moves_of_a_position(tmp_path: Path) -> None:
    file = str(tmp_path / "my.ngb")
    run("build", "3x3", "--plies", "2", "--out", file)
    assert "proven draw: play" in run("show", "3x3", "--file", file)
    data = json.loads(run("show", "3x3", "--file", file, "--json"))
    assert (data["value"], len(data["moves"])) == ("draw", 9)


def test_interrupted_build_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: BookBuilder, start: no.Position, *arguments: object) -> object:
        self._prove(start)
        yield start, None
        raise KeyboardInterrupt

    monkeypatch.setattr(BookBuilder, "build", interrupted)
    file = tmp_path / "my.ngb"
    run("build", "3x3", "--out", str(file), code=130)
    assert len(Book.load(file)) == 1


def test_proof_becomes_a_book(tmp_path: Path) -> None:
    proof, file = tmp_path / "my.ngp", tmp_path / "my.ngb"
    solved = no.solve(no.Game("6x5:4").start()).proof
    assert solved is not None
    solved.save(proof)
    run("build", "6x5:4", "--from-proof", str(proof), "--out", str(file))
    assert Book.load(file).look_up(no.Game("6x5:4").start()) is not None
    run("build", "6x6:4", "--from-proof", str(proof), "--out", str(file), code=2)


def test_self_play_is_not_proven_and_continues(tmp_path: Path) -> None:
    file = str(tmp_path / "my.ngb")
    run("build", "4x4:4", "--self-play", "2", "--nodes", "100", "--most-plies", "3", "--out", file)
    run("build", "4x4:4", "--self-play", "3", "--nodes", "100", "--most-plies", "3", "--out", file)
    shown = run("show", "4x4:4", "--file", file)
    assert "not proven" in shown
    assert "in 3 playthroughs: play" in shown


def test_files_of_playthroughs_become_a_book(tmp_path: Path) -> None:
    games, file = tmp_path / "games.ngn", str(tmp_path / "my.ngb")
    no.save(no.Playthrough(no.Game("3x3"), ["b2", "b1", "a1", "a2", "c3"]), games)
    run("build", "3x3", "--from-games", str(games), "--out", file)
    assert "1 wins, 0 draws, 0 losses in 1 playthroughs: play b2" in run("show", "3x3", "--file", file)
    run("build", "3x3", "--from-games", str(games), "--out", file, code=2)


def test_verify_checks_a_book_with_the_solver(tmp_path: Path) -> None:
    file = tmp_path / "my.ngb"
    book = built("4x3:3", plies=2)
    book.save(file)
    assert "6 proven, 0 undecided, 0 wrong" in run("verify", "--file", str(file))
    book.add(no.Game("4x3:3").start(), BookEntry(0, no.Value.DRAW))
    book.save(file)
    assert "wrong: 4x3" in run("verify", "--file", str(file), code=1)
