"""Hints and reviews say as proven what was solved before, or is solved in a moment."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import noughts as no
from noughts.engine import SearchResult
from noughts.games.outcome import Value
from noughts.store import Solved, Store
from noughts.study.known import KnowingEngine, improved
from noughts.study.review import hint, review
from test_solve_cli import run

FEW = no.Limit(nodes=400)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "noughts.sqlite3") as store:
        yield store


def result(move: int, score: int, value: Value | None = None) -> SearchResult:
    return SearchResult(move, score, value, None, 4, 100, [move])


def nothing(_: no.Position) -> Solved | None:
    return None


def test_kept_value_of_the_position_is_proven_with_its_move() -> None:
    position = no.Game("5x5:4").start()
    found = improved(position, [result(11, 20), result(12, 9)], Solved(no.Value.DRAW, 12, None, 1, 0.0), nothing)
    assert [(each.move, each.value) for each in found] == [(12, "draw"), (11, None)]
    assert found[1].score <= 0


def test_kept_move_comes_first_even_if_the_search_did_not_list_it() -> None:
    position = no.Game("6x6:4").start()
    found = improved(position, [result(11, 20), result(12, 9)], Solved(no.Value.WIN, 14, 21, 1, 0.0), nothing)
    assert [(each.move, each.value, each.plies) for each in found] == [(14, "win", 21), (11, None, None)]
    assert found[0].pv == [14]


def test_all_moves_of_a_lost_position_lose() -> None:
    position = no.Game("4x3:3+misere").start()
    found = improved(position, [result(0, 5), result(1, -2)], Solved(no.Value.LOSS, None, None, 1, 0.0), nothing)
    assert {each.value for each in found} == {"loss"}


def test_what_is_known_about_the_next_position_is_known_about_the_move() -> None:
    position = no.Game("3x3").start()

    def look_up(after: no.Position) -> Solved | None:
        return {0: Solved(no.Value.WIN, None, 4, 1, 0.0), 4: Solved(no.Value.LOSS, None, 6, 1, 0.0)}.get(
            after.moves[-1]
        )

    found = improved(position, [result(0, 50), result(1, 3), result(4, -7)], None, look_up)
    assert [(each.move, each.value, each.plies) for each in found] == [(4, "win", 7), (1, None, None), (0, "loss", 5)]


def test_engine_asks_the_store(store: Store) -> None:
    position = no.Game("9x4:4").start()  # won, but not in a moment
    plain = hint(position, FEW, KnowingEngine(book=False))
    assert all(each.worth.value is None for each in plain)
    store.keep_value(position, Solved(no.Value.WIN, 13, None, 1, 0.0))
    best = hint(position, FEW, KnowingEngine(store=store, book=False))[0]
    assert (best.move, best.worth.value, best.worth.chance) == (13, "win", 1.0)


def test_engine_solves_what_can_be_solved_in_a_moment_and_keeps_it(store: Store) -> None:
    position = no.Game("4x4").start()
    limit = no.Limit(nodes=2000)
    assert no.Engine(book=False).search(position, limit).value is None
    assert KnowingEngine(store=store, book=False).search(position, limit).value == "draw"
    kept = store.value_of(position)
    assert kept is not None
    assert kept.value == "draw"


def test_limit_on_depth_alone_is_the_search_of_the_engine() -> None:
    position, limit = no.Game("4x4").start(), no.Limit(depth=2)
    assert KnowingEngine(book=False).search(position, limit).move == no.Engine(book=False).search(position, limit).move


def test_review_tells_a_proven_blunder_from_a_bad_guess(store: Store) -> None:
    game = no.Game("9x4:4")
    store.keep_value(game.start(), Solved(no.Value.WIN, 13, None, 1, 0.0))
    store.keep_value(game.start().after(0), Solved(no.Value.DRAW, 13, None, 1, 0.0))
    move = review(no.Playthrough(game, [0]), FEW, KnowingEngine(store=store, book=False)).moves[0]
    assert (move.label, move.before.value, move.after.value) == ("missed win", "win", "draw")


def test_hint_and_analyse_know_what_solve_proved(tmp_path: Path) -> None:
    with Store(tmp_path / "noughts.sqlite3") as store:
        store.keep_value(no.Game("9x4:4").start(), Solved(no.Value.WIN, 13, None, 1, 0.0))
    moves = json.loads(run(tmp_path, "hint", "9x4:4", "--nodes", "400", "--json").stdout)["moves"]
    assert (moves[0]["cell"], moves[0]["verdict"], moves[0]["value"]) == (13, "win", "win")
    no.save(no.Playthrough(no.Game("9x4:4"), [0]), tmp_path / "game.ngn")
    said = json.loads(run(tmp_path, "analyse", "game.ngn", "--nodes", "400", "--json").stdout)
    assert said[0]["moves"][0]["before"]["value"] == "win"


def test_hint_works_without_a_store(tmp_path: Path) -> None:
    (tmp_path / "noughts.sqlite3").write_text("this is no database, but long enough to be taken for one by mistake")
    done = run(tmp_path, "hint", "3x3", "--nodes", "100")
    assert done.returncode == 0
    assert "what was solved before is not known" in done.stderr
