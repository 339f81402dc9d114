"""The first minute of a newcomer, by visible names only: choose Qubic, play, turn, hint, lose, review, puzzle."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from web_pages import Home, eventually, press, visiting, wait_for_drawing, wait_for_marks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

CUBE = re.compile("^The cube in space")


def cell(page: Page, name: str) -> Locator:
    return page.get_by_role("gridcell", name=re.compile(f"^{name},"))


def wait_for_turn(page: Page, marks: int) -> None:
    """Wait until the computer has answered and the person is to move."""
    wait_for_marks(page, marks)
    page.get_by_text("Your move", exact=True).wait_for()


def review_and_solve(page: Page) -> None:
    """From a lost game: see every mistake and the better move, then a puzzle and its solution."""
    press(page, "See the turning point")
    guide = page.get_by_role("region", name="Guided review")
    guide.wait_for()
    puzzles = guide.get_by_role("link", name="Puzzles")
    answer = guide.get_by_role("button", name="Show the answer")
    for _ in range(10):
        answer.or_(puzzles).first.wait_for()
        if puzzles.is_visible():
            break
        answer.click()
        guide.get_by_text("Better is").wait_for()
        guide.get_by_role("button", name=re.compile("^(Next mistake|Summary)$")).click()
    puzzles.click()
    task = page.get_by_role("region", name="Task")
    task.wait_for()
    press(page, "Solution")
    task.get_by_text("The solution:").wait_for()
    page.get_by_role("button", name="Next puzzle").click()
    task.get_by_text("The solution:").wait_for(state="detached")


def test_first_minute_on_a_desktop(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play Qubic", exact=True).click()
    page.get_by_role("heading", name="Qubic").wait_for()
    cell(page, "2b2").click()
    wait_for_turn(page, 2)
    cube = page.get_by_role("img", name=CUBE)
    before = cube.get_attribute("data-turn")
    press(page, "Turn left")
    eventually(page, "before => document.querySelector('.scene').dataset.turn !== before", before)
    page.keyboard.press("h")
    page.get_by_text("Hint 1 of 3").wait_for()
    press(page, "More of the hint")
    page.get_by_text("Hint 2 of 3").wait_for()
    page.get_by_role("gridcell", name=re.compile("candidate")).first.click()
    wait_for_turn(page, 4)
    press(page, "Resign")
    page.get_by_role("region", name="Game").get_by_text("You resigned: Easy wins").wait_for()
    review_and_solve(page)


def test_first_minute_on_a_phone(home: Home, browser: Browser) -> None:
    size = {"width": 360, "height": 640}
    with visiting(browser, home.address, viewport=size, has_touch=True, is_mobile=True) as page:
        page.goto("/")
        page.get_by_role("button", name="Play Qubic", exact=True).tap()
        page.get_by_role("heading", name="Qubic").wait_for()
        turn_by_finger(page)
        page.get_by_role("button", name="Levels").tap()
        cell(page, "2b2").tap()
        wait_for_turn(page, 2)
        page.get_by_role("button", name="Hint", exact=True).tap()
        page.get_by_text("Hint 1 of 3").wait_for()
        page.locator(".planes .legal").first.tap()
        wait_for_turn(page, 4)
        press(page, "Resign")
        page.get_by_role("region", name="Game").get_by_text("You resigned: Easy wins").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def turn_by_finger(page: Page) -> None:
    """Drag a finger over the cube: it turns, and nothing is played."""
    cube = page.get_by_role("img", name=CUBE)
    box = cube.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = cube.get_attribute("data-turn")
    wire = page.context.new_cdp_session(page)
    wire.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for by in range(8, 72, 8):
        wire.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + by, "y": y}]})
        wait_for_drawing(page)
    page.wait_for_timeout(200)  # a finger that rests before it is lifted: browsers ignore a tap during a fling
    wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    eventually(page, "before => document.querySelector('.scene').dataset.turn !== before", before)
    assert page.locator(".planes .taken").count() == 0
