"""The full-screen game: whole playthroughs with keys and mouse, and everything beside the board."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Select

from full_screen import (
    LARGE,
    SECONDS,
    SMALL,
    check_snapshot,
    click_cell,
    drive,
    fano,
    full_app,
    on_screen,
    screen_text,
    until,
    walk_to,
)
from manual_time import ManualTime
from noughts import Game, Limit, Position, Side, load
from noughts.cli.full.app import FullApp
from noughts.cli.full.board import Board
from noughts.cli.full.chooser import GameChooser, SavedChooser, find_entries
from noughts.cli.full.panels import MoveList
from noughts.cli.full.screens import Confirmation, TextScreen
from noughts.cli.full.themes import DARK, LIGHT
from noughts.cli.terminal.advisor import SessionAdvisor
from noughts.cli.terminal.background import THREAD_NAME
from noughts.cli.terminal.session import Left
from noughts.invocation import install_line
from noughts.match import Recorder
from noughts.players import InProcessPlayer, PlayerFailed
from noughts.store import Store
from plays import played_at_random
from terminals import Terminal, in_process
from waiting import wait_until

GAMES: dict[str, tuple[Game | str, int]] = {
    "3x3": ("3x3", 3),
    "connect4": ("connect4", 5),
    "4x4x4": ("4x4x4", 152),
    "ultimate": ("ultimate:3", 72),
    "custom": (fano(), 3),
}
"""Games with a seed for random moves that makes them short."""
PLIES = 9
"""The last moves of a playthrough, which are made by mouse and keys."""


def app_of(pilot: Pilot[Any]) -> FullApp:
    assert isinstance(pilot.app, FullApp)
    return pilot.app


def moves_of(pilot: Pilot[Any]) -> list[str]:
    position = app_of(pilot).session.position
    return [position.format_move(move) for move in position.moves]


def last_message(pilot: Pilot[Any]) -> str:
    return app_of(pilot).messages.texts[-1]


# Whole playthroughs


@pytest.mark.parametrize("name", GAMES)
def test_playthrough_to_its_end_by_mouse_and_keys(name: str) -> None:
    game, seed = GAMES[name]
    end = played_at_random(game, seed)
    first = max(0, end.ply - PLIES)

    async def play(pilot: Pilot[Any]) -> None:
        position = app_of(pilot).session.position
        for ply, cell in enumerate(end.moves[first:], first):
            if ply % 3:
                await click_cell(pilot, cell)
            else:
                await walk_to(pilot, cell)
                await pilot.press("enter")
            assert (position.ply, position.last_move) == (ply + 1, cell), screen_text(pilot.app)
        assert "★" in last_message(pilot)

    drive(full_app(game, " ".join(map(end.format_move, end.moves[:first]))), play)


@on_screen(names=("you", "random"))
async def test_engine_answers_a_move(pilot: Pilot[Any]) -> None:
    await pilot.press("enter")
    await until(pilot, lambda: len(moves_of(pilot)) == 2)
    assert "O (random) plays" in last_message(pilot)


@on_screen(names=("random", "random"))
async def test_two_engines_play_each_other_and_can_be_paused(pilot: Pilot[Any]) -> None:
    app = app_of(pilot)
    await pilot.press("p")
    paused = len(moves_of(pilot))
    await pilot.press("enter")
    await until(pilot, lambda: len(moves_of(pilot)) > paused or app.session.match.is_over)
    await pilot.press("p")
    await until(pilot, lambda: app.session.match.is_over)


@on_screen()
async def test_latest_message_is_shown_whole_even_after_a_long_one(pilot: Pilot[Any]) -> None:
    app_of(pilot).tell("a long message " * 20)
    await until(pilot, lambda: "…" in screen_text(pilot.app))
    await pilot.press("enter", "enter")
    assert "✗ b2 is taken by X; you can play" in screen_text(pilot.app)


# The board


@on_screen("connect4")
async def test_mark_falls_in_the_column_under_the_cursor_and_is_previewed_there(pilot: Pilot[Any]) -> None:
    board = pilot.app.query_one(Board)
    await pilot.press("up", "up", "right")
    assert board.position.format_move(board.target or -1) == "e1"
    assert "▸x◂" in screen_text(pilot.app)
    await pilot.press("enter")
    assert moves_of(pilot) == ["e1"]
    await pilot.hover(Board, offset=board.offset_of(board.position.game.parse_cell("e6")))
    assert board.position.format_move(board.target or -1) == "e2"


@on_screen("4x4x4")
async def test_page_keys_change_the_level_and_lines_through_the_cell_are_dotted(pilot: Pilot[Any]) -> None:
    board = pilot.app.query_one(Board)
    before = board.cursor
    await pilot.press("pagedown")
    assert board.cursor == before + 16
    assert "•" in screen_text(pilot.app)
    await pilot.press("l")
    assert "•" not in screen_text(pilot.app)


@on_screen("ultimate:3")
async def test_cursor_goes_to_the_block_that_must_be_played(pilot: Pilot[Any]) -> None:
    board = pilot.app.query_one(Board)
    await click_cell(pilot, board.position.game.parse_cell("5.1"))
    assert board.position.game.block_of(board.cursor) == 0
    assert "O to move, board 1" in screen_text(pilot.app)


@on_screen("30x30:5", size=(60, 20))
async def test_large_board_scrolls_so_that_the_cursor_stays_visible(pilot: Pilot[Any]) -> None:
    board = pilot.app.query_one(Board)
    for keys in (("shift+down", "shift+right"), ("shift+up", "shift+left")):
        await pilot.press(*keys)
        await until(pilot, lambda: board.content_size.region.contains_point(board.offset_of(board.cursor)))
        assert "▸x◂" in screen_text(pilot.app)


@on_screen("4x4x4")
async def test_screen_can_be_resized(pilot: Pilot[Any]) -> None:
    for size in ((40, 12), LARGE, (20, 5), SMALL):
        await pilot.resize_terminal(*size)
        await pilot.pause()
    await click_cell(pilot, 0)
    assert moves_of(pilot) == ["1a4"]


# Commands


@on_screen(moves="b2 a1")
async def test_undo_and_redo(pilot: Pilot[Any]) -> None:
    await pilot.press("u")
    assert moves_of(pilot) == ["b2"]
    assert "(a1)" in screen_text(pilot.app)
    await pilot.press("r")
    assert moves_of(pilot) == ["b2", "a1"]


@on_screen()
async def test_hint_gives_the_idea_first_and_then_marks_the_move(pilot: Pilot[Any]) -> None:
    await pilot.press("h")
    await until(pilot, lambda: app_of(pilot).messages.texts)
    assert "ask again for the move" in last_message(pilot)
    await pilot.press("h")
    await until(pilot, lambda: len(app_of(pilot).messages.texts) == 2)
    assert last_message(pilot).startswith("a3:")
    assert pilot.app.query_one(Board).overlay.hint == 0


@on_screen()
async def test_analysis_numbers_the_best_moves_and_previews_a_line(pilot: Pilot[Any]) -> None:
    board = pilot.app.query_one(Board)
    await pilot.press("a")
    await until(pilot, lambda: list(board.overlay.candidates) == [0, 1, 2])
    assert "③ c3    -20" in screen_text(pilot.app)
    await pilot.press("2")
    assert board.overlay.line == (1, 0, 2)
    await pilot.press("escape")
    assert not board.overlay.line
    await pilot.press("a")
    assert not board.overlay.candidates


@on_screen(moves="b2 a1", advisor=SessionAdvisor(limit=Limit(nodes=1000)))
async def test_analysis_of_the_engine_follows_the_position_shown(pilot: Pilot[Any]) -> None:
    board = pilot.app.query_one(Board)
    await pilot.press("a")
    await until(pilot, lambda: board.overlay.candidates)
    before = board.overlay.candidates
    await pilot.press("comma")
    await until(pilot, lambda: board.overlay.candidates not in ((), before))
    assert "proven" in screen_text(pilot.app)


@on_screen(moves="a1 b2 c1 b1 b3 c2 a3 a2", size=LARGE)
async def test_review_opens_a_screen_of_its_own(pilot: Pilot[Any]) -> None:
    await pilot.press("v")
    await until(pilot, lambda: isinstance(pilot.app.screen, TextScreen))
    assert "Accuracy" in screen_text(pilot.app)
    await pilot.press("escape")
    assert not isinstance(pilot.app.screen, TextScreen)


@on_screen()
async def test_line_that_cannot_be_carried_out_gets_one_line_and_changes_nothing(pilot: Pilot[Any]) -> None:
    refusals = {
        "load nothing.ngn": "✗ cannot read nothing.ngn: no such file or directory",
        "b2": "✗ b2 is taken by X",
        "z9": "✗ expected a square",
        "save game.txt": "✗ expected a file name that ends in .ngn or .sgf",
        "level wizard": "✗ unknown player",
    }
    for typed, message in refusals.items():
        app_of(pilot).messages.clear()
        await type_in(pilot, typed)
        await until(pilot, lambda: app_of(pilot).messages.texts)
        assert last_message(pilot).startswith(message)
        if typed.startswith("load"):
            await pilot.press("enter")
        assert moves_of(pilot) == ["b2"]


async def type_in(pilot: Pilot[Any], line: str) -> None:
    await pilot.press("colon")
    pilot.app.query_one("#typed", Input).value = line
    await pilot.press("enter")


@on_screen(moves="b2")
async def test_typed_move_and_command_work_as_at_the_prompt(pilot: Pilot[Any], tmp_path: Path) -> None:
    await type_in(pilot, "a1")
    assert moves_of(pilot) == ["b2", "a1"]
    await type_in(pilot, f"save {tmp_path / 'game.ngn'}")
    assert load(tmp_path / "game.ngn").moves == (4, 6)
    await type_in(pilot, "level random")
    await until(pilot, lambda: app_of(pilot).session.engines)
    assert "O: random" in " ".join(app_of(pilot).messages.texts)


@on_screen(moves="b2")
async def test_resignation_is_confirmed(pilot: Pilot[Any]) -> None:
    await pilot.press("R", "n")
    assert not app_of(pilot).session.match.is_over
    await pilot.press("R", "y")
    assert app_of(pilot).session.match.is_over
    await pilot.press("enter")
    assert last_message(pilot).startswith("✗ the game is over")


@on_screen(moves="b2")
async def test_friend_is_asked_about_a_draw(pilot: Pilot[Any]) -> None:
    await pilot.press("d")
    await until(pilot, lambda: isinstance(pilot.app.screen, Confirmation))
    await pilot.press("y")
    await until(pilot, lambda: app_of(pilot).session.match.is_over)
    assert "A draw by agreement" in last_message(pilot)


# Looking back


@on_screen(moves="b2 a1 c3")
async def test_move_there_continues_from_an_earlier_position(pilot: Pilot[Any]) -> None:
    await pilot.press("comma", "comma")
    assert "move 1 of 3 ·" in screen_text(pilot.app)
    assert moves_of(pilot) == ["b2", "a1", "c3"]
    await click_cell(pilot, 0)
    assert moves_of(pilot) == ["b2", "a3"]


@on_screen(moves="b2 a1 c3")
async def test_click_on_the_move_list_shows_that_position_and_c_continues_there(pilot: Pilot[Any]) -> None:
    await pilot.click(MoveList, offset=(5, 0))
    assert pilot.app.query_one(Board).position.moves == [4]
    await pilot.press("end")
    assert len(pilot.app.query_one(Board).position.moves) == 3
    await pilot.press("home", "c")
    assert moves_of(pilot) == []
    assert "(c3)" in screen_text(pilot.app)


@on_screen(moves="b2 a1", names=("you", "random"))
async def test_position_of_the_engine_is_continued_by_the_engine(pilot: Pilot[Any]) -> None:
    await pilot.press("comma", "enter")
    assert "c continues from here" in last_message(pilot)
    await pilot.press("c")
    await until(pilot, lambda: len(moves_of(pilot)) == 2)


# Clocks


def test_clock_runs_and_its_flag_ends_the_game() -> None:
    now = ManualTime()

    async def wait(pilot: Pilot[Any]) -> None:
        now.pass_seconds(50)
        await until(pilot, lambda: "0:10.0" in screen_text(pilot.app))
        now.pass_seconds(11)
        await until(pilot, lambda: app_of(pilot).session.match.is_over)
        assert "wins on time" in last_message(pilot)

    drive(full_app(clock="1m", now=now), wait)


# Engines


class SlowPlayer:
    """Thinks until it is told to go on, or to stop; plays the first legal move."""

    def __init__(self) -> None:
        self.may_move = threading.Event()
        self.asked = 0

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        self.asked += 1
        assert self.may_move.wait(SECONDS)
        return position.legal_moves[0]

    def stop(self) -> None:
        self.may_move.set()


def test_answer_to_a_position_that_was_taken_back_is_dropped() -> None:
    player = SlowPlayer()

    async def undo(pilot: Pilot[Any]) -> None:
        await pilot.press("enter")
        await until(pilot, lambda: player.asked == 1)
        assert "O (slow) is thinking" in screen_text(pilot.app)
        await pilot.press("h")
        assert "not your turn" in last_message(pilot)
        await pilot.press("u")
        assert moves_of(pilot) == []
        player.may_move.set()
        await until(pilot, lambda: app_of(pilot).turns.question is None)
        assert moves_of(pilot) == []

    drive(full_app(names=("you", "slow"), engine=InProcessPlayer(player)), undo)


def test_quitting_while_the_engine_thinks_takes_no_time_and_leaves_nothing_running() -> None:
    player = SlowPlayer()
    app = full_app(names=("you", "slow"), engine=InProcessPlayer(player), recorder=Recorder.open(print))

    async def leave(pilot: Pilot[Any]) -> None:
        await pilot.press("enter", "a")
        await until(pilot, lambda: player.asked == 1)
        await pilot.press("q")

    drive(app, leave)
    (left,) = app.return_value or []
    assert isinstance(left, Left)
    assert left.resume
    wait_until(lambda: all(thread.name != THREAD_NAME for thread in threading.enumerate()), SECONDS)


def test_engine_that_fails_loses_with_a_reason_and_the_app_continues() -> None:
    class Failing:
        def choose(self, position: Position, limit: Limit | None = None) -> int:
            raise PlayerFailed("out of ideas")

    async def play(pilot: Pilot[Any]) -> None:
        await pilot.press("enter")
        await until(pilot, lambda: app_of(pilot).session.match.is_over)
        assert "out of ideas" in " ".join(app_of(pilot).messages.texts)
        await pilot.press("n")
        assert moves_of(pilot) == []

    drive(full_app(names=("you", "failing"), engine=InProcessPlayer(Failing())), play)


# Other games


@on_screen()
async def test_chooser_refuses_an_unknown_game_finds_others_by_words_and_begins_one(pilot: Pilot[Any]) -> None:
    assert next(iter(find_entries("connect four"))).id == "7x6:4+gravity"
    app = app_of(pilot)
    await pilot.press("g", *"9q", "enter")
    assert isinstance(app.screen, GameChooser)
    assert "✗" in screen_text(app)
    app.screen.query_one("#search", Input).value = "qubic"
    await pilot.press("enter")
    await until(pilot, lambda: app.session.position.game.id == "4x4x4")
    assert not isinstance(app.screen, GameChooser)
    await click_cell(pilot, 0)
    assert moves_of(pilot) == ["1a4"]


@on_screen()
async def test_chooser_takes_any_id_opponent_side_and_clock(pilot: Pilot[Any]) -> None:
    app = app_of(pilot)
    await pilot.press("g", "5", "x", "4", "colon", "3")
    for name, value in (("opponent", "random"), ("first", "opponent"), ("clock", "3+2")):
        app.screen.query_one(f"#{name}", Select).value = value
    await pilot.click("#play")
    await until(pilot, lambda: app.session.position.game.id == "5x4:3")
    assert app.session.match.names == {Side.X: "random", Side.O: "you"}
    assert app.session.match.clock is not None
    await until(pilot, lambda: len(moves_of(pilot)) == 1)


@on_screen(moves="b2")
async def test_unsaved_game_is_left_only_after_a_question(pilot: Pilot[Any]) -> None:
    await pilot.press("q")
    assert isinstance(pilot.app.screen, Confirmation)
    await pilot.press("escape")
    assert moves_of(pilot) == ["b2"]
    await pilot.press("n", "y")
    assert moves_of(pilot) == []


def test_game_that_was_left_is_opened_again_from_the_list(tmp_path: Path) -> None:
    with patch.dict(os.environ, {"NOUGHTS_DATA": str(tmp_path)}):

        async def leave(pilot: Pilot[Any]) -> None:
            await pilot.press("enter")
            await pilot.press("q")

        drive(full_app(recorder=Recorder.open(print)), leave)

        async def resume(pilot: Pilot[Any]) -> None:
            await pilot.press("o")
            assert isinstance(pilot.app.screen, SavedChooser)
            await pilot.press("enter")
            await until(pilot, lambda: moves_of(pilot) == ["b2"])
            await click_cell(pilot, 0)
            await pilot.press("q")

        drive(full_app("connect4", recorder=Recorder.open(print)), resume)
        with Store(read_only=True) as store:
            assert [summary.plies for summary in store.list()] == [2]


# Looks


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_inks_have_contrast_to_every_background_they_are_on(theme: Any) -> None:
    inks, washes = theme.variables, [ink for name, ink in theme.variables.items() if name.endswith("-wash")]
    for ink in (inks["x-mark"], inks["o-mark"], theme.foreground, theme.success):
        for ground in (theme.background, theme.surface, theme.panel, *washes):
            assert contrast(ink, ground) >= 4.5, (ink, ground)
    for name in ("soft", "dim", "ghost", "target-ink"):
        assert contrast(inks[name], theme.background) >= 4.5, name
    for ink, ground in ((theme.error, theme.panel), (theme.warning, inks["hint-wash"]), (inks["soft"], theme.surface)):
        assert contrast(ink, ground) >= 4.5, (ink, ground)
    assert contrast(inks["grid"], theme.background) >= 3


def contrast(a: str, b: str) -> float:
    """The contrast of two colours by WCAG."""
    lighter, darker = sorted((luminance(a), luminance(b)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    shares = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def colours(app: Any) -> set[tuple[int, int, int]]:
    """All colours on the screen, as they are sent to the terminal."""
    strips = app.screen._compositor.render_strips()
    for each in app._filters:
        strips = [strip.apply_filter(each, app.screen.background_colors[1]) for strip in strips]
    styles = [segment.style for strip in strips for segment in strip if segment.style]
    found = [colour for style in styles for colour in (style.color, style.bgcolor) if colour is not None]
    return {tuple(colour.triplet) for colour in found if colour.triplet is not None}


def test_no_color_is_respected() -> None:
    async def look(pilot: Pilot[Any]) -> None:
        shown = colours(pilot.app)
        assert shown
        assert all(max(colour) - min(colour) <= 1 for colour in shown)

    with patch.dict(os.environ, {"NO_COLOR": "1"}):
        drive(full_app(moves="b2"), look)


SCREENS: dict[str, tuple[Game | str, str, tuple[str, ...]]] = {
    "tictactoe": ("3x3", "b2 a1 c3 a3", ("right",)),
    "connect4": ("connect4", "d d e c", ("right", "a")),
    "qubic": ("4x4x4", "2b2 1a2 3c3 2a2 1d4 3a2 4d4 4a2", ()),
    "ultimate": ("ultimate:3", "5.5 5.1 1.5 5.2 2.5 5.3", ()),
    "custom": (fano(), "0 1", ("left",)),
    "chooser": ("3x3", "", ("g", "f", "o", "u", "r")),
    "help": ("3x3", "", ("question_mark",)),
}


@pytest.mark.parametrize("name", SCREENS)
def test_screen_looks_as_stored(name: str) -> None:
    game, moves, keys = SCREENS[name]

    async def look(pilot: Pilot[Any]) -> None:
        await pilot.press(*keys)
        if "a" in keys:
            await until(pilot, lambda: pilot.app.query_one(Board).overlay.candidates)
        for width, height in (SMALL, LARGE):
            await pilot.resize_terminal(width, height)
            await check_snapshot(pilot, f"{name}-{width}x{height}")

    drive(full_app(game, moves, clock="5+3", now=ManualTime()), look)


@on_screen(moves="b2")
async def test_theme_changes_between_dark_and_light(pilot: Pilot[Any]) -> None:
    dark = colours(pilot.app)
    await pilot.press("t")
    await until(pilot, lambda: not dark & colours(pilot.app))


# From the command line


def test_full_screen_needs_textual_and_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = in_process(tmp_path, "play", "3x3", "--full")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "needs a terminal" in refused.stderr
    for name in [name for name in sys.modules if name.startswith("noughts.cli.full.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "textual", None)
    refused = in_process(tmp_path, "play", "3x3", "--full")
    assert refused.stderr == f"noughts: noughts play --full needs Textual: {install_line('full')}\n"


def test_full_screen_cannot_be_combined_with_text_modes(tmp_path: Path) -> None:
    refused = in_process(tmp_path, "play", "--full", "--json")
    assert (refused.returncode, "not both" in refused.stderr) == (2, True)


def test_game_in_a_terminal_is_saved_and_says_how_to_resume(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "3x3", "--full", "--o", "friend")
    terminal.wait_for("X to move")
    terminal.child.send("\r")
    terminal.wait_for("O to move")
    terminal.child.send("q")
    terminal.wait_for("noughts games resume 1")
    assert terminal.end() == 0
