"""The prompt, the commands and the page give the same verdict for the same position and time."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest

from noughts import Game, Side
from noughts.cli.output import capabilities_of
from noughts.cli.terminal.advisor import BackgroundAdvisor
from noughts.cli.terminal.background import StatusLine
from noughts.cli.terminal.commands import receive
from noughts.cli.terminal.session import Answered, Session
from noughts.match import Match
from terminals import in_process
from web_servers import post, serving

GAME = "5x5:4"
SECONDS = 1.0
VERDICT = "draw"
positions = pytest.mark.parametrize(
    "position",
    [
        "5/5/5/5/5 x",  # in the book
        "5/5/2x2/1o3/5 x",  # solved in a fraction of a second; the engine alone would estimate a score
    ],
)


def session_with_advisor(position: str) -> Session:
    out = StringIO()
    advisor = BackgroundAdvisor(StatusLine(out, capabilities_of(out)))
    session = Session(Match(Game(GAME).parse(position), {Side.X: "you", Side.O: "friend"}), advisor=advisor)
    session.start()
    return session


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use an empty store."""
    monkeypatch.setenv("NOUGHTS_DATA", str(tmp_path))


@positions
def test_eval_at_the_prompt(position: str) -> None:
    (answer,) = receive(session_with_advisor(position), "eval")
    assert isinstance(answer, Answered)
    assert answer.data["value"] == VERDICT
    assert answer.text.startswith("Proven: a draw")


@positions
def test_hint_at_the_prompt_and_on_the_command_line(tmp_path: Path, position: str) -> None:
    (answer,) = receive(session_with_advisor(position), "hint")
    assert isinstance(answer, Answered)
    found = json.loads(in_process(tmp_path, "hint", GAME, position, "--json", "--move").stdout)
    assert answer.data["idea"] == found["idea"]
    assert found["value"] == VERDICT


@positions
def test_analyse_on_the_command_line(tmp_path: Path, position: str) -> None:
    found = json.loads(in_process(tmp_path, "analyse", GAME, position, "--json", "--lines", "1").stdout)
    assert found["moves"][0]["value"] == VERDICT


@positions
def test_analysis_of_the_page(tmp_path: Path, position: str) -> None:
    with serving(tmp_path / "store.sqlite3") as server:
        found = post(server, "/api/analyse", game=GAME, start=position, seconds=SECONDS)
    assert found["lines"][0]["worth"]["value"] == VERDICT
