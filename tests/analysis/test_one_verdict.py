"""The prompt, the library and the questions give the same verdict for the same position and time.

All other interfaces have the answers of the questions: see tests/ask/test_one_answer.py.
"""

from __future__ import annotations

from io import StringIO

import pytest

from noughts import Game, Limit, Side
from noughts.analysis.advice import DEFAULT_LINES, ENGINE_MB, Advisor, advise
from noughts.ask.analyse import AnalyseRequest
from noughts.cli.output import capabilities_of
from noughts.cli.terminal.advisor import SessionAdvisor
from noughts.cli.terminal.background import StatusDisplay
from noughts.cli.terminal.commands import receive
from noughts.cli.terminal.session import Answered, Session
from noughts.match import Match
from questions import ask

POSITIONS = [
    ("5x5:4", "5/5/5/5/5 x", "draw", "Proven: a draw"),  # in the book
    ("5x5:4", "5/5/2x2/1o3/5 x", "draw", "Proven: a draw"),  # solved; the engine alone would estimate a score
    ("3x3", "xx1/oo1/3 x", "win", "Proven: X wins"),  # searched to the end
    ("3x3", "x1x/1o1/x1o o", "loss", "Proven: X wins in at most 1 move."),
    ("15x15:5", "15/15/15/15/15/15/15/7x7/7o7/15/15/15/15/15/15 x", None, "X is ahead: +"),  # an estimate
]
"""Positions with their values, and the beginning of the verdict at the prompt."""

pytestmark = pytest.mark.usefixtures("empty_data_folder")


def ask_prompt(game: str, text: str, command: str) -> Answered:
    out = StringIO()
    advisor = SessionAdvisor(status_display=StatusDisplay(out, capabilities_of(out)))
    session = Session(Match(Game(game).parse(text), {Side.X: "you", Side.O: "friend"}), advisor=advisor)
    session.start()
    (answer,) = receive(session, command)
    assert isinstance(answer, Answered)
    return answer


@pytest.mark.parametrize(("game", "text", "value", "words"), POSITIONS)
def test_verdict_is_the_same_everywhere(game: str, text: str, value: str | None, words: str) -> None:
    verdict = ask_prompt(game, text, "eval")
    assert verdict.answer.moves[0].value == value
    assert verdict.text.startswith(words)
    assert advise(Game(game).parse(text), Limit(seconds=1.0), lines=DEFAULT_LINES)[0].value == value
    assert ask("analyse", game=game, position=text)["moves"][0]["value"] == value
    hint = ask("hint", game=game, position=text)
    assert hint["value"] == value
    assert ask_prompt(game, text, "hint").answer.idea == hint["idea"]


def test_number_of_lines_and_size_of_the_table_are_the_same_everywhere() -> None:
    assert AnalyseRequest(game="3x3").lines == DEFAULT_LINES
    assert len(ask("analyse", game="4x4", nodes=500)["moves"]) == DEFAULT_LINES
    assert Advisor().engine.hash_mb == ENGINE_MB
