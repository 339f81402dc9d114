"""The view of a playthrough in a browser: whose turn it is after every change, looking back, taking back, ends."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from web_pages import (
    PERSON,
    SIDES,
    Held,
    cell,
    click,
    command,
    engine,
    eventually,
    open_game,
    press,
    resume_game,
    saved_games,
    status,
    wait_for_drawing,
    wait_for_marks,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

ALLOWED_ON_CONSOLE = ("Failed to load resource",)
"""Chromium logs requests that were refused or that a test has aborted."""


# --- the engine's turn ----------------------------------------------------------------------------------------------


def test_engine_moves_after_undo_and_redo_while_it_was_thinking(page: Page) -> None:
    resume_game(page, PERSON, engine())
    held = Held(page, "**/api/move")
    cell(page, 4).click()
    held.wait_for_request()
    assert status(page) == "Easy is thinking …"
    press(page, "Undo")
    wait_for_marks(page, 0)
    press(page, "Redo")
    eventually(page, "document.querySelector('.status')?.textContent.includes('thinking')")
    held.release()
    wait_for_marks(page, 2)
    assert status(page) == "Your move"


def test_engine_moves_while_an_earlier_position_is_on_the_board(page: Page) -> None:
    resume_game(page, PERSON, engine())
    held = Held(page, "**/api/move")
    cell(page, 4).click()
    held.wait_for_request()
    press(page, "To the start")
    eventually(page, "document.querySelector('.status')?.textContent.startsWith('Looking back')")
    held.release()
    eventually(page, "document.querySelectorAll('.moves li').length === 2")
    wait_for_marks(page, 0)
    press(page, "Back to the game")
    wait_for_marks(page, 2)
    assert status(page) == "Your move"


def test_engine_that_could_not_be_asked_is_tried_again(page: Page) -> None:
    resume_game(page, PERSON, engine())
    page.route("**/api/move", lambda route: route.abort())
    cell(page, 4).click()
    page.wait_for_selector(".failure")
    assert "the server does not answer" in page.inner_text(".failure")
    press(page, "Try again")
    page.wait_for_selector(".failure")
    page.unroute("**/api/move")
    press(page, "Try again")
    wait_for_marks(page, 2)
    assert page.locator(".failure").count() == 0


def test_changing_the_level_lets_an_engine_that_failed_move(page: Page) -> None:
    resume_game(page, PERSON, engine())
    page.route("**/api/move", lambda route: route.abort())
    cell(page, 4).click()
    page.wait_for_selector(".failure")
    page.unroute("**/api/move")
    page.select_option('select[name="level-O"]', "beginner")
    wait_for_marks(page, 2)


def test_two_engines_keep_playing_after_steps_back_and_to_the_end(page: Page) -> None:
    resume_game(page, engine(), engine(), game="9x9:5")
    eventually(page, "document.querySelectorAll('.moves li').length >= 2")
    press(page, "To the start")
    wait_for_marks(page, 0)
    many = page.locator(".moves li").count()
    eventually(page, "many => document.querySelectorAll('.moves li').length > many", many)
    wait_for_marks(page, 0)
    press(page, "Back to the game")
    eventually(page, "many => document.querySelectorAll('.planes .taken').length > many", many)


def test_watching_offers_nothing_that_only_players_can_do(page: Page) -> None:
    resume_game(page, engine(), engine(), game="5x5:4")
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    for name in ("Undo", "Redo", "Hint", "Resign", "Swap sides"):
        assert page.get_by_role("button", name=name, exact=True).count() == 0, name


# --- looking back, taking back --------------------------------------------------------------------------------------


def test_of_two_steps_the_later_one_counts(page: Page) -> None:
    open_game(page, "4x4:4", (0, 5, 1, 6, 2, 7, 8, 9))
    held: list[Route] = []

    def hold_third(route: Route) -> None:
        if len(json.loads(route.request.post_data or "{}")["moves"]) == 3:
            held.append(route)
        else:
            route.continue_()

    page.route("**/api/position", hold_third)
    page.get_by_role("button", name=re.compile("^Move 3,")).click()
    page.get_by_role("button", name=re.compile("^Move 6,")).click()
    wait_for_marks(page, 6)
    with page.expect_response("**/api/position"):
        held[0].continue_()
    wait_for_drawing(page)
    wait_for_marks(page, 6)
    assert page.inner_text(".steps .ply") == "6 of 8"


def test_quick_steps_are_all_taken_though_answers_are_slow(page: Page) -> None:
    open_game(page, "4x4:4", (0, 5, 1, 6, 2, 7, 8, 9))
    held = Held(page, "**/api/position")
    for _ in range(3):
        press(page, "One move back")
    held.release()
    wait_for_marks(page, 5)


def test_move_counts_although_a_step_back_was_slow_or_comes_before_its_confirmation(page: Page) -> None:
    open_game(page, "4x4:4", (0, 5, 1))
    held = Held(page, "**/api/position")
    press(page, "One move back")
    cell(page, 6).click()
    held.release()
    wait_for_marks(page, 4)
    held = Held(page, "**/api/position")
    cell(page, 7).click()
    press(page, "To the start")
    held.release()
    eventually(page, "document.querySelector('.steps .ply')?.textContent === '0 of 5'")
    assert page.locator(".planes .pending").count() == 0
    press(page, "Back to the game")
    wait_for_marks(page, 5)


def test_looking_back_does_not_stop_or_refund_the_clock(page: Page) -> None:
    control = {"text": "1m", "seconds": 60, "increment": 0}
    left = {"X": 55000, "O": 50000}
    clock = {"control": control, "left": left, "turns": [{"X": 60000, "O": 60000}, left], "since": None}
    resume_game(page, *SIDES, moves=[4], clock=clock)
    shown = "document.querySelector('.players li.o .clock').textContent"
    eventually(page, f"{shown} < '0:49'")
    press(page, "One move back")
    wait_for_marks(page, 0)
    assert page.evaluate(shown) < "0:49"
    eventually(page, f"{shown} < '0:48'")
    click(page, '.planes [data-cell="0"]')
    page.wait_for_selector(".notice.error")
    assert "looking back" in page.inner_text(".notice")
    press(page, "To the end")
    wait_for_marks(page, 1)
    assert page.evaluate(shown) < "0:48"


def test_link_typed_with_a_plain_plus_opens_its_game(page: Page) -> None:
    page.goto("#game=7x6:4+gravity")
    page.get_by_role("heading", name="Connect Four").wait_for()


def test_link_with_a_negative_ply_shows_the_last_position(page: Page) -> None:
    page.goto("#game=3x3&moves=4.0&ply=-5")
    wait_for_marks(page, 2)
    assert page.inner_text(".steps .ply") == "2 of 2"
    page.wait_for_selector(".cell.legal")


# --- ends and players -----------------------------------------------------------------------------------------------


def test_level_chosen_after_the_end_is_that_of_the_next_game(page: Page) -> None:
    resume_game(page, PERSON, engine("easy"), game="5x3:3", moves=[0, 5, 1, 6])
    cell(page, 2).click()
    page.wait_for_selector(".status.over")
    before = saved_games(page, "5x3:3")
    page.select_option('select[name="level-O"]', "master")
    assert page.get_by_role("button", name="Swap sides").count() == 0
    assert saved_games(page, "5x3:3") == before
    assert (before[0]["x"], before[0]["o"]) == ("you", "easy")
    assert "Easy" in page.inner_text(".players")
    press(page, "Play again")
    page.wait_for_selector(".players li.x:has-text('Master')")
    assert saved_games(page, "5x3:3")[-1]["o"] == "easy"


def test_resignation_is_undone_for_some_seconds_and_then_saved(page: Page) -> None:
    resume_game(page, PERSON, engine(), game="5x4:4", moves=[7, 12])
    press(page, "Resign")
    page.wait_for_selector(".status.over")
    page.locator(".notice").get_by_role("button", name="Undo").click()
    page.wait_for_selector(".cell.legal")
    assert status(page) == "Your move"
    assert all(entry["outcome"] is None for entry in saved_games(page, "5x4:4"))
    press(page, "Resign")
    page.wait_for_selector(".status.over")
    press(page, "Play again")
    page.wait_for_selector(".status:not(.over)")
    ends = [entry["outcome"] for entry in saved_games(page, "5x4:4")]
    assert [end["reason"] for end in ends if end] == ["resign"]


def test_two_people_at_one_screen_are_not_offered_to_swap(page: Page) -> None:
    resume_game(page, *SIDES)
    assert page.get_by_role("button", name="Swap sides").count() == 0
    command(page, "swap")
    page.wait_for_selector(".notice.error")
    assert page.inner_text(".players li.x .name").startswith("Player X")


# --- hints, commands ------------------------------------------------------------------------------------------------


def test_hint_button_stays_where_it_is_and_shows_that_it_is_busy(page: Page) -> None:
    resume_game(page, *SIDES, game="4x4:3", moves=[5, 0])
    button = page.locator(".tools button", has=page.locator("[data-icon=hint], .icon")).nth(2)
    before = button.bounding_box()
    held = Held(page, "**/api/hint")
    button.click()
    held.wait_for_request()
    assert button.get_attribute("aria-busy") == "true"
    held.release()
    page.wait_for_selector(".hint")
    assert button.get_attribute("aria-busy") is None
    assert button.bounding_box() == before
    button.click()
    button.click()
    page.wait_for_selector(".cell.advised")


def test_typed_game_offers_the_way_back_to_the_one_it_replaced(page: Page) -> None:
    resume_game(page, *SIDES)
    cell(page, 4).click()
    wait_for_marks(page, 1)
    command(page, "nonsense")
    page.wait_for_selector(".notice.error:has-text('help')")
    command(page, "game 4x4")
    eventually(page, "document.querySelectorAll('.planes [data-cell]').length === 16")
    press(page, "Back to it")
    wait_for_marks(page, 1)
    assert page.locator(".planes [data-cell]").count() == 9


# --- other games ----------------------------------------------------------------------------------------------------


def test_link_offers_the_way_back_to_the_game_it_replaced(page: Page) -> None:
    resume_game(page, *SIDES, game="5x5:4")
    cell(page, 12).click()
    wait_for_marks(page, 1)
    page.evaluate("location.hash = '#game=3x3&moves=0.4.8'")
    wait_for_marks(page, 3)
    assert "5×5" in page.inner_text(".notice")
    press(page, "Back to it")
    wait_for_marks(page, 1)
    page.wait_for_selector("h1:has-text('5×5')")


def test_analysing_a_saved_game_leaves_the_running_one_alone(page: Page) -> None:
    resume_game(page, *SIDES, game="6x4:4")
    cell(page, 9).click()
    wait_for_marks(page, 1)
    resume_game(page, *SIDES, game="4x6:4", id="another")
    cell(page, 9).click()
    wait_for_marks(page, 1)
    page.goto("#view=games")
    page.get_by_role("button", name=re.compile("^Analyse 6[x×]4")).first.click()
    page.wait_for_selector("main.analyse h1:has-text('6×4')")
    page.goto("#view=play")
    page.wait_for_selector("main.play h1:has-text('4×6')")
