"""The question ``solve``."""

from __future__ import annotations

from pathlib import Path

from noughts import Game
from noughts.analysis.advice import Advisor
from noughts.ask import Context
from noughts.store import Store
from questions import ask, refusal


def test_solving_proves_values() -> None:
    found = ask("solve", game="4x4", nodes=100_000)
    assert (found["value"], found["lower"], found["upper"], found["source"]) == ("draw", "draw", "draw", "solver")
    won = ask("solve", game="3x3", moves=[0, 1], seconds=10)
    assert won["value"] == "win"
    assert won["move"] == Game("3x3").format_cell(won["cell"])


def test_solving_gives_bounds_when_the_limit_is_reached() -> None:
    for game, limit in (("5x5x5", {"seconds": 0.1}), ("8x4:4", {"nodes": 300})):
        hard = ask("solve", game=game, **limit)
        assert (hard["value"], hard["upper"]) == (None, "win")


def test_value_of_the_book_is_enough_if_the_request_says_so() -> None:
    found = ask("solve", game="connect4", nodes=10, book=True)
    assert (found["value"], found["move"], found["nodes"], found["source"]) == ("win", "d1", 0, "book")


def test_values_solved_once_are_known_to_analysis_and_hint(tmp_path: Path) -> None:
    place = {"game": "7x4:4+exact", "start": "7/7/x6/7 o"}  # not solved in a moment, and not in the book
    with Store(tmp_path / "store.sqlite3") as store:
        context = Context(Advisor(store=store))
        assert ask("analyse", context, **place, seconds=0.05)["moves"][0]["value"] is None
        solved = ask("solve", context, **place, seconds=30)
        assert (solved["value"], solved["source"]) == ("draw", "solver")
        assert ask("solve", context, **place, seconds=30) == solved | {"source": "store"}
        assert ask("analyse", context, **place, seconds=0.05)["moves"][0]["value"] == "draw"
        assert ask("hint", context, **place, seconds=0.05)["value"] == "draw"


def test_solving_a_huge_board_is_refused() -> None:
    assert refusal("solve", game="32x32:5") == "expected a board of at most 400 cells for solve, got 1024"
