"""Text from files, programs and users is quoted in messages, and never controls the terminal that shows it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

import noughts as no
from noughts.arena.check import Check
from noughts.arena.schedule import Key
from noughts.arena.tournaments import Result
from noughts.cli.arena_output import format_result, print_check
from noughts.cli.output import capabilities_of
from noughts.cli.tables import format_table
from noughts.cli.terminal.commands import receive
from noughts.cli.terminal.output import JsonOutput, TextOutput
from noughts.cli.terminal.session import Refused, Session
from noughts.games.quoting import escape_control_characters, escape_lines, quote
from noughts.match import Match
from noughts.schema import encode
from noughts.store import Store

HOSTILE = "Ann\x1b]0;PWNED\x07\x9b31m\u202eevil\rsecond\x7f"
"""Escape codes: a window title, a colour by a C1 control, a change of writing direction, a carriage return."""


def assert_harmless(text: str) -> None:
    assert text.strip()
    assert all(letter.isprintable() or letter == "\n" for letter in text), repr(text)


def noughts(folder: Path, *words: str) -> str:
    """The output of a command on both streams."""
    command = [sys.executable, "-m", "noughts", *words]
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"NOUGHTS_DATA": str(folder)}, timeout=60, cwd=folder
    )
    return done.stdout + done.stderr


def test_control_characters_are_escaped_and_letters_kept() -> None:
    assert escape_control_characters("a\nb\x1b") == "a\\nb\\x1b"
    assert escape_lines("a\nb\x1b") == "a\nb\\x1b"
    assert escape_control_characters("Ünïcødé 名前 ♥") == "Ünïcødé 名前 ♥"


def test_quoted_text_is_short_harmless_and_in_quotation_marks() -> None:
    assert quote("b2") == "'b2'"
    assert quote("x" * 41) == repr("x" * 37 + "...")
    assert_harmless(quote(HOSTILE))
    assert_harmless(quote([HOSTILE], limit=100))
    assert (quote(True), quote(1.5), quote(None), quote({"a": 1})) == ("true", "1.5", "null", '{"a": 1}')


def test_json_for_a_terminal_means_the_same() -> None:
    data = {"name": HOSTILE, "list": ["名前", "\U000e0001", 1.5, None]}
    assert_harmless(encode(data))
    assert json.loads(encode(data)) == data


def test_review_of_a_file_shows_its_tags_harmlessly(tmp_path: Path) -> None:
    play = no.Playthrough(no.Game("3x3"), ["b2", "a1"], {"X": HOSTILE, "O": "Bob"})
    no.save(play, tmp_path / "game.ngn")
    found = noughts(tmp_path, "review", "game.ngn", "--nodes", "10")
    assert "PWNED" in found
    assert_harmless(found)


def test_saved_names_are_shown_harmlessly(tmp_path: Path) -> None:
    with Store(tmp_path / "noughts.sqlite3") as store:
        number = store.begin(no.Game("3x3").start().after("b2"), "you", HOSTILE)
        store.finish(number, no.Outcome(no.Side.X, no.Termination.RESIGN, (2, 0)))
    for words in (["games"], ["games", "show", "1"], ["stats"], ["games", "--json"]):
        found = noughts(tmp_path, *words)
        assert "PWNED" in found
        assert_harmless(found)


@pytest.mark.parametrize(
    "words",
    [
        [HOSTILE],
        ["hint", HOSTILE],
        ["analyse", f"{HOSTILE}.ngn"],
        ["play", "3x3", "--o", HOSTILE],
        ["play", "--load", HOSTILE],
    ],
)
def test_errors_quote_harmlessly(tmp_path: Path, words: list[str]) -> None:
    assert_harmless(noughts(tmp_path, *words))


def test_session_shows_names_and_answers_harmlessly() -> None:
    match = Match(no.Game("3x3").start(), {no.Side.X: "you", no.Side.O: HOSTILE})
    session = Session(match)
    events = [*session.start(), *receive(session, "b2"), *receive(session, HOSTILE), Refused(HOSTILE)]
    for make in (lambda out: TextOutput(capabilities_of(out), out), JsonOutput):
        out = StringIO()
        make(out).show(events)
        assert "PWNED" in out.getvalue()
        assert_harmless(out.getvalue())


def test_tournaments_show_names_and_failures_harmlessly(capsys: pytest.CaptureFixture[str]) -> None:
    result = Result(
        Key(0, 0, 0), HOSTILE, "b", None, (), 0, (), no.Side.O, no.Termination.CRASH, (0, 2), "crash", HOSTILE
    )
    assert_harmless(format_result(result))
    assert_harmless(format_table(["bot"], [[HOSTILE]], 80))
    print_check(Check("speaks", False, HOSTILE, exchange=(HOSTILE,), stderr=HOSTILE))
    assert_harmless(capsys.readouterr().out)
