"""Moves on the page: whole games by mouse and by keyboard alone, choosing a game, single moves, hints."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from noughts.games import Game
from plays import position_after
from web_pages import (
    Held,
    Home,
    cell,
    choose_game,
    click,
    command,
    eventually,
    keys_to,
    open_game,
    point_in_cube,
    press,
    says,
    status,
    visiting,
    wait_for_drawing,
    wait_for_mark,
    whole_game,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

KINDS = ["3x3", "3x3x3", "ultimate:2", "5x4:4+gravity"]
ALLOWED_ON_CONSOLE = ("status of 422",)
"""Chromium logs that invalid input was refused."""


def expected_end(id: str, moves: list[int]) -> str:
    position = position_after(id, *moves)
    return f"{position.winner} wins" if position.winner else "draw"


# --- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", KINDS)
def test_a_whole_game_is_played_by_mouse(page: Page, id: str) -> None:
    open_game(page, id)
    moves = whole_game(id)
    for ply, move in enumerate(moves):
        if id == "3x3x3":
            point_in_cube(page, Game(id), move)
            page.mouse.down()
            page.mouse.up()
        else:
            click(page, f'.planes [data-cell="{move}"]')
        wait_for_mark(page, move, "XO"[ply % 2])
    assert expected_end(id, moves).lower() in status(page).lower()
    assert page.locator(".cell.legal").count() == 0


@pytest.mark.parametrize("id", ["3x3x3", "ultimate:2"])
def test_a_whole_game_is_played_by_keyboard_alone(page: Page, id: str) -> None:
    open_game(page, id)
    game, moves = Game(id), whole_game(id, seed=3)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    at = int(page.evaluate("document.activeElement.dataset.cell"))
    for ply, move in enumerate(moves):
        for key in keys_to(game, at, move):
            page.keyboard.press(key)
        page.keyboard.press("Enter" if ply % 2 else " ")
        wait_for_mark(page, move, "XO"[ply % 2])
        at = move
        assert page.evaluate("document.activeElement.dataset.cell") == str(at)
    assert expected_end(id, moves).lower() in status(page).lower()


def test_a_level_is_played_to_the_end_by_digits_and_again_with_sides_changed(page: Page) -> None:
    page.goto("#view=play")
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


def test_opponent_of_any_rating_is_chosen_with_a_slider(page: Page) -> None:
    page.goto("#view=play")
    press(page, "New game")
    choose_game(page, "4x4x4")
    page.select_option('.setup select[name="level"]', label="A rating of your choice")
    page.locator('.setup input[name="level-rating"]').fill("1350")
    page.wait_for_selector(".setup .rating:has-text('Elo 1350')")
    press(page, "Start")
    page.wait_for_selector(".players:has-text('Elo 1350')")
    cell(page, 21).click()
    eventually(page, "document.querySelectorAll('.planes .taken .mark.o').length === 1")


def test_two_engines_play_each_other_and_can_be_paused(page: Page) -> None:
    page.clock.install()
    page.goto("#view=play")
    press(page, "New game")
    choose_game(page, "4x4x4")
    page.check('input[value="watch"]')
    press(page, "Start")
    eventually(page, "document.querySelectorAll('.planes .taken').length >= 2")
    press(page, "Pause")
    stopped = page.locator(".planes .taken").count()
    page.clock.run_for(2000)
    wait_for_drawing(page)
    assert page.locator(".planes .taken").count() == stopped
    press(page, "Resume")
    eventually(page, "many => document.querySelectorAll('.planes .taken').length > many", stopped)


# --- choosing --------------------------------------------------------------------------------------------------------


def test_a_game_is_chosen_from_the_catalogue_or_typed_and_nonsense_is_refused(page: Page) -> None:
    page.goto("#view=play")
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


def test_a_link_that_makes_no_sense_says_so(page: Page) -> None:
    for link, said in (
        ("#game=2y2", "expected a game id"),
        ("#game=3x3&moves=99", "This link cannot be opened: move 1: there is no such cell"),
        ("#game={bad", "as JSON"),
        ("#game=3x3&start=zzz&view=analyse", "expected 2 fields"),
        ("#view=own&game=2y2", "2y2"),
        ("#friend=nobody", "no such friend game"),
    ):
        page.goto("about:blank")
        page.goto(f"{link}")
        page.wait_for_selector(".notice.error")
        assert said.lower() in page.inner_text(".notice").lower()
        if "friend" not in link:
            page.wait_for_selector(".cell.legal, .tile, .workshop")


def test_a_link_with_an_impossible_move_logs_no_error(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address) as page:
        for link in ("#game=2y2", "#game=3x3&moves=4.4", "#game=3x3&start=zzz&view=analyse"):
            page.goto("about:blank")
            page.goto(link)
            page.wait_for_selector(".notice.error:has-text('This link cannot be opened')")


# --- a move ----------------------------------------------------------------------------------------------------------


def test_a_move_is_shown_before_the_server_has_confirmed_it(page: Page) -> None:
    open_game(page, "3x3")
    held = Held(page, "**/api/position")
    cell(page, 4).click()
    assert page.locator('.planes [data-cell="4"].pending .mark.x').count() == 1
    held.wait_for_request()
    held.release()
    wait_for_mark(page, 4, "X")


def test_a_move_that_came_too_soon_for_the_server_is_sent_again(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, allowing=("status of 429",)) as page:
        open_game(page, "3x3")
        asked: list[Route] = []

        def refuse_once(route: Route) -> None:
            asked.append(route)
            if len(asked) == 1:
                route.fulfill(status=429, headers={"Retry-After": "1"}, json={"error": "expected fewer requests"})
            else:
                route.continue_()

        page.route("**/api/position", refuse_once)
        cell(page, 4).click()
        wait_for_mark(page, 4, "X")
        assert len(asked) == 2


def test_a_move_is_announced_and_so_is_the_end(page: Page) -> None:
    open_game(page, "3x3", (0, 3, 1))
    cell(page, 4).click()
    says(page, "O plays b2")
    cell(page, 2).click()
    says(page, "X wins")
    assert page.locator(".stroke").count() == 1
    assert sorted(int(at.get_attribute("data-cell") or -1) for at in page.locator(".cell.won").all()) == [0, 1, 2]


def test_the_text_box_takes_moves_and_commands(page: Page) -> None:
    open_game(page, "3x3")
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


def test_the_grid_has_one_way_in_and_the_keys_of_a_grid(page: Page) -> None:
    open_game(page, "3x3x3")
    assert page.locator(".planes[role=grid] [role=rowgroup] [role=row] [role=gridcell]").count() == 27
    assert page.locator('.planes [tabindex="0"]').count() == 1
    cell(page, 4).focus()
    ways = {"PageDown": 13, "Home": 12, "End": 14, "Control+End": 26, "ArrowDown": 26, "PageUp": 17}
    for key, to in ways.items():
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.cell") == str(to), key
    assert page.locator('.planes [tabindex="0"]').get_attribute("data-cell") == "17"


# --- taking back and hints -------------------------------------------------------------------------------------------


def test_undo_takes_back_the_answer_too_and_redo_plays_both_again(page: Page) -> None:
    page.goto("#view=play")
    cell(page, 4).click()
    page.wait_for_selector(".planes .taken .mark.o")
    answer = page.locator(".cell.last").get_attribute("data-cell")
    press(page, "Undo")
    eventually(page, "document.querySelectorAll('.planes .taken').length === 0")
    press(page, "Redo")
    page.wait_for_selector(f'.planes [data-cell="{answer}"].last')
    assert page.locator(".planes .taken").count() == 2


def test_a_hint_comes_in_three_steps(page: Page) -> None:
    open_game(page, "3x3", (4, 6))
    press(page, "Hint")
    page.wait_for_selector(".cell.area")
    assert "Make a threat that must be answered." in page.inner_text(".hint")
    assert page.locator(".cell.advised, .cell.candidate").count() == 0
    press(page, "More of the hint")
    page.wait_for_selector(".cell.candidate")
    assert 1 <= page.locator(".cell.candidate").count() <= 3
    # One of them may threaten nothing: nothing is said of all.
    assert re.search(r"answered\. (Compare|Look at) [a-c][1-3]", page.inner_text(".hint"))
    press(page, "More of the hint")
    page.wait_for_selector(".cell.advised")
    assert page.locator(".cell.advised").count() == 1
    assert re.search(r"[a-c][1-3]: threatens to complete", page.inner_text(".hint p"))


def test_resigning_ends_the_game_and_swapping_sides_makes_the_engine_move(page: Page) -> None:
    page.goto("#view=play")
    page.wait_for_selector(".cell.legal")
    press(page, "Swap sides")
    page.wait_for_selector(".planes .taken .mark.x")
    press(page, "Resign")
    assert status(page) == "You resigned: Easy wins"
    assert page.locator(".cell.legal").count() == 0
