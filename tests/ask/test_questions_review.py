"""The question ``review``."""

from __future__ import annotations

from questions import ask, refusal


def test_review_labels_the_losing_move() -> None:
    found = ask("review", game="3x3", moves=[0, 1, 6, 3, 8, 4, 7], seconds=1)
    assert [move["label"] for move in found["moves"]][1] == "blunder"
    assert found["moves"][1]["best_cell"] == 4
    assert len(found["graph"]) == 8
    assert found["graph"][-1]["value"] == "win"


def test_review_of_a_huge_board_is_refused() -> None:
    assert refusal("review", game="33x33:5") == "expected a board of at most 1024 cells for review, got 1089"
