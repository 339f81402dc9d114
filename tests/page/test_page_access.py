"""The page for everyone: no view breaks a rule of axe or scrolls sideways; colours and sound are chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from web_pages import Home, cell, command, open_game, press, unfold_search, visiting, wait_for_mark

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def press_and_wait(name: str, shown: str) -> Callable[[Page], None]:
    """Press a button and wait until an element is shown."""

    def prepare(page: Page) -> None:
        press(page, name)
        page.wait_for_selector(shown)

    return prepare


def wait_for(shown: str) -> Callable[[Page], object]:
    return lambda page: page.wait_for_selector(shown)


def hint(page: Page) -> None:
    press_and_wait("Hint", ".hint")(page)
    press(page, "Threats")


def step(page: Page) -> None:
    unfold_search(page)
    page.select_option('select[name="algorithm"]', "alphabeta")
    page.wait_for_selector(".comparison tbody tr")
    press(page, "Next cutoff")


def refuse(page: Page) -> None:
    command(page, "nonsense")
    page.wait_for_selector(".notice.error")


def try_again(page: Page) -> None:
    press(page, "Review the line")
    press_and_wait("Try again at move 2", ".trying")(page)


def draw(page: Page) -> None:
    press(page, "Draw a board")
    press_and_wait("Star", ".result")(page)


def predict(page: Page) -> None:
    unfold_search(page)
    page.select_option('select[name="algorithm"]', "proof_number_search")
    page.get_by_label("Compare two searches").check()
    page.get_by_label("Let me predict").check()
    page.wait_for_selector(".search >> nth=1")
    page.locator(".phases").nth(1).wait_for()
    page.locator(".outline summary").first.click()
    press_and_wait("Next round", ".guide")(page)
    page.select_option('select[name="playthroughs"]', "500")
    press_and_wait("Let it learn", ".curve")(page)


def wrong_move(page: Page) -> None:
    page.wait_for_selector(".planes .legal")
    page.locator(".planes .legal").first.click(force=True)
    page.wait_for_selector(".guide.wrong")


VIEWS: dict[str, tuple[str, Callable[[Page], object]]] = {
    "home": ("#", wait_for(".tile .miniature")),
    "flat": ("#game=3x3&moves=4.0.8", hint),
    "won": ("#game=3x3&moves=0.3.1.4.2", wait_for("main")),
    "cube": ("#game=4x4x4&moves=21.0.22", wait_for("main")),
    "ultimate": ("#game=ultimate:3&moves=40.36.0.4.44.72.8.76.42.54.6.58.38", wait_for("main")),
    "gravity": ("#game=connect4&moves=38.31.39", wait_for("main")),
    "large": ("#game=19x19:5&moves=180", wait_for("main")),
    "beyond": ("#game=4x4x4x4&moves=21", wait_for("main")),
    "analysis": ("#game=4x4:3&moves=0.5.15&view=analyse", wait_for(".lines li")),
    "review": (
        "#game=3x3&moves=0.1.4.8.2.6&view=analyse",
        press_and_wait("Review the line", ".mistakes"),
    ),
    "learn": ("#view=learn&door=think", step),
    "courses": ("#view=learn", wait_for(".course-list .miniature")),
    "lesson": ("#view=learn&course=4x4x4&lesson=fork-on-a-level", wrong_move),
    "learn two": ("#view=learn&door=think", predict),
    "games": ("#view=games", wait_for(".games-page")),
    "own": ("#view=own", draw),
    "dialog": ("#view=play", press_and_wait("New game", "dialog.setup .choice")),
    "refused": ("#game=3x3&moves=4", refuse),
    "second try": ("#game=3x3&moves=0.1.4.8.2.6&view=analyse", try_again),
    "editor": ("#game=ultimate:3&moves=40&view=analyse", press_and_wait("Edit the board", ".brushes")),
    "puzzle": ("#view=puzzles", press_and_wait("Solution", ".guide .verdict")),
    "no such table": ("#friend=nobody", wait_for("main")),
    "share": ("#game=3x3&moves=4.0.8", press_and_wait("Share", "dialog.share")),
    "rules": ("#game=ultimate:3&moves=40.36", press_and_wait("How to play", ".rule-board")),
    "help": ("#view=play", press_and_wait("Help", "dialog.help")),
}


@pytest.fixture(scope="module")
def visitor(home: Home, browser: Browser) -> Iterator[Page]:
    with visiting(browser, home.address, allowing=("status of 422",)) as found:
        yield found


WITHOUT_AXE = ("won", "gravity", "large", "beyond")
"""Views that differ from others only in what axe does not look at."""


@pytest.mark.parametrize("name", VIEWS)
def test_axe_finds_nothing_and_no_view_scrolls_sideways_on_a_phone_or_enlarged(visitor: Page, name: str) -> None:
    address, prepare = VIEWS[name]
    visitor.set_viewport_size({"width": 1000, "height": 800})
    visitor.emulate_media(color_scheme="dark")
    visitor.goto("about:blank")
    visitor.goto(address)
    prepare(visitor)
    if name not in WITHOUT_AXE:
        find_violations(visitor)
    # At 200% zoom, a screen of 1280 by 800 has 640 by 400 CSS pixels.
    for width, height in ((320, 568), (640, 400), (1920, 1080)):
        visitor.set_viewport_size({"width": width, "height": height})
        assert visitor.evaluate("document.documentElement.scrollWidth <= innerWidth")
        inside = "[...document.querySelectorAll('dialog')].every(one => one.scrollWidth <= one.clientWidth)"
        assert visitor.evaluate(inside)


def find_violations(page: Page) -> None:
    """Let axe look at a page, in dark colours first; the dark theme differs only in colours."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    found = axe.run(page, options={"resultTypes": ["violations"], "runOnly": ["color-contrast"]})
    assert found.violations_count == 0, found.generate_report()
    page.emulate_media(color_scheme="light")
    found = axe.run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()


def test_colours_follow_the_system_until_they_are_chosen(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto("#view=play")
    background = "getComputedStyle(document.documentElement).backgroundColor"
    page.wait_for_selector(".planes")
    dark = page.evaluate(background)
    page.emulate_media(color_scheme="light")
    light = page.evaluate(background)
    assert dark != light
    page.get_by_role("button", name="Colours: like the system").click()
    page.get_by_role("button", name="Colours: light").click()
    page.get_by_role("button", name="Colours: dark").wait_for()
    assert page.evaluate(background) == dark
    page.reload()
    page.wait_for_selector(".planes")
    assert page.evaluate(background) == dark


def test_sound_is_off_until_it_is_wanted(page: Page) -> None:
    page.add_init_script(
        "window.notes = 0; const make = AudioContext.prototype.createOscillator;"
        "AudioContext.prototype.createOscillator = function () { window.notes += 1; return make.call(this); };"
    )
    open_game(page, "3x3")
    cell(page, 4).click()
    wait_for_mark(page, 4, "X")
    assert page.evaluate("window.notes") == 0
    page.get_by_role("button", name="Sound").click()
    heard = page.evaluate("window.notes")
    assert heard > 0
    cell(page, 0).click()
    wait_for_mark(page, 0, "O")
    assert page.evaluate("window.notes") > heard
