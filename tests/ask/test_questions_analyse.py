"""The questions ``analyse`` and ``hint``."""

from __future__ import annotations

import re

from noughts import Game
from noughts.ask import LocalContext
from questions import ask, refusal


def test_analysis_of_every_move_proves_tic_tac_toe() -> None:
    found = ask("analyse", game="3x3", moves=[0, 1], every=True, seconds=5)
    values = {each["move"]: each["value"] for each in found["moves"]}
    assert len(values) == 7
    assert found["reason"] == "proven"
    assert values["a1"] == "win"
    assert all((each["line"][0], each["cells"][0]) == (each["move"], each["cell"]) for each in found["moves"])


def test_analysis_says_that_it_is_from_the_book() -> None:
    best = ask("analyse", game="connect4", seconds=0.1)["moves"][0]
    assert (best["move"], best["value"], best["source"]) == ("d1", "win", "book")


def test_values_are_chances_or_proven_results_in_moves() -> None:
    proven = ask("analyse", game="3x3", moves=[4, 1], seconds=1)["moves"][0]
    assert re.fullmatch(r"win in [23] moves", proven["text"])
    assert len(proven["line"]) == proven["plies"]
    estimated = ask("analyse", game="9x9:5", moves=[40], nodes=20_000)["moves"][0]
    assert re.fullmatch(r"\d\d? %", estimated["text"])


def test_analysis_continues_where_the_time_was_up() -> None:
    context = LocalContext()
    first = ask("analyse", context, game="9x9:5", moves=[40], seconds=0.5)
    more = ask("analyse", context, game="9x9:5", moves=[40], seconds=1, resumed=True)
    assert more["depth"] >= first["depth"] - 1


def test_hint_comes_in_steps_that_do_not_give_the_move_away() -> None:
    hint = ask("hint", game="3x3", moves=[4, 1], seconds=0.2)
    assert hint["move"] not in hint["idea"]
    assert hint["cell"] in hint["area"]
    assert len(set(hint["area"]) & set(Game("3x3").start().after(4).after(1).legal_moves)) > 1
    cells = [candidate["cell"] for candidate in hint["candidates"]]
    assert hint["cell"] in cells
    assert cells == sorted(cells)
    assert hint["value"] == "win"
    assert hint["why"]


def test_finished_game_has_no_hint() -> None:
    assert "the game is over" in refusal("hint", game="3x3", moves=[4, 0, 2, 3, 6])
