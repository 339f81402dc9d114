"""The page on a phone, upright and on its side: what every move needs fits one screen, the rest is in a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from web_pages import Home, cell, change_game, eventually, open_game, press, visiting, wait_for_mark

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

UPRIGHT = {"width": 360, "height": 640}
IN_VIEW = """(selectors) => selectors.filter((selector) => {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    const bars = [...document.querySelectorAll(".top nav")].map((bar) => bar.getBoundingClientRect());
    const floor = Math.min(innerHeight, ...bars.filter((bar) => bar.top > innerHeight / 2).map((bar) => bar.top));
    return !box || box.width === 0 || box.top < 0 || box.bottom > floor + 1 || box.left < 0 || box.right > innerWidth;
})"""
"""The selectors whose first element is not wholly between the edges of the screen and above the tabs."""


@pytest.fixture
def phone(home: Home, browser: Browser) -> Iterator[Page]:
    with visiting(browser, home.address, viewport=UPRIGHT, has_touch=True) as found:
        yield found


def not_in_view(page: Page, *selectors: str) -> list[str]:
    found: list[str] = page.evaluate(IN_VIEW, list(selectors))
    return found


def test_board_status_and_four_tools_fit_one_screen(phone: Page) -> None:
    open_game(phone, "3x3")
    for game in ("3x3", "connect4", "ultimate", "gomoku", "qubic"):
        change_game(phone, game)
        board = ".scene" if game == "qubic" else ".planes"
        assert not_in_view(phone, board, ".status", ".players", ".panel > .tools") == [], game
        assert phone.locator(".panel > .tools > button:visible").count() == 4
        assert phone.evaluate("scrollY") == 0


def test_everything_else_is_in_a_sheet_that_a_choice_closes(phone: Page) -> None:
    open_game(phone, "3x3", (4, 0))
    assert not phone.locator("#entry").is_visible()
    press(phone, "More")
    assert phone.locator("#entry").is_visible()
    phone.keyboard.press("Escape")
    assert not phone.locator("#entry").is_visible()
    press(phone, "Resign")
    phone.wait_for_selector(".status.over")
    assert phone.locator("#more:popover-open").count() == 0


def test_new_game_is_shown_from_its_top(phone: Page) -> None:
    phone.set_viewport_size({"width": 360, "height": 500})
    open_game(phone, "3x3", (4, 0))
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert phone.evaluate("scrollY") > 0
    phone.evaluate("location.hash = '#game=qubic'")
    eventually(phone, "document.querySelector('.scene') && scrollY === 0")


def test_notice_covers_neither_the_board_nor_the_tools(phone: Page) -> None:
    bottom = "document.querySelector('aside.notice').getBoundingClientRect().bottom"
    open_game(phone, "3x3", (4, 0))
    for width, height in ((360, 640), (800, 1000)):
        phone.set_viewport_size({"width": width, "height": height})
        phone.evaluate("import('/js/shell/app.js').then(({ notify }) => notify('4x4x4x4 is in My games'))")
        phone.wait_for_selector("aside.notice")
        assert phone.evaluate(f"{bottom} < document.querySelector('.planes').getBoundingClientRect().top + 1")
        # Nor the sign of the page.
        assert phone.evaluate(
            "document.querySelector('.brand svg').getBoundingClientRect().right"
            " <= document.querySelector('aside.notice').getBoundingClientRect().left"
        )


def test_puzzle_names_its_game_and_what_wins(phone: Page) -> None:
    phone.goto("#view=puzzles")
    phone.wait_for_selector(".planes .legal")
    assert not_in_view(phone, ".game h1", ".game p", ".game p.how", ".game .rules-button", ".guide .task") == []


def test_review_is_shown_when_it_begins(phone: Page) -> None:
    open_game(phone, "3x3", (0, 1, 4, 8, 2, 6), "&view=analyse")
    press(phone, "Review the line")
    eventually(phone, "document.querySelector('.review').getBoundingClientRect().top < innerHeight - 100")
    phone.wait_for_selector(".mistakes li")
    assert phone.evaluate("document.querySelector('.review').getBoundingClientRect().top > 0")


@pytest.mark.parametrize("game", ["3x3", "4x4x4", "15x15:5"])
def test_hint_does_not_move_its_button_and_says_whose_turn_it_is(phone: Page, game: str) -> None:
    open_game(phone, game, (4, 0))
    hint = phone.get_by_role("button", name="Hint", exact=True)
    before = hint.bounding_box()
    hint.click()
    phone.wait_for_selector(".hint")
    after = phone.get_by_role("button", name="More of the hint").bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) < before["height"] / 2
    assert not_in_view(phone, ".hint", ".panel > .tools") == []
    assert "X to move · Hint 1 of 3" in phone.inner_text(".hint").replace("\xa0", " ")


def test_on_its_side_the_panel_is_beside_the_board(phone: Page) -> None:
    phone.set_viewport_size({"width": 640, "height": 360})
    open_game(phone, "3x3")
    cell(phone, 4).tap()
    wait_for_mark(phone, 4, "X")
    assert not_in_view(phone, ".planes", ".status", ".panel > .tools") == []
    board, panel = (phone.locator(selector).bounding_box() for selector in (".planes", ".panel"))
    assert board is not None
    assert panel is not None
    assert board["x"] + board["width"] <= panel["x"]


def test_chosen_dark_theme_is_there_from_the_first_paint(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, color_scheme="light") as page:
        page.goto("/")
        page.evaluate("""localStorage.setItem("noughts.prefs", JSON.stringify({theme: "dark"}))""")
        # The modules never arrive: what is seen is the page before they run.
        page.route("**/js/main.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
        page.reload()
        eventually(page, "getComputedStyle(document.documentElement).colorScheme === 'dark'")
        red = page.evaluate("Number(getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/)[0])")
        assert red < 60
