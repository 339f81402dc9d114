"""The question ``review``."""

from __future__ import annotations

from questions import ask, refusal


def test_review_finds_the_blunder_and_what_was_better() -> None:
    play = {"game": "3x3", "moves": ["b2", "a2", "a1", "c3", "c1"], "tags": {"X": "Ann", "O": "Bob"}}
    found = ask("review", **play, nodes=5000, result={"reason": "resign", "winner": "X"})
    assert (found["x"], found["o"], found["result"], found["termination"]) == ("Ann", "Bob", "1-0", "resign")
    blunder = found["moves"][1]
    assert (blunder["side"], blunder["move"], blunder["label"]) == ("O", "a2", "blunder")
    assert blunder["best_cell"] in (0, 2, 6, 8)
    assert (blunder["before"]["value"], blunder["after"]["value"]) == ("draw", "loss")
    assert [point["ply"] for point in found["graph"]] == list(range(6))
    assert found["graph"][-1]["value"] == "win"
    assert found["labels"]["O"]["blunder"] == 1


def test_review_of_a_huge_board_is_refused() -> None:
    assert refusal("review", game="33x33:5") == "expected a board of at most 1024 cells for review, got 1089"
