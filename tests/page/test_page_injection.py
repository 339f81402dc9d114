"""Names, comments, games and links that are markup: the page shows them as text, in every view."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from web_pages import Home, eventually, open_game, press, visiting, wait_until_saved
from web_servers import post

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

ALLOWED_ON_CONSOLE = ("status of 4", "Unexpected response code: 403")
"""Chromium logs that invalid input was refused."""
MARKUP = "<img src=x onerror=xss=1>"
BREAKOUT = "\"'`><svg onload=xss=1>"
ALL = f"{MARKUP}{BREAKOUT}<script>xss=1</script><a href=javascript:xss=1>{{{{xss=1}}}}${{xss=1}}</a>"
HOSTILE = {"name": ALL[:60], "cells": 9, "lines": [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 4, 8], [2, 4, 6]]}
FOREIGN = """() => [
  ...(window.xss === undefined ? [] : ["a script ran"]),
  ...[...document.querySelectorAll("*")]
    .filter((node) => node.matches("img[src=x], iframe, object, embed, base, meta[http-equiv=refresh]")
      || node.matches("script:not([src])")
      || node.getAttributeNames().some((name) => name.startsWith("on"))
      || ["href", "src", "action", "formaction", "xlink:href"].some((name) =>
        /^\\s*(javascript|data:text)/i.test(node.getAttribute(name) ?? "")))
    .map((node) => node.outerHTML.slice(0, 200)),
]"""
"""The foreign elements of a page."""


@pytest.fixture(autouse=True)
def _is_harmless_at_the_end(page: Page) -> Iterator[None]:
    yield
    assert page.evaluate(FOREIGN) == []


def shows(page: Page, text: str = MARKUP) -> None:
    """Wait until a text is on the page, as text or in a field; nothing foreign is."""
    eventually(
        page,
        "text => document.body.innerText.includes(text)"
        " || [...document.querySelectorAll('input, textarea')].some((field) => field.value.includes(text))",
        text,
    )
    assert page.evaluate(FOREIGN) == []


def test_foreign_elements_would_be_noticed(browser: Browser, home: Home) -> None:
    with visiting(browser, home.address, (*ALLOWED_ON_CONSOLE, "Content Security Policy", "asked")) as page:
        page.goto("/")
        page.wait_for_selector("main")
        page.evaluate("document.body.append(Object.assign(document.createElement('a'), { href: 'javascript:xss=1' }))")
        page.evaluate("document.body.append(document.createElement('iframe'))")
        page.evaluate("window.xss = 1")
        found = page.evaluate(FOREIGN)
        assert [line[:7] for line in found] == ["a scrip", "<a href", "<iframe"]


FILES = {
    "hostile.ngn": f"""[Game "3x3"]
[Event "{MARKUP}"]
[X "{MARKUP}"]
[O "{BREAKOUT.replace('"', "'")}"]
[{"Annotator"} "{MARKUP}"]

{{{MARKUP}}} 1. b2 {{{ALL.replace("{", "").replace("}", "")}}} a2 2. a3 c1 3. c3 b1 *
""",
    "hostile.sgf": f"(;GM[4]FF[4]SZ[3]GN[{MARKUP}]PB[{MARKUP}]PW[{BREAKOUT}]C[{MARKUP}];B[bb]C[{MARKUP}];W[ab];B[aa])",
}


@pytest.mark.parametrize("name", FILES)
def test_files_with_markup_are_text_on_the_board_in_the_analysis_and_in_the_review(
    page: Page, tmp_path: Path, name: str
) -> None:
    file = tmp_path / name
    file.write_text(FILES[name])
    open_game(page, "3x3")
    page.set_input_files("input[type=file]", file)
    page.wait_for_selector(".players .name:has-text('<img')")
    shows(page)
    for _ in range(2):
        press(page, "One move back")
    wait_until_saved(page)
    page.goto("#view=games")
    page.locator(".saved li, .games-page p").first.wait_for()
    assert page.evaluate(FOREIGN) == []
    page.goto("#view=analyse")
    page.wait_for_selector(".planes")
    assert page.evaluate(FOREIGN) == []


def test_review_of_a_game_with_markup_in_its_name(page: Page) -> None:
    page.goto(f"#view=analyse&moves=0.3.1.4&game={quote(json.dumps(HOSTILE))}")
    page.wait_for_selector(".board")
    press(page, "Review the line")
    page.wait_for_selector(".review")
    shows(page, MARKUP)


def test_names_of_friends_and_their_game_are_text(home: Home, page: Page, browser: Browser) -> None:
    made = post(home.address, "/api/friends", game=HOSTILE, name=MARKUP, side="X")
    with visiting(browser, home.address, ALLOWED_ON_CONSOLE) as invited:
        invited.goto(f"#friend={made['friend']}&invite={made['invite']}")
        invited.get_by_label("Your name").fill(MARKUP)
        shows(invited)
        press(invited, "Join the game")
        invited.wait_for_selector(".board")
        shows(invited)
    page.goto(f"#friend={made['friend']}")
    page.wait_for_selector(".board")
    shows(page)


def test_saved_games_with_markup_are_text(home: Home, page: Page) -> None:
    post(home.address, "/api/games", game=HOSTILE, x=MARKUP, o=MARKUP, moves=[0, 3, 1])
    page.goto("#view=games")
    page.wait_for_selector(".saved li")
    shows(page)
    page.locator(".saved li button").first.click()
    page.wait_for_selector(".board")
    shows(page)


def test_own_games_with_markup_are_text(page: Page) -> None:
    page.goto("icon.svg")
    own = json.dumps([{"title": MARKUP, "data": HOSTILE}])
    page.evaluate("text => localStorage.setItem('noughts.own', text)", own)
    page.goto("#view=own")
    shows(page)
    page.goto("about:blank")
    page.goto(f"#view=own&game={quote(json.dumps(HOSTILE))}")
    shows(page)


LINKS = [
    f"view={{}}&game={quote(MARKUP)}",
    f"view={{}}&game={quote(json.dumps({**HOSTILE, 'lines': [[MARKUP]]}))}",
    "view={}&game=" + quote("{" + MARKUP),
    f"view={{}}&game=3x3&start={quote(ALL)}",
    f"view={{}}&game=3x3&moves={quote(ALL)}",
    f"view={{}}&game=3x3&moves=0.1&ply={quote(ALL)}",
    f"view={{}}&game=3x3&tree={quote(ALL)}",
    f"view={{}}&puzzle={quote(ALL)}",
    f"view={quote(ALL)}",
    f"friend={quote(ALL)}&invite={quote(ALL)}",
    f"friend=aaaaaaaaaaaa&invite={quote(MARKUP)}",
    "javascript:xss=1",
    quote(ALL),
]


VIEWS = ("analyse", "puzzles", "proof", "own")
IS_SLOW = bool(os.environ.get("NOUGHTS_SLOW"))


@pytest.mark.parametrize("view", ["play", *VIEWS])
def test_links_with_markup_change_nothing_but_the_text(page: Page, view: str) -> None:
    """All links to the first view, and each to one of the others; to all of them if NOUGHTS_SLOW is set."""
    links = LINKS
    if view != "play":
        links = [link for link in LINKS if "{}" in link]
        links = links if IS_SLOW else links[VIEWS.index(view) :: len(VIEWS)]
    for link in links:
        page.goto("about:blank")
        page.goto(f"?{quote(MARKUP)}#{link.replace('{}', view)}")
        page.wait_for_selector("main h1, main h2, .notice, dialog")
        assert page.evaluate(FOREIGN) == [], link


@pytest.mark.parametrize("path", [f"/{quote(ALL)}", f"/api/friends/{quote(ALL, safe='')}", f"/js/{quote(MARKUP)}.js"])
def test_addresses_with_markup_are_answered_with_data(home: Home, page: Page, path: str) -> None:
    answer = page.goto(home.address + path)
    assert answer is not None
    assert (answer.status, answer.headers["content-type"]) == (404, "application/json")
    assert answer.headers["x-content-type-options"] == "nosniff"
