"""The front page and My games: tiles that play at once, games to continue, deletion that can be undone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from web_pages import (
    COUNT_SHIFTS,
    Held,
    Home,
    cell,
    choose_game,
    eventually,
    open_game,
    press,
    says,
    show_notes_for,
    visiting,
    wait_for_drawing,
    wait_for_mark,
    wait_until,
    wait_until_saved,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FEATURED = ["Tic-tac-toe", "Connect Four", "Ultimate", "Gomoku", "Qubic"]
ALLOWED_ON_CONSOLE = ("ERR_",)


def play_one_game(page: Page, id: str, *moves: int) -> None:
    """Play moves of a game for two at this screen, and wait until they are saved."""
    open_game(page, id)
    for ply, move in enumerate(moves):
        cell(page, move).click()
        wait_for_mark(page, move, "XO"[ply % 2])
    wait_until_saved(page)


def wait_until_deleted(page: Page, home: Home, title: str) -> None:
    wait_until(page, lambda: title not in saved_titles(home), f"{title} is deleted")


def saved_titles(home: Home) -> list[str]:
    return [entry["title"] for entry in httpx.get(f"{home.address}/api/games").json()["games"]]


@pytest.mark.parametrize("width", [360, 1400])
def test_buttons_of_a_tile_do_not_cover_its_board(home: Home, browser: Browser, width: int) -> None:
    with visiting(browser, home.address, viewport={"width": width, "height": 800}, has_touch=width < 400) as page:
        page.goto("/")
        page.wait_for_selector(f".tile:has-text('{FEATURED[-1]}') .miniature")
        tiles = page.locator(".tile:has(> .foot)")
        assert tiles.count() >= len(FEATURED)
        for tile in tiles.all():
            board, buttons = tile.locator(".miniature").bounding_box(), tile.locator(".foot").bounding_box()
            assert board is not None
            assert buttons is not None
            assert board["y"] + board["height"] <= buttons["y"]
            # The board stands in the middle of its tile.
            whole = tile.bounding_box()
            assert whole is not None
            assert abs(2 * board["x"] + board["width"] - 2 * whole["x"] - whole["width"]) < 3


def test_the_front_page_shows_games_as_small_boards_and_one_click_plays(page: Page) -> None:
    page.goto("/")
    for title in FEATURED:
        page.wait_for_selector(f".tile:has-text('{title}') .miniature")
    page.get_by_role("button", name="Play Connect Four", exact=True).click()
    page.wait_for_selector("h1:has-text('Connect Four')")
    cell(page, 38).click()
    wait_for_mark(page, 38, "X")
    page.wait_for_selector(".planes .taken .mark.o, .planes .taken .disc.o")


def test_a_tile_plays_at_the_level_chosen_last(page: Page) -> None:
    page.goto("/")
    page.select_option('.opponent select[name="level"]', "difficult")
    page.get_by_role("button", name="Play Tic-tac-toe", exact=True).click()
    page.wait_for_selector(".players:has-text('Difficult')")
    page.goto("about:blank")
    page.goto("/")
    assert page.input_value('.opponent select[name="level"]') == "difficult"


def test_small_boards_play_by_themselves_unless_less_motion_is_wanted(page: Page) -> None:
    boards = "[...document.querySelectorAll('.tile button .miniature')].map((board) => board.innerHTML).join()"
    page.clock.install()
    page.goto("/")
    eventually(page, "document.querySelectorAll('.tile button .miniature').length === 5")
    before = page.evaluate(boards)
    page.clock.run_for(2500)
    wait_for_drawing(page)
    assert page.evaluate(boards) == before
    page.emulate_media(reduced_motion="no-preference")
    eventually(page, f"before => {boards} !== before", before)


def test_all_games_are_behind_one_button_by_family(home: Home, page: Page) -> None:
    page.goto("/")
    press(page, "All games")
    page.wait_for_selector(".families h2")
    many = len(httpx.get(f"{home.address}/api/catalogue").json()["games"])
    eventually(page, "many => document.querySelectorAll('.tile button .miniature').length === many", many)
    page.get_by_role("button", name="Play Score Four", exact=True).click()
    page.wait_for_selector("h1:has-text('Score Four')")


def test_a_running_game_is_continued_from_the_front_page(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play Tic-tac-toe", exact=True).click()
    cell(page, 4).click()
    page.wait_for_selector(".planes .taken .mark.o")
    page.goto("about:blank")
    page.goto("/")
    page.get_by_role("link", name=re.compile("Continue Tic-tac-toe")).click()
    wait_for_mark(page, 4, "X")


def test_a_new_game_is_chosen_by_name_not_by_id(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Options for Qubic").click(force=True)
    page.wait_for_selector(".chosen-game h3:has-text('Qubic')")
    assert "4x4x4" not in page.inner_text("dialog.setup")
    press(page, "Choose another game")
    press(page, "Gomoku")
    page.wait_for_selector(".chosen-game h3:has-text('Gomoku')")
    press(page, "Start")
    page.wait_for_selector("h1:has-text('Gomoku')")


def test_the_largest_board_can_be_played_at_every_level(page: Page) -> None:
    page.goto("#view=play")
    press(page, "New game")
    choose_game(page, "64x64:5")
    page.select_option('.setup select[name="level"]', "insane")
    page.check('input[name="side"][value="O"]')
    press(page, "Start")
    eventually(page, "document.querySelectorAll('.planes .taken').length === 1")


def test_an_empty_list_invites_to_choose_a_game(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address) as page:
        page.route("**/api/games?*", lambda route: route.fulfill(json={"games": []}))
        page.goto("#view=games")
        page.wait_for_selector(".empty:has-text('No games yet')")
        page.get_by_role("link", name="Choose a game").click()
        page.wait_for_selector(".tile")


def test_a_server_that_is_down_does_not_look_like_an_empty_list(page: Page) -> None:
    play_one_game(page, "4x4:3", 0, 5)
    page.route("**/api/games?*", lambda route: route.abort())
    page.get_by_role("link", name="My games").click()
    page.wait_for_selector(".failure:has-text('server does not answer')")
    assert page.locator(".empty").count() == 0
    page.unroute("**/api/games?*")
    press(page, "Try again")
    page.wait_for_selector(".saved li:has-text('4×4, 3 in a row')")


def test_a_deleted_game_can_be_brought_back_for_some_seconds(home: Home, page: Page) -> None:
    play_one_game(page, "5x5:4", 12, 6, 7)
    page.get_by_role("link", name="My games").click()
    row = page.locator(".saved li:has-text('5×5, 4 in a row')")
    row.locator(".thumb .miniature").wait_for()
    row.get_by_role("button", name=re.compile("^Delete")).click()
    row.wait_for(state="detached")
    assert "5×5, 4 in a row" in saved_titles(home)
    press(page, "Undo")
    row.wait_for()
    show_notes_for(page, 1)
    row.get_by_role("button", name=re.compile("^Delete")).click()
    row.wait_for(state="detached")
    wait_until_deleted(page, home, "5×5, 4 in a row")


def test_a_game_deleted_while_the_list_is_being_read_stays_away(page: Page) -> None:
    play_one_game(page, "6x5:3", 9, 10)
    page.get_by_role("link", name="My games").click()
    row = page.locator(".saved li:has-text('6×5, 3 in a row')")
    row.wait_for()
    held = Held(page, "**/api/games?*")
    page.get_by_role("link", name="Play", exact=True).click()
    page.get_by_role("link", name="My games").click()
    row.get_by_role("button", name=re.compile("^Delete")).click()
    row.wait_for(state="detached")
    held.wait_for_request()
    held.deliver()
    assert row.count() == 0


def test_leaving_the_page_makes_a_deletion_final(home: Home, page: Page) -> None:
    play_one_game(page, "6x5:4", 12, 6)
    page.get_by_role("link", name="My games").click()
    row = page.locator(".saved li:has-text('6×5, 4 in a row')")
    row.get_by_role("button", name=re.compile("^Delete")).click()
    row.wait_for(state="detached")
    page.goto("about:blank")
    wait_until_deleted(page, home, "6×5, 4 in a row")


def test_the_result_of_a_saved_game_is_said_to_the_person_who_played_it(page: Page) -> None:
    page.goto("#view=play")
    cell(page, 4).click()
    page.wait_for_selector(".planes .taken .mark.o")
    page.evaluate("import('/js/play/play.js').then(({ resign }) => resign())")
    wait_until_saved(page)
    page.get_by_role("link", name="My games").click()
    row = page.locator(".saved li").first
    row.wait_for()
    assert "You against Easy" in row.inner_text()
    assert "You resigned: Easy wins" in row.inner_text()


def test_names_of_a_file_are_shortened(page: Page, tmp_path: Path) -> None:
    open_game(page, "3x3")
    file = tmp_path / "long.ngn"
    file.write_text(f'[Game "3x3"]\n[X "{"n" * 300}"]\n[O "Bob"]\n\n1. b2 *\n')
    page.set_input_files("input[type=file]", file)
    page.wait_for_selector(".players .name:has-text('nnn…')")
    assert len(page.inner_text(".players li.x .name")) < 60


def test_a_link_of_this_computer_says_that_it_works_here_only(page: Page) -> None:
    open_game(page, "3x3", (4,))
    page.evaluate("import('/js/shell/app.js').then(({ notify }) => notify('loaded long.ngn'))")
    page.evaluate(
        "Promise.all(['play/files', 'shell/app'].map((name) => import(`/js/${name}.js`)))"
        ".then(([{ sharePlay }, { state }]) => sharePlay(state.play))"
    )
    page.wait_for_selector("dialog.share:has-text('on this computer only')")
    assert "loaded" not in page.inner_text("dialog.share")


def test_a_game_started_by_keyboard_is_announced_and_has_the_focus(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play Ultimate", exact=True).press("Enter")
    says(page, "Ultimate. Your move.")
    eventually(page, "document.activeElement.matches('.planes [data-cell]')")
    page.keyboard.press("Enter")
    wait_for_mark(page, 40, "X")
    eventually(page, "/O plays .+ X to move in the .+ board[.]/.test(document.getElementById('says').textContent)")


def test_a_friend_is_invited_to_the_game_seen_last_or_to_one_that_is_asked_for(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play a friend").click()
    page.get_by_role("heading", name="Choose a game").wait_for()
    press(page, "Close")
    page.goto("#game=7x6:4%2Bgravity&view=analyse")
    page.wait_for_selector(".planes")
    page.goto("#view=home")
    page.get_by_role("button", name="Play a friend").click()
    page.wait_for_selector(".chosen-game h3:has-text('Connect Four')")
    assert page.locator('.setup input[value="link"]').is_checked()


@pytest.mark.parametrize("size", [(1400, 900), (390, 844), (800, 1000)])
def test_the_front_page_stands_still_while_it_loads(page: Page, size: tuple[int, int]) -> None:
    play_one_game(page, "3x3", 4)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.add_init_script(COUNT_SHIFTS)
    page.goto("about:blank")
    page.goto("/")
    page.wait_for_selector(".continue .running")
    for title in (*FEATURED, "Puzzle of the day"):
        page.wait_for_selector(f".tile:has-text('{title}') .miniature")
    assert page.evaluate("window.shift") < 0.02
