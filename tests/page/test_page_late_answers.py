"""Answers that come late, or not at all: what is shown stays right, and everything can be tried again."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from web_pages import (
    SIDES,
    Held,
    Home,
    breakable,
    cell,
    eventually,
    press,
    resume_game,
    saved_games,
    visiting,
    wait_for_mark,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

ALLOWED_ON_CONSOLE = ("Failed to load resource",)
CUT = (*ALLOWED_ON_CONSOLE, "WebSocket connection")
CONNECT = "import('/js/server/server.js').then(({ connect }) => connect())"
"""What the button does that disappears as soon as the page has connected by itself."""


def fail(page: Page, pattern: str) -> None:
    """Let requests fail as if there were no server."""
    page.route(pattern, lambda route: route.abort())


# --- late -----------------------------------------------------------------------------------------------------------


HOLD_LIVE_QUESTIONS = """() => {
  const send = WebSocket.prototype.send;
  window.held = [];
  WebSocket.prototype.send = function (text) { window.held.push([this, text]); };
  window.deliver = () => {
    WebSocket.prototype.send = send;
    const answers = window.held.map(([socket, text]) => new Promise((done) => {
      socket.addEventListener("message", () => setTimeout(done, 100), { once: true });
      socket.send(text);
    }));
    return Promise.all(answers);
  };
}"""
"""The questions of a link go by the websocket."""


def test_late_answer_to_a_link_does_not_change_the_view_opened_since(page: Page) -> None:
    resume_game(page, *SIDES)
    cell(page, 4).click()
    wait_for_mark(page, 4, "X")
    for link in ("#game=4x4&moves=0", "#game=5x5&moves=0&view=analyse"):
        page.evaluate(HOLD_LIVE_QUESTIONS)
        page.evaluate("hash => { location.hash = hash }", link)
        eventually(page, "window.held.length > 0")
        page.evaluate("location.hash = '#view=games'")
        page.wait_for_selector(".games-page")
        page.evaluate("window.deliver()")
        assert page.evaluate("location.hash") == "#view=games"
        assert page.locator(".games-page").count() == 1
    page.evaluate("location.hash = '#view=play'")
    wait_for_mark(page, 4, "X")
    assert page.locator(".planes [data-cell]").count() == 9


def test_late_saved_game_is_not_opened_over_another_view(page: Page) -> None:
    resume_game(page, *SIDES, game="4x3:3")
    cell(page, 5).click()
    wait_for_mark(page, 5, "X")
    page.evaluate("location.hash = '#view=games'")
    for action in ("Continue", "Analyse"):
        held = Held(page, "**/api/games/*")
        page.locator(".saved li").first.get_by_role("button", name=action).click()
        held.wait_for_request()
        page.evaluate("location.hash = '#view=home'")
        page.wait_for_selector("main.home")
        held.deliver()
        assert page.evaluate("location.hash") == "#view=home"
        page.evaluate("location.hash = '#view=games'")
        page.wait_for_selector(".saved li")


def test_back_leads_out_of_a_link(page: Page) -> None:
    page.goto("#view=games")
    page.wait_for_selector(".games-page")
    page.evaluate("location.hash = '#game=4x4&moves=5'")
    wait_for_mark(page, 5, "X")
    eventually(page, "location.hash === '#view=play'")
    page.go_back()
    page.wait_for_selector(".games-page")


# --- lost -----------------------------------------------------------------------------------------------------------


def test_board_editor_tells_a_server_that_is_down_from_a_wrong_position(home: Home, browser: Browser) -> None:
    with breakable(home) as line, visiting(browser, line.address, CUT) as page:
        page.goto("#game=3x3&view=analyse")
        page.wait_for_selector(".lines li")
        press(page, "Edit the board")
        line.cut()
        cell(page, 4).click()
        page.wait_for_selector(".offline:has-text('does not answer')")
        assert page.locator(".status.wrong").count() == 0
        line.mend()
        page.evaluate(CONNECT)
        eventually(page, "document.querySelector('.editor .status')?.textContent.includes('O to move')")
        cell(page, 0).click()
        page.wait_for_selector(".status.wrong:has-text('one X more')")


def test_error_while_a_dialog_is_open_is_shown_in_it(page: Page) -> None:
    page.goto("#view=play")
    page.wait_for_selector(".cell.legal")
    fail(page, "**/api/game")
    page.evaluate("import('/js/play/setup.js').then(({ openSetup }) => openSetup({ game: '6x5:4' }))")
    page.wait_for_selector("dialog.setup .notice:has-text('does not answer')")
    page.unroute("**/api/game")
    press(page, "Try again")
    page.wait_for_selector("dialog.setup h3:has-text('6×5')")
    assert page.locator(".notice").count() == 0


def test_courses_can_be_chosen_without_their_pictures(page: Page) -> None:
    fail(page, "**/api/position")
    with page.expect_event("requestfailed"):
        page.goto("#view=learn")
    page.locator(".course-list a").first.click()
    page.wait_for_selector(".notice:has-text('does not answer'), .failure:has-text('does not answer')")


def test_empty_board_is_tried_again(page: Page) -> None:
    page.goto("#game=3x3&moves=4&view=analyse")
    wait_for_mark(page, 4, "X")
    fail(page, "**/api/position")
    press(page, "Empty board")
    page.wait_for_selector(".notice.error:has-text('does not answer')")
    page.unroute("**/api/position")
    press(page, "Try again")
    eventually(page, "!document.querySelector('.planes .taken')")


def test_file_is_loaded_once_the_server_answers_and_only_if_it_is_right(home: Home, browser: Browser) -> None:
    load = """text => { import("/js/play/files.js").then(({ loadFile }) => loadFile(new File([text], "a.ngn"))) }"""
    with breakable(home) as line, visiting(browser, line.address, CUT) as page:
        page.goto("#view=play")
        page.wait_for_selector(".cell.legal")
        page.evaluate("import('/js/play/files.js')")
        line.cut()
        page.evaluate(load, '[Game "3x3"]\n\n1. b2 *\n')
        page.wait_for_selector(".offline:has-text('does not answer')")
        line.mend()
        page.evaluate(CONNECT)
        page.wait_for_selector(".notice:has-text('loaded a.ngn')")
        page.evaluate(load, "[Game")
        page.wait_for_selector(".notice.error")
        assert page.get_by_role("button", name="Try again").count() == 0


def test_game_is_saved_once_though_the_answer_was_lost(page: Page) -> None:
    resume_game(page, *SIDES, game="5x3:3")

    def lose_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/api/games", lose_answer)
    cell(page, 7).click()
    page.wait_for_selector(".notice.error:has-text('does not answer')")
    page.unroute("**/api/games")
    press(page, "Try again")
    saved = saved_games(page, "5x3:3")
    assert [entry["plies"] for entry in saved] == [1]


def test_deletions_are_undone_together_and_failed_ones_are_listed_again(page: Page) -> None:
    page.goto("#view=home")
    save = "body => fetch('/api/games', {method: 'POST', body, headers: {'Content-Type': 'application/json'}})"
    for game in ("3x4:3", "4x5:3"):
        page.evaluate(save, json.dumps({"game": game, "moves": [0]}))
    page.evaluate("location.hash = '#view=games'")
    rows = page.locator(".saved li", has_text=re.compile("3×4|4×5"))
    rows.nth(1).wait_for()
    for _ in range(2):
        rows.first.get_by_role("button", name="Delete").click()
    page.wait_for_selector(".notice:has-text('2 games are deleted')")
    assert rows.count() == 0
    press(page, "Undo")
    rows.nth(1).wait_for()
    fail(page, "**/api/games/*")
    for _ in range(2):
        rows.first.get_by_role("button", name="Delete").click()
    page.evaluate("import('/js/shell/app.js').then(({ commitNow }) => commitNow())")
    page.wait_for_selector(".notice.error:has-text('does not answer')")
    rows.nth(1).wait_for()


def test_link_with_damaged_variations_shows_its_position_and_says_so(page: Page) -> None:
    page.goto("#game=3x3&moves=4&view=analyse&tree=4_")
    page.wait_for_selector(".notice.error:has-text('the variations cannot be read')")
    wait_for_mark(page, 4, "X")
