"""Friends by link, end to end: two browsers, a server that is killed and connections that are cut."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import httpx
import pytest

from web_pages import (
    Home,
    Line,
    breakable,
    cell,
    choose_game,
    eventually,
    press,
    status,
    visiting,
    wait_for_mark,
)
from web_servers import post

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

WHEN_CUT = ("ERR_", "Connection closed before receiving a handshake response", "status of 403")
"""Messages of Chromium on the console when a connection is cut or a seat is taken; not errors of the page."""
SEAT = "noughts.friend."
"""Before the id of a friend game: the name under which a browser stores its seat."""


class Table:
    """Ann, who plays X over a line that can be cut, and Bob, who plays O."""

    def __init__(self, home: Home, browser: Browser, stack: ExitStack) -> None:
        self._home, self._browser, self._stack = home, browser, stack
        self.line: Line = stack.enter_context(breakable(home))
        self.ann = self._visit(self.line.address)
        self.bob = self._visit(home.address)
        self.friend = self.invitation = ""

    def _visit(self, address: str) -> Page:
        size = {"width": 900, "height": 800}
        page: Page = self._stack.enter_context(visiting(self._browser, address, WHEN_CUT, viewport=size))
        return page

    @property
    def address(self) -> str:
        """The address of the server."""
        return self._home.address

    def invite(self, game: str) -> None:
        """Ann makes a link."""
        self.ann.goto(f"{self.line.address}/#view=play")
        press(self.ann, "New game")
        choose_game(self.ann, game)
        self.ann.check('input[value="link"]')
        self.ann.get_by_label("Your name").fill("Ann")
        press(self.ann, "Create a link")
        link = self.ann.wait_for_selector("#link-invite")
        assert link is not None
        self.invitation = link.input_value().replace(self.line.address, self._home.address)
        self.friend = self.invitation.split("friend=")[1].split("&")[0]

    def join(self, page: Page, name: str) -> None:
        """Follow the link, and say a name."""
        page.goto(self.invitation)
        page.get_by_label("Your name").fill(name)
        press(page, "Join the game")
        page.wait_for_selector(".planes")

    def sit_down(self, game: str = "3x3") -> None:
        """Let the browsers of both open a game in which they have a seat."""
        ann = post(self.address, "/api/friends", game=game, name="Ann", side="X")
        self.friend = ann["friend"]
        self.invitation = f"{self.address}/#friend={self.friend}&invite={ann['invite']}"
        bob = post(self.address, f"/api/friends/{self.friend}/claim", invite=ann["invite"], name="Bob")
        for page, address, seat in ((self.ann, self.line.address, ann), (self.bob, self.address, bob)):
            page.goto(f"{address}/icon.svg")
            page.evaluate("([name, seat]) => localStorage.setItem(name, seat)", [SEAT + self.friend, json.dumps(seat)])
            page.goto(f"{address}/#friend={self.friend}")
            page.wait_for_selector(".planes")
        self.ann.wait_for_selector(".cell.legal")

    def watch(self) -> Page:
        """Open the link of the game, without an invitation, as a spectator."""
        page = self._visit(self._home.address)
        page.goto(f"{self._home.address}/#friend={self.friend}")
        page.wait_for_selector(".planes")
        return page

    def moves(self) -> list[int]:
        """The moves that the server has on disk."""
        answer = httpx.get(f"{self._home.address}/api/friends/{self.friend}")
        found: list[int] = answer.json()["position"]["cells"]
        return found

    def play(self, *moves: int) -> None:
        """Both play in turn, each by mouse, and both see it."""
        for move in moves:
            side = "XO"[len(self.moves()) % 2]
            mover = self.ann if side == "X" else self.bob
            mover.wait_for_selector(f'.planes [data-cell="{move}"].legal')
            cell(mover, move).click()
            for page in (self.ann, self.bob):
                wait_for_mark(page, move, side)


@pytest.fixture
def table(home: Home, browser: Browser) -> Iterator[Table]:
    with ExitStack() as stack:
        yield Table(home, browser, stack)


def is_cut(page: Page) -> None:
    page.wait_for_selector(".connection.lost")


def is_back(page: Page) -> None:
    page.wait_for_selector(".connection:not(.lost)", state="attached")


# --- invitations ----------------------------------------------------------------------------------------------------


def test_invitation_names_the_game_and_the_inviter_and_needs_no_name(table: Table) -> None:
    table.invite("7x6:4+gravity")
    table.bob.goto(table.invitation)
    table.bob.wait_for_selector("h1:has-text('Ann invites you to play Connect Four')")
    table.bob.wait_for_selector(".asks-name .miniature")
    table.bob.keyboard.press("Enter")
    table.ann.wait_for_selector(".cell.legal")
    assert table.ann.inner_text(".players li.o .name").startswith("Guest")


def test_page_says_before_the_game_who_can_open_the_link(table: Table) -> None:
    table.ann.goto(f"{table.line.address}/#view=play")
    press(table.ann, "New game")
    assert table.ann.locator("#command-network").count() == 0
    table.ann.check('input[value="link"]')
    assert table.ann.locator("#command-network").input_value() == "noughts web --host 0.0.0.0"
    table.ann.wait_for_selector(".only-here:has-text('For now only this computer can open the link.')")


def test_invitation_is_still_there_after_a_reload_and_the_name_is_kept(table: Table) -> None:
    table.invite("3x3")
    # The field that the link is copied from is nowhere to be seen.
    assert table.ann.evaluate("document.documentElement.scrollWidth <= innerWidth")
    table.bob.goto(table.invitation)
    table.bob.get_by_label("Your name").wait_for()
    assert "invite" not in table.bob.url
    table.bob.reload()
    table.bob.get_by_label("Your name").fill("Bob")
    press(table.bob, "Join the game")
    table.ann.wait_for_selector(".cell.legal")
    table.play(4, 0)
    table.ann.evaluate("location.hash = '#view=play'")
    table.ann.wait_for_selector(".way:has-text('your game with Bob is still running')")
    table.ann.click(".way a")
    wait_for_mark(table.ann, 0, "O")
    table.invite("4x4")
    table.bob.goto("about:blank")
    table.bob.goto(table.invitation)
    table.bob.wait_for_selector(".planes")
    table.ann.wait_for_selector(".cell.legal")
    assert table.ann.inner_text(".players li.o .name").startswith("Bob")


def test_invitation_has_a_qr_code_where_a_phone_can_reach_the_server(table: Table) -> None:
    local = httpx.get(f"{table.address}/api/about").json()
    table.ann.route("**/api/about", lambda route: route.fulfill(json={**local, "is_local": False}))
    table.invite("3x3")
    table.ann.wait_for_selector(".qr path")


def test_links_and_codes_have_the_address_that_others_in_the_network_open(table: Table) -> None:
    here = httpx.get(f"{table.address}/api/about").json()
    network = here | {"is_local": False, "network_address": "http://192.168.1.7:8000/"}
    asked: list[str] = []

    def on_qr(route: Route) -> None:
        asked.append(json.loads(route.request.post_data or "")["text"])
        route.continue_()

    table.ann.route("**/api/about", lambda route: route.fulfill(json=network))
    table.ann.route("**/api/qr", on_qr)
    table.ann.goto(f"{table.line.address}/#view=play")
    press(table.ann, "New game")
    table.ann.check('input[value="link"]')
    table.ann.wait_for_selector(".network:has-text('Everyone in your network can open the link')")
    table.ann.wait_for_selector(".network .qr path")
    assert table.ann.locator(".network a").get_attribute("href") == "http://192.168.1.7:8000/"
    assert table.ann.locator("#command-network").count() == 0
    press(table.ann, "Create a link")
    table.ann.wait_for_selector(".invitation .qr path")
    link = table.ann.locator("#link-invite").input_value()
    assert link.startswith("http://192.168.1.7:8000/#friend=")
    assert asked == ["http://192.168.1.7:8000/", link]


# --- players and spectators -----------------------------------------------------------------------------------------


def test_spectators_cannot_play_and_follow_to_the_rematch_which_swaps_sides(table: Table) -> None:
    table.sit_down()
    eve = table.watch()
    table.play(0)
    wait_for_mark(eve, 0, "X")
    assert eve.locator(".cell.legal").count() == 0
    cell(eve, 8).click(force=True)
    eve.wait_for_selector(".notice.error:has-text('watching')")
    table.ann.wait_for_selector(".connection:has-text('1 watching')")
    assert table.moves() == [0]
    table.play(3, 1, 4, 2)
    for page, told in ((table.ann, "You win in the top row"), (table.bob, "Ann wins in the top row")):
        page.wait_for_selector(".status.over")
        assert status(page).startswith(told)
    press(table.bob, "Rematch")
    table.ann.wait_for_selector(".offer")
    press(table.ann, "Accept")
    eve.wait_for_selector(".notice:has-text('watching the rematch')")
    for page in (table.ann, table.bob, eve):
        page.wait_for_selector(".planes .cell:not(.taken)")
        eventually(page, "document.querySelectorAll('.planes .cell.taken').length === 0")
        assert page.inner_text(".players li.o .wins") == "1"  # Ann, who plays O now
        assert page.inner_text(".players li.x .wins") == "0"
    assert table.bob.inner_text(".players li.x .name").startswith("Bob (you)")
    assert table.ann.inner_text(".players li.o .name").startswith("Ann (you)")
    assert table.ann.locator(".cell.legal").count() == 0
    cell(table.bob, 4).click()
    wait_for_mark(table.ann, 4, "X")


def test_late_visitor_reads_that_the_seat_is_taken(table: Table) -> None:
    table.sit_down()
    eve = table.watch()
    eve.goto("about:blank")
    table.join(eve, "Eve")
    assert "two players already" in eve.inner_text(".notice")


def test_a_move_is_taken_back_only_by_consent(table: Table) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    table.sit_down()
    table.play(4, 0)
    press(table.ann, "Take back")
    table.bob.wait_for_selector(".offer")
    table.bob.emulate_media(color_scheme="dark")
    for page in (table.ann, table.bob):
        found = axe.run(page)
        assert found.violations_count == 0, found.generate_report()
        page.set_viewport_size({"width": 320, "height": 568})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.set_viewport_size({"width": 900, "height": 800})
    press(table.bob, "Decline")
    table.bob.wait_for_selector(".offer", state="detached")
    assert table.moves() == [4, 0]
    press(table.ann, "Take back")
    table.bob.wait_for_selector(".offer")
    press(table.bob, "Accept")
    for page in (table.ann, table.bob):
        eventually(page, "document.querySelectorAll('.planes .taken').length === 0")
    table.play(8)
    assert table.moves() == [8]


def test_players_send_each_other_messages(table: Table) -> None:
    table.sit_down("ultimate")
    press(table.ann, "Say something")
    press(table.ann, "Nice move!")
    for page in (table.ann, table.bob):
        page.wait_for_selector(".players li.x .emote")
        assert page.inner_text(".players li.x .emote") == "Nice move!"
    assert table.ann.locator("#emotes:popover-open").count() == 0
    table.play(0)
    eventually(table.bob, "document.querySelector('.status')?.innerText.includes('the top left board')")


def test_a_game_that_was_left_is_found_again_with_the_same_side(table: Table) -> None:
    table.sit_down()
    table.play(4)
    table.bob.reload()
    table.bob.wait_for_selector(".cell.legal")
    table.ann.wait_for_selector(".players li.o .presence.here")
    table.play(0, 8)
    table.bob.get_by_role("link", name="Games").click()
    table.ann.wait_for_selector(".players li.o .presence.away")
    table.bob.get_by_role("link", name="Go to Tic-tac-toe with Ann").click()
    table.bob.wait_for_selector(".cell.legal")
    table.play(1)
    table.bob.goto("about:blank")
    table.ann.wait_for_selector(".players li.o .presence.away")


# --- connections that are cut ---------------------------------------------------------------------------------------


def test_moves_are_played_once_though_the_line_loses_them_or_is_cut(table: Table) -> None:
    table.sit_down("6x6:4")
    # A move is lost on its way to the server.
    table.line.loses = "up"
    cell(table.ann, 4).click()
    table.ann.wait_for_selector('.planes [data-cell="4"].pending .mark.x')
    assert table.moves() == []
    table.line.cut()
    is_cut(table.ann)
    assert table.ann.locator('.planes [data-cell="4"] .mark.x').count() == 1
    # The move is sent again.
    table.line.mend()
    is_back(table.ann)
    for page in (table.ann, table.bob):
        wait_for_mark(page, 4, "X")
    table.play(0)
    # The server has a move, but its answer is lost.
    table.line.loses = "down"
    cell(table.ann, 8).click()
    wait_for_mark(table.bob, 8, "X")
    assert table.ann.locator('.planes [data-cell="8"].pending').count() == 1
    table.line.cut()
    is_cut(table.ann)
    # The friend moves during the cut.
    table.bob.wait_for_selector(".players li.x .presence.away")
    cell(table.bob, 1).click()
    wait_for_mark(table.bob, 1, "O")
    table.line.mend()
    for cell_and_side in ((8, "X"), (1, "O")):
        wait_for_mark(table.ann, *cell_and_side)
    table.bob.wait_for_selector(".players li.x .presence.here")
    # A move is made without a network.
    table.ann.context.set_offline(True)
    is_cut(table.ann)
    cell(table.ann, 12).click()
    table.ann.wait_for_selector('.planes [data-cell="12"].pending')
    table.ann.context.set_offline(False)
    for page in (table.ann, table.bob):
        wait_for_mark(page, 12, "X")
    assert table.moves() == [4, 0, 8, 1, 12]


def test_the_server_is_killed_in_mid_game_and_nothing_is_lost(home: Home, table: Table) -> None:
    table.sit_down("6x6:4")
    table.play(13, 0)
    home.kill()
    for page in (table.ann, table.bob):
        is_cut(page)
    cell(table.ann, 26).click()
    table.ann.wait_for_selector('.planes [data-cell="26"].pending')
    home.start()
    for page in (table.ann, table.bob):
        is_back(page)
        wait_for_mark(page, 26, "X")
    table.play(1)
    assert table.moves() == [13, 0, 26, 1]


# --- resignation ----------------------------------------------------------------------------------------------------


def test_a_resignation_can_be_undone(table: Table) -> None:
    table.sit_down()
    table.play(4)
    press(table.ann, "Resign")
    table.ann.wait_for_selector(".notice")
    press(table.ann, "Undo")
    table.play(0)
    table.ann.wait_for_selector(".cell.legal")
    assert table.bob.locator(".status.over").count() == 0


def test_resignation_reaches_the_friend_though_the_line_is_cut(table: Table) -> None:
    table.sit_down()
    table.play(4)
    press(table.ann, "Resign")
    table.line.cut()
    table.ann.evaluate("location.hash = '#view=learn'")
    table.ann.wait_for_selector("main.learn")
    table.line.mend()
    table.bob.wait_for_selector(".status.over")
    assert status(table.bob) == "You win by resignation"


@pytest.mark.parametrize("is_line_cut", [False, True])
def test_resignation_reaches_the_friend_though_the_page_is_left(table: Table, is_line_cut: bool) -> None:
    table.sit_down()
    table.play(4)
    press(table.ann, "Resign")
    if is_line_cut:
        table.line.cut()
    table.ann.goto("about:blank")
    if is_line_cut:
        table.line.mend()
        table.ann.goto(f"{table.line.address}/#view=learn")
    table.bob.wait_for_selector(".status.over")
