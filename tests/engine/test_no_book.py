"""Where the book is used, moves say that they come from it; ``--no-book`` turns it off everywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import noughts as no
from exchanges import talk
from noughts.analysis.advice import Advisor
from noughts.analysis.evaluation import Source
from noughts.analysis.hints import hint as give_hint
from noughts.arena.plan import read_plan
from noughts.cli import analyse, engine, hint, play, review, web
from noughts.players import open_player

CONNECT4 = "7x6:4+gravity"
QUICK = ("--nodes", "300")

pytestmark = pytest.mark.usefixtures("empty_data_folder")


@pytest.mark.parametrize("module", [analyse, engine, hint, play, review, web], ids=lambda module: module.__name__)
def test_command_has_the_option(module: object) -> None:
    command = module.command  # type: ignore[attr-defined]
    assert "--no-book" in CliRunner().invoke(command, ["--help"]).output


def analysed(*options: str) -> dict[str, object]:
    result = CliRunner().invoke(analyse.command, [CONNECT4, "--json", *QUICK, *options])
    assert result.exit_code == 0, result.output
    best: dict[str, object] = json.loads(result.stdout)["moves"][0]
    return best


def test_analysis_says_that_a_value_is_from_the_book() -> None:
    best = analysed()
    assert (best["move"], best["value"], best["source"]) == ("d1", "win", "book")
    assert analysed("--no-book")["value"] is None
    shown = CliRunner().invoke(analyse.command, [CONNECT4, *QUICK]).output
    assert "win, book" in shown


def test_hint_says_that_a_move_is_from_the_book() -> None:
    shown = CliRunner().invoke(hint.command, [CONNECT4, "--move", *QUICK]).output
    assert "wins by force, from the book" in shown
    assert "book" not in CliRunner().invoke(hint.command, [CONNECT4, "--move", "--no-book", *QUICK]).output
    found = give_hint(no.Game(CONNECT4).start(), no.Limit(nodes=300), advisor=Advisor(no.Engine(hash_mb=1)))
    assert found.advice.source is Source.BOOK


def test_master_plays_without_the_book_if_asked_to() -> None:
    start, limit = no.Game("15x15:5").start(), no.Limit(nodes=1)
    with open_player("master", book=False) as player:
        assert player.choose(start, limit) in start.legal_moves
    bots = [{"run": "master"}, {"run": "master", "name": "reader", "book": True}]
    plan = read_plan({"game": "3x3", "book": False, "bots": bots}, Path())
    assert [bot.book for bot in plan.entrants] == [False, True]


def ugi(*lines: str) -> list[str]:
    return talk("ugi", f"setoption name Game value {CONNECT4}", *lines, hash_mb=1)


def test_ugi_engine_has_an_option_and_says_that_a_move_is_from_the_book() -> None:
    said = ugi("go movetime 50")
    assert "option name OwnBook type check default true" in said
    assert said[-2:] == ["info string from the book, proven", "bestmove d1"]
    said = ugi("setoption name OwnBook value false", "go nodes 100")
    assert not any("book" in line for line in said[-3:])
    assert any("expected OwnBook as true or false" in line for line in ugi("setoption name OwnBook value maybe"))


def test_gomocup_engine_says_that_a_move_is_from_the_book() -> None:
    said = talk("START 5", "INFO timeout_turn 100", "BEGIN", hash_mb=1, messages=True)
    assert any(line.startswith("MESSAGE from the book, proven | Eval") for line in said), said
