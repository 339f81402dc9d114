"""The report of a tournament: one page, in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arenas import make_plan, run_plan
from mocks import command
from noughts import Game, save_game
from noughts.arena.plots import bars, curves, histogram, intervals
from noughts.arena.report import report_html
from noughts.arena.runner import Run
from noughts.arena.tournaments import Tournaments
from noughts.games.quoting import script_json
from noughts.store import Store
from plays import tower
from web_pages import CHROMIUM, browsing

if TYPE_CHECKING:
    from playwright.sync_api import Page

BROWSER = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
GAMES = ["3x3", "3x3+misere", "7x6:4+gravity", "4x4x4", "15x15:5", "ultimate:3", "ultimate:3+open", "3x3x3x3"]


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browsing() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(20_000)
        yield page


MARKUP = [f'{markup}<b>"&amp;' for markup in ("</script>", "<!--<script>", "]]>")]


@pytest.fixture(scope="module")
def run_of_markup(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A tournament whose names are markup."""
    folder = tmp_path_factory.mktemp("markup")
    bots = [{"name": name, "run": "random"} for name in MARKUP]
    with Store(folder / "noughts.sqlite3") as store:
        return run_plan(store, make_plan(folder, *bots, name="".join(MARKUP)))


@pytest.fixture(scope="module")
def run_with_a_failure(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A tournament in which a bot forfeits."""
    folder = tmp_path_factory.mktemp("failure")
    bad = {"name": "bad", "run": command("crash-in-the-middle"), "protocol": "json"}
    with Store(folder / "noughts.sqlite3") as store:
        return run_plan(store, make_plan(folder, "random", "easy", bad, game="4x4", rounds=2))


def open_report(page: Page, run: Run, folder: Path) -> list[str]:
    """Open the report in the browser; returns the list that errors are added to."""
    file = folder / "report.html"
    file.write_text(report_html(run), encoding="utf-8")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(file.as_uri())
    return errors


def data_of(html: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_page_loads_nothing_and_survives_names_that_are_markup(run_of_markup: Run) -> None:
    html = report_html(run_of_markup)
    assert not re.search(r"(?:src|href)\s*=|@import|url\(", html)
    assert html.count("</script>") == 2
    assert not re.search(r"<!--|<script>\W|<b>|[\u2028\u2029]", html.split('id="data">')[1].split("</script>")[0])
    assert "<b>" not in html.split('id="data"')[0]
    assert data_of(html)["bots"] == MARKUP


@pytest.mark.parametrize("id", GAMES)
def test_data_to_replay_agrees_with_the_rules(store: Store, tmp_path: Path, id: str) -> None:
    run = run_plan(store, make_plan(tmp_path, "random", "beginner", game=id))
    game = Game(id)
    data = data_of(report_html(run))
    assert len(data["board"]["centres"]) == len(data["board"]["names"]) == game.cells
    assert len(data["board"]["blocks"]) == (game.blocks if game.is_ultimate else 0)
    for play, played in zip(data["plays"], run.counted, strict=True):
        position = game.start()
        moves = list(map(int, play["m"].split()))
        for ply, move in enumerate(moves):
            if game.is_ultimate:
                assert play["T"][ply] == (-1 if position.block_to_play is None else position.block_to_play)
            position.play(move)
        owners = {block: owner for _, block, owner in play.get("B", [])}
        if game.is_ultimate:
            assert owners == {at: str(owner) for at, owner in enumerate(position.blocks) if owner is not None}
        assert play["w"] == (str(position.winner) if position.winner else "")
        assert play["p"] == list(played.points)


def test_page_of_many_playthroughs_stays_small(store: Store, tmp_path: Path) -> None:
    run = run_plan(store, make_plan(tmp_path, "random", "easy", rounds=50, openings={"plies": 0}))
    assert len(report_html(run)) < 30_000 + 150 * len(run.counted)


def test_unfinished_and_empty_tournaments_have_a_page_too(store: Store, tmp_path: Path) -> None:
    plan = make_plan(tmp_path, "random", "easy", rounds=2)
    run = Run(Tournaments(store), Tournaments(store).add(plan), plan)
    assert "Nothing has been played yet" in report_html(run)


def test_json_in_a_script_has_no_markup_characters() -> None:
    data = {"<!--<script>": ["</script>", "]]>", "a & b", "\u2028\u2029"]}
    text = script_json(data)
    assert not set(text) & set("<>&\u2028\u2029")
    assert json.loads(text) == data


def test_bot_that_never_moved_has_no_time_per_move(store: Store, tmp_path: Path) -> None:
    bad = {"name": "bad", "run": "/nowhere/bot", "protocol": "json"}
    html = report_html(run_plan(store, make_plan(tmp_path, "random", bad)))
    row = re.search(r'<th scope="row">bad</th>(.*?)</tr>', html)
    assert row is not None
    assert re.findall(r"<td>(.*?)</td>", row[1])[-2:] == ["–", "–"]


@BROWSER
def test_names_that_are_markup_leave_the_script_running_and_those_of_axes_are_not_cut_off(
    page: Page, run_of_markup: Run, tmp_path: Path
) -> None:
    errors = open_report(page, run_of_markup, tmp_path)
    assert page.locator("#plays tbody tr").count() == len(run_of_markup.counted)
    assert errors == []
    script = """() => [...document.querySelectorAll("svg.plot")].every(plot => {
        const room = plot.getBoundingClientRect();
        return [...plot.querySelectorAll("text")].every(text => text.getBoundingClientRect().bottom <= room.bottom);
    })"""
    assert page.evaluate(script)


def test_plots_describe_themselves_in_words() -> None:
    assert 'aria-label="Elo: a +10 plus or minus 5; b -10 plus or minus 5"' in intervals(
        [("a", 10, 5), ("b", -10, 5)], "Elo"
    )
    assert "a ends at 3" in curves([("a", [1, 2, 3])], "playthroughs", "score")
    assert "from 5 to 9, 7.0 on average" in histogram([5, 7, 9], "plies")
    assert "a &amp; b: 3" in bars([("a & b", 3, "")])


def test_plots_of_extremes_are_drawn() -> None:
    for drawn in (
        intervals([("a", 0.0, 0.0)], "Elo"),
        curves([("a", [0.0])], "x", "y"),
        curves([("a", [0.5] * 5_000), ("b", [])], "x", "y"),
        histogram([3], "plies"),
        histogram([1, 100_000], "plies"),
        bars([("a", 0, "")]),
    ):
        assert drawn.startswith("<svg")
        assert not re.search(r"\bnan\b|\binf\b", drawn)
        assert len(drawn) < 20_000


@BROWSER
def test_every_playthrough_can_be_stepped_through(page: Page, run_with_a_failure: Run, tmp_path: Path) -> None:
    run = run_with_a_failure
    errors = open_report(page, run, tmp_path)
    assert page.locator("#plays tbody tr").count() == 12
    for number, played in enumerate(run.counted):
        page.locator("#plays tbody button").nth(number).click()
        assert page.locator("#board .marks > g").count() == played.opening + (1 if played.opening else 0)
        page.click("#last")
        marks = page.locator("#board .marks .noughts-x, #board .marks .noughts-o").count()
        assert marks == len(played.moves)
        assert page.is_disabled("#forward")
        page.click("#first")
        assert page.locator("#board .marks > g").count() == 0
        page.click("#forward")
        assert "move 1 of" in page.inner_text("#status")
    assert errors == []


@BROWSER
def test_keys_step_filters_narrow_and_a_forfeit_shows_its_reason(
    page: Page, run_with_a_failure: Run, tmp_path: Path
) -> None:
    open_report(page, run_with_a_failure, tmp_path)
    page.locator("h1").click()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert "move 1 of" in page.inner_text("#status")
    page.select_option("#bot", label="bad")
    assert page.inner_text("#count") == "8 of 12 playthroughs"
    page.select_option("#ending", "crash")
    crashes = [result for result in run_with_a_failure.counted if result.failure == "crash"]
    assert page.locator("#plays tbody tr").count() == len(crashes) > 0
    page.locator("#plays tbody button").first.click()
    page.click("#last")
    assert " wins because the opponent's program failed (" in page.inner_text("#status")
    assert "no idea what to do" in page.inner_text("#stderr")


@BROWSER
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_is_accessible_and_fits_a_phone(page: Page, store: Store, tmp_path: Path, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    bad = {"name": "bad", "run": "/nowhere/bot", "protocol": "json"}
    run = run_plan(store, make_plan(tmp_path, "random", "easy", bad, game="ultimate:3"))
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    open_report(page, run, tmp_path)
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.set_viewport_size({"width": 380, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.set_viewport_size({"width": 1280, "height": 900})


@BROWSER
def test_custom_game_is_drawn(page: Page, store: Store, tmp_path: Path) -> None:
    save_game(tower(), tmp_path / "tower.json")
    run = run_plan(store, make_plan(tmp_path, "random", "easy", game="tower.json"))
    errors = open_report(page, run, tmp_path)
    marks = page.locator("#board .marks .noughts-x, #board .marks .noughts-o").count()
    assert marks == len(run.counted[0].moves)
    assert errors == []
