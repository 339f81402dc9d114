"""Friends by link, end to end: two browsers, a server that is killed and connections that are cut."""

from __future__ import annotations

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

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WHEN_CUT = ("ERR_", "Connection closed before receiving a handshake response", "status of 403")
"""Messages of Chromium on the console when a connection is cut or a seat is taken; not errors of the page."""


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
        press(self.ann, "Make a link")
        link = self.ann.wait_for_selector("#link-invite")
        assert link is not None
        self.invitation = link.input_value().replace(self.line.address, self._home.address)
        self.friend = self.invitation.split("friend=")[1].split("&")[0]

    def sit_down(self, game: str = "3x3", knows_bob: bool = False) -> None:
        """Ann makes a link, Bob follows it, and says his name if he is not known."""
        self.invite(game)
        self.bob.goto("about:blank")
        self.bob.goto(self.invitation)
        if not knows_bob:
            self.bob.get_by_label("Your name").fill("Bob")
            press(self.bob, "Join the game")
        self.bob.wait_for_selector(".planes")
        self.ann.wait_for_selector(".cell.legal")

    def watch(self, address: str = "") -> Page:
        """Open an address or, without an invitation, the link of the game, as a spectator."""
        page = self._visit(self._home.address)
        page.goto(address or f"{self._home.address}/#friend={self.friend}")
        if not address:
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
    page.wait_for_selector(".connection:not(.lost)")


def test_a_game_with_a_friend_ends_and_the_rematch_swaps_sides(table: Table) -> None:
    table.sit_down()
    table.play(0, 3, 1, 4, 2)
    for page, told in ((table.ann, "You win in the top row"), (table.bob, "Ann wins in the top row")):
        page.wait_for_selector(".status.over")
        assert status(page).startswith(told)
    press(table.bob, "Rematch")
    table.ann.wait_for_selector(".offer")
    press(table.ann, "Accept")
    table.bob.wait_for_selector(".cell.legal")
    assert table.bob.inner_text(".players li.x .name").startswith("Bob (you)")
    assert table.ann.inner_text(".players li.o .name").startswith("Ann (you)")
    assert table.ann.locator(".cell.legal").count() == 0
    cell(table.bob, 4).click()
    wait_for_mark(table.ann, 4, "X")


def test_the_third_to_come_watches_and_cannot_play(table: Table) -> None:
    table.sit_down()
    watcher = table.watch()
    table.play(4)
    wait_for_mark(watcher, 4, "X")
    assert watcher.locator(".cell.legal").count() == 0
    cell(watcher, 0).click(force=True)
    watcher.wait_for_selector(".notice.error")
    assert "watching" in watcher.inner_text(".notice")
    table.ann.wait_for_selector(".connection:has-text('1 watching')")
    assert table.moves() == [4]


def test_a_move_that_was_lost_on_its_way_up_is_sent_again(table: Table) -> None:
    table.sit_down()
    table.line.loses = "up"
    cell(table.ann, 4).click()
    table.ann.wait_for_selector('.planes [data-cell="4"].pending .mark.x')
    assert table.moves() == []
    table.line.cut()
    is_cut(table.ann)
    assert table.ann.locator('.planes [data-cell="4"] .mark.x').count() == 1
    table.line.mend()
    is_back(table.ann)
    wait_for_mark(table.bob, 4, "X")
    wait_for_mark(table.ann, 4, "X")
    table.play(0, 8)
    assert table.moves() == [4, 0, 8]


def test_a_move_whose_confirmation_was_lost_is_played_once(table: Table) -> None:
    table.sit_down()
    table.line.loses = "down"
    cell(table.ann, 4).click()
    wait_for_mark(table.bob, 4, "X")
    assert table.ann.locator('.planes [data-cell="4"].pending').count() == 1
    table.line.cut()
    is_cut(table.ann)
    table.line.mend()
    wait_for_mark(table.ann, 4, "X")
    assert table.moves() == [4]
    table.play(0)
    assert table.moves() == [4, 0]


def test_a_move_of_the_other_during_a_cut_is_seen_afterwards(table: Table) -> None:
    table.sit_down()
    table.play(4)
    table.line.cut()
    is_cut(table.ann)
    table.bob.wait_for_selector(".players li.x .presence.away")
    cell(table.bob, 0).click()
    wait_for_mark(table.bob, 0, "O")
    table.line.mend()
    wait_for_mark(table.ann, 0, "O")
    table.bob.wait_for_selector(".players li.x .presence.here")
    table.play(8)
    assert table.moves() == [4, 0, 8]


def test_a_move_made_without_a_network_is_sent_when_it_is_back(table: Table) -> None:
    table.sit_down()
    table.ann.context.set_offline(True)
    is_cut(table.ann)
    cell(table.ann, 4).click()
    table.ann.wait_for_selector('.planes [data-cell="4"].pending')
    table.ann.context.set_offline(False)
    wait_for_mark(table.bob, 4, "X")
    wait_for_mark(table.ann, 4, "X")
    assert table.moves() == [4]


def test_a_move_is_taken_back_only_by_consent(table: Table) -> None:
    table.sit_down()
    table.play(4, 0)
    press(table.ann, "Take back")
    table.bob.wait_for_selector(".offer")
    press(table.bob, "Decline")
    table.bob.wait_for_selector(".offer", state="detached")
    assert table.moves() == [4, 0]
    press(table.ann, "Take back")
    table.bob.wait_for_selector(".offer")
    press(table.bob, "Accept")
    eventually(table.ann, "document.querySelectorAll('.planes .taken').length === 0")
    eventually(table.bob, "document.querySelectorAll('.planes .taken').length === 0")
    table.play(8)
    assert table.moves() == [8]


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


def test_a_reload_keeps_the_side(table: Table) -> None:
    table.sit_down()
    table.play(4)
    table.bob.reload()
    table.bob.wait_for_selector(".cell.legal")
    table.ann.wait_for_selector(".players li.o .presence.here")
    table.play(0)
    table.bob.goto("about:blank")
    table.ann.wait_for_selector(".players li.o .presence.away")


def test_a_joined_game_is_found_again_among_the_games(table: Table) -> None:
    table.sit_down()
    table.play(4)
    table.bob.get_by_role("link", name="Games").click()
    table.ann.wait_for_selector(".players li.o .presence.away")
    table.bob.get_by_role("link", name="Go to Tic-tac-toe with Ann").click()
    table.bob.wait_for_selector(".cell.legal")
    table.play(0)


def test_axe_finds_nothing_to_complain_about_in_a_friend_game(table: Table) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    table.sit_down()
    table.play(4, 0)
    press(table.ann, "Take back")
    table.bob.wait_for_selector(".offer")
    table.ann.emulate_media(color_scheme="light")
    table.bob.emulate_media(color_scheme="dark")
    for page in (table.ann, table.bob):
        found = axe.run(page)
        assert found.violations_count == 0, found.generate_report()
        page.set_viewport_size({"width": 320, "height": 568})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_name_is_asked_for_once_and_kept(table: Table) -> None:
    table.sit_down()
    assert table.ann.inner_text(".players li.o .name").startswith("Bob")
    table.sit_down("4x4", knows_bob=True)
    assert table.ann.inner_text(".players li.o .name").startswith("Bob")


def test_late_visitor_reads_that_the_seat_is_taken(table: Table) -> None:
    table.sit_down()
    late = table.watch(table.invitation)
    late.get_by_label("Your name").fill("Eve")
    press(late, "Join the game")
    late.wait_for_selector(".planes")
    assert "two players already" in late.inner_text(".notice")


def test_spectators_follow_to_the_rematch_and_the_series_is_counted(table: Table) -> None:
    table.sit_down()
    eve = table.watch()
    table.play(0, 3, 1, 4, 2)
    press(table.ann, "Rematch")
    table.bob.wait_for_selector(".offer")
    press(table.bob, "Accept")
    eve.wait_for_selector(".notice")
    assert "watching the rematch" in eve.inner_text(".notice")
    for page in (table.ann, table.bob, eve):
        page.wait_for_selector(".planes .cell:not(.taken)")
        eventually(page, "document.querySelectorAll('.planes .cell.taken').length === 0")
        assert page.inner_text(".players li.o .wins") == "1"  # Ann, who plays O now
        assert page.inner_text(".players li.x .wins") == "0"


def test_players_send_each_other_messages(table: Table) -> None:
    table.sit_down()
    press(table.ann, "Say something")
    press(table.ann, "Nice move!")
    for page in (table.ann, table.bob):
        page.wait_for_selector(".players li.x .emote")
        assert page.inner_text(".players li.x .emote") == "Nice move!"
    assert table.ann.locator("#emotes:popover-open").count() == 0


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


def test_invitation_is_still_there_after_a_reload(table: Table) -> None:
    table.invite("3x3")
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


def test_ultimate_names_the_block_to_play(table: Table) -> None:
    table.sit_down("ultimate")
    table.play(0)
    eventually(table.bob, "document.querySelector('.status')?.innerText.includes('the top left block')")


def test_invitation_has_a_qr_code_where_a_phone_can_reach_the_server(table: Table) -> None:
    table.sit_down()
    local = httpx.get(f"{table.address}/api/about").json()
    table.ann.route("**/api/about", lambda route: route.fulfill(json={**local, "is_local": False}))
    table.ann.goto("about:blank")
    table.invite("3x3")
    table.ann.wait_for_selector(".qr path")
