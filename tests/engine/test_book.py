"""The book in the package, and the engine that plays from it."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest

import noughts as no
from exhaustive import OPPOSITE
from noughts.analysis.advice import advise
from noughts.engine.book import Book, BookEntry, shipped_book
from noughts.engine.book import book as book_module
from noughts.engine.book.check import EntryVerdict, check_entry
from noughts.engine.instant_proofs import solve_at_once
from noughts.games.position_text import canonical
from noughts.packaged import read_packaged
from paths import ROOT
from plays import position_after

CONNECT4 = "7x6:4+gravity"
IS_SLOW = bool(os.environ.get("NOUGHTS_SLOW"))
RANK = {"loss": 0, "draw": 1, "win": 2}
MAX_BYTES = 3_000_000
SHORT_SEARCH = no.Limit(nodes=4000)


def connect4(*moves: str) -> no.Position:
    return position_after("connect4", *moves)


@pytest.fixture(scope="module")
def book() -> Book:
    return shipped_book()


def entries(book: Book) -> Iterator[tuple[no.Position, BookEntry]]:
    for game in book.games:
        chapter = book.chapter(game)
        assert chapter is not None
        yield from chapter.items()


# --- the book in the package ----------------------------------------------------------------------------------------


SOLVED_IN_A_SECOND = {"8x6:5", "9x5", "ultimate:3+open", "ultimate:3+count+open"}
"""Solved games without a chapter: the solver is quick enough."""

SOLVED_WITHOUT_A_MOVE = {"7x7:4+gravity"}
"""Solved games of which only the value was kept."""


def test_every_solved_game_is_in_the_book(book: Book) -> None:
    table = ROOT.joinpath("docs", "solved.md").read_text(encoding="utf-8")
    rows = [row.split("|") for row in table.splitlines() if row.startswith("| `") and "` | **" in row]
    assert len(rows) > 30
    for row in rows:
        game, value = no.Game(row[1].strip(" `")), row[2].strip(" *")
        if game.id in SOLVED_IN_A_SECOND | SOLVED_WITHOUT_A_MOVE or value.startswith("not solved"):
            continue
        entry = book.find(game.start())
        assert entry is not None, game.id
        assert entry.value == value, game.id


def test_book_is_small() -> None:
    assert len(read_packaged(book_module.SHIPPED)) < MAX_BYTES


def test_entries_are_canonical_and_proven_and_their_moves_legal(book: Book) -> None:
    for position, entry in entries(book):
        assert canonical(position).text == position.text
        assert entry.value is not None, position.text
        assert entry.move in position.legal_moves or (entry.move is None and entry.value == "loss"), position.text


def test_entries_do_not_contradict_each_other(book: Book) -> None:
    dice, found = random.Random(1), list(entries(book))
    for position, entry in found if IS_SLOW else dice.sample(found, 300):
        after = {move: book.look_up(position.after(move)) for move in position.legal_moves}
        reached = {move: OPPOSITE[there.value] for move, there in after.items() if there is not None}
        assert entry.value is not None
        assert all(RANK[value] <= RANK[entry.value] for value in reached.values()), position.text
        assert entry.move is None or reached.get(entry.move, entry.value) == entry.value, position.text


def test_solver_proves_what_the_book_says(book: Book) -> None:
    """A sample; all of them, with more time, if NOUGHTS_SLOW is set."""
    found = list(entries(book))
    limit = no.Limit(seconds=5 if IS_SLOW else 0.1)
    sample = found if IS_SLOW else random.Random(2).sample(found, 30)
    verdicts = [check_entry(position, entry, limit, memory_mb=64) for position, entry in sample]
    wrong = [position.text for (position, _), each in zip(sample, verdicts, strict=True) if each is EntryVerdict.WRONG]
    assert not wrong
    assert verdicts.count(EntryVerdict.PROVEN) >= len(sample) // 3


def known_value(book: Book, position: no.Position) -> no.ProvenValue | None:
    return book.look_up(position) or solve_at_once(position)


def play_out(position: no.Position, side: no.Side, dice: random.Random, limit: no.Limit) -> no.Position:
    """Let the engine play a side, and the other play at random."""
    engine = no.Engine(hash_mb=1)
    while not position.is_over:
        is_engine = position.turn is side
        position.play(engine.search(position, limit).move if is_engine else dice.choice(position.legal_moves))
    return position


@pytest.mark.parametrize("id", ["3x3x3", "4x3:3", "4x4:3", "4x4x4", "6x5:4", "5x5:4+wrap", "ultimate:2"])
def test_first_player_who_follows_the_book_wins(id: str) -> None:
    dice = random.Random(id)
    for _ in range(1000 if IS_SLOW else 12):
        assert play_out(no.Game(id).start(), no.Side.X, dice, SHORT_SEARCH).winner == "X"


@pytest.mark.parametrize("id", ["3x3", "4x4", "5x5:4", "4x4:4+gravity", "3x3+misere"])
@pytest.mark.parametrize("side", list(no.Side))
def test_neither_side_loses_a_drawn_game_by_the_book(id: str, side: no.Side) -> None:
    dice = random.Random(id)
    for _ in range(300 if IS_SLOW else 5):
        assert play_out(no.Game(id).start(), side, dice, SHORT_SEARCH).winner in (side, None)


def test_first_player_following_the_book_finds_every_reply_in_it(book: Book) -> None:
    dice = random.Random(1)
    for _ in range(2000 if IS_SLOW else 30):
        position = connect4()
        while position.ply <= 12:
            known = known_value(book, position)
            assert known is not None, position.text
            assert known.value == "win"
            assert known.move is not None
            position.play(known.move)
            if position.is_over:
                break
            position.play(dice.choice(position.legal_moves))
            if position.is_over:
                break


# --- the engine with a book -----------------------------------------------------------------------------------------

SHORT = [no.Limit(nodes=1), no.Limit(seconds=0.01), *(no.Limit(depth=depth) for depth in (1, 2, 5, 9, 17))]


@pytest.mark.parametrize("limit", SHORT, ids=str)
def test_connect_four_is_opened_in_the_middle_at_any_limit(limit: no.Limit) -> None:
    found = no.Engine(hash_mb=1).search(connect4(), limit)
    assert (connect4().format_move(found.move), found.value, found.nodes) == ("d1", "win", 0)
    assert found.is_from_book


def test_master_hints_and_analyses_open_connect_four_in_the_middle() -> None:
    position, d1 = connect4(), connect4().parse_move("d")
    limit = no.Limit(nodes=500)
    assert no.level("master").choose(position, no.Limit(seconds=0.01)) == d1
    best = advise(position, limit)[0]
    assert (best.move, best.evaluation.value) == (d1, "win")
    best = advise(position, limit, engine=no.Engine(hash_mb=1))[0]
    assert (best.move, best.evaluation.value) == (d1, "win")


@pytest.mark.parametrize("opponent", ["random", "easy", "difficult"])
def test_master_wins_qubic_at_once_when_it_begins(opponent: str) -> None:
    from noughts.players import open_player

    master, other = no.level("master", engine=no.Engine(hash_mb=1)), open_player(opponent, seed=3)
    position, times = no.Game("4x4x4").start(), []
    while not position.is_over:
        began = process_time()
        is_master = position.turn == "X"
        position.play((master if is_master else other).choose(position, no.Limit(seconds=5)))
        if is_master:
            times.append(process_time() - began)
    assert position.winner == "X"
    assert sorted(times)[len(times) // 2] < 0.05


def test_position_is_found_by_any_order_of_moves_and_in_the_mirror(book: Book) -> None:
    first = book.find(connect4("d", "c"))
    mirrored = book.find(connect4("d", "e"))
    assert first is not None
    assert mirrored is not None
    assert first.move is not None
    assert mirrored.move is not None
    assert first.move % 7 + mirrored.move % 7 == 6
    one, other = connect4("d", "d", "b", "b"), connect4("b", "b", "d", "d")
    assert one.moves != other.moves
    assert book.find(one) == book.find(other)


def test_without_a_book_the_engine_searches() -> None:
    found = no.Engine(hash_mb=1, book=False).search(connect4(), no.Limit(depth=4))
    assert found.value is None
    assert found.nodes > 0
    assert not found.is_from_book


def test_lost_position_of_the_book_is_answered_with_the_move_that_resists(book: Book) -> None:
    entry = book.find(connect4("d"))
    assert entry is not None
    found = no.Engine(hash_mb=1).search(connect4("d"), no.Limit(depth=6))
    assert (found.value, found.move, found.is_from_book) == ("loss", entry.move, True)
    lines = no.Engine(hash_mb=1).analyse(connect4("d"), no.Limit(depth=6), lines=3)
    assert [each.value for each in lines] == ["loss", "loss", "loss"]
    assert lines[0].move == entry.move


def test_lost_position_without_a_move_is_searched_for_the_best_resistance() -> None:
    known = Book()
    known.add(connect4("d"), BookEntry(None, no.Value.LOSS))
    found = no.Engine(hash_mb=1, book=known).search(connect4("d"), no.Limit(depth=6))
    assert found.value == "loss"
    assert found.nodes > 0


def test_positions_beyond_the_book_are_solved_if_that_takes_milliseconds() -> None:
    position = no.Game("4x4+misere").start()
    engine = no.Engine(hash_mb=1)
    position.play_all((0, 1, 5, 2))
    limit = no.Limit(depth=1)
    assert engine.find_in_book(position) is None
    solution = no.solve(position)
    best = engine.search(position, limit)
    after = position.after(best.move)
    assert after.is_over or no.solve(after).value == OPPOSITE[solution.value]  # type: ignore[index]


@pytest.mark.parametrize(("id", "nodes"), [("4x4x4", 4000), ("6x6:4", 4000), (CONNECT4, 50_000)])
def test_win_that_was_proven_at_once_is_never_lost_again(id: str, nodes: int) -> None:
    game, wins = no.Game(id), 0
    for seed in range(200 if IS_SLOW else 8):
        dice, engine, position = random.Random(seed), no.Engine(hash_mb=1), game.start()
        has_won = False
        while not position.is_over:
            if position.turn != "X" or position.ply < 8:
                position.play(dice.choice(position.legal_moves))
                continue
            found = engine.search(position, no.Limit(nodes=nodes))
            assert not has_won or found.value == "win", position.text
            has_won = has_won or (found.value == "win" and found.nodes == 0)
            position.play(found.move)
        assert not has_won or position.winner == "X"
        wins += has_won
    assert wins > 0


def test_moves_that_lead_to_proven_positions_are_not_searched() -> None:
    game = no.Game("3x3")
    known = Book()
    for move in game.start().legal_moves:
        value, reply = (no.Value.WIN, 0 if move != 0 else 1) if move != 4 else (no.Value.LOSS, None)
        known.add(game.start().after(move), BookEntry(reply, value))
    found = no.Engine(hash_mb=1, book=known).analyse(game.start(), no.Limit(depth=9), lines=9)
    assert [(each.move == 4, each.value) for each in found] == [(True, "win")] + 8 * [(False, "loss")]
    assert all(each.is_from_book for each in found)


def test_move_known_to_draw_is_not_taken_for_the_value_of_the_position() -> None:
    game = no.Game("4x3:3")  # a win; the book has one move, a claimed draw, and none of the others
    known = Book()
    known.add(game.start().after("a1"), BookEntry(game.parse_cell("b2"), no.Value.DRAW))
    found = no.Engine(hash_mb=1, book=known).analyse(game.start(), no.Limit(depth=1))[0]
    assert found.value is None or found.value == "win"
    assert no.Engine(hash_mb=1, book=known).search(game.start(), no.Limit(depth=12)).value == "win"


def test_move_that_is_not_proven_is_played_but_not_used_as_advice() -> None:
    game, known = no.Game("15x15:5"), Book()
    known.add(game.start(), BookEntry(game.parse_cell("h8"), None, None, 3, 1, 1))
    engine = no.Engine(hash_mb=1, book=known)
    found = engine.search(game.start(), no.Limit(depth=1))
    assert (game.format_cell(found.move), found.value, found.is_from_book) == ("h8", None, True)
    assert not engine.analyse(game.start(), no.Limit(depth=1))[0].is_from_book


def test_custom_game_with_the_same_rules_is_the_same_game(book: Book) -> None:
    row = no.Game.from_lines("row", cells=9, lines=[[0, 1, 2]])
    twin = no.Game.from_lines("twin", cells=9, lines=[[0, 1, 2]])
    assert book.find(row.start()) is None
    known = Book()
    known.add(row.start(), BookEntry(0, no.Value.DRAW))
    assert known.find(twin.start()) is not None
    assert known.find(no.Game("3x3").start()) is None


def test_object_that_is_not_a_book_is_refused() -> None:
    with pytest.raises(TypeError, match="expected book as True, False or a Book, got str"):
        no.Engine(book="my.ngb")  # type: ignore[arg-type]


# --- a book that is missing or damaged ------------------------------------------------------------------------------


@pytest.fixture
def shipped_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the book in the package that stands in for it."""
    copy = tmp_path / "shipped.ngb"
    copy.write_bytes(read_packaged(book_module.SHIPPED))
    monkeypatch.setattr(book_module, "SHIPPED", str(copy))
    shipped_book.cache_clear()
    yield copy
    shipped_book.cache_clear()


def test_engine_plays_without_a_book_that_is_missing(shipped_file: Path) -> None:
    shipped_file.unlink()
    with pytest.warns(RuntimeWarning, match="continuing without the opening book"):
        found = no.Engine(hash_mb=1).search(connect4(), no.Limit(depth=2))
    assert found.nodes > 0


def test_engine_plays_without_a_book_whose_entries_are_damaged(shipped_file: Path) -> None:
    data = bytearray(shipped_file.read_bytes())
    sections = 4000  # beyond the header
    for at in range(sections, len(data), 100):
        data[at] ^= 0x55
    shipped_file.write_bytes(bytes(data))
    engine = no.Engine(hash_mb=1)
    with pytest.warns(RuntimeWarning, match="continuing without the opening book: .*checksum"):
        assert engine.search(connect4(), no.Limit(depth=2)).nodes > 0
    assert engine.search(connect4(), no.Limit(depth=2)).nodes > 0
