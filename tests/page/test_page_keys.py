"""Keys: stepping, variations, the best move, the next mistake, taking back, and the list of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from web_pages import cell, eventually, open_game, press, wait_for_drawing, wait_for_mark, wait_for_marks

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_arrows_step_through_the_moves_after_a_click(page: Page) -> None:
    open_game(page, "3x3", (4, 0))
    cell(page, 8).click()
    wait_for_mark(page, 8, "X")
    for key, number in (("ArrowLeft", 2), ("ArrowLeft", 1), ("ArrowRight", 2), ("ArrowRight", 3), ("ArrowRight", 3)):
        page.keyboard.press(key)
        wait_for_marks(page, number)


def test_arrows_lead_from_cell_to_cell_after_tab_and_control_z_takes_back(page: Page) -> None:
    open_game(page, "3x3", (4, 0))
    page.keyboard.press("Tab")
    cell(page, 4).focus()
    page.keyboard.press("ArrowRight")
    eventually(page, "document.activeElement.dataset.cell === '5'")
    wait_for_marks(page, 2)
    page.keyboard.press("Control+z")
    wait_for_marks(page, 1)
    page.keyboard.press("Control+Shift+z")
    wait_for_marks(page, 2)


def test_analysis_steps_changes_variations_and_plays_the_best_move(page: Page) -> None:
    open_game(page, "4x4:3", (5, 0), "&view=analyse")
    page.keyboard.press("ArrowLeft")
    wait_for_marks(page, 1)
    cell(page, 3).click()
    wait_for_mark(page, 3, "O")
    page.keyboard.press("ArrowUp")
    wait_for_mark(page, 0, "O")
    page.keyboard.press("ArrowDown")
    wait_for_mark(page, 3, "O")
    page.wait_for_selector(".lines li")
    page.keyboard.press("Space")
    page.keyboard.press("Control+z")  # also if the position after the move is still on its way
    eventually(page, "document.querySelectorAll('.branches .move').length === 4")
    wait_for_marks(page, 2)
    page.keyboard.press("ArrowRight")
    wait_for_marks(page, 3)


def test_n_goes_to_the_next_mistake(page: Page) -> None:
    open_game(page, "3x3", (0, 1, 4, 8, 2, 6), "&view=analyse")
    page.keyboard.press("n")
    eventually(page, "document.querySelectorAll('.planes .cell.taken').length < 6")


def test_question_mark_lists_the_keys_and_slash_goes_to_the_text_box(page: Page) -> None:
    open_game(page, "3x3")
    page.keyboard.press("?")
    shown = page.inner_text("dialog.help")
    assert all(key in shown for key in ("← →", "↑ ↓", "Space", "Ctrl + Z", "next mistake"))
    page.keyboard.press("Escape")
    eventually(page, "!document.querySelector('dialog')")
    page.keyboard.press("/")
    eventually(page, "document.activeElement.id === 'entry'")
    page.keyboard.type("n?h")
    assert page.input_value("#entry") == "n?h"


def test_keys_of_a_dialog_are_left_to_it(page: Page) -> None:
    open_game(page, "3x3", (4, 0))
    press(page, "Share")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("ArrowLeft")
    wait_for_drawing(page)
    wait_for_marks(page, 2)
