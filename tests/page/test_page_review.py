"""Reviews in a real browser: labels, the guide from mistake to mistake, and work that continues in other views."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from web_pages import COUNT_SHIFTS, Home, cell, eventually, open_game, press, visiting, wait_for_mark

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BLUNDERS = (0, 1, 4, 8, 2, 6, 5, 3)
"""Tic-tac-toe with two blunders: O answers the corner on the edge, and X misses its win."""
GOMOKU = (112, 113, 128, 96)


def review(page: Page, game: str, moves: tuple[int, ...]) -> None:
    """Open the review of a line, without the guide."""
    open_game(page, game, moves, "&view=analyse")
    press(page, "Review the line")


def test_review_labels_moves_and_lists_the_mistakes_of_the_reviewed_line(page: Page) -> None:
    review(page, "3x3", BLUNDERS)
    page.wait_for_selector(".mistakes li")
    assert page.locator(".graph .curve").count() == 1
    assert page.locator(".branches .is-blunder").count() == 2
    assert "%" in page.inner_text(".review tbody tr:first-child")
    count = page.locator(".mistakes li").count()
    # In a variation the list is still that of the table above it.
    page.locator(".branches .move").first.click()
    page.wait_for_selector('.planes [data-cell="1"]:not(.taken)')
    cell(page, 8).click()
    wait_for_mark(page, 8, "O")
    assert page.locator(".mistakes li").count() == count


@pytest.mark.parametrize("is_guided", [False, True], ids=["review", "guide"])
@pytest.mark.parametrize("size", [(360, 640), (390, 844), (800, 1000), (1400, 900), (1920, 1080)])
def test_page_stands_still_when_the_review_arrives(
    home: Home, browser: Browser, size: tuple[int, int], is_guided: bool
) -> None:
    with visiting(browser, home.address, viewport={"width": size[0], "height": size[1]}) as page:
        page.add_init_script(COUNT_SHIFTS)
        open_game(page, "7x6:4+gravity", (38, 37, 31, 24, 30, 39, 40, 23), "&view=analyse")
        page.wait_for_selector(".lines li")
        page.evaluate("guided => import('/js/analysis/review.js').then((it) => it.startReview(guided))", is_guided)
        page.wait_for_selector(".guide progress" if is_guided else ".review progress")
        # The beginning makes room; that is not counted, whether the review takes long or not.
        in_a_frame = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        page.evaluate(f"{in_a_frame}.then(() => (window.shift = 0))")
        page.wait_for_selector(".guide .task:has-text('Find a better move')" if is_guided else ".mistakes li")
        page.evaluate(in_a_frame)
        assert page.evaluate("window.shift") < 0.02


def test_second_try_is_judged_beside_the_board(page: Page) -> None:
    review(page, "3x3", BLUNDERS)
    page.wait_for_selector(".mistakes li")
    press(page, "Try again at move 2")
    page.wait_for_selector('.planes [data-cell="1"]:not(.taken)')
    assert page.locator(".badge, .lines").count() == 0
    cell(page, 2).click()
    eventually(page, "document.querySelector('.table .verdict')?.textContent.includes('is not the move')")
    cell(page, 4).click()
    page.wait_for_selector(".table .verdict.good")
    wait_for_mark(page, 4, "O")
    on_screen = """() => {
        const box = document.querySelector('.verdict').getBoundingClientRect();
        const board = document.querySelector('.planes').getBoundingClientRect();
        return box.top >= 0 && box.bottom <= innerHeight && board.bottom > 0 && board.top < innerHeight;
    }"""
    assert page.evaluate(on_screen)


def test_verdicts_have_reasons_and_their_line_on_the_board(page: Page) -> None:
    review(page, "3x3", BLUNDERS)
    page.wait_for_selector(".mistakes li")
    press(page, "Try again at move 5")
    page.wait_for_selector('.planes [data-cell="2"]:not(.taken)')
    cell(page, 2).click()
    eventually(page, "document.querySelector('.verdict')?.textContent.includes('that is what was played')")
    eventually(page, "document.querySelectorAll('.planes .order').length >= 2")
    press(page, "Show the answer")
    eventually(page, "/^Better is .*: a win.*; it /.test(document.querySelector('.verdict')?.textContent)")
    eventually(page, "document.querySelectorAll('.planes .order').length >= 2")
    press(page, "Close")
    eventually(page, "!document.querySelector('.planes .order')")


def test_guide_leads_from_mistake_to_mistake_by_enter_and_ends_with_a_summary(page: Page) -> None:
    review(page, "3x3", BLUNDERS)
    page.wait_for_selector(".mistakes li")
    total = page.locator(".mistakes li").count()
    press(page, "Step through all mistakes")
    eventually(page, "document.querySelector('.guide .count')?.textContent.startsWith('Mistake 1 of')")
    press(page, "Show the answer")
    eventually(page, "document.querySelector('.guide .verdict')?.textContent.startsWith('Better is ')")
    page.wait_for_selector(".guide .primary:focus")
    page.keyboard.press("Enter")
    for number in range(2, total + 1):
        eventually(page, f"document.querySelector('.guide .count')?.textContent.startsWith('Mistake {number} of')")
        press(page, "Skip")
    eventually(page, "document.querySelector('.guide.done .task')")
    assert page.inner_text(".guide .task") == f"You found 0 of {total} better moves."
    assert page.inner_text(".guide .count") == f"0 found, 1 shown, {total - 1} skipped"
    press(page, "Close")
    page.wait_for_selector(".engine")


def test_verdict_is_on_the_screen_of_a_phone(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, viewport={"width": 360, "height": 740}) as phone:
        review(phone, "3x3", BLUNDERS)
        phone.wait_for_selector(".mistakes li")
        press(phone, "Try again at move 2")
        phone.wait_for_selector('.planes [data-cell="1"]:not(.taken)')
        eventually(phone, "document.querySelector('.planes')?.getBoundingClientRect().top > -2")
        cell(phone, 4).click()
        phone.wait_for_selector(".verdict.good")
        eventually(phone, "document.querySelector('.verdict')?.getBoundingClientRect().bottom <= innerHeight")


def test_review_continues_while_another_view_is_shown(page: Page) -> None:
    review(page, "15x15:5", GOMOKU)
    page.wait_for_selector(".review progress")
    page.click("nav a:has-text('Learn')")
    page.wait_for_selector("main.learn")
    page.click("nav a:has-text('Analyse')")
    page.wait_for_selector(".review:not([aria-busy])")
    assert page.get_by_role("button", name="Review again").is_enabled()


def test_proof_shows_the_share_that_is_done_and_ends_when_its_view_is_left(page: Page) -> None:
    open_game(page, "8x8:5", (27,), "&view=analyse")
    press(page, "Solve this position")
    eventually(page, "/[0-9]+ to [0-9]+% done/.test(document.querySelector('.solved')?.textContent)")
    page.click("nav a:has-text('Learn')")
    page.wait_for_selector("main.learn")
    page.click("nav a:has-text('Analyse')")
    page.wait_for_selector(".engine")
    assert page.get_by_role("button", name="Solve this position").is_enabled()


def test_after_a_loss_the_review_begins_with_my_own_first_mistake(page: Page) -> None:
    # O is the person; X wins by force after the reply on the edge.
    page.add_init_script(
        """localStorage.setItem("noughts.current", JSON.stringify({
            id: "lost", game: "3x3", start: null, moves: [0, 1, 4, 8, 3, 5, 6],
            players: { X: { kind: "engine", level: "easy", name: "easy" }, O: { kind: "person", name: "you" } },
        }))"""
    )
    page.goto("#view=play")
    wait_for_mark(page, 6, "X")
    page.get_by_role("button", name="turning point").click()
    page.wait_for_selector(".guide .count")
    task = page.inner_text(".guide .task")
    assert task.startswith("b3 is a blunder")
    assert "for O" in task
    cell(page, 4).click()
    page.wait_for_selector(".verdict.good")
    page.wait_for_selector(".guide .primary:focus")
    page.keyboard.press("Enter")
    page.wait_for_selector(".guide.done, .guide .count")
