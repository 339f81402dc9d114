"""The Analyse view in a real browser: values, lines, the tree, the editor, and what survives a reload."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import noughts as no
from web_pages import (
    COUNT_SHIFTS,
    Home,
    cell,
    eventually,
    open_game,
    press,
    visiting,
    wait_for_mark,
    wait_until,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route


ALLOWED_ON_CONSOLE = ("ERR_FAILED",)


def open_analysis(page: Page, game: str, moves: tuple[int, ...] = ()) -> None:
    open_game(page, game, moves, "&view=analyse")


def moves_in_tree(page: Page, count: int) -> None:
    eventually(page, "count => document.querySelectorAll('.branches .move').length === count", count)


# --- values and lines -----------------------------------------------------------------------------------------------


def test_proven_values_look_different_and_their_lines_reach_the_end(page: Page) -> None:
    open_analysis(page, "3x3", (4, 1))
    page.wait_for_selector(".cell.worth-win")
    eventually(page, "document.querySelector('.found')?.textContent.includes('proven')")
    assert page.locator(".lines li").count() == 3
    assert re.match(r"wins in \d\s*proven", page.inner_text(".lines li:first-child .worth"))
    assert "wins in" in (page.locator(".cell.best").get_attribute("aria-label") or "")
    press(page, "Values on the board")
    eventually(page, "!document.querySelector('.badge')")
    press(page, "Solve this position")
    eventually(page, "document.querySelector('.solved')?.textContent.includes('Proven: X wins with')")


def test_win_by_a_double_threat_is_shown_to_its_end(page: Page) -> None:
    # X on h8, i9 and g7: one more makes an open four.
    open_analysis(page, "15x15:5", (112, 96, 98, 210, 126, 195))
    page.wait_for_selector(".lines li .worth.win")
    eventually(page, "document.querySelectorAll('.lines li:first-child .pv .move').length >= 3")


def test_estimates_of_many_moves_are_numbers_on_the_best_moves_only(page: Page) -> None:
    open_analysis(page, "9x9:5", (40,))
    eventually(page, "document.querySelectorAll('.cell[class*=worth-]').length > 50")
    assert re.fullmatch(r"\d+%", page.inner_text(".lines li:first-child .worth"))
    written = [text for text in page.locator(".badge").all_inner_texts() if text]
    assert len(written) == 3
    assert all(re.fullmatch(r"\d+%", text) for text in written)


def test_every_move_is_labelled_if_there_are_few(page: Page) -> None:
    open_analysis(page, "7x6:4+gravity")
    eventually(page, "() => document.querySelectorAll('.planes .badge').length === 7")
    assert all(
        re.fullmatch(r"(wins|loses)(\sin\s\d+)?|draw|\d+%", text) for text in page.locator(".badge").all_inner_texts()
    )
    assert page.locator(".arrow").count() == 0


def test_labels_in_words_have_a_line_that_says_whose_they_are(page: Page) -> None:
    open_analysis(page, "3x3", (4,))
    eventually(page, "() => document.querySelectorAll('.planes .badge').length === 8")
    assert page.inner_text(".badge-legend") == "What each move of O leads to"
    press(page, "Values on the board")
    eventually(page, "!document.querySelector('.badge-legend')")


def test_value_that_most_moves_of_a_large_board_have_is_said_once(page: Page) -> None:
    # X has an open four in Gomoku, and then it is O's turn: every move loses.
    open_analysis(page, "15x15:5", (112, 0, 113, 1, 114, 2, 115))
    eventually(page, "document.querySelector('.found')?.textContent.includes('proven')")
    eventually(page, "document.querySelector('.badge-legend').textContent.includes('Every move loses in 1 move')")
    assert page.locator(".planes .badge").count() == 0
    assert page.locator(".planes .worth-loss").count() > 200
    # With a line that X must stop, only the move that does is labelled.
    open_analysis(page, "4x4x4", (5, 10, 13, 26, 23, 42))
    eventually(page, "document.querySelector('.badge-legend').textContent.includes('Every other move loses in 1 move')")
    assert page.locator(".planes .badge").count() == 1


def test_legend_explains_nothing_while_the_best_line_is_on_the_board(page: Page) -> None:
    open_analysis(page, "3x3", (0, 1))
    eventually(page, "document.querySelector('.badge-legend').textContent !== ''")
    page.get_by_role("button", name="Best line on the board").click()
    eventually(page, "document.querySelector('.badge-legend').textContent === ''")


def test_best_move_of_ultimate_is_outlined_over_the_outline_of_its_board(page: Page) -> None:
    open_analysis(page, "ultimate:3", (40, 36))
    page.wait_for_selector(".cell.best")
    best, board = (
        page.locator(selector).first.evaluate("node => Number(getComputedStyle(node).zIndex)")
        for selector in (".cell.best", ".target")
    )
    assert best > board


def test_engine_lines_end_with_a_whole_move(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, viewport={"width": 360, "height": 740}) as page:
        open_analysis(page, "3x3", (4, 0))
        eventually(page, "document.querySelectorAll('.lines li:first-child .pv .move').length > 4")
        assert page.evaluate(
            """() => [...document.querySelectorAll('.lines .pv')].every((line) => {
              const box = line.getBoundingClientRect();
              const shown = [...line.children].map((move) => move.getBoundingClientRect());
              return shown.every(({ top, right }) => top >= box.bottom - 1 || right <= box.right + 0.5);
            })"""
        )


def test_graph_without_a_curve_says_how_to_get_one(page: Page) -> None:
    open_analysis(page, "3x3", (4, 0, 8))
    page.wait_for_selector(".plot .no-curve:has-text('A review draws the curve')")
    press(page, "Review the line")
    eventually(page, "!document.querySelector('.plot .no-curve')")


def test_analysis_of_a_finished_game_shows_who_won(page: Page) -> None:
    open_analysis(page, "3x3", (0, 3, 1, 4, 2))
    page.get_by_role("img", name="Evaluation: 100% for X", exact=True).wait_for()


def test_another_game_in_the_analysis_of_a_phone_moves_nothing(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, viewport={"width": 360, "height": 640}) as page:
        page.add_init_script(COUNT_SHIFTS)
        open_analysis(page, "4x4x4", (21,))
        page.wait_for_selector(".lines li")
        page.evaluate("location.hash = '#game=connect4&moves=38&view=analyse'")
        page.wait_for_selector(".dropped")
        page.wait_for_selector(".lines li")
        assert page.evaluate("window.shift") < 0.02
        assert page.get_by_text("Add a comment").is_visible()
        assert page.locator(".comment-box").is_hidden()


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (800, 1000), (1400, 900), (1920, 1080)])
def test_page_stands_still_while_lines_arrive_and_a_move_is_played(
    home: Home, browser: Browser, size: tuple[int, int]
) -> None:
    with visiting(browser, home.address, viewport={"width": size[0], "height": size[1]}) as page:
        page.add_init_script(COUNT_SHIFTS)
        open_analysis(page, "7x6:4+gravity", (38, 31))
        eventually(page, "document.querySelectorAll('.lines li').length === 3")
        cell(page, 24).click()
        wait_for_mark(page, 24, "X")
        eventually(page, "document.querySelectorAll('.lines .move').length > 6")
        press(page, "One move back")
        eventually(page, "document.querySelectorAll('.planes .badge').length === 7")
        assert page.evaluate("window.shift") < 0.02


def test_best_line_is_shown_as_numbered_marks(page: Page) -> None:
    open_analysis(page, "3x3", (4, 1))
    eventually(page, "document.querySelector('.found')?.textContent.includes('proven')")
    press(page, "Best line on the board")
    eventually(page, "document.querySelectorAll('.planes .order').length >= 3")
    first = page.locator(".planes .cell:has(.order)", has_text="1").first
    assert "move 1 of the line shown" in (first.get_attribute("aria-label") or "")
    press(page, "Best line on the board")
    eventually(page, "document.querySelectorAll('.planes .badge').length === 7")


def test_threats_that_are_asked_for_are_missed_in_words(page: Page) -> None:
    open_analysis(page, "3x3", (4,))
    press(page, "Threats")
    page.wait_for_selector(".engine:has-text('No threats now.')")


def test_draw_is_written_as_a_word_on_its_cell(page: Page) -> None:
    open_analysis(page, "3x3", (4,))
    eventually(page, "() => [...document.querySelectorAll('.badge')].some(one => one.textContent === 'draw')")
    eventually(page, "document.querySelector('.planes [data-cell=\"0\"]').ariaLabel.includes('draw')")


def test_one_to_five_lines_are_shown(page: Page) -> None:
    open_analysis(page, "5x5:4", (12,))
    page.wait_for_selector(".lines li")
    for count in ("5", "1"):
        page.select_option(".effort select", count)
        eventually(page, "count => document.querySelectorAll('.lines li').length === Number(count)", count)


def test_mirrored_moves_have_equal_values(page: Page) -> None:
    open_analysis(page, "7x7:4+gravity")
    eventually(page, "document.querySelectorAll('.cell[class*=worth-]').length === 7")
    values = page.evaluate(
        """() => [42, 43, 44, 45, 46, 47, 48].map((cell) =>
            document.querySelector(`.planes [data-cell="${cell}"]`).style.getPropertyValue("--chance"))"""
    )
    assert values == values[::-1]


def test_book_entries_show_at_once(page: Page) -> None:
    open_analysis(page, "7x6:4+gravity")
    page.wait_for_selector(".lines li .worth.win .proven:has-text('book')")
    assert page.inner_text(".lines li:first-child .pv .move:first-child") == "d1"


def test_engine_keeps_thinking_without_a_limit_until_stopped(page: Page) -> None:
    def shorten(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("[30, 60]", "[1, 1]"))

    page.route("**/js/analysis/analysis.js", shorten)
    open_analysis(page, "9x9:5", (40,))
    eventually(page, "document.querySelector('.found')?.textContent.includes('Searched')")
    press(page, "Keep thinking without a time limit")
    eventually(page, "document.querySelector('.found')?.textContent.includes('No time limit')")
    wait_until(page, lambda: page.evaluate("import('/js/shell/app.js').then(({ state }) => state.analysis.round)") >= 2)
    assert "No time limit" in page.inner_text(".found")
    assert page.locator(".lines li").count() == 3
    press(page, "Keep thinking without a time limit")
    eventually(page, "document.querySelector('.found')?.textContent.includes('Searched')")


# --- the tree -------------------------------------------------------------------------------------------------------


def test_variations_make_a_tree_that_can_be_walked_and_pruned(page: Page) -> None:
    open_analysis(page, "4x4:3", (5, 6, 9))
    press(page, "One move back")
    page.wait_for_selector('.planes [data-cell="9"]:not(.taken)')
    cell(page, 10).click()
    wait_for_mark(page, 10, "X")
    assert page.locator(".branches > ul > li").count() == 1
    press(page, "Make it the main line")
    page.wait_for_selector(".branches > ul > li .move:has-text('b2')")
    page.locator(".branches > ul .move").first.click()
    wait_for_mark(page, 9, "X")
    press(page, "Delete from here on")
    moves_in_tree(page, 3)
    page.locator(".lines .pv .move").first.click()
    eventually(page, "document.querySelectorAll('.branches .move').length >= 4")


def test_whole_tree_with_comments_survives_a_reload_and_is_shared_by_link(
    home: Home, browser: Browser, page: Page
) -> None:
    open_analysis(page, "7x6:4+gravity", (38, 31))
    press(page, "One move back")
    cell(page, 37).click()
    wait_for_mark(page, 37, "O")
    page.fill(".comment-box textarea", "a quiet reply")
    page.locator(".comment-box textarea").blur()
    moves_in_tree(page, 3)
    here = page.url
    page.reload()
    wait_for_mark(page, 37, "O")
    moves_in_tree(page, 3)
    assert page.input_value(".comment-box textarea") == "a quiet reply"
    assert page.url == here
    page.click(".keep summary")
    link = page.input_value("#link-tree")
    with visiting(browser, home.address) as other:
        other.goto(link)
        wait_for_mark(other, 37, "O")
        moves_in_tree(other, 3)
        assert other.inner_text(".noted") == "a quiet reply"


def test_each_position_has_its_own_address(page: Page) -> None:
    open_analysis(page, "3x3", (4,))
    cell(page, 0).click()
    wait_for_mark(page, 0, "O")
    eventually(page, "location.hash.includes('moves=4.0')")
    press(page, "One move back")
    eventually(page, "location.hash.includes('moves=4&')")


def test_analysis_is_saved_opened_and_deleted(page: Page) -> None:
    open_analysis(page, "3x3", (4, 0))
    page.click(".keep summary")
    press(page, "Keep in this browser")
    press(page, "Empty board")
    moves_in_tree(page, 0)
    page.locator(".saved-analyses li button").first.click()
    moves_in_tree(page, 2)
    press(page, "Delete Tic-tac-toe")
    eventually(page, "!document.querySelector('.saved-analyses')")
    press(page, "Undo")
    page.wait_for_selector(".saved-analyses li")


@pytest.mark.parametrize("format", ["ngn", "sgf"])
def test_variations_and_comments_survive_a_file(page: Page, format: str, tmp_path: Path) -> None:
    open_analysis(page, "4x4:3", (5, 6, 9))
    press(page, "One move back")
    page.wait_for_selector('.planes [data-cell="9"]:not(.taken)')
    cell(page, 10).click()
    wait_for_mark(page, 10, "X")
    page.fill(".comment-box textarea", "wider")
    page.locator(".comment-box textarea").blur()
    page.click(".keep summary")
    with page.expect_download() as saved:
        press(page, f"Save as .{format}")
    file = tmp_path / f"tree.{format}"
    saved.value.save_as(file)
    (line,) = no.load(file).variations
    assert (line.moves, dict(line.comments)) == ((5, 6, 10), {3: "wider"})
    press(page, "Empty board")
    moves_in_tree(page, 0)
    page.set_input_files(".keep input[type=file]", file)
    moves_in_tree(page, 4)
    assert page.locator(".branches > ul > li").count() == 1
    assert page.inner_text(".noted") == "wider"


def test_variation_is_promoted_and_its_removal_undone(page: Page) -> None:
    open_analysis(page, "4x4:3", (5, 6, 9, 0))
    page.locator(".branches .move").nth(1).click()
    page.wait_for_selector('.planes [data-cell="9"]:not(.taken)')
    for move, side in ((10, "X"), (11, "O")):
        cell(page, move).click()
        wait_for_mark(page, move, side)
    press(page, "Promote")
    eventually(page, "document.querySelector('.branches > ul > li .move')?.textContent.includes('b2')")
    assert page.locator(".branches > ul > li").count() == 1
    press(page, "Delete from here on")
    moves_in_tree(page, 5)
    press(page, "Undo")
    moves_in_tree(page, 6)
    wait_for_mark(page, 11, "O")


def paste(page: Page, text: str) -> None:
    page.fill("#entry", text)
    page.locator("#entry").press("Enter")


def test_moves_are_pasted_onto_the_board(page: Page) -> None:
    open_analysis(page, "7x6:4+gravity", (38,))
    paste(page, "dd e")
    moves_in_tree(page, 4)
    assert page.input_value("#entry") == ""
    paste(page, "1. d1 c1 (1... b1 2. b2)")
    moves_in_tree(page, 7)
    paste(page, "d9 d9")
    eventually(
        page, "document.querySelector('.entry .error')?.textContent.includes('xpected moves, a position or the text')"
    )
    assert "ply" not in page.inner_text(".entry .error").lower()


def test_position_and_sgf_are_pasted(page: Page) -> None:
    open_analysis(page, "3x3")
    paste(page, "7/7/7/3x3/2xo3/1oxo3 x")
    eventually(page, "document.querySelector('h1')?.textContent === 'Connect Four'")
    assert page.locator(".planes .taken").count() == 6
    paste(page, "(;GM[4]SZ[15]\n;B[hh](;W[ii]\n;B[gg])(;W[gg]C[wider]))")
    eventually(page, "document.querySelector('h1')?.textContent === 'Gomoku'")
    moves_in_tree(page, 4)
    assert page.inner_text(".noted") == "wider"


def test_analyse_tab_shows_the_game_being_played(page: Page) -> None:
    open_analysis(page, "3x3", (4, 0))
    page.evaluate("location.hash = '#game=7x6:4%2Bgravity&moves=38&view=play'")
    eventually(page, "document.querySelector('h1')?.textContent === 'Connect Four'")
    page.click("nav a:has-text('Analyse')")
    page.wait_for_selector("main.analyse")
    eventually(page, "document.querySelector('h1')?.textContent === 'Connect Four'")
    wait_for_mark(page, 38, "X")
    # The analysis stays as long as the game has not changed.
    cell(page, 31).click()
    wait_for_mark(page, 31, "O")
    page.click("nav a:has-text('Learn')")
    page.wait_for_selector("main.learn")
    page.click("nav a:has-text('Analyse')")
    wait_for_mark(page, 31, "O")


def test_current_move_is_scrolled_into_view(page: Page) -> None:
    moves = tuple(range(80))
    visible = """list => {
        const frame = document.querySelector(list), step = frame.querySelector('[aria-current]');
        if (!step) return false;
        const [a, b] = [frame.getBoundingClientRect(), step.getBoundingClientRect()];
        return b.top >= a.top - 1 && b.bottom <= a.bottom + 1;
    }"""
    open_game(page, "20x20:9", moves)
    eventually(page, visible, ".moves ol")
    open_analysis(page, "20x20:9", moves)
    eventually(page, visible, ".branches")
    page.locator(".branches .move").first.click()
    eventually(page, "document.querySelector('.branches .move')?.getAttribute('aria-current') === 'step'")
    eventually(page, visible, ".branches")


def test_failed_move_leaves_no_mark_behind_and_can_be_tried_again(page: Page) -> None:
    open_analysis(page, "3x3", (4,))
    page.route("**/api/position", lambda route: route.abort())
    cell(page, 0).click()
    page.wait_for_selector(".notice.error")
    assert page.locator(".planes .taken").count() == 1
    page.unroute("**/api/position")
    press(page, "Try again")
    wait_for_mark(page, 0, "O")


def test_line_under_the_mouse_is_previewed_on_the_board(page: Page) -> None:
    open_analysis(page, "3x3", (4, 1))
    eventually(page, "document.querySelector('.found')?.textContent.includes('proven')")
    page.locator(".lines li:first-child .pv .move").nth(2).hover()
    eventually(page, "document.querySelectorAll('.planes .order').length === 3")
    page.mouse.move(5, 5)
    eventually(page, "!document.querySelector('.planes .order')")
    assert page.locator(".planes .taken").count() == 2


# --- the editor -----------------------------------------------------------------------------------------------------


def test_position_is_set_up_by_hand_and_analysed(page: Page) -> None:
    open_analysis(page, "3x3")
    press(page, "Edit the board")
    for move in (0, 1):
        cell(page, move).click()
    eventually(page, "document.querySelector('.status')?.textContent.includes('2 X and 0 O')")
    assert page.get_by_role("button", name="Analyse this position").is_disabled()
    press(page, "Place O")
    for move in (3, 4):
        cell(page, move).click()
    eventually(page, "document.querySelector('.status')?.textContent.includes('X to move')")
    press(page, "Analyse this position")
    page.wait_for_selector(".lines .worth.win")
    assert page.inner_text(".lines li:first-child .pv .move") == "c3"
    page.reload()
    wait_for_mark(page, 4, "O")


def test_block_to_play_is_set_in_ultimate(page: Page) -> None:
    open_analysis(page, "ultimate:2")
    press(page, "Edit the board")
    cell(page, 0).click()
    page.select_option(".editor select", "2")
    eventually(page, "document.querySelectorAll('.target.sent').length === 1")
    press(page, "Analyse this position")
    page.wait_for_selector(".lines li")
    assert "board 3" in page.inner_text(".status")
