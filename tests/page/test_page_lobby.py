"""Open challenges in browsers: two meet without a link, a third watches; names are never markup."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import httpx
import pytest

from web_pages import Home, at_home, cell, eventually, press, status, visiting, wait_for_mark
from web_servers import post

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EXPECTED = ("status of 403", "Connection closed before receiving a handshake response")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A server that lists open challenges."""
    with at_home(tmp_path_factory.mktemp("club"), "--lobby") as home:
        yield home


class Visitors:
    """Browsers that do not know each other."""

    def __init__(self, club: Home, browser: Browser, stack: ExitStack) -> None:
        self._club, self._browser, self._stack = club, browser, stack

    def come(self, **options: object) -> Page:
        """A visitor at the list of open challenges."""
        options = {"viewport": {"width": 1000, "height": 800}} | options
        page: Page = self._stack.enter_context(visiting(self._browser, self._club.address, EXPECTED, **options))
        page.goto("#view=lobby")
        page.get_by_role("heading", name="Waiting for an opponent").wait_for()
        return page


@pytest.fixture
def visitors(club: Home, browser: Browser) -> Iterator[Visitors]:
    with ExitStack() as stack:
        yield Visitors(club, browser, stack)


def challenge(page: Page, game: str, name: str = "") -> None:
    page.get_by_label("Your name").fill(name)
    press(page, "Post a challenge")
    # A browser that has not seen a game is asked for one.
    page.get_by_role("heading", name="Choose a game").wait_for()
    page.fill(".typed input", game)
    press(page, "Choose")
    page.wait_for_selector(".chosen-game")
    assert page.locator("dialog.setup input[value=anyone]").is_checked()
    page.locator("dialog.setup button[type=submit]").click()
    page.get_by_role("heading", name="Your challenge").wait_for()


def row(text: str) -> str:
    return f".saved li:has-text('{text}')"


def test_two_visitors_meet_and_a_third_watches(visitors: Visitors) -> None:
    ann, bob, eve = visitors.come(), visitors.come(), visitors.come(viewport={"width": 360, "height": 640})
    eventually(ann, "document.querySelector('.lobby .none')")
    challenge(ann, "3x3", "Ann")
    ann.get_by_text("It is in the list of open challenges while this page is open.").wait_for()
    assert status(ann) == "Waiting for an opponent"
    for page in (bob, eve):
        page.wait_for_selector(row("Ann"))
        assert "Tic-tac-toe" in page.inner_text(row("Ann"))
        page.wait_for_selector(f"{row('Ann')} .miniature")
    eventually(bob, "document.getElementById('says').textContent === 'Ann waits for an opponent: Tic-tac-toe.'")
    bob.get_by_role("button", name="Play Tic-tac-toe against Ann").click()
    bob.wait_for_selector(".planes")
    ann.wait_for_selector(".cell.legal")
    assert ann.locator(".invitation").count() == 0
    assert ann.inner_text(".players li.o .name").startswith("Guest")
    eventually(bob, "document.activeElement.closest('.planes')")
    cell(ann, 4).click()
    eve.get_by_role("link", name="Watch Tic-tac-toe, Ann – A guest").click()
    wait_for_mark(eve, 4, "X")
    cell(bob, 0).click()
    for page in (ann, bob, eve):
        wait_for_mark(page, 0, "O")
    ann.wait_for_selector(".connection:has-text('1 watching')")
    assert eve.locator(".cell.legal").count() == 0


def test_challenge_leaves_the_list_with_its_player_and_is_accepted_only_once(visitors: Visitors) -> None:
    ann, bob, eve = (visitors.come() for _ in range(3))
    challenge(ann, "4x4:3", "Ann")
    for page in (bob, eve):
        page.wait_for_selector(row("Ann"))
    eve.evaluate("clearInterval(setInterval(() => {}, 0)); for (let n = 0; n < 1000; n++) clearInterval(n)")
    bob.click(f"{row('Ann')} button")
    ann.wait_for_selector(".cell.legal")
    eve.click(f"{row('Ann')} button")
    eve.wait_for_selector(".notice.error:has-text('This challenge is no longer open')")
    eve.wait_for_selector(row("Ann – A guest"))
    assert eve.locator(f"{row('Ann')} button").count() == 0
    for page in (ann, bob):
        page.goto("#view=home")
    eve.goto("#view=home")
    eve.get_by_role("link", name="Open challenges").click()
    eventually(eve, "document.querySelector('.lobby .none') && !document.querySelector('.lobby .saved')")


def test_name_that_looks_like_markup_is_text_and_does_not_widen_the_page(visitors: Visitors, club: Home) -> None:
    hostile = "<img src=x onerror=document.title=1>"
    ann, bob = visitors.come(), visitors.come(viewport={"width": 360, "height": 640})
    challenge(ann, "3x3", hostile)
    bob.wait_for_selector(row("<img src=x"))
    assert bob.locator(".lobby img").count() == 0
    assert bob.evaluate("document.documentElement.scrollWidth <= innerWidth")
    listed = httpx.get(f"{club.address}/api/lobby").json()
    assert [len(each["name"]) for each in listed["challenges"]] == [24]


def test_expired_challenge_is_listed_again_by_a_button(visitors: Visitors) -> None:
    ann = visitors.come()
    challenge(ann, "3x3")
    ann.evaluate("""async () => {
      const { redraw, state } = await import("/js/shell/app.js");
      state.friend.state.is_listed = false;
      redraw();
    }""")
    ann.get_by_text("It is no longer listed").wait_for()
    press(ann, "List it again")
    ann.get_by_text("It is in the list of open challenges").wait_for()


def test_spectator_of_a_challenge_can_accept_it_and_a_seat_lost_to_another_becomes_a_view(
    visitors: Visitors, club: Home
) -> None:
    ann, bob = visitors.come(), visitors.come()
    challenge(ann, "3x3", "Ann")
    friend = ann.url.split("friend=")[1]
    late = post(club.address, f"/api/friends/{friend}/claim", name="Late")
    bob.goto(f"#friend={friend}")
    press(bob, "Play O")
    ann.wait_for_selector(".cell.legal")
    eve = visitors.come()
    eve.evaluate(
        "([friend, token]) => localStorage.setItem(`noughts.friend.${friend}`, JSON.stringify({ token, side: 'O' }))",
        [friend, late["token"]],
    )
    eve.goto(f"#friend={friend}")
    eve.wait_for_selector(".notice:has-text('This game has two players already: you are watching.')")
    eve.wait_for_selector(".planes")


def test_axe_finds_nothing_in_the_list_and_it_fits_a_phone(visitors: Visitors) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    ann, page = visitors.come(), visitors.come()
    challenge(ann, "qubic", "Ann")
    page.wait_for_selector(row("Ann"))
    for colours in ("dark", "light"):
        page.emulate_media(color_scheme=colours)
        found = axe.run(page, options={"resultTypes": ["violations"]})
        assert found.violations_count == 0, found.generate_report()
    page.set_viewport_size({"width": 320, "height": 568})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_server_without_a_lobby_does_not_offer_it(page: Page) -> None:
    page.goto("#")
    page.wait_for_selector(".tile .miniature")
    assert page.get_by_role("link", name="Open challenges").count() == 0
    page.goto("#view=play")
    press(page, "New game")
    page.wait_for_selector("dialog.setup .choice")
    assert page.locator("input[value=anyone]").count() == 0
