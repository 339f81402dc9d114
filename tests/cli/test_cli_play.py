"""``noughts play`` on a real pseudo-terminal: whole sessions, colours, clocks, interruptions."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from noughts import Game, Side, catalogue
from noughts.cli.output import capabilities_of
from noughts.cli.terminal.commands import receive
from noughts.cli.terminal.output import TextOutput
from noughts.cli.terminal.session import Session
from noughts.match import Match
from noughts.store import Store
from processes import command_of
from terminals import (
    ESCAPES,
    Terminal,
    check_golden,
    in_process,
    processor_seconds,
    start_of_python,
    through_pipe,
)
from waiting import wait_until

RESUME = "To resume: noughts games resume 1"


def saved_moves(data: Path, number: int = 1) -> tuple[int, ...]:
    with Store(data / "noughts.sqlite3") as store:
        return store.get(number).moves


def test_whole_game_between_two_people(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "3x3", "--o", "friend", setting="NO_COLOR=1")
    for prompt, move in zip("XOXOX", ["b2", "a1", "1", "9", "b1"], strict=True):
        terminal.answer(f"{prompt} to move: ", move)
    terminal.answer("O to move: ", "b2", "a2")
    terminal.answer("X to move: ", "b3")
    terminal.answer("quit: ", "quit")
    assert terminal.end() == 0
    check_golden("two_people.txt", terminal.text)


def test_first_prompt_costs_less_than_three_tenths_of_a_second(tmp_path: Path) -> None:
    """Of processor time; on a slow or busy machine, fifteen times that of Python alone."""
    cost = processor_seconds(lambda: through_pipe(tmp_path, "play", "3x3", "--o", "friend"))
    assert cost < max(0.3, 15 * start_of_python())


def test_session_that_asks_everything(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "--seed", "1", setting="NO_COLOR=1")
    terminal.answer("number, name or quit [tictactoe]: ", "chess", "1")
    terminal.answer("number, name or quit [difficult]: ", "random")
    terminal.answer("number, name or quit [you]: ", "2")
    terminal.answer("your move (O): ", "help", "quit")
    assert terminal.end() == 0
    check_golden("asks.txt", terminal.text)


def test_every_command_in_one_session(tmp_path: Path) -> None:
    (tmp_path / "broken.ngn").write_text('[Game "3x3"]\n\n1. b2 b2 *\n')
    terminal = Terminal(tmp_path, "play", "3x3", "--o", "friend", setting="NO_COLOR=1")
    terminal.type_all("help", "hint", "b2", "a1", "a3", "a2", "undo", "moves", "redo", "board", "hint", "hint", "eval")
    terminal.type_all("save game.ngn", "save game.txt", "save", "load broken.ngn", "load none.ngn", "swap", "swap")
    terminal.type_all(
        "level", "level nobody", "level friend", "draw?", "perhaps", "no", "new", "load game.ngn", "stats"
    )
    terminal.type_all("resign", "no", "resign", "yes", "b1", "review", "stats", "undo", "quit")
    assert terminal.end() == 0
    assert (tmp_path / "broken.ngn").read_text() == '[Game "3x3"]\n\n1. b2 b2 *\n'
    check_golden("every_command.txt", terminal.text)


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("connect4", "d d e e f f c"),
        ("qubic", "1a1 4a4 2b2 4b4 2b2 2,1,2 4c4 4D4"),
        ("3x3+misere", "5 1 9 7 4 6 3 8 2"),
        ("ultimate:2", "1.1 1.2 2.1 1.3 3.1 4.4 a4 4.1 4.2"),
    ],
)
def test_whole_game_of_each_kind(tmp_path: Path, game: str, moves: str) -> None:
    terminal = Terminal(tmp_path, "play", game, "--o", "friend", setting="NO_COLOR=1")
    terminal.type_all(*moves.split(), "quit")
    assert terminal.end() == 0
    check_golden(f"whole_{re.sub('[^a-z0-9]', '_', game)}.txt", terminal.text)


def test_ultimate_shows_the_block_to_play_in_and_takes_both_notations(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "ultimate", "--o", "friend", setting="NO_COLOR=1")
    terminal.answer("X to move: ", "e5")
    terminal.answer("O to move, board 5: ", "1.1", "5.1")
    terminal.answer("X to move, board 1: ", "quit")
    assert terminal.end() == 0
    check_golden("ultimate.txt", terminal.text)


@pytest.mark.parametrize("columns", [80, 60, 40])
@pytest.mark.parametrize("game", [entry.id for entry in catalogue()])
def test_everything_shown_fits_the_terminal(monkeypatch: pytest.MonkeyPatch, game: str, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    out = StringIO()
    match = Match(Game(game).start(), {Side.X: "you", Side.O: "friend"})
    session = Session(match)
    output = TextOutput(capabilities_of(out), out)
    output.show(session.start())
    for line in ("help", "zz", "moves", "level", "resign"):
        output.show(receive(session, line))
    widest = max(out.getvalue().splitlines(), key=len)
    assert len(widest) <= columns


def test_rules_at_the_prompt_are_drawn_as_the_game_is() -> None:
    out = StringIO()
    session = Session(Match(Game("3x3").start(), {Side.X: "you", Side.O: "friend"}))
    output = TextOutput(replace(capabilities_of(out), boxes=True), out)
    output.show(session.start())
    output.show(receive(session, "rules"))
    rules = out.getvalue().partition("How to play")[2]
    assert "│" in rules
    assert "|" not in rules


def test_narrow_terminal_is_noticed(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "qubic", "--o", "friend", columns=60, setting="NO_COLOR=1")
    terminal.answer("X to move: ", "2b3")
    terminal.answer("O to move: ", "quit")
    assert terminal.end() == 0
    assert max(map(len, terminal.text.splitlines())) <= 60
    check_golden("qubic_60_columns.txt", terminal.text)


def test_colours_mark_the_sides_and_letters_say_the_same(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "3x3", "--o", "friend")
    terminal.answer("X to move: ", "b2")
    terminal.answer("O to move: ", "a1")
    terminal.answer("X to move: ", "quit")
    terminal.end()
    assert "\x1b[36;1mX" in terminal.seen
    assert "\x1b[33;1m" in terminal.seen
    assert "[O]" in terminal.text
    assert re.search(r"\bX\b", terminal.text)


@pytest.mark.parametrize("setting", ["NO_COLOR=1", "TERM=dumb"])
def test_plain_terminal_gets_no_escape_codes(tmp_path: Path, setting: str) -> None:
    terminal = Terminal(tmp_path, "play", "3x3", "--against", "easy", setting=setting)
    terminal.answer("your move (X): ", "b2", "hint", "quit")
    assert terminal.end() == 0
    assert ESCAPES.findall(terminal.seen) == []


def test_plain_play_is_pure_ascii_on_any_terminal(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "ultimate", "--o", "friend", "--plain")
    terminal.type_all("e5", "quit")
    assert terminal.end() == 0
    assert terminal.seen.isascii()
    assert "\x1b" not in terminal.seen


def test_dumb_terminal_shows_no_thinking_line(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "5x5x5", "--against", "master", "--seconds", "0.6", setting="TERM=dumb")
    terminal.answer("your move (X): ", "1a1", "quit")
    assert terminal.end() == 0
    assert "thinking" not in terminal.seen
    assert "\r" not in terminal.seen.replace("\r\n", "")


def test_opponent_of_a_rating_plays(tmp_path: Path) -> None:
    result = in_process(tmp_path, "play", "3x3", "--elo", "900", "--seed", "1", typed="b2\nquit\n")
    assert "elo:900 (O)" in result.stdout or "O (elo:900)" in result.stdout


def test_engine_shows_that_it_is_thinking_and_cleans_up(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "5x5x5", "--against", "master", "--seconds", "0.7")
    terminal.answer("your move (X): ", "1a1")
    terminal.wait_for("O (master) is thinking: depth ")
    terminal.wait_for("\r\x1b[JO (master) plays ")
    terminal.answer("your move (X): ", "quit")
    assert terminal.end() == 0


def test_interrupt_while_the_engine_thinks_takes_effect_at_once(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "5x5x5", "--against", "master", "--seconds", "60")
    terminal.answer("your move (X): ", "1a1")
    terminal.wait_for("thinking")
    began = time.monotonic()
    terminal.child.sendintr()
    terminal.wait_for(RESUME)
    assert terminal.end() == 130
    assert time.monotonic() - began < 30
    assert saved_moves(tmp_path) == (20,)


@pytest.mark.parametrize(
    ("leave", "code"),
    [
        (lambda child: child.sendintr(), 130),
        (lambda child: child.kill(signal.SIGHUP), 130),
        (lambda child: child.kill(signal.SIGTERM), 130),
        (lambda child: child.sendeof(), 0),
    ],
    ids=["Ctrl-C", "SIGHUP", "SIGTERM", "Ctrl-D"],
)
def test_leaving_the_prompt_saves_the_game(tmp_path: Path, leave: Callable[[Any], object], code: int) -> None:
    terminal = Terminal(tmp_path, "play", "3x3", "--o", "friend")
    terminal.answer("X to move: ", "b2")
    terminal.wait_for("O to move: ")
    leave(terminal.child)
    assert terminal.end() == code
    assert terminal.text.splitlines()[-1] == f"The game is saved. {RESUME}"
    assert saved_moves(tmp_path) == (4,)


def test_terminal_that_is_gone_ends_the_session_without_a_traceback(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "3x3", "--o", "friend")
    terminal.answer("X to move: ", "b2")
    terminal.wait_for("O to move: ")
    pid = terminal.child.pid
    terminal.child.close(force=False)
    wait_until(lambda: not command_of(pid), 30, "the end of the session with its terminal")
    assert saved_moves(tmp_path) == (4,)


def test_killed_session_is_resumed_with_every_move(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "3x3", "--o", "friend")
    terminal.answer("X to move: ", "b2")
    terminal.answer("O to move: ", "a1")
    terminal.wait_for("X to move: ")
    os.kill(terminal.child.pid, signal.SIGKILL)
    assert terminal.end() == -signal.SIGKILL
    terminal = Terminal(tmp_path, "games", "resume", setting="NO_COLOR=1")
    terminal.wait_for("Tic-tac-toe (3x3) resumes. X: you. O: friend.")
    terminal.answer("X to move: ", "moves", "a3")
    terminal.answer("O to move: ", "quit")
    assert terminal.end() == 0
    assert "played: b2 a1\n" in terminal.text
    assert saved_moves(tmp_path) == (4, 6, 0)


def test_clock_runs_out_while_a_person_thinks(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "3x3", "--o", "friend", "--clock", "0.05")
    terminal.wait_for("[X 0:0")
    terminal.answer("X to move: ", "b2")
    terminal.wait_for("O to move: ")
    terminal.wait_for("You win on time.")
    terminal.answer("quit: ", "quit")
    assert terminal.end() == 0


def test_resumed_game_continues_with_its_clocks(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "3x3", "--o", "friend", "--clock", "5+3")
    terminal.answer("X to move: ", "b2")
    terminal.answer("O to move: ", "quit")
    terminal.end()
    with Store(tmp_path / "noughts.sqlite3") as store:
        left = store.get(1).left
    assert left is not None
    assert 295 < left[Side.O] < 300
    terminal = Terminal(tmp_path, "games", "resume", "1")
    terminal.wait_for("Clock: 5+3.")
    terminal.answer("O to move: ", "quit")
    terminal.end()
    assert re.search(r"\[X 5:0\d  O 4:5\d\]", terminal.text)


def test_engine_with_a_clock_does_not_lose_on_time(tmp_path: Path) -> None:
    result = through_pipe(tmp_path, "play", "4x4", "--x", "master", "--o", "master", "--clock", "0.05+0.05")
    assert "on time" not in result.stdout
    assert result.stdout.rstrip().endswith("draw.")


def test_watching_can_wait_for_the_enter_key(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "3x3", "--x", "random", "--o", "random", "--step", "--seed", "3")
    terminal.answer("enter to continue: ", "", "")
    terminal.answer("enter to continue: ", "b2", "quit")
    assert terminal.end() == 0
    assert "it is not your turn; press enter to continue, or type a command" in terminal.text
    assert terminal.text.count(" plays ") == 3


def test_engines_play_each_other_to_the_end(tmp_path: Path) -> None:
    result = through_pipe(tmp_path, "play", "3x3", "--x", "master", "--o", "insane", "--seconds", "0.05")
    assert result.returncode == 0
    assert "A draw." in result.stdout
    assert result.stdout.count(" plays ") == 9


def test_position_can_be_given(tmp_path: Path) -> None:
    result = in_process(tmp_path, "play", "3x3", "--from", "xx1/oo1/3 x", "--o", "friend", typed="c3\n")
    assert "You win with the line a3–b3–c3." in result.stdout


def test_custom_game_file_is_played(tmp_path: Path) -> None:
    file = tmp_path / "corners.json"
    file.write_text('{"name": "corners", "cells": 4, "lines": [[0, 3], [1, 2]]}')
    result = in_process(tmp_path, "play", str(file), "--o", "friend", typed="0\n1\n3\n")
    assert "You win with the line 0–3." in result.stdout


def test_store_that_cannot_be_opened_does_not_stop_play(tmp_path: Path) -> None:
    (tmp_path / "noughts.sqlite3").write_text("no database at all\n" * 100)
    result = in_process(tmp_path, "play", "3x3", "--o", "friend", typed="b2\n")
    assert result.stderr.startswith("noughts: continuing without saved games and solved positions: ")
    assert "You (X) play b2." in result.stdout


def test_game_is_not_saved_with_no_save(tmp_path: Path) -> None:
    in_process(tmp_path, "play", "3x3", "--o", "friend", "--no-save", typed="b2\n")
    assert not (tmp_path / "noughts.sqlite3").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("3x3", "--x", "nobody"), "unknown player 'nobody'; choose you, friend, random, beginner"),
        (("3x3", "--against", "easy", "--elo", "1200"), "expected --against or --elo, not both"),
        (("3x3", "--elo", "9000"), "invalid value for '--elo': expected a whole number from "),
        (("3x3", "--against", "easy", "--x", "you"), "expected --against or --elo, or --x and --o, not both"),
        (
            ("3x3", "--clock", "soon"),
            "expected a time control such as 5+3 (minutes and seconds a move)",
        ),
        (("3x3", "--from", "xxx/3/3 o"), "expected as many X as O"),
        (("--load", "none.ngn"), "noughts: cannot read none.ngn: no such file or directory\n"),
        (("3x3", "--load", "none.ngn"), "expected --load alone"),
        (("3x3", "--seconds", "0"), "expected a number from 0.01 to 3,600, got '0'"),
        (("renju",), "renju's forbidden moves are not supported"),
        (("chess",), "noughts: expected a game id"),
    ],
)
def test_wrong_arguments_are_one_line_and_exit_code_2(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    result = in_process(tmp_path, "play", *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_interrupting_the_very_first_move_says_that_nothing_is_saved(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "ultimate", "--against", "master", "--seconds", "60", "--first", "engine")
    terminal.wait_for("is thinking")
    terminal.child.sendintr()
    assert terminal.end() == 130
    assert "Interrupted before the first move; there is nothing to save." in terminal.text


def test_the_end_of_input_at_a_question_leaves(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play")
    terminal.wait_for("number, name or quit [tictactoe]: ")
    terminal.child.sendeof()
    assert terminal.end() == 0
    assert "Against whom?" not in terminal.text
