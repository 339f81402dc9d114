"""Advice: values solved earlier or in a moment are proven."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import noughts as no
from noughts.analysis.advice import Advice, Advisor, advise, with_proven_values
from noughts.analysis.evaluation import Source
from noughts.analysis.reviews import review
from noughts.engine import SearchResult
from noughts.games import ProvenValue
from noughts.games.outcome import Value
from noughts.limit import ClockReading
from noughts.store import Store
from terminals import run

FEW = no.Limit(nodes=400)


def result(move: int, score: int, value: Value | None = None) -> SearchResult:
    return SearchResult(move, score, value, None, 4, 100, [move])


def nothing(_: no.Position) -> ProvenValue | None:
    return None


def test_stored_value_of_the_position_is_proven_with_its_move() -> None:
    position = no.Game("5x5:4").start()
    found = with_proven_values(
        position, [result(11, 20), result(12, 9)], ProvenValue(no.Value.DRAW, 12, None, 1, 0.0), nothing
    )
    assert [(each.move, each.value) for each in found] == [(12, "draw"), (11, None)]
    assert found[1].score <= 0


def test_stored_move_comes_first_even_if_the_search_did_not_list_it() -> None:
    position = no.Game("6x6:4").start()
    found = with_proven_values(
        position, [result(11, 20), result(12, 9)], ProvenValue(no.Value.WIN, 14, 21, 1, 0.0), nothing
    )
    assert [(each.move, each.value, each.plies) for each in found] == [(14, "win", 21), (11, None, None)]
    assert found[0].pv == [14]


def test_all_moves_of_a_lost_position_lose() -> None:
    position = no.Game("4x3:3+misere").start()
    found = with_proven_values(
        position, [result(0, 5), result(1, -2)], ProvenValue(no.Value.LOSS, None, None, 1, 0.0), nothing
    )
    assert {each.value for each in found} == {"loss"}


def test_move_to_a_solved_position_has_its_value() -> None:
    position = no.Game("3x3").start()

    def look_up(after: no.Position) -> ProvenValue | None:
        return {0: ProvenValue(no.Value.WIN, None, 4, 1, 0.0), 4: ProvenValue(no.Value.LOSS, None, 6, 1, 0.0)}.get(
            after.moves[-1]
        )

    found = with_proven_values(position, [result(0, 50), result(1, 3), result(4, -7)], None, look_up)
    assert [(each.move, each.value, each.plies) for each in found] == [(4, "win", 7), (1, None, None), (0, "loss", 5)]


def test_engine_asks_the_store(store: Store) -> None:
    position = no.Game("9x4:4").start()  # won, but not in a moment
    plain = advise(position, FEW, lines=3, engine=no.Engine(book=False))
    assert all(each.evaluation.value is None for each in plain)
    store.solved.add(position, ProvenValue(no.Value.WIN, 13, None, 1, 0.0))
    best = advise(position, FEW, store=store, engine=no.Engine(book=False))[0]
    assert (best.move, best.evaluation.value, best.evaluation.chance, best.source) == (13, "win", 1.0, Source.STORE)


def test_advice_solves_an_easy_position_and_stores_it(store: Store) -> None:
    position = no.Game("4x4").start()
    limit = no.Limit(nodes=2000)
    assert no.Engine(book=False).search(position, limit).value is None
    best = advise(position, limit, store=store, engine=no.Engine(book=False))[0]
    assert (best.value, best.source) == ("draw", Source.SOLVER)
    stored = store.solved.find(position)
    assert stored is not None
    assert stored.value == "draw"


def test_limit_on_depth_alone_is_the_search_of_the_engine() -> None:
    position, limit = no.Game("4x4").start(), no.Limit(depth=2)
    found = advise(position, limit, engine=no.Engine(book=False))[0]
    assert found.move == no.Engine(book=False).search(position, limit).move


def test_review_tells_a_proven_blunder_from_a_bad_guess(store: Store) -> None:
    game = no.Game("9x4:4")
    store.solved.add(game.start(), ProvenValue(no.Value.WIN, 13, None, 1, 0.0))
    store.solved.add(game.start().after(0), ProvenValue(no.Value.DRAW, 13, None, 1, 0.0))
    move = review(no.Playthrough(game, [0]), FEW, advisor=Advisor(no.Engine(book=False), store)).moves[0]
    assert (move.label, move.before.value, move.after.value) == ("missed win", "win", "draw")


def test_analyse_and_review_know_what_solve_proved(tmp_path: Path) -> None:
    with Store(tmp_path / "noughts.sqlite3") as store:
        store.solved.add(no.Game("9x4:4").start(), ProvenValue(no.Value.WIN, 13, None, 1, 0.0))
    moves = json.loads(run(tmp_path, "analyse", "9x4:4", "--nodes", "400", "--json", "--no-book").stdout)["moves"]
    assert (moves[0]["cell"], moves[0]["text"], moves[0]["value"]) == (13, "win", "win")
    no.save(no.Playthrough(no.Game("9x4:4"), [0]), tmp_path / "game.ngn")
    said = json.loads(run(tmp_path, "review", "game.ngn", "--nodes", "400", "--json", "--no-book").stdout)
    assert said["moves"][0]["before"]["value"] == "win"


def test_analyse_works_without_a_store(tmp_path: Path) -> None:
    (tmp_path / "noughts.sqlite3").write_text("not a database, but long enough to be mistaken for one by its size")
    done = run(tmp_path, "analyse", "3x3", "--nodes", "100")
    assert done.returncode == 0
    assert "continuing without saved games and solved positions" in done.stderr


# --- a store that fails -----------------------------------------------------------------------------------------------


@pytest.fixture
def locked_store(tmp_path: Path) -> Iterator[Store]:
    """A store that another program is writing to: it can be read."""
    path = tmp_path / "noughts.sqlite3"
    with Store(path, busy_seconds=0.05) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield store
        other.execute("ROLLBACK")


def test_value_that_cannot_be_saved_is_reported_once(locked_store: Store) -> None:
    warned: list[str] = []
    advisor = Advisor(no.Engine(book=False), locked_store, warned.append)
    for text in ("4/4/4/4 x", "x3/4/4/4 o"):
        best = advisor.advise(no.Game("4x4").parse(text), no.Limit(nodes=4000))[0]
        assert (best.value, best.source) == ("draw", Source.SOLVER)
    (warning,) = warned
    assert warning.endswith("another program has been writing to it for too long; try again; the value is not saved")


def test_broken_store_is_not_used_again(store: Store) -> None:
    warned: list[str] = []
    store.connection.execute("DROP TABLE solved")
    advisor = Advisor(no.Engine(book=False), store, warned.append)
    assert advisor.advise(no.Game("3x3").parse("xx1/oo1/3 x"), FEW)[0].value == "win"
    assert advisor.store is None
    (warning,) = warned
    assert warning.startswith(f"continuing without solved positions: {store.path}: ")


def test_library_gives_a_warning_of_python(locked_store: Store) -> None:
    with pytest.warns(RuntimeWarning, match="the value is not saved"):
        advise(no.Game("4x4").start(), no.Limit(nodes=2000), store=locked_store, engine=no.Engine(book=False))


# --- stopping ---------------------------------------------------------------------------------------------------------


def test_progress_comes_before_the_solver_is_done_and_can_stop_it() -> None:
    position = no.Game("4x4x4").parse("4/4/4/4|4/1xo1/4/4|4/4/4/4|4/4/4/4 x")
    reports: list[int] = []

    def progress(found: list[Advice]) -> bool:
        reports.append(found[0].result.depth)
        return len(reports) < 3

    began = time.monotonic()
    assert (
        advise(position, no.Limit(seconds=60), engine=no.Engine(book=False), progress=progress)[0].move
        in position.legal_moves
    )
    assert len(reports) == 3
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("seconds", [1.9, 60.0])
def test_advisor_is_stopped_from_another_thread_while_it_solves(seconds: float) -> None:
    advisor, position = Advisor(no.Engine(hash_mb=1)), no.Game("4x4x4").parse("4/4/4/4|4/1xo1/4/4|4/4/4/4|4/4/4/4 x")
    found: list[Advice] = []
    thread = threading.Thread(target=lambda: found.extend(advisor.advise(position, no.Limit(seconds=seconds))))
    thread.start()
    time.sleep(0.3)
    advisor.stop()
    thread.join(1.5 if seconds < 2 else 30)
    assert not thread.is_alive()
    assert found[0].move in position.legal_moves


def test_clock_is_a_limit_like_any_other() -> None:
    limit = no.Limit(clock=ClockReading((2.0, 2.0)))
    assert advise(no.Game("3x3").parse("xx1/oo1/3 x"), limit)[0].value == "win"


def test_line_that_is_not_proven_is_known_from_the_search() -> None:
    engine = no.Engine(hash_mb=1, book=False)
    best, second, *_ = advise(no.Game("6x4:4").parse("6/6/2x3/6 o"), no.Limit(nodes=8000), lines=3, engine=engine)
    assert (best.value, best.source) == ("draw", Source.SOLVER)
    assert second.value is not None or second.source is Source.SEARCH
