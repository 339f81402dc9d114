"""The question ``move``."""

from __future__ import annotations

import time
from itertools import combinations
from typing import Any

import pytest

from noughts import Game
from noughts.ask.moves import MOVE, MoveRequest
from noughts.engine import LEVELS, ClockReading
from noughts.limit import DEFAULT_LIMIT, DEFAULT_SECONDS
from noughts.schema import read
from questions import ask, refusal

K200 = {"name": "K200", "cells": 200, "lines": [list(pair) for pair in combinations(range(200), 2)]}
"""All pairs of 200 cells are lines: a single node of a search takes long."""


@pytest.mark.parametrize("level", LEVELS)
def test_level_moves_legally(level: str) -> None:
    answer = ask("move", game="connect4", moves=["d"], level=level, seconds=0.1)
    assert answer["cell"] in Game("connect4").start().after("d").legal_moves
    assert answer["position"]["last_cell"] == answer["cell"]
    assert answer["position"]["line"][-1] == answer["move"]


def test_master_takes_a_win_and_prevents_one() -> None:
    assert ask("move", game="3x3", moves=[0, 4, 1], nodes=1000)["cell"] == 2
    won = ask("move", game="3x3", moves=[4, 0, 2, 3], level="master", seconds=0.1)
    assert won["position"]["winner"] == "X"


def test_move_says_that_it_is_from_the_book() -> None:
    move = ask("move", game="connect4", level="master", seconds=0.1)
    assert (move["move"], move["book"]) == ("d1", "proven")
    assert ask("move", game="connect4", level="easy")["book"] is None


def test_engine_divides_the_time_on_its_clock() -> None:
    began = time.perf_counter()
    ask("move", game="15x15:5", level="master", seconds=10, clock={"control": "5s", "left": {"X": 0.5, "O": 5}})
    assert time.perf_counter() - began < 8


@pytest.mark.parametrize(("plies", "moves_to_go"), [(0, 3), (1, 3), (2, 2), (5, 1), (6, 3)])
def test_engine_knows_how_many_moves_are_left_until_time_is_added(plies: int, moves_to_go: int) -> None:
    clock = {"control": "3/5", "left": {"X": 100, "O": 200}}
    request = read(MoveRequest, {"game": "4x4", "moves": list(range(plies)), "clock": clock})
    assert request.find_limit(DEFAULT_SECONDS).clock == ClockReading((100, 200), (0, 0), moves_to_go)


def test_engine_thinks_as_long_as_at_the_prompt_by_default() -> None:
    assert MoveRequest(game="3x3").find_limit(DEFAULT_SECONDS) == DEFAULT_LIMIT


@pytest.mark.parametrize(
    ("request_data", "words"),
    [
        ({"level": "godlike"}, "beginner"),
        ({"level": "elo:9999"}, "a rating from elo:0 to elo:3000"),
        ({"seconds": 1e9}, "expected at most 86400 for 'seconds', got 1000000000.0"),
        ({"seconds": 20}, "expected at most 10 for 'seconds', got 20"),
        ({"nodes": 10**9}, "expected at most 1000000 for 'nodes', got 1000000000"),
        ({"clock": {"control": "soon", "left": {"X": 1, "O": 1}}}, "expected a time control such as 5+3"),
        ({"clock": {"control": "5s", "left": {"X": 1}}}, "expected the time left of X and O"),
        ({"moves": [4, 0, 2, 3, 6]}, "the game is over"),
    ],
)
def test_move_that_cannot_be_made_is_refused_in_words(request_data: dict[str, Any], words: str) -> None:
    assert words in refusal("move", game="3x3", **request_data)


@pytest.mark.parametrize(
    ("request_data", "is_quick"),
    [
        ({"game": "3x3", "level": "easy", "seconds": 9}, True),
        ({"game": "15x15:5", "level": "insane"}, True),
        ({"game": "15x15:5", "seconds": 0.2}, True),
        ({"game": "15x15:5", "seconds": 2}, False),
        ({"game": K200, "seconds": 0.05}, False),
        ({"game": K200, "level": "easy"}, False),
    ],
)
def test_only_a_move_that_takes_a_moment_is_quick(request_data: dict[str, Any], is_quick: bool) -> None:
    assert MOVE.prepare(read(MoveRequest, request_data)).is_quick is is_quick
