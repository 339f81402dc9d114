"""The view that teaches searches, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from web_pages import CHROMIUM, Home, eventually, press

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

ALLOWED_ON_CONSOLE = ("status of 422",)
"""Chromium logs that invalid input was refused."""


def test_the_search_tree_is_stepped_through_and_pruning_makes_it_smaller(home: Home, page: Page) -> None:
    page.goto(f"{home.address}/#view=learn")
    page.wait_for_selector(".knot", state="attached")
    assert page.locator(".knot:not(.unseen)").count() == 0
    for seen in (1, 2, 3):
        press(page, "Forward")
        assert page.locator(".knot:not(.unseen)").count() == seen
    assert "is to move" in page.inner_text(".explanation")
    press(page, "Back")
    assert page.locator(".knot:not(.unseen)").count() == 2
    press(page, "To the end")
    full = page.locator(".knot:not(.unseen)").count()
    page.select_option('select[name="algorithm"]', "alphabeta")
    eventually(page, "many => document.querySelectorAll('.knot').length < many", full)
    press(page, "Next cutoff")
    assert "Cutoff" in page.inner_text(".explanation")
    assert page.locator(".stub").count() > 0
    press(page, "To the end")
    pruned = page.locator(".knot:not(.unseen)").count()
    page.wait_for_selector(".comparison tbody tr")
    rows = page.locator(".comparison tbody tr").all()
    nodes = {row.locator("th").inner_text(): row.locator("td").first.inner_text() for row in rows}
    assert nodes["Minimax"] == str(full)
    assert nodes["Alpha-beta, row by row"] == str(pruned)
    assert pruned < full
    page.locator(".comparison button", has_text="Minimax").click()
    eventually(page, "many => document.querySelectorAll('.knot').length === many", full)


def test_a_typed_position_is_searched_and_nonsense_is_refused(home: Home, page: Page) -> None:
    page.goto(f"{home.address}/#view=learn")
    page.select_option('select[name="lesson"]', "custom")
    page.fill('input[name="start"]', "nonsense")
    page.press('input[name="start"]', "Enter")
    page.wait_for_selector(".learn .failure")
    page.fill('input[name="start"]', "xo1/xo1/3 x")
    page.press('input[name="start"]', "Enter")
    page.wait_for_selector(".learn .failure", state="detached")
    press(page, "To the end")
    assert "+1" in page.inner_text(".explanation")
