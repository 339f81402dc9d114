"""The questions ``analyse``, ``hint`` and ``judge``."""

from __future__ import annotations

import re
from typing import Any

import pytest

from noughts import Game
from noughts.ask import QUESTIONS, Context, read
from noughts.ask import ask as ask_question
from questions import ask


def test_analysis_of_every_move_proves_tic_tac_toe() -> None:
    found = ask("analyse", game="3x3", moves=[0, 1], every=True, nodes=20_000)
    values = {each["move"]: each["value"] for each in found["moves"]}
    assert len(values) == 7
    assert (found["turn"], found["reason"]) == ("X", "proven")
    assert values["a1"] == "win"
    assert all((each["line"][0], each["cells"][0]) == (each["move"], each["cell"]) for each in found["moves"])
    chances = [each["chance"] for each in found["moves"]]
    assert chances == sorted(chances, reverse=True)


def test_analysis_says_that_it_is_from_the_book() -> None:
    best = ask("analyse", game="connect4", seconds=0.1)["moves"][0]
    assert (best["move"], best["value"], best["source"]) == ("d1", "win", "book")


def test_values_are_chances_or_proven_results_in_moves() -> None:
    proven = ask("analyse", game="3x3", moves=[4, 1], nodes=20_000)["moves"][0]
    assert proven["text"] == "win in 3 moves"
    assert len(proven["line"]) == proven["plies"]
    estimated = ask("analyse", game="9x9:5", moves=[40], nodes=3000)["moves"][0]
    assert (estimated["value"], estimated["score"] is None) == (None, False)
    assert re.fullmatch(r"\d\d?%", estimated["text"])


def test_analysis_continues_where_the_time_was_up() -> None:
    context = Context()
    first = ask("analyse", context, game="9x9:5", moves=[40], seconds=0.2)
    more = ask("analyse", context, game="9x9:5", moves=[40], seconds=0.3, resumed=True)
    assert more["depth"] >= first["depth"] - 1


def test_reports_of_an_analysis_never_become_shallower() -> None:
    question, reports = QUESTIONS["analyse"], list[Any]()
    request = read(question.request, {"game": "15x15:5", "moves": [112, 113], "seconds": 0.3})
    last = ask_question(question, request, Context(), reports.append)
    depths = [report.depth for report in (*reports, last)]
    assert depths == sorted(depths)
    assert {(type(report), report.reason) for report in reports} == {(question.progress, None)}
    assert last.reason == "limit"


def test_hint_comes_in_steps_that_do_not_give_the_move_away() -> None:
    hint = ask("hint", game="3x3", moves=[4, 1], nodes=5000)
    assert hint["move"] not in hint["idea"]
    assert hint["cell"] in hint["area"]
    assert len(set(hint["area"]) & set(Game("3x3").start().after(4).after(1).legal_moves)) > 1
    cells = [candidate["cell"] for candidate in hint["candidates"]]
    assert hint["cell"] in cells
    assert cells == sorted(cells)
    assert hint["value"] == "win"


def test_hint_gives_reasons_and_compares_another_move() -> None:
    hint = ask("hint", game="3x3", moves=[0, 4, 1], nodes=2000, move="b1")
    assert (hint["move"], hint["cell"], hint["line"][0]) == ("c3", 2, "c3")
    assert hint["idea"] == "X threatens to complete a line."
    assert "blocks the row" in hint["why"][0]
    assert hint["proposal"]["verdict"] == "worse"


def test_judgement_names_every_move_and_what_it_gives_away() -> None:
    found = ask("judge", game="3x3", moves=["b2"], nodes=20_000, move="b3")
    assert (found["turn"], found["value"], sorted(found["best"])) == ("O", "draw", ["a1", "a3", "c1", "c3"])
    regrets = {each["move"]: each["regret"] for each in found["moves"] if each["regret"]}
    assert regrets == dict.fromkeys(["a2", "b1", "b3", "c2"], 1)
    assert (found["proposal"]["verdict"], found["proposal"]["judged"]["move"]) == ("worse", "b3")


@pytest.mark.parametrize(
    ("move", "verdict", "message"),
    [("b2", "illegal", "b2 is taken by X"), ("d4", "invalid", "expected a square"), ([1], "invalid", "expected a")],
)
def test_proposal_that_cannot_be_played_has_a_reason(move: object, verdict: str, message: str) -> None:
    found = ask("judge", game="3x3", moves=["b2"], nodes=1000, move=move)["proposal"]
    assert (found["verdict"], found["judged"]) == (verdict, None)
    assert found["message"].startswith(message)
