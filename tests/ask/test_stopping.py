"""Questions that are stopped: those with partial answers give the best one so far, others none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Any

import pytest

from noughts.ask import QUESTIONS, LocalContext, Stopped
from questions import ask

LARGE: dict[str, Any] = {"game": "20x20:5", "moves": [190, 211], "nodes": 10**9}
"""Takes minutes; the limit in nodes is not reached."""


@contextmanager
def stopped_soon() -> Iterator[LocalContext]:
    """A context that is stopped after a moment."""
    context = LocalContext()
    timer = Timer(0.3, context.stop)
    timer.start()
    try:
        yield context
    finally:
        timer.cancel()
        timer.join(60)


def test_stopped_analysis_says_so() -> None:
    with stopped_soon() as context:
        found = ask("analyse", context, **LARGE)
    assert found["reason"] == "stopped"
    assert len(found["moves"]) == 3


def test_stopped_proof_gives_bounds() -> None:
    with stopped_soon() as context:
        assert ask("solve", context, **LARGE)["value"] is None


@pytest.mark.parametrize("name", ["hint", "judge", "move", "review"])
def test_stopped_question_without_partial_answers_has_no_answer(name: str) -> None:
    assert not QUESTIONS[name].gives_partial_answers
    with stopped_soon() as context, pytest.raises(Stopped):
        ask(name, context, **LARGE)
