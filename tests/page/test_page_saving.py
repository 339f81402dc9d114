"""Saving and sharing on the page: files, links, the list of games, reloads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from web_pages import Home, cell, eventually, open_game, press, saved_games, status, visiting, wait_for_mark

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

"""Chromium logs that invalid input was refused."""


def test_a_game_is_saved_and_loaded_as_a_file(page: Page, tmp_path: Path) -> None:
    open_game(page, "ultimate:3", (40, 36, 0))
    with page.expect_download() as download:
        press(page, "Save as a file")
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    assert saved.suffix == ".ngn"
    assert '[Game "ultimate:3"]' in saved.read_text()
    open_game(page, "3x3")
    page.set_input_files("input[type=file]", saved)
    page.wait_for_selector("h1:has-text('Ultimate')")
    assert page.locator(".planes .taken").count() == 3
    commented = tmp_path / "commented.ngn"
    commented.write_text('[Game "3x3"]\n[X "Ann"]\n[O "Bob"]\n\n1. b2 {the centre} a3 *\n')
    page.set_input_files("input[type=file]", commented)
    page.wait_for_selector(".players .name:has-text('Ann')")
    press(page, "One move back")
    page.wait_for_selector(".comment:has-text('the centre')")
    broken = tmp_path / "broken.ngn"
    broken.write_text('[Game "3x3"]\n\n1. b2 b2 *\n')
    page.set_input_files("input[type=file]", broken)
    page.wait_for_selector(".notice.error")
    assert page.locator(".planes .taken").count() == 1


def test_a_link_shows_the_position_or_the_playthrough_to_others(home: Home, browser: Browser, page: Page) -> None:
    open_game(page, "3x3", (4, 0, 8))
    press(page, "Undo")
    page.wait_for_selector('.planes [data-cell="8"]:not(.taken)')
    press(page, "Share")
    whole, here = page.input_value("#link-play"), page.input_value("#link-position")
    with visiting(browser, home.address) as other:
        other.goto(whole)
        other.wait_for_selector('.planes [data-cell="0"].last')
        assert other.inner_text(".steps .ply") == "2 of 3"
        press(other, "One move forward")
        wait_for_mark(other, 8, "X")
        other.goto("about:blank")
        other.goto(here)
        eventually(other, "document.querySelectorAll('.planes .taken').length === 2")
        assert other.inner_text(".steps .ply") == "no moves yet"
        assert status(other) == "X to move"


def test_games_are_saved_listed_resumed_and_deleted(page: Page) -> None:
    open_game(page, "5x5:4")
    for ply, move in enumerate((12, 6, 7)):
        cell(page, move).click()
        wait_for_mark(page, move, "XO"[ply % 2])
    page.get_by_role("link", name="Games").click()
    row = page.locator(".saved li").first
    row.wait_for()
    assert "3 moves" in row.inner_text()
    assert "5×5" in row.inner_text()
    row.get_by_role("button", name=re.compile("^Continue")).click()
    page.wait_for_selector('.planes [data-cell="7"].last')
    page.get_by_role("link", name="Games").click()
    row.wait_for()
    many = page.locator(".saved li").count()
    row.get_by_role("button", name=re.compile("^Delete")).click()
    eventually(page, "many => document.querySelectorAll('.saved li').length === many - 1", many)


def test_continuing_a_finished_game_saves_both(page: Page) -> None:
    page.goto("#view=games")
    page.wait_for_selector(".games-page")
    page.get_by_text("Loading …").wait_for(state="detached")
    many = page.locator(".saved li").count()
    open_game(page, "4x3:3", (0, 4, 1, 5))
    cell(page, 2).click()
    page.wait_for_selector(".status.over")
    page.get_by_role("link", name="Games").click()
    # Once its picture is there, the list knows the line that won.
    page.get_by_text("X wins with three in a row, a3–c3").wait_for()
    page.get_by_role("button", name=re.compile("^Open 4×3,")).first.click()
    press(page, "Undo")
    page.wait_for_selector(".cell.legal")
    cell(page, 6).click()
    wait_for_mark(page, 6, "X")
    page.get_by_role("link", name="Games").click()
    eventually(page, "many => document.querySelectorAll('.saved li').length === many + 2", many)


def test_undo_after_the_end_does_not_change_the_finished_game(page: Page) -> None:
    open_game(page, "5x3:3", (0, 5, 1, 6))
    cell(page, 2).click()
    page.wait_for_selector(".status.over")
    press(page, "Undo")
    page.wait_for_selector(".cell.legal")
    cell(page, 8).click()
    wait_for_mark(page, 8, "X")
    saved = saved_games(page, "5x3:3")
    assert [entry["outcome"] and entry["outcome"]["winner"] for entry in saved] == [None, "X"]


def test_a_reload_loses_nothing(page: Page) -> None:
    open_game(page, "3x3x3")
    cell(page, 13).click()
    wait_for_mark(page, 13, "X")
    page.reload()
    wait_for_mark(page, 13, "X")
    assert page.locator(".planes .taken").count() == 1
