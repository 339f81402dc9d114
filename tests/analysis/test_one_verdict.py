"""The prompt, the library and the questions give the same verdict for the same position and time.

All other interfaces have the answers of the questions: see tests/ask/test_one_answer.py.
"""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path

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
    ("5x5:4", "5/5/5/5/5 x", "draw"),  # in the book
    ("5x5:4", "5/5/2x2/1o3/5 x", "draw"),  # solved in a fraction of a second; the engine alone would estimate a score
    ("6x4:4", "6/6/2x3/6 o", "draw"),  # solved in a moment
    ("3x3", "xx1/oo1/3 x", "win"),  # searched to the end
    ("3x3", "x1x/1o1/x1o o", "loss"),
    ("15x15:5", "15/15/15/15/15/15/15/7x7/7o7/15/15/15/15/15/15 x", None),  # an estimate
]
Ask = Callable[[str, str], str | None]
"""Asks for the value of a position, with one second to think; None for an estimate."""


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use an empty store."""
    monkeypatch.setenv("NOUGHTS_DATA", str(tmp_path))


def ask_prompt(game: str, text: str, command: str) -> Answered:
    out = StringIO()
    advisor = SessionAdvisor(status_display=StatusDisplay(out, capabilities_of(out)))
    session = Session(Match(Game(game).parse(text), {Side.X: "you", Side.O: "friend"}), advisor=advisor)
    session.start()
    (answer,) = receive(session, command)
    assert isinstance(answer, Answered)
    return answer


def ask_library(game: str, text: str) -> str | None:
    return advise(Game(game).parse(text), Limit(seconds=1.0), lines=DEFAULT_LINES)[0].value


def ask_eval(game: str, text: str) -> str | None:
    value: str | None = ask_prompt(game, text, "eval").answer.moves[0].value
    return value


def ask_analyse(game: str, text: str) -> str | None:
    value: str | None = ask("analyse", game=game, position=text)["moves"][0]["value"]
    return value


def ask_hint(game: str, text: str) -> str | None:
    value: str | None = ask("hint", game=game, position=text)["value"]
    return value


@pytest.mark.parametrize("ask_for_value", [ask_library, ask_eval, ask_analyse, ask_hint])
@pytest.mark.parametrize(("game", "text", "value"), POSITIONS)
def test_verdict_is_the_same_everywhere(ask_for_value: Ask, game: str, text: str, value: str | None) -> None:
    assert ask_for_value(game, text) == value


@pytest.mark.parametrize(("game", "text", "value"), POSITIONS)
def test_hint_at_the_prompt_has_the_idea_of_the_question(game: str, text: str, value: str | None) -> None:
    assert ask_prompt(game, text, "hint").answer.idea == ask("hint", game=game, position=text)["idea"]


def test_eval_puts_the_verdict_into_words() -> None:
    assert ask_prompt("5x5:4", "5/5/5/5/5 x", "eval").text.startswith("Proven: a draw")
    assert ask_prompt("3x3", "x1x/1o1/x1o o", "eval").text.startswith("Proven: X wins in at most 2 plies.")
    assert ask_prompt(*POSITIONS[-1][:2], "eval").text.startswith("X is ahead: +")


def test_number_of_lines_and_size_of_the_table_are_the_same_everywhere() -> None:
    assert AnalyseRequest(game="3x3").lines == DEFAULT_LINES
    assert len(ask("analyse", game="4x4", nodes=500)["moves"]) == DEFAULT_LINES
    assert Advisor().engine.hash_mb == ENGINE_MB
