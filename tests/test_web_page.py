"""The page end to end in the system's Chromium: every kind of board, by mouse and by keyboard alone, and every view."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from noughts.games import Game, Side
from noughts.match.clock import format_seconds
from test_clock_semantics import MOVES, TAKEBACKS
from web_pages import (
    CHROMIUM,
    Home,
    cell,
    choose_game,
    click,
    eventually,
    keys_to,
    open_game,
    open_sheet_for,
    point_in_cube,
    press,
    status,
    visiting,
    wait_for_mark,
    whole_game,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

KINDS = ["3x3", "3x3x3", "ultimate:2", "5x4:4+gravity"]
SIDES = ("X", "O")


@pytest.fixture
def page(home: Home, browser: Browser) -> Iterator[Page]:
    # Invalid input is refused with 422, which Chromium logs on the console.
    with visiting(browser, home.address, allowing=("status of 422",), viewport={"width": 1100, "height": 800}) as found:
        yield found


def says(page: Page, text: str) -> None:
    """Wait until a text has been announced to screen readers."""
    eventually(page, "text => document.getElementById('says').textContent.includes(text)", text)


def command(page: Page, text: str) -> None:
    open_sheet_for(page, page.locator("#entry"))
    page.fill("#entry", text)
    page.press("#entry", "Enter")


def expected_end(id: str, moves: list[int]) -> str:
    position = Game(id).start()
    for move in moves:
        position.play(move)
    return f"{position.winner} wins" if position.winner else "draw"


# --- whole games ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", KINDS)
def test_a_whole_game_is_played_by_mouse(home: Home, page: Page, id: str) -> None:
    open_game(page, home.address, id)
    moves = whole_game(id)
    for ply, move in enumerate(moves):
        if id == "3x3x3":
            point_in_cube(page, Game(id), move)
            page.mouse.down()
            page.mouse.up()
        else:
            click(page, f'.planes [data-cell="{move}"]')
        wait_for_mark(page, move, SIDES[ply % 2])
    assert expected_end(id, moves).lower() in status(page).lower()
    assert page.locator(".cell.legal").count() == 0


@pytest.mark.parametrize("id", KINDS)
def test_a_whole_game_is_played_by_keyboard_alone(home: Home, page: Page, id: str) -> None:
    open_game(page, home.address, id)
    game, moves = Game(id), whole_game(id, seed=3)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    at = int(page.evaluate("document.activeElement.dataset.cell"))
    for ply, move in enumerate(moves):
        for key in keys_to(game, at, move):
            page.keyboard.press(key)
        page.keyboard.press("Enter" if ply % 2 else " ")
        wait_for_mark(page, move, SIDES[ply % 2])
        at = move
        assert page.evaluate("document.activeElement.dataset.cell") == str(at)
    assert expected_end(id, moves).lower() in status(page).lower()


def test_a_level_is_played_to_the_end_by_digits_and_again_with_sides_changed(home: Home, page: Page) -> None:
    page.goto(f"{home.address}/#view=play")
    cell(page, 4).focus()
    while not page.locator(".status.over").count():
        legal = page.locator(".cell.legal").first
        legal.wait_for()
        move = int(legal.get_attribute("data-cell") or 0)
        page.keyboard.press(str(move + 1))
        wait_for_mark(page, move, "X")
        eventually(page, "document.querySelector('.status.over, .cell.legal')")
    press(page, "Play again")
    eventually(page, "document.querySelectorAll('.planes .taken .mark.x').length === 1")
    page.wait_for_selector(".cell.legal")
    assert page.inner_text(".players li.turn .name").startswith("You")


def test_opponent_of_any_rating_is_chosen_with_a_slider(home: Home, page: Page) -> None:
    page.goto(f"{home.address}/#view=play")
    press(page, "New game")
    choose_game(page, "4x4x4")
    page.select_option('.setup select[name="level"]', label="A rating of your choice")
    page.locator('.setup input[name="level-rating"]').fill("1350")
    page.wait_for_selector(".setup .rating:has-text('Elo 1350')")
    press(page, "Start")
    page.wait_for_selector(".players:has-text('Elo 1350')")
    cell(page, 21).click()
    eventually(page, "document.querySelectorAll('.planes .taken .mark.o').length === 1")


def test_two_engines_play_each_other_and_can_be_paused(home: Home, page: Page) -> None:
    page.goto(f"{home.address}/#view=play")
    press(page, "New game")
    choose_game(page, "4x4x4")
    page.check('input[value="watch"]')
    press(page, "Start")
    eventually(page, "document.querySelectorAll('.planes .taken').length >= 2")
    press(page, "Pause")
    page.wait_for_timeout(900)
    stopped = page.locator(".planes .taken").count()
    page.wait_for_timeout(900)
    assert page.locator(".planes .taken").count() == stopped
    press(page, "Resume")
    eventually(page, "many => document.querySelectorAll('.planes .taken').length > many", stopped)


# --- choosing -------------------------------------------------------------------------------------------------------


def test_a_game_is_chosen_from_the_catalogue_or_typed_and_nonsense_is_refused(home: Home, page: Page) -> None:
    page.goto(f"{home.address}/#view=play")
    press(page, "New game")
    press(page, "Choose another game")
    page.fill(".typed input", "2y2")
    press(page, "Choose")
    page.wait_for_selector(".setup .error:not(:empty)")
    assert "2y2" in page.inner_text(".setup .error")
    press(page, "Connect Four")
    page.wait_for_selector(".chosen-game h3:has-text('Connect Four')")
    page.check('input[name="side"][value="O"]')
    press(page, "Start")
    page.wait_for_selector("h1:has-text('Connect Four')")
    page.wait_for_selector(".planes .taken .mark.x")
    page.keyboard.press("/")
    command(page, "game 6x6:5+misere")
    page.wait_for_selector("h1:has-text('6×6')")
    assert page.locator(".planes [role=gridcell]").count() == 36


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("#game=2y2", "expected a game id"),
        ("#game=3x3&moves=99", "no such cell"),
        ("#game={bad", "as JSON"),
        ("#game=3x3&start=zzz&view=analyse", "expected 2 fields"),
        ("#friend=nobody", "no such friend game"),
    ],
)
def test_a_link_that_makes_no_sense_says_so(home: Home, page: Page, link: str, said: str) -> None:
    page.goto(f"{home.address}/{link}")
    page.wait_for_selector(".notice.error")
    assert said in page.inner_text(".notice")
    if "friend" not in link:
        page.wait_for_selector(".cell.legal, .tile")


# --- a move ---------------------------------------------------------------------------------------------------------


def test_a_move_is_shown_before_the_server_has_confirmed_it(home: Home, page: Page) -> None:
    open_game(page, home.address, "3x3")
    held: list[Route] = []
    page.route("**/api/position", lambda route: held.append(route))
    cell(page, 4).click()
    assert page.locator('.planes [data-cell="4"].pending .mark.x').count() == 1
    while not held:
        page.wait_for_timeout(15)
    held[0].continue_()
    wait_for_mark(page, 4, "X")


def test_a_move_that_came_too_soon_for_the_server_is_sent_again(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, allowing=("status of 429",)) as page:
        open_game(page, home.address, "3x3")
        asked: list[Route] = []

        def refuse_once(route: Route) -> None:
            asked.append(route)
            too_soon = {"status": 429, "headers": {"Retry-After": "1"}, "json": {"error": "expected fewer requests"}}
            if len(asked) == 1:
                route.fulfill(**too_soon)  # type: ignore[arg-type]
            else:
                route.continue_()

        page.route("**/api/position", refuse_once)
        cell(page, 4).click()
        wait_for_mark(page, 4, "X")
        assert len(asked) == 2


def test_a_move_is_announced_and_so_is_the_end(home: Home, page: Page) -> None:
    open_game(page, home.address, "3x3", (0, 3, 1))
    cell(page, 4).click()
    says(page, "O plays b2")
    cell(page, 2).click()
    says(page, "X wins")
    assert page.locator(".stroke").count() == 1
    assert sorted(int(at.get_attribute("data-cell") or -1) for at in page.locator(".cell.won").all()) == [0, 1, 2]


def test_the_text_box_takes_moves_and_commands(home: Home, page: Page) -> None:
    open_game(page, home.address, "3x3")
    command(page, "5")
    wait_for_mark(page, 4, "X")
    command(page, "a3")
    wait_for_mark(page, 0, "O")
    command(page, "b2")
    page.wait_for_selector(".notice.error")
    assert "taken" in page.inner_text(".notice")
    command(page, "undo")
    page.wait_for_selector('.planes [data-cell="0"]:not(.taken)')
    command(page, "redo")
    wait_for_mark(page, 0, "O")
    command(page, "board")
    says(page, "X: b2. O: a3. X to move.")
    command(page, "help")
    page.wait_for_selector("dialog.help")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.help", state="detached")


def test_the_grid_has_one_way_in_and_the_keys_of_a_grid(home: Home, page: Page) -> None:
    open_game(page, home.address, "3x3x3")
    assert page.locator(".planes[role=grid] [role=rowgroup] [role=row] [role=gridcell]").count() == 27
    assert page.locator('.planes [tabindex="0"]').count() == 1
    cell(page, 4).focus()
    ways = {"PageDown": 13, "Home": 12, "End": 14, "Control+End": 26, "ArrowDown": 26, "PageUp": 17}
    for key, to in ways.items():
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.cell") == str(to), key
    assert page.locator('.planes [tabindex="0"]').get_attribute("data-cell") == "17"


# --- taking back, hints, clocks -------------------------------------------------------------------------------------


def test_undo_takes_back_the_answer_too_and_redo_plays_both_again(home: Home, page: Page) -> None:
    page.goto(f"{home.address}/#view=play")
    cell(page, 4).click()
    page.wait_for_selector(".planes .taken .mark.o")
    answer = page.locator(".cell.last").get_attribute("data-cell")
    press(page, "Undo")
    eventually(page, "document.querySelectorAll('.planes .taken').length === 0")
    press(page, "Redo")
    page.wait_for_selector(f'.planes [data-cell="{answer}"].last')
    assert page.locator(".planes .taken").count() == 2


def test_a_hint_comes_in_three_steps(home: Home, page: Page) -> None:
    open_game(page, home.address, "4x4:3", (5, 0))
    press(page, "Hint")
    page.wait_for_selector(".cell.area")
    assert page.locator(".cell.advised, .cell.candidate").count() == 0
    press(page, "More of the hint")
    page.wait_for_selector(".cell.candidate")
    assert 1 <= page.locator(".cell.candidate").count() <= 3
    press(page, "More of the hint")
    page.wait_for_selector(".cell.advised")
    assert page.locator(".cell.advised").count() == 1
    assert re.search(r"[a-d][1-4]: \w+", page.inner_text(".hint p"))


def test_resigning_ends_the_game_and_swapping_sides_makes_the_engine_move(home: Home, page: Page) -> None:
    page.goto(f"{home.address}/#view=play")
    page.wait_for_selector(".cell.legal")
    press(page, "Swap sides")
    page.wait_for_selector(".planes .taken .mark.x")
    press(page, "Resign")
    assert status(page) == "You resigned: Easy wins"
    assert page.locator(".cell.legal").count() == 0


def open_timed_game(page: Page, address: str, o_seconds: float) -> None:
    """Open a game of two people at this screen, in which O is to move and has this much time left."""
    players = {"X": {"kind": "person", "name": "Ann"}, "O": {"kind": "person", "name": "Bob"}}
    control = {"text": "1m", "seconds": 60, "increment": 0}
    left = {"X": 55000, "O": 1000 * o_seconds}
    clock = {"control": control, "left": left, "turns": [{"X": 60000, "O": 60000}, left], "since": None}
    current = json.dumps({"game": "3x3", "moves": [4], "players": players, "clock": clock})
    page.add_init_script(f"if (!localStorage['noughts.current']) localStorage['noughts.current'] = '{current}'")
    page.goto(f"{address}/#view=play")
    page.wait_for_selector(".planes")


def seconds_left(page: Page, side: str) -> float:
    minutes, seconds = page.inner_text(f".players li.{side} .clock").split(":")
    return 60 * int(minutes) + float(seconds)


def lose_on_time(page: Page) -> None:
    """Let the browser's clock jump forward by a minute."""
    page.evaluate("() => { const now = performance.now.bind(performance); performance.now = () => now() + 60000; }")


def test_a_clock_runs_out(home: Home, page: Page) -> None:
    open_timed_game(page, home.address, 1)
    page.wait_for_selector(".status.over")
    assert status(page) == "Ann wins on time"
    assert page.inner_text(".players li.o .clock") == "0:00.0"


def test_undo_after_losing_on_time_restores_both_clocks(home: Home, page: Page) -> None:
    open_timed_game(page, home.address, 50)
    page.wait_for_selector(".cell.legal")
    lose_on_time(page)
    page.wait_for_selector(".status.over")
    press(page, "Undo")
    page.wait_for_selector(".cell.legal")
    page.wait_for_timeout(500)
    assert status(page) == "Bob (O) to move"
    assert seconds_left(page, "x") == 55
    assert 20 < seconds_left(page, "o") <= 50


def test_a_move_confirmed_after_the_flag_fell_does_not_revive_the_game(home: Home, page: Page) -> None:
    open_timed_game(page, home.address, 50)
    page.wait_for_selector(".cell.legal")
    held: list[Route] = []
    page.route("**/api/position", lambda route: held.append(route))
    cell(page, 0).click()
    while not held:
        page.wait_for_timeout(15)
    lose_on_time(page)
    page.wait_for_selector(".status.over")
    with page.expect_response("**/api/position"):
        held[0].continue_()
    page.wait_for_timeout(200)
    assert status(page) == "Ann wins on time"
    assert page.locator(".planes .taken").count() == 1


def test_a_flag_falls_while_another_view_is_shown(home: Home, page: Page) -> None:
    open_timed_game(page, home.address, 50)
    page.wait_for_selector(".cell.legal")
    page.get_by_role("link", name="Games").click()
    page.wait_for_selector(".games-page")
    lose_on_time(page)
    says(page, "Ann wins on time")


def test_a_reload_does_not_refund_the_turn(home: Home, page: Page) -> None:
    open_timed_game(page, home.address, 50)
    page.wait_for_selector(".cell.legal")
    page.evaluate("() => { const now = performance.now.bind(performance); performance.now = () => now() + 30000; }")
    eventually(page, "document.querySelector('.players li.o .clock')?.textContent < '0:21'")
    page.reload()
    page.wait_for_selector(".cell.legal")
    assert 0 < seconds_left(page, "o") <= 20


def test_the_page_shows_times_as_the_terminal_does(home: Home, page: Page) -> None:
    page.goto(f"{home.address}/#view=play")
    times = [0, 0.04, 7.35, 9.96, 10, 19.96, 20, 59.9, 60, 298.7, 3601]
    shown = page.evaluate("async times => times.map((await import('/js/clock.js')).formatTime)", times)
    assert shown == [format_seconds(seconds) for seconds in times]


def test_the_clocks_of_the_page_follow_the_same_script_as_all_others(home: Home, page: Page) -> None:
    page.goto(f"{home.address}/#view=play")
    last, steps = Side.O, []
    for step in MOVES + TAKEBACKS:
        plies = 1 if step.takeback is last else 2
        last = last.opponent if step.move or plies == 1 else last
        steps.append({"seconds": step.seconds, "plies": None if step.move else plies})
    assert page.evaluate(PLAY_CLOCK_SCRIPT, steps) == [list(step.left) for step in MOVES + TAKEBACKS]


PLAY_CLOCK_SCRIPT = """async (steps) => {
    const { newClock, press, restore, run, timeLeft } = await import("/js/clock.js");
    let [now, ply] = [0, 0];
    performance.now = () => now;
    const clock = newClock({ text: "1+2", seconds: 60, increment: 2 });
    run(clock, ply);
    return steps.map(({ seconds, plies }) => {
        now += 1000 * seconds;
        if (plies === null) press(clock, "XO"[ply % 2], ply);
        else restore(clock, ply - plies);
        ply += plies === null ? 1 : -plies;
        run(clock, ply);
        return ["X", "O"].map((side) => timeLeft(clock, side, side === "XO"[ply % 2]) / 1000);
    });
}"""


def test_sound_is_off_until_it_is_wanted(home: Home, page: Page) -> None:
    page.add_init_script(
        "window.notes = 0; const make = AudioContext.prototype.createOscillator;"
        "AudioContext.prototype.createOscillator = function () { window.notes += 1; return make.call(this); };"
    )
    open_game(page, home.address, "3x3")
    cell(page, 4).click()
    wait_for_mark(page, 4, "X")
    assert page.evaluate("window.notes") == 0
    page.get_by_role("button", name="Sound").click()
    heard = page.evaluate("window.notes")
    assert heard > 0
    cell(page, 0).click()
    wait_for_mark(page, 0, "O")
    assert page.evaluate("window.notes") > heard


# --- saving and sharing ---------------------------------------------------------------------------------------------


def test_a_game_is_saved_and_loaded_as_a_file(home: Home, page: Page, tmp_path: Path) -> None:
    open_game(page, home.address, "ultimate:3", (40, 36, 0))
    with page.expect_download() as download:
        press(page, "Save as a file")
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    assert saved.suffix == ".ngn"
    assert '[Game "ultimate:3"]' in saved.read_text()
    open_game(page, home.address, "3x3")
    page.set_input_files("input[type=file]", saved)
    page.wait_for_selector("h1:has-text('Ultimate')")
    assert page.locator(".planes .taken").count() == 3
    commented = tmp_path / "commented.ngn"
    commented.write_text('[Game "3x3"]\n[X "Ann"]\n[O "Bob"]\n\n1. b2 {the centre} a3 *\n')
    page.set_input_files("input[type=file]", commented)
    page.wait_for_selector(".players .name:has-text('Ann')")
    press(page, "One move back")
    page.wait_for_selector(".comment:has-text('the centre')")
    broken = tmp_path / "broken.ngn"
    broken.write_text('[Game "3x3"]\n\n1. b2 b2 *\n')
    page.set_input_files("input[type=file]", broken)
    page.wait_for_selector(".notice.error")
    assert page.locator(".planes .taken").count() == 1


def test_a_link_shows_the_position_or_the_playthrough_to_others(home: Home, browser: Browser, page: Page) -> None:
    open_game(page, home.address, "3x3", (4, 0, 8))
    press(page, "Undo")
    page.wait_for_selector('.planes [data-cell="8"]:not(.taken)')
    press(page, "Share")
    whole, here = page.input_value("#link-play"), page.input_value("#link-position")
    with visiting(browser, home.address) as other:
        other.goto(whole)
        other.wait_for_selector('.planes [data-cell="0"].last')
        assert other.inner_text(".steps .ply") == "2 of 3"
        press(other, "One move forward")
        wait_for_mark(other, 8, "X")
        other.goto("about:blank")
        other.goto(here)
        eventually(other, "document.querySelectorAll('.planes .taken').length === 2")
        assert other.inner_text(".steps .ply") == "no moves yet"
        assert status(other) == "X to move"


def test_games_are_saved_listed_resumed_and_deleted(home: Home, page: Page) -> None:
    open_game(page, home.address, "5x5:4")
    for ply, move in enumerate((12, 6, 7)):
        cell(page, move).click()
        wait_for_mark(page, move, SIDES[ply % 2])
    page.get_by_role("link", name="Games").click()
    row = page.locator(".saved li").first
    row.wait_for()
    assert "3 moves" in row.inner_text()
    assert "5×5" in row.inner_text()
    row.get_by_role("button", name=re.compile("^Continue")).click()
    page.wait_for_selector('.planes [data-cell="7"].last')
    page.get_by_role("link", name="Games").click()
    row.wait_for()
    many = page.locator(".saved li").count()
    row.get_by_role("button", name=re.compile("^Delete")).click()
    eventually(page, "many => document.querySelectorAll('.saved li').length === many - 1", many)


def test_continuing_a_finished_game_saves_both(home: Home, page: Page) -> None:
    page.goto(f"{home.address}/#view=games")
    page.wait_for_selector(".games-page")
    page.get_by_text("Loading …").wait_for(state="detached")
    many = page.locator(".saved li").count()
    open_game(page, home.address, "4x3:3", (0, 4, 1, 5))
    cell(page, 2).click()
    page.wait_for_selector(".status.over")
    page.get_by_role("link", name="Games").click()
    page.get_by_role("button", name=re.compile("^Open 4×3,")).first.click()
    press(page, "Undo")
    page.wait_for_selector(".cell.legal")
    cell(page, 6).click()
    wait_for_mark(page, 6, "X")
    page.get_by_role("link", name="Games").click()
    eventually(page, "many => document.querySelectorAll('.saved li').length === many + 2", many)


def test_undo_after_the_end_does_not_change_the_finished_game(home: Home, page: Page) -> None:
    open_game(page, home.address, "5x3:3", (0, 5, 1, 6))
    cell(page, 2).click()
    page.wait_for_selector(".status.over")
    press(page, "Undo")
    page.wait_for_selector(".cell.legal")
    cell(page, 8).click()
    wait_for_mark(page, 8, "X")
    page.evaluate("import('/js/saving.js').then(({ allSaved }) => allSaved())")
    saved = page.evaluate("fetch('/api/games?game=5x3:3').then((answer) => answer.json())")["games"]
    assert [entry["outcome"] and entry["outcome"]["winner"] for entry in saved] == [None, "X"]


def test_a_game_is_saved_with_its_clocks(home: Home, page: Page) -> None:
    open_timed_game(page, home.address, 50)
    cell(page, 0).click()
    wait_for_mark(page, 0, "O")
    page.evaluate("import('/js/saving.js').then(({ allSaved }) => allSaved())")
    number = page.evaluate("JSON.parse(localStorage['noughts.current']).saved")
    saved = page.evaluate("number => fetch(`/api/games/${number}`).then((answer) => answer.json())", number)
    assert saved["tags"]["TimeControl"] == "60+0"
    assert saved["clocks"][0] == 55
    assert 0 < saved["clocks"][1] <= 50


def test_a_reload_loses_nothing(home: Home, page: Page) -> None:
    open_game(page, home.address, "3x3x3")
    cell(page, 13).click()
    wait_for_mark(page, 13, "X")
    page.reload()
    wait_for_mark(page, 13, "X")
    assert page.locator(".planes .taken").count() == 1


# --- learning -------------------------------------------------------------------------------------------------------


def test_the_search_tree_is_stepped_through_and_pruning_makes_it_smaller(home: Home, page: Page) -> None:
    page.goto(f"{home.address}/#view=learn")
    page.wait_for_selector(".knot", state="attached")
    assert page.locator(".knot:not(.unseen)").count() == 0
    for seen in (1, 2, 3):
        press(page, "Forward")
        assert page.locator(".knot:not(.unseen)").count() == seen
    assert "is to move" in page.inner_text(".explanation")
    press(page, "Back")
    assert page.locator(".knot:not(.unseen)").count() == 2
    press(page, "To the end")
    full = page.locator(".knot:not(.unseen)").count()
    page.select_option('select[name="algorithm"]', "alphabeta")
    eventually(page, "many => document.querySelectorAll('.knot').length < many", full)
    press(page, "Next cutoff")
    assert "Cutoff" in page.inner_text(".explanation")
    assert page.locator(".stub").count() > 0
    press(page, "To the end")
    pruned = page.locator(".knot:not(.unseen)").count()
    page.wait_for_selector(".comparison tbody tr")
    rows = page.locator(".comparison tbody tr").all()
    nodes = {row.locator("th").inner_text(): row.locator("td").first.inner_text() for row in rows}
    assert nodes["Minimax"] == str(full)
    assert nodes["Alpha-beta, row by row"] == str(pruned)
    assert pruned < full
    page.locator(".comparison button", has_text="Minimax").click()
    eventually(page, "many => document.querySelectorAll('.knot').length === many", full)


def test_a_typed_position_is_searched_and_nonsense_is_refused(home: Home, page: Page) -> None:
    page.goto(f"{home.address}/#view=learn")
    page.select_option('select[name="lesson"]', "custom")
    page.fill('input[name="start"]', "nonsense")
    page.press('input[name="start"]', "Enter")
    page.wait_for_selector(".learn .failure")
    page.fill('input[name="start"]', "xo1/xo1/3 x")
    page.press('input[name="start"]', "Enter")
    page.wait_for_selector(".learn .failure", state="detached")
    press(page, "To the end")
    assert "+1" in page.inner_text(".explanation")


# --- for everyone ---------------------------------------------------------------------------------------------------


def _dialog(page: Page) -> None:
    press(page, "New game")
    page.wait_for_selector("dialog.setup .choice")


def _hint(page: Page) -> None:
    press(page, "Hint")
    page.wait_for_selector(".hint")
    press(page, "Threats")


def _review(page: Page) -> None:
    press(page, "Review the line")
    page.wait_for_selector(".mistakes, .review table")


def _step(page: Page) -> None:
    page.wait_for_selector(".comparison tbody tr")
    press(page, "Next cutoff")


def _lines(page: Page) -> None:
    page.wait_for_selector(".lines li")


def _refuse(page: Page) -> None:
    command(page, "nonsense")
    page.wait_for_selector(".notice.error")


def _try_again(page: Page) -> None:
    _review(page)
    press(page, "Try again at move 2")
    page.wait_for_selector(".trying")


def _edit(page: Page) -> None:
    press(page, "Edit the board")
    page.wait_for_selector(".brushes")


def _puzzle(page: Page) -> None:
    page.wait_for_selector(".score")
    press(page, "Show the solution")
    page.wait_for_selector(".guide .verdict")


def _share(page: Page) -> None:
    press(page, "Share")
    page.wait_for_selector("dialog.share")


def _help(page: Page) -> None:
    press(page, "Help")
    page.wait_for_selector("dialog.help")


def _nothing(page: Page) -> None:
    page.wait_for_selector("main")


VIEWS: dict[str, tuple[str, Callable[[Page], None]]] = {
    "flat": ("#game=3x3&moves=4.0.8", _hint),
    "won": ("#game=3x3&moves=0.3.1.4.2", _nothing),
    "cube": ("#game=4x4x4&moves=21.0.22", _nothing),
    "ultimate": ("#game=ultimate:3&moves=40.36.0.4.44.72.8.76.42.54.6.58.38", _nothing),
    "gravity": ("#game=connect4&moves=38.31.39", _nothing),
    "large": ("#game=19x19:5&moves=180", _nothing),
    "beyond": ("#game=4x4x4x4&moves=21", _nothing),
    "analysis": ("#game=4x4:3&moves=0.5.15&view=analyse", _lines),
    "review": ("#game=3x3&moves=0.1.4.8.2.6&view=analyse", _review),
    "learn": ("#view=learn", _step),
    "games": ("#view=games", _nothing),
    "dialog": ("#view=play", _dialog),
    "refused": ("#game=3x3&moves=4", _refuse),
    "second try": ("#game=3x3&moves=0.1.4.8.2.6&view=analyse", _try_again),
    "editor": ("#game=ultimate:3&moves=40&view=analyse", _edit),
    "puzzle": ("#view=puzzles", _puzzle),
    "no such table": ("#friend=nobody", _nothing),
    "share": ("#game=3x3&moves=4.0.8", _share),
    "help": ("#view=play", _help),
}


@pytest.fixture(scope="module")
def visitor(home: Home, browser: Browser) -> Iterator[Page]:
    with visiting(browser, home.address, allowing=("status of 422",), reduced_motion="reduce") as found:
        yield found


@pytest.mark.parametrize("name", [name for name in VIEWS if name not in ("won", "gravity", "large", "beyond")])
def test_axe_finds_nothing_to_complain_about(home: Home, visitor: Page, name: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    address, prepare = VIEWS[name]
    visitor.set_viewport_size({"width": 1000, "height": 800})
    # The dark theme differs only in colours.
    for scheme, rules in (("dark", ["color-contrast"]), ("light", None)):
        visitor.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        if scheme == "dark":
            visitor.goto("about:blank")
            visitor.goto(f"{home.address}/{address}")
            prepare(visitor)
        options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
        found = axe.run(visitor, options=options)
        assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("name", VIEWS)
def test_no_view_scrolls_sideways_on_a_phone_or_enlarged(home: Home, visitor: Page, name: str) -> None:
    address, prepare = VIEWS[name]
    visitor.set_viewport_size({"width": 320, "height": 568})
    visitor.goto("about:blank")
    visitor.goto(f"{home.address}/{address}")
    prepare(visitor)
    # At 200 % zoom, a screen of 1280 by 800 has 640 by 400 CSS pixels.
    for width, height in ((320, 568), (640, 400)):
        visitor.set_viewport_size({"width": width, "height": height})
        assert visitor.evaluate("document.documentElement.scrollWidth <= innerWidth")
        inside = "[...document.querySelectorAll('dialog')].every(one => one.scrollWidth <= one.clientWidth)"
        assert visitor.evaluate(inside)


def test_colours_follow_the_system_until_they_are_chosen(home: Home, page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(f"{home.address}/#view=play")
    background = "getComputedStyle(document.documentElement).backgroundColor"
    page.wait_for_selector(".planes")
    dark = page.evaluate(background)
    page.emulate_media(color_scheme="light")
    light = page.evaluate(background)
    assert dark != light
    page.get_by_role("button", name="Colours: like the system").click()
    page.get_by_role("button", name="Colours: light").click()
    page.get_by_role("button", name="Colours: dark").wait_for()
    assert page.evaluate(background) == dark
    page.reload()
    page.wait_for_selector(".planes")
    assert page.evaluate(background) == dark
