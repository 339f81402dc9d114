"""The questions ``puzzles``, ``daily_puzzle`` and ``puzzle``."""

from __future__ import annotations

from datetime import date

from noughts.analysis.puzzles import puzzle_of_day, shipped_puzzles
from questions import ask, refusal


def test_puzzles_are_listed_in_the_order_of_the_file() -> None:
    found = ask("puzzles")["puzzles"]
    assert [puzzle["id"] for puzzle in found] == [puzzle.id for puzzle in shipped_puzzles()]


def test_puzzle_of_the_list_is_found_with_its_position() -> None:
    entry = ask("puzzles")["puzzles"][0]
    found = ask("find_puzzle", puzzle=entry["id"])
    assert found.items() >= entry.items()
    assert ask("position", game=found["game"], start=found["start"], moves=found["line"])["cells"] == found["cells"]
    assert refusal("find_puzzle", puzzle="none") == "expected the id of a puzzle of the list, got 'none'"


def test_puzzle_of_the_day_is_that_of_the_date() -> None:
    for day in ("2026-11-16", "2026-11-17"):
        assert ask("daily_puzzle", date=day)["id"] == puzzle_of_day(date.fromisoformat(day)).id
    assert refusal("daily_puzzle", date="today") == "expected a date such as 2026-11-16, got 'today'"


def test_position_with_one_solution_is_made_a_puzzle() -> None:
    made = ask("puzzle", game="3x3", start="x1o/o2/x2 x")["puzzle"]
    assert (made["text"], made["cells"], made["title"]) == (
        "You play X: win in 2 moves",
        [8, 4, 7],
        "Tic-tac-toe",
    )
    assert made["themes"] == ["fork"]
    assert ask("puzzle", game="3x3")["puzzle"] is None
