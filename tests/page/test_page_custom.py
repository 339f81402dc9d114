"""Games that people make: by rules and by hand, with mouse, touch and keys; saved, shared and played by others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from web_pages import (
    Held,
    Home,
    cell,
    eventually,
    press,
    visiting,
    wait_for_mark,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page


def open_canvas(page: Page) -> None:
    page.goto("#view=own")
    press(page, "Draw a board")
    page.wait_for_selector(".drawing-board")


def point(page: Page, x: int, y: int) -> Locator:
    return page.locator(f'.drawing-board [data-x="{x}"][data-y="{y}"]')


def drag_through(page: Page, *points: tuple[int, int]) -> None:
    """Press the mouse at the first point, go through the others, release it at the last."""
    for at, (x, y) in enumerate(points):
        box = point(page, x, y).bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        if at == 0:
            page.mouse.down()
    page.mouse.up()


def lines(page: Page) -> int:
    return page.locator(".line-list li").count()


def draw_cross(page: Page, name: str) -> None:
    """Five cells as a cross, with two lines of three."""
    page.get_by_label("Name").fill(name)
    for x, y in ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2)):
        point(page, x, y).click()
    press(page, "2 Lines")
    drag_through(page, (0, 1), (1, 1), (2, 1))
    drag_through(page, (1, 0), (1, 1), (1, 2))
    page.wait_for_selector(".line-list h2:has-text('2 lines')")


# --- by rules -------------------------------------------------------------------------------------------------------


def test_controls_make_a_game_with_a_preview_and_its_id(page: Page) -> None:
    page.goto("#view=own")
    page.get_by_role("button", name="More: Width").click()
    page.get_by_label("Gravity").check()
    page.wait_for_selector(".result h2:has-text('7×6, 4 in a row, with gravity'), .result h2:has-text('Connect Four')")
    page.wait_for_selector(".result code:has-text('7x6:4+gravity')")
    page.wait_for_selector(".preview .miniature")
    press(page, "Play")
    cell(page, 38).click()
    wait_for_mark(page, 38, "X")


def test_buttons_use_the_rules_that_were_just_chosen(page: Page) -> None:
    page.goto("#view=own")
    page.wait_for_selector(".result")
    held = Held(page, "**/api/game")
    page.evaluate(
        """names => {
            const all = [...document.querySelectorAll("button")];
            for (const name of names) all.find(one => (one.ariaLabel ?? one.textContent) === name).click();
        }""",
        ["More: Width", "Save", "Play"],
    )
    eventually(page, "document.querySelector('#link-custom')?.value.includes('game=7x6')")
    held.wait_for_request()
    held.release()
    eventually(page, "document.querySelectorAll('main.play .planes [data-cell]').length === 42")
    page.goto("#view=own")
    page.wait_for_selector(".mine strong:has-text('7×6')")


def test_a_line_cannot_become_longer_than_the_board(page: Page) -> None:
    page.goto("#view=own")
    page.wait_for_selector(".result")
    more = page.get_by_role("button", name="More: In a row")
    more.click()
    more.click()
    assert more.is_disabled()
    page.wait_for_selector(".result code:text-is('6x6')")
    page.get_by_role("button", name="More: Levels").click()
    page.wait_for_selector(".result h2:has-text('6×6×2')")
    assert "72 cells" in page.inner_text(".result")


# --- by hand --------------------------------------------------------------------------------------------------------


def test_a_drawn_game_is_shared_and_played_in_another_browser(home: Home, browser: Browser, page: Page) -> None:
    open_canvas(page)
    draw_cross(page, "Little cross")
    page.wait_for_selector(".result:has-text('5 cells, 2 lines')")
    link = page.input_value("#link-custom")
    with visiting(browser, home.address) as other:
        other.goto(link)
        other.wait_for_selector("h1:has-text('Little cross')")
        other.wait_for_selector(".preview .lines-drawn path", state="attached")
        press(other, "Play")
        other.wait_for_selector(".planes .lines-drawn path", state="attached")
        assert other.locator(".planes .lines-drawn path").count() == 2
        cell(other, 2).click()
        wait_for_mark(other, 2, "X")
        other.wait_for_selector(".planes .taken .mark.o")


def test_a_drawn_game_is_played_with_a_friend_by_link(home: Home, browser: Browser, page: Page) -> None:
    open_canvas(page)
    draw_cross(page, "Friendly cross")
    page.wait_for_selector(".result:has-text('5 cells, 2 lines')")
    press(page, "Play a friend")
    page.wait_for_selector(".chosen-game h3:has-text('Friendly cross')")
    page.get_by_label("Your name").fill("Ann")
    press(page, "Create a link")
    invitation = page.wait_for_selector("#link-invite")
    assert invitation is not None
    with visiting(browser, home.address) as other:
        other.goto(invitation.input_value())
        other.get_by_label("Your name").fill("Bob")
        press(other, "Join the game")
        other.wait_for_selector(".planes")
        cell(page, 2).click()
        wait_for_mark(other, 2, "X")
        assert other.locator(".planes .lines-drawn path").count() == 2


def test_a_game_is_drawn_with_the_keyboard_alone(page: Page) -> None:
    open_canvas(page)
    point(page, 0, 0).focus()
    for key in ("Space", "ArrowRight", "Space", "ArrowRight", "Space"):
        page.keyboard.press(key)
    assert page.locator(".drawing-board .placed").count() == 3
    press(page, "2 Lines")
    point(page, 2, 0).focus()
    for key in ("Space", "ArrowLeft", "Space", "ArrowLeft", "Space", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector(".line-list li")
    assert lines(page) == 1
    point(page, 0, 0).focus()
    page.keyboard.press("Control+z")
    eventually(page, "document.querySelectorAll('.line-list li').length === 0")
    page.keyboard.press("Control+Shift+z")
    page.wait_for_selector(".line-list li")
    page.wait_for_selector(".result")


def test_a_game_is_drawn_by_touch(home: Home, browser: Browser) -> None:
    size = {"width": 360, "height": 740}
    with visiting(browser, home.address, viewport=size, has_touch=True, is_mobile=True) as page:
        open_canvas(page)
        for x in (1, 2, 3):
            point(page, x, 2).tap()
        press(page, "2 Lines")
        for x in (1, 2, 3):
            point(page, x, 2).tap()
        press(page, "Finish the line")
        page.wait_for_selector(".line-list li:has-text('3 cells')")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_removing_a_cell_removes_its_lines_and_undo_brings_both_back(page: Page) -> None:
    open_canvas(page)
    draw_cross(page, "3x3")
    page.wait_for_selector(".problem:has-text('name that is not a game id')")
    page.get_by_label("Name").fill("Cross")
    page.wait_for_selector(".result")
    press(page, "1 Cells")
    point(page, 1, 1).click()
    eventually(page, "document.querySelectorAll('.line-list li').length === 0")
    page.wait_for_selector(".problem:has-text('draw a line')")
    press(page, "Undo")
    page.wait_for_selector(".result")
    assert lines(page) == 2
    page.reload()
    page.wait_for_selector(".result h2:has-text('Cross')")
    assert lines(page) == 2


def test_marks_fall_on_a_drawn_board_with_gravity(page: Page) -> None:
    open_canvas(page)
    draw_cross(page, "Falling")
    page.get_by_text("Size and rules").click()
    page.get_by_label("Gravity").check()
    page.wait_for_selector(".result h2:has-text('Falling')")
    press(page, "Play")
    cell(page, 0).click()
    wait_for_mark(page, 4, "X")
    page.goto("#view=own")
    assert page.get_by_label("Gravity").is_checked()


def test_all_straight_lines_are_added_at_once(page: Page) -> None:
    open_canvas(page)
    for y in range(3):
        drag_through(page, (0, y), (1, y), (2, y))
    assert page.locator(".drawing-board .placed").count() == 9
    press(page, "Add all straight lines of 3")
    page.wait_for_selector(".line-list h2:has-text('8 lines')")


def test_an_own_game_is_saved_changed_and_deleted_with_undo(page: Page) -> None:
    open_canvas(page)
    draw_cross(page, "Kept cross")
    page.wait_for_selector(".result:has-text('5 cells, 2 lines')")
    press(page, "Save")
    page.wait_for_selector(".mine li:has-text('Kept cross')")
    press(page, "Clear the canvas")
    page.reload()
    page.get_by_role("button", name="Change Kept cross").click()
    eventually(page, "document.querySelectorAll('.drawing-board .placed').length === 5")
    page.get_by_role("button", name="Delete Kept cross").click()
    page.wait_for_selector(".mine", state="detached")
    page.locator(".notice").get_by_role("button", name="Undo").click()
    page.wait_for_selector(".mine li:has-text('Kept cross')")
    page.goto("about:blank")
    page.goto("/")
    page.get_by_role("button", name="Play Kept cross", exact=True).click()
    page.wait_for_selector(".planes .lines-drawn")


def test_a_game_too_large_for_a_link_says_so(page: Page) -> None:
    cells = 144
    everything = [[a, b, c] for a in range(cells) for b in (a + 1,) for c in range(a + 2, min(a + 8, cells))]
    drawing = {
        "name": "Too many",
        "columns": 12,
        "rows": 12,
        "cells": [{"x": at % 12, "y": at // 12} for at in range(cells)],
        "lines": everything,
        "misere": False,
    }
    draft = json.dumps({"mode": "drawing", "drawing": drawing})
    page.add_init_script(f"localStorage['noughts.draft'] = '{draft}'")
    page.goto("#view=own")
    page.wait_for_selector(".result:has-text('too large for a link')")
    assert page.locator("#link-custom").count() == 0
    with page.expect_download() as download:
        press(page, "save it as a file")
    assert json.loads(download.value.path().read_text())["cells"] == cells
    press(page, "Play")
    cell(page, 0).click()
    wait_for_mark(page, 0, "X")
