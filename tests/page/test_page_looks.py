"""The looks of the page: stones on crossings, tablets and small phones, windows without a scroll bar."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import pytest

from web_pages import (
    PERSON,
    Home,
    cell,
    change_game,
    command,
    engine,
    eventually,
    open_game,
    press,
    resume_game,
    visiting,
    wait_for_mark,
)

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
    assert page.evaluate(size, 217).startswith("100% 1px, 1px 50%")
    stars = page.evaluate("[...document.querySelectorAll('.cell.star')].map((node) => Number(node.dataset.cell))")
    assert stars == [48, 56, 112, 168, 176]
    open_game(page, "10x10:5+wrap", (0,))
    assert page.evaluate(size, 0).startswith("100% 1px, 1px 100%")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing_on_a_board_with_stones(page: Page, colours: Literal["light", "dark"]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    page.emulate_media(color_scheme=colours)
    open_game(page, "gomoku", (112, 113, 98))
    page.get_by_role("button", name="Stones on crossings").click()
    page.wait_for_selector(".board.stones")
    found = axe.run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()


# Tablets, phones, windows


def test_board_takes_the_width_of_an_upright_tablet(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, viewport={"width": 800, "height": 1000}) as page:
        open_game(page, "3x3")
        for game in ("gomoku", "ultimate", "connect4"):
            change_game(page, game)
            board, panel = box(page, ".plane"), box(page, ".panel")
            assert board["width"] > 660, game
            assert panel["top"] >= board["bottom"] - 1, game
            assert box(page, ".status")["bottom"] <= 1000, game
            assert box(page, ".panel > .tools")["bottom"] <= 1000, game
            assert box(page, ".newcomer")["bottom"] <= 1000, game
            assert page.evaluate(NO_SIDEWAYS), game


def test_lesson_has_its_text_below_the_board_on_an_upright_tablet(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, viewport={"width": 800, "height": 1000}) as page:
        page.goto("#view=learn&course=7x6:4%2Bgravity")
        page.wait_for_selector(".planes .legal")
        assert box(page, ".plane")["width"] > 550
        assert box(page, ".panel")["top"] >= box(page, ".plane")["bottom"] - 1
        assert box(page, ".guide")["bottom"] <= 1000


def test_legend_of_the_analysis_is_beside_the_buttons_of_a_large_board(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, viewport={"width": 360, "height": 640}, has_touch=True) as page:
        page.goto("#game=15x15:5&view=analyse&moves=112.113.96")
        page.wait_for_selector(".badge-legend .sample")
        assert box(page, ".badge-legend p > span")["right"] <= box(page, ".zoomer")["left"]


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844)])
def test_result_is_not_below_the_choice_of_cube_or_levels(
    home: Home, browser: Browser, width: int, height: int
) -> None:
    with visiting(browser, home.address, viewport={"width": width, "height": height}, has_touch=True) as page:
        open_game(page, "qubic", (1, 0, 5, 21, 10, 42, 3, 63))
        page.wait_for_selector(".status.over")
        right = """() => { const range = document.createRange();
          range.selectNodeContents(document.querySelector(".status.over"));
          return range.getBoundingClientRect().right; }"""
        assert page.evaluate(right) <= box(page, ".chooser")["left"]
        assert page.evaluate(NO_SIDEWAYS)


def test_tools_after_a_lost_game_stay_within_a_small_window(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, viewport={"width": 900, "height": 700}) as page:
        resume_game(page, PERSON, engine(), moves=[4, 0, 8, 2, 7, 1])
        page.get_by_role("button", name="Turning point").wait_for()
        assert page.evaluate(NO_SIDEWAYS)


def test_cells_can_be_found_by_their_names_in_space_and_on_a_phone(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, viewport={"width": 390, "height": 844}, has_touch=True) as page:
        open_game(page, "qubic")
        page.wait_for_selector(".scene .edge-name")
        assert "".join(page.locator(".scene .edge-name").all_text_contents()) == "abcd4321"
        open_game(page, "connect4")
        assert page.inner_text(".ranks").split() == list("654321")
        assert box(page, ".ranks")["left"] >= 0
        assert page.evaluate(NO_SIDEWAYS)


def test_names_of_views_stay_on_one_line_on_a_tablet(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, viewport={"width": 720, "height": 1000}) as page:
        open_game(page, "gomoku")
        heights = page.evaluate("[...document.querySelectorAll('.top nav a')].map((link) => link.scrollHeight)")
        assert max(heights) < 60
        assert page.evaluate(NO_SIDEWAYS)


def test_board_takes_the_width_of_a_small_phone(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, viewport={"width": 360, "height": 640}, has_touch=True) as page:
        open_game(page, "3x3")
        for game, columns in {"gomoku": 15, "ultimate4": 16, "3x3": 3, "ultimate": 9}.items():
            change_game(page, game)
            assert box(page, ".planes .cell")["width"] * columns > 305, game
            assert page.evaluate(NO_SIDEWAYS), game


def test_four_dimensions_leave_status_and_tools_above_the_tabs_of_a_small_phone(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, viewport={"width": 360, "height": 640}, has_touch=True) as page:
        open_game(page, "4x4x4x4")
        bar = box(page, ".top nav")["top"]
        assert box(page, ".status")["bottom"] <= bar
        assert box(page, ".panel > .tools")["bottom"] <= bar + 1


def test_game_fits_a_large_window(page: Page) -> None:
    open_game(page, "3x3")
    for game in ("3x3", "gomoku", "connect4", "ultimate", "qubic", "4x4x4x4"):
        change_game(page, game)
        for width, height in ((1920, 1080), (1400, 900)):
            page.set_viewport_size({"width": width, "height": height})
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
        page.get_by_role("heading", level=1).wait_for(state="attached")


@pytest.mark.parametrize("size", [(800, 1000), (1400, 900)])
def test_hint_stands_directly_below_its_button_and_leaves_title_and_status(
    home: Home, browser: Browser, size: tuple[int, int]
) -> None:
    with visiting(browser, home.address, viewport={"width": size[0], "height": size[1]}) as page:
        open_game(page, "4x4x4", (0, 1))
        press(page, "Hint")
        page.wait_for_selector(".hint")
        assert 0 <= box(page, ".hint")["top"] - box(page, ".panel > .tools")["bottom"] < 40
        assert page.locator(".panel h1").is_visible()
        assert page.locator(".panel > .status").is_visible()


def test_choice_of_how_to_play_is_seen_without_pointing_at_a_tile(page: Page) -> None:
    page.goto("/")
    page.wait_for_selector(".tile .miniature")
    choices = page.get_by_role("button", name=re.compile("^Options for "))
    assert choices.count() >= 5
    seen = "node => node.checkVisibility({ opacityProperty: true })"
    assert all(choice.evaluate(seen) for choice in choices.all())


# The end of a game


def test_score_against_the_computer_is_kept_and_a_game_taken_back_no_longer_counts(page: Page) -> None:
    resume_game(page, PERSON, engine("beginner"), moves=[0, 3, 1, 4])
    assert page.locator(".score-line").count() == 0
    cell(page, 2).click()
    page.wait_for_selector(".status.over")
    page.get_by_text("Your score against this level: 1 won, 0 drawn, 0 lost").wait_for()
    assert [page.inner_text(f".players li.{side} .wins") for side in "xo"] == ["1", "0"]
    page.reload()
    page.get_by_text("1 won, 0 drawn, 0 lost").wait_for()
    press(page, "Undo")
    page.wait_for_selector(".status:not(.over)")
    eventually(page, "!document.querySelector('.score-line')")
    cell(page, 2).click()
    page.get_by_text("1 won, 0 drawn, 0 lost").wait_for()
    press(page, "Play again")
    page.wait_for_selector(".status:not(.over)")
    press(page, "Resign")
    page.get_by_text("1 won, 0 drawn, 1 lost").wait_for()
    # Sides are swapped: the person is O now.
    assert [page.inner_text(f".players li.{side} .wins") for side in "xo"] == ["1", "1"]
    press(page, "Clear the score")
    eventually(page, "!document.querySelector('.score-line') && !document.querySelector('.wins')")


def test_game_that_was_over_when_it_was_opened_does_not_count(page: Page) -> None:
    resume_game(page, PERSON, engine(), moves=[0, 3, 1, 4, 2])
    page.wait_for_selector(".status.over")
    assert page.locator(".score-line").count() == 0


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_win_is_celebrated_unless_less_motion_is_wanted(home: Home, browser: Browser, motion: str) -> None:
    with visiting(browser, home.address, reduced_motion=motion) as page:
        resume_game(page, PERSON, engine("beginner"), moves=[0, 3, 1, 4])
        cell(page, 2).click()
        page.wait_for_selector(".status.over")
        marks = page.locator(".celebration")
        assert marks.count() == 1
        assert marks.is_visible() == (motion == "no-preference")
        assert marks.get_attribute("aria-hidden") == "true"
        page.reload()
        page.wait_for_selector(".status.over")
        assert page.locator(".celebration").count() == 0


def test_loss_against_the_computer_is_not_celebrated(page: Page) -> None:
    resume_game(page, PERSON, engine("master"), moves=[0, 3, 1, 4])
    cell(page, 8).click()
    page.wait_for_selector(".status.over")
    assert page.locator(".celebration").count() == 0


def test_linked_game_for_two_can_be_played_against_the_computer(page: Page) -> None:
    open_game(page, "3x3", (4,))
    press(page, "Play the computer")
    page.wait_for_selector(".players li.o .name:has-text('You')")
    cell(page, 0).click()
    eventually(page, "document.querySelectorAll('.planes .cell.taken').length === 3")


def test_typed_move_that_is_refused_is_explained_and_is_no_error_of_the_page(home: Home, browser: Browser) -> None:
    # Nothing on the console is allowed.
    with visiting(browser, home.address) as page:
        open_game(page, "3x3", (4,))
        command(page, "b2")
        page.wait_for_selector(".entry .how.error")
        assert page.inner_text(".entry .how") == "B2 is taken by X; or type a command: “help” lists them"


def test_text_that_is_accepted_ends_the_complaint_about_the_one_before(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address) as page:
        page.goto("#game=3x3&view=analyse")
        page.wait_for_selector("#entry")
        command(page, "c3 c4")
        page.wait_for_selector(".entry .how.error")
        command(page, "b2 a1 c3")
        eventually(page, "document.querySelectorAll('.planes .taken').length === 3")
        assert page.locator(".error").count() == 0
