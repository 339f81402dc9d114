"""The web API: boards set up by hand, puzzles, and the words for values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import httpx
import pytest

from noughts.analysis.puzzles import puzzle_of_day, shipped_puzzles
from web_servers import post, refusal, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("web") / "store.sqlite3") as address:
        yield address


def test_board_set_up_by_hand_is_a_position_to_start_from(server: str) -> None:
    found = post(server, "/api/setup", game="3x3", cells="X...O....")
    assert (found["turn"], found["position"]) == ("X", "x2/1o1/3 x")
    assert post(server, "/api/position", game="3x3", start=found["position"], moves=[1])["cells"] == "XX..O...."
    block = post(server, "/api/setup", game="ultimate:2", cells="X" + 15 * ".", block_to_play=2)
    assert (block["turn"], block["block_to_play"]) == ("O", 2)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("XX.......", "now there are 2 X and 0 O"),
        ("XXXOO....", "the game is over in this position"),
        ("X", "expected 9 cells, got 1"),
    ],
)
def test_impossible_board_is_refused_in_words(server: str, cells: str, said: str) -> None:
    status, error = refusal(server, "/api/setup", game="3x3", cells=cells)
    assert status == 422
    assert said in error


def test_marks_that_float_are_refused(server: str) -> None:
    assert refusal(server, "/api/setup", game="4x4:4+gravity", cells="X" + 15 * ".")[0] == 422


def test_puzzles_are_listed_in_the_order_of_the_file(server: str) -> None:
    listed = httpx.get(f"{server}/api/puzzles").json()["puzzles"]
    assert [puzzle["id"] for puzzle in listed] == [puzzle.id for puzzle in shipped_puzzles()]
    first = listed[0]
    played = post(server, "/api/position", game=first["game"], start=first["start"], moves=first["line"])
    assert played["moves"] == first["line"]


def test_puzzle_of_the_day_is_that_of_the_date(server: str) -> None:
    days = ("2026-11-16", "2026-11-17")
    found = [httpx.get(f"{server}/api/puzzles/daily?date={day}").json()["id"] for day in days]
    assert found == [puzzle_of_day(date.fromisoformat(day)).id for day in days]
    assert httpx.get(f"{server}/api/puzzles/daily?date=today").status_code == 422


def test_position_with_one_solution_is_made_a_puzzle(server: str) -> None:
    made = post(server, "/api/puzzle", game="3x3", start="x1o/o2/x2 x")["puzzle"]
    assert (made["text"], made["line"], made["title"]) == ("X wins in 2 moves", [8, 4, 7], "Tic-tac-toe")
    assert post(server, "/api/puzzle", game="3x3")["puzzle"] is None


def test_values_are_chances_or_proven_results_in_moves(server: str) -> None:
    proven = post(server, "/api/analyse", game="3x3", moves=[4, 1], seconds=1)["lines"][0]
    assert re.fullmatch(r"win in [23] moves", proven["worth"]["text"])
    assert len(proven["pv"]) == proven["worth"]["plies"]
    estimated = post(server, "/api/analyse", game="9x9:5", moves=[40], seconds=0.3)["lines"][0]
    assert re.fullmatch(r"\d\d? %", estimated["worth"]["text"])


def test_analysis_continues_where_the_time_was_up(server: str) -> None:
    first = post(server, "/api/analyse", game="9x9:5", moves=[40], seconds=0.5)
    more = post(server, "/api/analyse", game="9x9:5", moves=[40], seconds=1, resumed=True)
    assert more["depth"] >= first["depth"] - 1
