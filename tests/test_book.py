"""The book: proven positions that are answered without a search."""

from __future__ import annotations

import random
from errno import ENOSPC
from pathlib import Path

import pytest
from click.testing import CliRunner

import noughts as no
from exhaustive import OPPOSITE
from noughts.cli import book as cli
from noughts.engine.book import Book, shipped_book
from noughts.engine.book_builder import BookBuilder
from noughts.games import ProvenValue
from noughts.games.position_text import canonical
from noughts.study.advice import advise

CONNECT4 = "7x6:4+gravity"
QUICK = no.Limit(seconds=0.5)


def connect4(*moves: str) -> no.Position:
    position = no.Game("connect4").start()
    for move in moves:
        position.play(move)
    return position


@pytest.fixture(scope="module")
def book() -> Book:
    return shipped_book()


# --- the book in the package ----------------------------------------------------------------------------------------


def test_every_solved_game_is_in_the_book(book: Book) -> None:
    table = Path(__file__).parent.parent.joinpath("docs", "solved.md").read_text(encoding="utf-8")
    rows = [row.split("|") for row in table.splitlines() if row.startswith("| `") and "noughts solve" in row]
    assert len(rows) > 30
    for row in rows:
        game, value = no.Game(row[1].strip(" `")), row[2].strip(" *")
        entry = book.look_up(game.start())
        assert entry is not None, game.id
        assert entry.value == value, game.id


def test_entries_are_canonical_and_their_moves_legal(book: Book) -> None:
    for id in book.games:
        for position, entry in book.positions(id):
            assert canonical(position).text == position.text
            assert (entry.move is None) == (entry.value == "loss"), position.text
            assert entry.move is None or entry.move in position.legal_moves, position.text


def test_entries_do_not_contradict_each_other(book: Book) -> None:
    rank = {"loss": 0, "draw": 1, "win": 2}
    for id in book.games:
        for position, entry in book.positions(id):
            after = {move: book.look_up(position.after(move)) for move in position.legal_moves}
            reached = {move: OPPOSITE[there.value] for move, there in after.items() if there is not None}
            assert all(rank[value] <= rank[entry.value] for value in reached.values()), position.text
            assert entry.move is None or reached.get(entry.move, entry.value) == entry.value, position.text


def test_solver_proves_what_the_book_says(book: Book) -> None:
    proven = 0
    for id in book.games:
        if id in (CONNECT4, "4x4x4"):
            continue
        for position, entry in book.positions(id):
            solution = no.solve(position, QUICK, memory_mb=16)
            assert solution.value in (None, entry.value), position.text
            if solution.value is not None and entry.move is not None:
                after = no.solve(position.after(entry.move), QUICK, memory_mb=16)
                assert after.value in (None, OPPOSITE[entry.value]), position.text
            proven += solution.value is not None
    assert proven >= 20


def test_solver_proves_what_the_book_says_of_connect_four(book: Book) -> None:
    """A few of the last positions, after the move of the book; most others take too long for a test."""
    dice, proven = random.Random(4), 0
    last = [(position, entry) for position, entry in book.positions(CONNECT4) if position.cells.count(None) <= 34]
    for position, entry in dice.sample(last, 12):
        after = position.after(entry.move) if entry.move is not None else position
        if after.is_over:
            assert after.winner == position.turn
            continue
        solution = no.solve(after, QUICK, memory_mb=64)
        assert solution.value in (None, "loss"), position.text
        proven += solution.value == "loss"
    assert proven > 0


def test_first_player_following_the_book_finds_every_reply_in_it(book: Book) -> None:
    dice = random.Random(1)
    for _ in range(30):
        position = connect4()
        for _ in range(4):
            entry = book.look_up(position)
            assert entry is not None
            assert entry.value == "win"
            assert entry.move is not None
            position.play(entry.move)
            if position.is_over:
                break
            assert book.look_up(position) is not None
            position.play(dice.choice(position.legal_moves))


# --- the engine with a book -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [*(no.Limit(depth=depth) for depth in range(1, 18)), no.Limit(seconds=0.01)])
def test_connect_four_is_opened_in_the_middle_at_any_limit(limit: no.Limit) -> None:
    found = no.Engine(hash_mb=1).search(connect4(), limit)
    assert (connect4().format_move(found.move), found.value, found.nodes) == ("d1", "win", 0)


def test_master_hints_and_analyses_open_connect_four_in_the_middle() -> None:
    position, d1 = connect4(), connect4().parse_move("d")
    limit = no.Limit(nodes=500)
    assert no.level("master").choose(position, no.Limit(seconds=0.01)) == d1
    best = advise(position, limit)[0]
    assert (best.move, best.worth.value) == (d1, "win")
    best = advise(position, limit, engine=no.Engine(hash_mb=1))[0]
    assert (best.move, best.worth.value) == (d1, "win")


def test_position_is_found_by_any_order_of_moves_and_in_the_mirror(book: Book) -> None:
    first = book.look_up(connect4("d", "c"))
    mirrored = book.look_up(connect4("d", "e"))
    assert first is not None
    assert mirrored is not None
    assert first.move is not None
    assert mirrored.move is not None
    assert first.move % 7 + mirrored.move % 7 == 6
    one, other = connect4("d", "d", "b", "b"), connect4("b", "b", "d", "d")
    assert one.moves != other.moves
    assert book.look_up(one) == book.look_up(other)


def test_without_a_book_the_engine_searches() -> None:
    found = no.Engine(hash_mb=1, book=False).search(connect4(), no.Limit(depth=4))
    assert found.value is None
    assert found.nodes > 0


def test_lost_position_is_searched_for_the_best_resistance() -> None:
    found = no.Engine(hash_mb=1).search(connect4("d"), no.Limit(depth=6))
    assert found.value == "loss"
    assert found.nodes > 0


def test_moves_that_lead_to_proven_positions_are_not_searched() -> None:
    game = no.Game("3x3")
    known = Book()
    for move in game.start().legal_moves:
        known.add(
            game.start().after(move),
            ProvenValue(no.Value.WIN if move != 4 else no.Value.LOSS, 0 if move != 4 else None),
        )
    found = no.Engine(hash_mb=1, book=known).analyse(game.start(), no.Limit(depth=9), lines=9)
    assert [(each.move == 4, each.value) for each in found] == [(True, "win")] + 8 * [(False, "loss")]


def test_move_known_to_draw_is_not_taken_for_the_value_of_the_position() -> None:
    game = no.Game("4x3:3")  # a win; the book has one move, a claimed draw, and none of the others
    known = Book()
    known.add(game.start().after("a1"), ProvenValue(no.Value.DRAW, game.parse_cell("b2")))
    found = no.Engine(hash_mb=1, book=known).search(game.start(), no.Limit(depth=1))
    assert found.value is None or found.value == "win"
    assert no.Engine(hash_mb=1, book=known).search(game.start(), no.Limit(depth=12)).value == "win"


def test_custom_game_is_in_no_book(book: Book) -> None:
    custom = no.Game.from_lines("row", cells=9, lines=[[0, 1, 2]])
    assert book.look_up(custom.start()) is None
    with pytest.raises(ValueError, match="custom game"):
        Book().add(custom.start(), ProvenValue(no.Value.DRAW, 0))


def test_object_that_is_not_a_book_is_refused() -> None:
    with pytest.raises(TypeError, match="expected book as True, False or a Book, got str"):
        no.Engine(book="my.json")  # type: ignore[arg-type]


# --- building a book ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["4x4:4+gravity", "4x3:3", "ultimate:2"])
def test_built_book_says_what_the_solver_says(id: str, tmp_path: Path) -> None:
    book = Book()
    found = list(BookBuilder(book, memory_mb=8).build(no.Game(id).start(), plies=1, follow=2))
    assert all(entry is not None for _, entry in found)
    book.save(tmp_path / "book.json")
    again = Book.load(tmp_path / "book.json")
    assert len(again) == len(book) > 3
    for position, entry in again.positions(id):
        assert no.solve(position, memory_mb=8).value == entry.value


def test_book_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(ENOSPC, "no space left on device")

    file, book = tmp_path / "book.json", Book()
    book.save(file)
    old = file.read_bytes()
    book.add(no.Game("3x3").start(), ProvenValue(no.Value.DRAW, 4))
    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="no space left"):
        book.save(file)
    assert file.read_bytes() == old


def run(*arguments: str) -> str:
    result = CliRunner().invoke(cli.command, arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_building_continues_from_an_existing_book(tmp_path: Path) -> None:
    file = str(tmp_path / "book.json")
    run("build", "4x3:3", "--out", file)
    run("build", "4x3:3", "--plies", "1", "--out", file)
    shown = run("show", "4x3:3", "--file", file).splitlines()
    assert shown[0] == "4/4/4 x  win by b2"
    assert len(shown) == 5
    assert run("show", "--file", file).split()[-5:] == ["4x3", "5", "2", "0", "3"]


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"format": "noughts-book-1"}', '{"format": "noughts-book-0", "games": {}}',
     '{"format": "noughts-book-1", "games": {"3x3": {"3/3/3 x": ["victory", "b2", null]}}}',
     '{"format": "noughts-book-1", "games": {"3x3": {"3/3/3 x": ["draw", "z9", null]}}}',
     '{"format": "noughts-book-1", "games": {"3x3": []}}', '{"format": "noughts-book-1", "games": {"2x": {}}}'],
)  # fmt: skip
def test_damaged_book_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "book.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="expected"):
        Book.load(file)
