"""Clocks on the page: they run out, are taken back, saved and shown as everywhere else."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from clock_script import MOVES, TAKEBACKS
from noughts.games import Side
from noughts.match.clock import format_seconds
from web_pages import Held, cell, eventually, press, says, status, wait_for_mark, wait_until, wait_until_saved

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


def open_timed_game(page: Page, o_seconds: float) -> None:
    """Open a game of two people at this screen, in which O is to move and has this much time left."""
    players = {"X": {"kind": "person", "name": "Ann"}, "O": {"kind": "person", "name": "Bob"}}
    control = {"text": "1m", "seconds": 60, "increment": 0}
    left = {"X": 55000, "O": 1000 * o_seconds}
    clock = {"control": control, "left": left, "turns": [{"X": 60000, "O": 60000}, left], "since": None}
    current = json.dumps({"game": "3x3", "moves": [4], "players": players, "clock": clock})
    page.add_init_script(f"if (!localStorage['noughts.current']) localStorage['noughts.current'] = '{current}'")
    page.goto("#view=play")
    page.wait_for_selector(".cell.legal, .status.over")


def seconds_left(page: Page, side: str) -> float:
    minutes, seconds = page.inner_text(f".players li.{side} .clock").split(":")
    return 60 * int(minutes) + float(seconds)


def lose_on_time(page: Page) -> None:
    """Let the browser's clock jump forward by a minute."""
    page.evaluate("() => { const now = performance.now.bind(performance); performance.now = () => now() + 60000; }")


def test_a_clock_runs_out(page: Page) -> None:
    open_timed_game(page, 1)
    page.wait_for_selector(".status.over")
    assert status(page) == "Ann wins on time"
    assert page.inner_text(".players li.o .clock") == "0:00.0"


def test_undo_after_losing_on_time_restores_both_clocks(page: Page) -> None:
    open_timed_game(page, 50)
    lose_on_time(page)
    page.wait_for_selector(".status.over")
    press(page, "Undo")
    page.wait_for_selector(".cell.legal")
    wait_until(page, lambda: seconds_left(page, "o") < 50)
    assert status(page) == "Bob (O) to move"
    assert seconds_left(page, "x") == 55
    assert 20 < seconds_left(page, "o") <= 50


def test_undo_before_the_loss_on_time_is_saved_begins_another_saved_game(page: Page) -> None:
    open_timed_game(page, 50)
    held: list[Route] = []
    page.route(re.compile(r"/api/games(/\d+)?$"), lambda route: route.continue_() if held else held.append(route))
    lose_on_time(page)
    wait_until(page, lambda: held)
    press(page, "Undo")
    page.wait_for_selector(".cell.legal")
    first = held[0].request
    with page.expect_response(lambda answer: answer.request.method == "POST" and answer.request != first) as again:
        held[0].continue_()
    assert again.value.ok


def test_a_move_confirmed_after_the_flag_fell_does_not_revive_the_game(page: Page) -> None:
    open_timed_game(page, 50)
    held = Held(page, "**/api/position")
    cell(page, 0).click()
    held.wait_for_request()
    lose_on_time(page)
    page.wait_for_selector(".status.over")
    held.deliver()
    assert status(page) == "Ann wins on time"
    assert page.locator(".planes .taken").count() == 1


def test_a_flag_falls_while_another_view_is_shown(page: Page) -> None:
    open_timed_game(page, 50)
    page.get_by_role("link", name="Games").click()
    page.wait_for_selector(".games-page")
    lose_on_time(page)
    says(page, "Ann wins on time")


def test_a_reload_does_not_refund_the_turn(page: Page) -> None:
    open_timed_game(page, 50)
    page.evaluate("() => { const now = performance.now.bind(performance); performance.now = () => now() + 30000; }")
    eventually(page, "document.querySelector('.players li.o .clock')?.textContent < '0:21'")
    page.reload()
    page.wait_for_selector(".cell.legal")
    assert 0 < seconds_left(page, "o") <= 20


def test_times_and_clocks_of_the_page_are_those_of_the_terminal(page: Page) -> None:
    page.goto("#view=play")
    times = [0, 0.04, 7.35, 9.96, 10, 19.96, 20, 59.9, 60, 298.7, 3601]
    shown = page.evaluate("async times => times.map((await import('/js/play/clock.js')).formatTime)", times)
    assert shown == [format_seconds(seconds) for seconds in times]
    last, steps = Side.O, []
    for step in MOVES + TAKEBACKS:
        plies = 1 if step.takeback is last else 2
        last = last.opponent if step.move or plies == 1 else last
        steps.append({"seconds": step.seconds, "plies": None if step.move else plies})
    assert page.evaluate(PLAY_CLOCK_SCRIPT, steps) == [list(step.left) for step in MOVES + TAKEBACKS]


PLAY_CLOCK_SCRIPT = """async (steps) => {
    const { newClock, press, restore, run, timeLeft } = await import("/js/play/clock.js");
    let [now, ply] = [0, 0];
    performance.now = () => now;
    const clock = newClock({ text: "1+2", seconds: 60, increment: 2 });
    run(clock, ply);
    return steps.map(({ seconds, plies }) => {
        now += 1000 * seconds;
        if (plies === null) press(clock, "XO"[ply % 2], ply);
        else restore(clock, ply - plies);
        ply += plies === null ? 1 : -plies;
        run(clock, ply);
        return ["X", "O"].map((side) => timeLeft(clock, side, side === "XO"[ply % 2]) / 1000);
    });
}"""


def test_a_game_is_saved_with_its_clocks(page: Page) -> None:
    open_timed_game(page, 50)
    cell(page, 0).click()
    wait_for_mark(page, 0, "O")
    wait_until_saved(page)
    number = page.evaluate("JSON.parse(localStorage['noughts.current']).saved")
    saved = page.evaluate("number => fetch(`/api/games/${number}`).then((answer) => answer.json())", number)
    assert saved["tags"]["TimeControl"] == "60+0"
    assert saved["clocks"][0] == 55
    assert 0 < saved["clocks"][1] <= 50
