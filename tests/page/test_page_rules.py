"""How to play: a film of small boards for every family of games, offered once and always at hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from noughts.ask.rules import RulesAnswer
from noughts.games import Game
from sample_games import make
from web_pages import Home, change_game, eventually, open_game, press, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FAMILIES = (
    *("3x3", "7x6:4+gravity", "3x3+misere", "15x15:5+exact", "10x10:5+wrap", "4x4x4", "4x4x4+gravity", "4x4x4x4"),
    *("ultimate:3", "ultimate:3+count", "ultimate:3+open", "ultimate:3+misere"),
)
FILM_MS = 45_000
"""Every film is over by then."""
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1400, "height": 900}}


def shown_marks(page: Page, step: int) -> list[int]:
    """The number of crosses and of noughts on the board of a step; discs and marks are drawn in one path or two."""
    script = """step => ["x", "o"].map((side) => [...document.querySelectorAll(".rule-board")][step]
      .querySelectorAll(`path.${side}:not(.cover, .large)`).values()
      .reduce((sum, path) => sum + ((path.getAttribute("d").match(/M/g) ?? []).length), 0))"""
    found: list[int] = page.evaluate(script, step)
    return found


def watch(page: Page, answer: RulesAnswer) -> None:
    """Watch the film to its end: a board that is not on the screen waits until it is."""
    page.wait_for_selector(".rule-steps .playing")
    for step in range(len(answer.steps)):
        page.locator(".rule-steps > li").nth(step).scroll_into_view_if_needed()
        page.clock.run_for(FILM_MS // len(answer.steps))
    page.get_by_role("button", name="Play again").wait_for()


@pytest.mark.parametrize(("size", "families"), [(PHONE, FAMILIES[::4]), (DESKTOP, FAMILIES)], ids=["phone", "desktop"])
def test_every_family_is_played_through(
    home: Home, browser: Browser, size: dict[str, Any], families: tuple[str, ...]
) -> None:
    with visiting(browser, home.address, **size, reduced_motion="no-preference") as page:
        page.clock.install()
        open_game(page, families[0])
        for id in families:
            answer = RulesAnswer.of(Game(id))
            change_game(page, id)
            page.get_by_role("button", name="How to play", exact=True).click()
            page.get_by_role("dialog", name=f"How to play {answer.title}").wait_for()
            assert page.locator(".rule-steps p").all_inner_texts() == [step.text for step in answer.steps]
            watch(page, answer)
            pictures = [node.get_attribute("aria-label") for node in page.locator(".rule-board > svg").all()]
            assert pictures == [step.picture for step in answer.steps]
            if id not in ("4x4x4", "4x4x4+gravity"):
                for at, step in enumerate(answer.steps):
                    marks = step.boards[-1].marks
                    crosses = 1 if "gravity" in id else 2
                    assert shown_marks(page, at) == [crosses * marks.count("X"), marks.count("O")]
            press(page, "Got it")


def test_custom_game_is_explained(page: Page) -> None:
    fano = make("fano")
    page.goto(f"#game={json.dumps(fano.to_data())}")
    page.get_by_role("button", name="How to play", exact=True).click()
    assert "seven lines of three cells" in page.inner_text("dialog.rules")


def test_first_game_of_a_kind_offers_the_rules_once(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play Ultimate", exact=True).click()
    page.get_by_role("button", name="I know how to play").click()
    eventually(page, "!document.querySelector('.newcomer')")
    open_game(page, "ultimate:3")
    assert page.locator(".newcomer").count() == 0
    open_game(page, "ultimate:3+open")
    page.get_by_role("button", name="How to play · 30 seconds").click()
    page.get_by_role("dialog").get_by_text("A board that is won stays in play").wait_for()
    page.reload()
    page.wait_for_selector(".planes")
    assert page.locator(".newcomer").count() == 0


def test_boards_stand_still_if_the_system_asks_for_it(page: Page) -> None:
    open_game(page, "3x3")
    press(page, "How to play")
    page.wait_for_selector(".rule-board")
    assert page.get_by_role("button", name="Pause").count() == 0
    draw = RulesAnswer.of(Game("3x3")).steps[-1].boards[-1].marks
    assert shown_marks(page, 3) == [2 * draw.count("X"), draw.count("O")]


def test_rules_are_at_hand_on_the_tiles_in_help_and_by_keyboard(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Rules: how to play Qubic", exact=True).click()
    page.get_by_role("dialog", name="How to play Qubic").wait_for()
    page.keyboard.press("Escape")
    eventually(page, "!document.querySelector('dialog')")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Rules: how to play Qubic"
    open_game(page, "connect4")
    page.keyboard.press("?")
    page.get_by_role("button", name="How to play Connect Four").focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog", name="How to play Connect Four").wait_for()
    assert page.locator("dialog").count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('dialog') !== null")
    page.keyboard.press("Escape")
    eventually(page, "!document.querySelector('dialog')")


def test_help_on_a_touch_screen_begins_with_gestures(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, **PHONE) as page:
        page.goto("#view=play")
        page.wait_for_selector(".cell.legal")
        page.get_by_role("button", name="Help").tap()
        text = page.inner_text("dialog.help")
        assert 0 < text.index("Tap, then tap again") < text.index("Arrow keys")


def test_film_can_be_paused_and_played_again(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address, **DESKTOP, reduced_motion="no-preference") as page:
        page.clock.install()
        open_game(page, "3x3")
        press(page, "How to play")
        page.wait_for_selector(".rule-steps .playing")
        page.clock.run_for(1500)
        press(page, "Pause")
        before = page.inner_html(".rule-steps")
        page.clock.run_for(20_000)
        assert page.inner_html(".rule-steps") == before
        press(page, "Continue")
        watch(page, RulesAnswer.of(Game("3x3")))
        press(page, "Play again")
        page.wait_for_selector(".rule-steps .playing")
