"""The looks of the page: stones on crossings, tablets and small phones, windows without a scroll bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from web_pages import Home, cell, eventually, open_game, press, visiting, wait_for_mark

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BOX = "selector => document.querySelector(selector).getBoundingClientRect().toJSON()"
FITS = "document.documentElement.scrollHeight <= innerHeight"
NO_SIDEWAYS = "document.documentElement.scrollWidth <= innerWidth"


def box(page: Page, selector: str) -> dict[str, float]:
    found: dict[str, float] = page.evaluate(BOX, selector)
    return found


# Stones


def test_stones_are_a_switch_for_flat_boards_without_gravity_that_is_kept(page: Page) -> None:
    switch = page.get_by_role("button", name="Stones on crossings")
    for game in ("connect4", "qubic", "ultimate"):
        open_game(page, game)
        assert switch.count() == 0, game
    open_game(page, "gomoku", (112, 113))
    assert switch.get_attribute("aria-pressed") == "false"
    assert page.locator(".board.stones").count() == 0
    switch.click()
    page.wait_for_selector(".board.stones .cell.taken .mark.x")
    assert switch.get_attribute("aria-pressed") == "true"
    cell(page, 98).click()
    wait_for_mark(page, 98, "X")
    # The cross is replaced by a round stone; the names of cells for screen readers stay.
    assert not page.locator('.planes [data-cell="98"] .mark path').is_visible()
    radius = page.locator('.planes [data-cell="98"] .mark').evaluate("node => getComputedStyle(node).borderRadius")
    assert radius == "50%"
    assert (cell(page, 98).get_attribute("aria-label") or "").startswith("i9, X")
    page.reload()
    page.wait_for_selector(".board.stones")
    open_game(page, "connect4", (38,))
    assert page.locator(".board.stones").count() == 0


def test_crossings_have_lines_to_the_edge_of_the_board_and_no_further(page: Page) -> None:
    open_game(page, "gomoku")
    page.get_by_role("button", name="Stones on crossings").click()
    page.wait_for_selector(".board.stones")
    size = """cell => getComputedStyle(
      document.querySelector(`.planes [data-cell="${cell}"]`), "::before").backgroundSize"""
    assert page.evaluate(size, 112).startswith("100% 1px, 1px 100%")
    assert page.evaluate(size, 0).startswith("50% 1px, 1px 50%")
    assert page.evaluate(size, 7).startswith("100% 1px, 1px 50%")
    stars = page.evaluate("[...document.querySelectorAll('.cell.star')].map((node) => Number(node.dataset.cell))")
    assert stars == [48, 56, 112, 168, 176]
    open_game(page, "10x10:5+wrap", (0,))
    assert page.evaluate(size, 0).startswith("100% 1px, 1px 100%")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing_on_a_board_with_stones(page: Page, colours: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    page.emulate_media(color_scheme=colours)
    open_game(page, "gomoku", (112, 113, 98))
    page.get_by_role("button", name="Stones on crossings").click()
    page.wait_for_selector(".board.stones")
    found = axe.run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()


# Tablets, phones, windows


@pytest.mark.parametrize("game", ["gomoku", "ultimate", "connect4"])
def test_board_takes_the_width_of_an_upright_tablet(home: Home, browser: Browser, game: str) -> None:
    with visiting(browser, home.address, viewport={"width": 800, "height": 1000}) as page:
        open_game(page, game, (40,) if game != "connect4" else (38,))
        board, panel = box(page, ".plane"), box(page, ".panel")
        assert board["width"] > 660
        assert panel["top"] >= board["bottom"] - 1
        assert box(page, ".status")["bottom"] <= 1000
        assert box(page, ".panel > .tools")["bottom"] <= 1000
        assert page.evaluate(NO_SIDEWAYS)


def test_names_of_views_stay_on_one_line_on_a_tablet(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, viewport={"width": 720, "height": 1000}) as page:
        open_game(page, "gomoku")
        heights = page.evaluate("[...document.querySelectorAll('.top nav a')].map((link) => link.scrollHeight)")
        assert max(heights) < 60
        assert page.evaluate(NO_SIDEWAYS)


@pytest.mark.parametrize(("game", "columns"), [("gomoku", 15), ("ultimate4", 16), ("3x3", 3), ("ultimate", 9)])
def test_board_takes_the_width_of_a_small_phone(home: Home, browser: Browser, game: str, columns: int) -> None:
    with visiting(browser, home.address, viewport={"width": 360, "height": 640}, has_touch=True) as page:
        open_game(page, game)
        cells = box(page, ".planes .cell")["width"]
        assert cells * columns > 305
        assert page.evaluate(NO_SIDEWAYS)


def test_four_dimensions_leave_status_and_tools_above_the_tabs_of_a_small_phone(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, viewport={"width": 360, "height": 640}, has_touch=True) as page:
        open_game(page, "4x4x4x4")
        bar = box(page, ".top nav")["top"]
        assert box(page, ".status")["bottom"] <= bar
        assert box(page, ".panel > .tools")["bottom"] <= bar + 1


@pytest.mark.parametrize("size", [(1920, 1080), (1400, 900)])
@pytest.mark.parametrize("game", ["3x3", "gomoku", "connect4", "ultimate", "qubic", "4x4x4x4"])
def test_game_fits_a_large_window(home: Home, browser: Browser, game: str, size: tuple[int, int]) -> None:
    with visiting(browser, home.address, viewport={"width": size[0], "height": size[1]}) as page:
        open_game(page, game)
        eventually(page, FITS)


def test_hint_leaves_the_text_box_where_it_is_in_a_large_window(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, viewport={"width": 1400, "height": 900}) as page:
        open_game(page, "gomoku", (112, 113))
        before = box(page, "#entry")["top"]
        tools = box(page, ".panel > .tools")["top"]
        press(page, "Hint")
        page.wait_for_selector(".hint")
        assert abs(box(page, "#entry")["top"] - before) < 40
        assert abs(box(page, ".panel > .tools")["top"] - tools) < 40
        assert box(page, "#entry")["bottom"] < 900


def test_choice_of_how_to_play_is_seen_without_pointing_at_a_tile(page: Page) -> None:
    page.goto("/")
    page.wait_for_selector(".tile .miniature")
    choices = page.locator(".tile > .quiet")
    assert choices.count() >= 5
    assert choices.first.evaluate("node => getComputedStyle(node).opacity") == "1"
