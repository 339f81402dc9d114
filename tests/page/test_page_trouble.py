"""The page in trouble: a server that stops and starts, blocked storage, several tabs with one game."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from web_pages import (
    PERSON,
    SIDES,
    Home,
    cell,
    click,
    engine,
    eventually,
    press,
    resume_game,
    saved_games,
    unfold_search,
    visiting,
    wait_for_marks,
    wait_until_saved,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ALLOWED_ON_CONSOLE = ("Failed to load resource", "ERR_CONNECTION", "WebSocket connection")
"""What Chromium logs about a server that is down."""


@pytest.fixture
def stopped(home: Home) -> Iterator[Home]:
    """The server, which the test stops and starts; it runs again at the end."""
    yield home
    if not home.is_running:
        home.start()


# --- a server that stops and starts ---------------------------------------------------------------------------------


VIEWS = {
    "home": ".tile .miniature",
    "play": ".cell.legal",
    "analyse": ".lines li",
    "puzzles": ".score",
    "learn": ".course-list .miniature",
    "learn&door=think": ".comparison tbody tr",
    "games": ".games-page .empty, .saved li",
    "own": ".preview .miniature",
}


LEARN = "learn&door=think"


@pytest.mark.parametrize("view", VIEWS)
def test_view_whose_first_requests_failed_is_tried_again(page: Page, view: str) -> None:
    page.route("**/api/**", lambda route: route.abort())
    page.goto(f"#view={view}")
    page.wait_for_selector(":is(.failure, .notice):has-text('does not answer')")
    page.unroute("**/api/**")
    page.get_by_role("button", name="Try again").first.click()
    page.wait_for_selector(VIEWS[view])


def test_every_view_continues_when_the_server_is_back(stopped: Home, page: Page) -> None:
    """One stop of the server for all views, each in its own tab."""
    tabs = {view: page.context.new_page() for view in ("home", "puzzles", "own", LEARN, "guide")}
    resume_game(page, PERSON, engine())
    for view in ("home", "puzzles", "own", LEARN):
        tabs[view].goto(f"#view={view}")
        tabs[view].wait_for_selector(VIEWS[view])
    guide = tabs["guide"]
    guide.goto("#game=3x3&moves=0.1.4.8.2.6&view=analyse")
    press(guide, "Review the line")
    press(guide, "Try again at move 2")
    guide.wait_for_selector(".guide:has-text('b3 is a blunder')")
    stopped.kill()
    cell(page, 4).click()
    tabs["home"].get_by_role("button", name="Play Connect Four", exact=True).click()
    press(tabs["puzzles"], "Skip")
    tabs["own"].get_by_role("button", name="More: Width").click()
    unfold_search(tabs[LEARN])
    tabs[LEARN].select_option('select[name="algorithm"]', "alphabeta")
    cell(guide, 5).click()
    for tab in (page, *tabs.values()):
        tab.wait_for_selector(":is(.learn .failure, .notice.error):has-text('does not answer')")
    wait_for_marks(page, 0)
    stopped.start()
    for tab in (page, *tabs.values()):
        tab.locator(".learn .failure, .notice").get_by_role("button", name="Try again").click()
    wait_for_marks(page, 2)
    tabs["home"].wait_for_selector("h1:has-text('Connect Four')")
    tabs["home"].wait_for_selector(".cell.legal")
    eventually(tabs["puzzles"], "document.querySelector('main.puzzles h1')?.textContent === 'Puzzle'")
    tabs["own"].wait_for_selector("h2:has-text('7×6, 4 in a row')")
    tabs[LEARN].wait_for_selector(".knot", state="attached")
    guide.wait_for_selector(".guide .verdict:has-text('c2 is not the move')")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_analysis_continues_when_the_server_is_back(stopped: Home, page: Page, how: int) -> None:
    page.goto("#game=9x9:5&moves=40&view=analyse")
    page.wait_for_selector(".lines li")
    stopped.kill(how)
    page.wait_for_selector(".failure:has-text('does not answer')")
    page.evaluate("document.querySelector('.lines')?.setAttribute('data-old', '')")
    stopped.start()
    page.wait_for_selector(".failure", state="detached")
    page.wait_for_selector(".lines li")


def test_answer_that_breaks_off_is_a_lost_connection(page: Page) -> None:
    page.route("**/api/trace", lambda route: route.fulfill(content_type="application/json", body='{"nodes": ['))
    page.goto("#view=learn&door=think")
    page.wait_for_selector(".learn .failure:has-text('does not answer')")
    page.unroute("**/api/trace")
    page.locator(".learn .failure").get_by_role("button", name="Try again").click()
    page.wait_for_selector(".knot", state="attached")


def test_view_stays_when_the_list_of_games_fails(page: Page) -> None:
    page.route("**/api/catalogue*", lambda route: route.abort())
    page.goto("#view=learn&door=think")
    page.wait_for_selector(".notice:has-text('does not answer')")
    page.wait_for_selector('select[name="algorithm"]', state="attached")
    page.unroute("**/api/catalogue*")
    press(page, "Try again")
    eventually(page, "document.querySelectorAll('select[name=algorithm] option').length > 1")
    page.wait_for_selector(".notice", state="detached")


def test_view_whose_module_could_not_be_fetched_is_tried_again(page: Page) -> None:
    page.goto("#view=play")
    page.wait_for_selector(".cell.legal")
    page.route("**/js/analysis/analysis_view.js", lambda route: route.abort())
    press(page, "Analyse")
    page.wait_for_selector(".failure:has-text('does not answer')")
    page.unroute("**/js/analysis/analysis_view.js")
    press(page, "Try again")
    page.wait_for_selector("main.analyse .planes")


# --- storage --------------------------------------------------------------------------------------------------------

BLOCKED = """Object.defineProperty(window, "localStorage", {
    get() { throw new DOMException("denied", "SecurityError"); } });"""
FULL = """Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };"""


@pytest.mark.parametrize("script", [BLOCKED, FULL])
def test_games_are_played_and_listed_without_storage(home: Home, browser: Browser, script: str) -> None:
    with visiting(browser, home.address) as page:
        page.add_init_script(script)
        page.goto("#view=play")
        page.wait_for_selector(".notice:has-text('stores nothing')")
        page.wait_for_selector(".cell.legal")
        cell(page, 4).click()
        wait_for_marks(page, 2)
        page.goto("#view=games")
        page.wait_for_selector(".saved li")
        page.wait_for_selector(".games-page .how:has-text('stores nothing')")
        assert page.locator(".notice").count() == 0
        page.goto("#view=play")
        wait_for_marks(page, 2)


# --- several tabs ---------------------------------------------------------------------------------------------------


def test_of_two_tabs_with_one_game_the_later_one_continues_it(page: Page) -> None:
    resume_game(page, *SIDES, game="4x5:4")
    for many, move in enumerate((5, 6)):
        cell(page, move).click()
        wait_for_marks(page, many + 1)
    wait_until_saved(page)
    other = page.context.new_page()
    other.goto("#view=play")
    wait_for_marks(other, 2)
    page.wait_for_selector(".failure:has-text('another tab')")
    for many, move in enumerate((9, 10, 13, 14)):
        cell(other, move).click()
        wait_for_marks(other, many + 3)
    wait_until_saved(other)
    click(page, '.planes [data-cell="0"]')
    page.wait_for_selector(".notice.error:has-text('another tab')")
    wait_for_marks(page, 2)
    press(page, "Play here")
    wait_for_marks(page, 6)
    other.wait_for_selector(".failure:has-text('another tab')")
    cell(page, 0).click()
    wait_for_marks(page, 7)
    saved = saved_games(page, "4x5:4")
    assert [entry["plies"] for entry in saved] == [7]


def test_engine_thinks_in_one_of_two_tabs_only(page: Page) -> None:
    resume_game(page, PERSON, engine("master"), game="15x15:5")
    asked: list[str] = []
    page.route("**/api/move", lambda route: asked.append("first"))
    cell(page, 112).click()
    eventually(page, "document.querySelector('.status')?.textContent.includes('thinking')")
    other = page.context.new_page()
    other.goto("#view=play")
    wait_for_marks(other, 2)
    page.wait_for_selector(".failure:has-text('another tab')")
    assert asked == ["first"]
    press(page, "Play here")
    wait_for_marks(page, 2)


def test_other_games_in_other_tabs_do_not_disturb_each_other(page: Page) -> None:
    resume_game(page, *SIDES)
    cell(page, 4).click()
    wait_for_marks(page, 1)
    other = page.context.new_page()
    other.goto("#game=4x4:4")
    cell(other, 0).click()
    wait_for_marks(other, 1)
    cell(page, 0).click()
    wait_for_marks(page, 2)
    assert page.locator(".failure").count() == other.locator(".failure").count() == 0
