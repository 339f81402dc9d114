"""The page without a server in a real browser, from a folder of a plain file server. `make site` builds it."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from noughts import Game, solve
from noughts.analysis.puzzles import Goal, shipped_puzzles
from noughts.ask import QUESTIONS
from paths import ROOT
from web_pages import (
    PATIENCE_SECONDS,
    PERSON,
    cell,
    engine,
    eventually,
    open_game,
    press,
    resume_game,
    to_step,
    unfold_search,
    visiting,
    wait_for_mark,
    wait_for_marks,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SITE = ROOT / "build" / "site"
MAX_BYTES = 1_500_000
RELOADS = 6
FIRST_MOVE_MS = 5000.0
"""Until the engine has answered the first move; a second on a machine that does nothing else."""
HOUSE = {
    "name": "house",
    "cells": 5,
    "lines": [[0, 1, 2], [2, 3, 4], [0, 2, 4]],
    "coordinates": [[0, 0], [1, 0], [2, 0], [1, 1], [0, 1]],
}
GAMES = {"cube": "3x3x3", "custom": HOUSE}

pytestmark = pytest.mark.skipif(not (SITE / ".built").exists(), reason="build/site is not built")


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def serving(root: Path) -> Iterator[str]:
    """The address of a file server for a folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(root)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join(PATIENCE_SECONDS)
        server.server_close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site in a folder of a file server, as on a host that has others beside it."""
    root = tmp_path_factory.mktemp("host")
    (root / "games").mkdir()
    (root / "games" / "noughts").symlink_to(SITE)
    with serving(root) as host:
        yield f"{host}/games/noughts"


@pytest.fixture(scope="module")
def visitor(address: str, browser: Browser) -> Iterator[Page]:
    """One page for most tests, since its workers take a second of processor time to start."""
    with visiting(browser, address, viewport={"width": 1100, "height": 800}) as page:
        yield page


def test_site_is_small() -> None:
    files = [path for path in SITE.rglob("*") if path.is_file()]
    assert 500_000 < sum(len(gzip.compress(path.read_bytes(), 9)) for path in files) < MAX_BYTES


def test_site_knows_the_questions_of_the_package() -> None:
    text = (SITE / "js" / "server" / "questions.js").read_text()
    assert json.dumps([name for name, question in QUESTIONS.items() if not question.is_instant]) in text


# Playing

FIRST_MOVE = """() => {
  const look = () => {
    const taken = document.querySelectorAll(".planes .taken:not(.pending)").length;
    if (!taken) document.querySelector('.planes .legal[data-cell="4"]')?.click();
    if (taken < 2) requestAnimationFrame(look);
    else window.answeredAt = performance.now();
  };
  addEventListener("DOMContentLoaded", look);
}"""


def test_engine_answers_the_first_move_soon_after_loading(address: str, browser: Browser) -> None:
    with visiting(browser, address) as page:
        page.add_init_script(f"({FIRST_MOVE})()")
        page.goto("#view=play")
        eventually(page, "window.answeredAt")
        assert page.evaluate("window.answeredAt") < FIRST_MOVE_MS


PLAY_ON = """async () => {
  const isOver = () => JSON.parse(localStorage["noughts.current"]).isOver;
  while (!isOver()) {
    document.querySelector(".planes .legal")?.click();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}"""


@pytest.mark.parametrize("kind", GAMES)
def test_whole_playthrough_against_a_level(visitor: Page, kind: str) -> None:
    resume_game(visitor, PERSON, engine("easy"), game=GAMES[kind], id=kind)
    visitor.evaluate(PLAY_ON)
    visitor.wait_for_selector(".status")
    assert re.search(r"win|draw|lose", visitor.inner_text(".status"), re.I)


@pytest.mark.parametrize("level", ["beginner", "master"])
def test_weakest_and_strongest_level_move(visitor: Page, level: str) -> None:
    resume_game(visitor, engine(level), PERSON, game="7x6:4+gravity", id=level)
    wait_for_marks(visitor, 1)


def test_hint_comes_in_steps(visitor: Page) -> None:
    open_game(visitor, "3x3", (0, 4, 1))
    press(visitor, "Hint")
    visitor.wait_for_selector(".hint")


# Studying


def test_live_analysis_deepens_and_follows_the_position(visitor: Page) -> None:
    open_game(visitor, "15x15:5", (112, 113), "&view=analyse")
    visitor.wait_for_selector(".lines li")
    before = visitor.inner_text(".found")
    eventually(visitor, "before => document.querySelector('.found').textContent !== before", before)
    cell(visitor, 127).click()
    wait_for_mark(visitor, 127, "X")
    eventually(visitor, "document.querySelectorAll('.lines li').length === 3")


def test_small_board_is_proven_and_solved(visitor: Page) -> None:
    open_game(visitor, "4x4", (), "&view=analyse")
    press(visitor, "Solve this position")
    eventually(visitor, "document.querySelector('.solved')?.textContent.includes('Proven: a draw')")


def test_review_finds_the_blunders(visitor: Page) -> None:
    open_game(visitor, "3x3", (0, 1, 4, 8, 2, 6, 5, 3), "&view=analyse")
    press(visitor, "Review the line")
    visitor.wait_for_selector(".mistakes li")
    assert visitor.locator(".branches .is-blunder").count() == 2


def test_puzzle_is_solved(visitor: Page) -> None:
    puzzle = next(each for each in shipped_puzzles() if (each.game, each.goal, each.steps) == ("3x3", Goal.DRAW, 1))
    visitor.goto(f"#view=puzzles&puzzle={puzzle.id}")
    visitor.wait_for_selector(".score")
    cell(visitor, puzzle.line[0]).click()
    eventually(visitor, "document.querySelector('.verdict.good')?.textContent.includes('Solved')")


def test_textbook_search_is_traced_and_compared(visitor: Page) -> None:
    visitor.goto("#view=learn&door=think")
    unfold_search(visitor)
    visitor.select_option('select[name="algorithm"]', "alphabeta")
    visitor.wait_for_selector(".comparison tbody tr")
    press(visitor, "Next cutoff")
    visitor.wait_for_selector(".stepper")


@pytest.mark.parametrize("width", [1280, 390])
def test_exercise_of_an_exam_is_stepped_enlarged_and_saved(visitor: Page, width: int) -> None:
    visitor.set_viewport_size({"width": width, "height": 844})
    visitor.goto("#view=learn&door=think")
    unfold_search(visitor)
    visitor.select_option('select[name="lesson"]', "leaves")
    visitor.wait_for_selector(".knot.end >> nth=8")
    assert visitor.locator(".knot.unseen").count() == 12  # all but the root, also what will be pruned
    press(visitor, "Next cutoff")
    assert visitor.locator(".cross").count() == 2
    to_step(visitor, "End")
    assert "≤ 2" in visitor.locator(".knot text").all_text_contents()
    assert visitor.locator(".code li[aria-current]").all_inner_texts() == ["  return best"]
    drawn = visitor.locator(".canvas svg")
    before = drawn.evaluate("svg => svg.getBoundingClientRect().width")
    press(visitor, "Larger")
    assert drawn.evaluate("svg => svg.getBoundingClientRect().width") > 1.2 * before
    for kind in ("SVG", "PNG"):
        with visitor.expect_download() as saved:
            press(visitor, f"Save as {kind}")
        assert saved.value.suggested_filename == f"tree.{kind.lower()}"
    assert visitor.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_game_of_ones_own_is_shown_and_played_with_a_friend_at_this_screen(visitor: Page) -> None:
    visitor.goto("#view=own")
    visitor.wait_for_selector(".preview svg")
    press(visitor, "Play a friend")
    press(visitor, "Start")
    visitor.wait_for_selector("text=X to move")


# Proofs


def choose_proof(page: Page, path: Path) -> str:
    page.goto("#view=proof")
    page.set_input_files(".proof-page input[type=file]", path)
    page.wait_for_selector(".proof-page .checked")
    return page.inner_text(".proof-page .checked")


def test_proof_is_accepted_and_a_damaged_one_is_not(visitor: Page, tmp_path: Path) -> None:
    proof = solve(Game("4x3:3").start()).proof
    assert proof is not None
    whole, damaged = tmp_path / "whole.ngp", tmp_path / "damaged.ngp"
    proof.save(whole)
    text = whole.read_bytes()
    text = gzip.decompress(text) if text[:2] == b"\x1f\x8b" else text
    damaged.write_bytes(text[: len(text) // 2])
    assert "X wins" in choose_proof(visitor, whole)
    visitor.reload()
    assert "not accepted" in choose_proof(visitor, damaged)


# Kept by the browser


def test_saved_games_survive_a_reload(address: str, browser: Browser) -> None:
    with visiting(browser, address) as page:
        resume_game(page, PERSON, engine("easy"), game="4x4x4", id="kept")
        page.evaluate("document.querySelector('.planes .legal').click()")
        wait_for_marks(page, 2)
        page.goto("#view=games")
        page.reload()
        page.wait_for_selector(".games-page li")
        assert "Qubic" in page.inner_text(".games-page")
        page.locator(".games-page button", has_text="Continue").click()
        wait_for_marks(page, 2)


def test_games_that_an_older_version_saved_are_shown(address: str, browser: Browser) -> None:
    request = {"game": "3x3", "start": None, "moves": [4, 0], "result": None, "time_control": None, "key": "k" * 24}
    summary = {"id": 7, "game": "3x3", "title": "Tic-tac-toe", "x": "you", "o": "easy", "plies": 2, "source": "web"}
    times = {"started": "2026-11-01T12:00:00.000Z", "updated": "2026-11-01T12:01:00.000Z", "outcome": None}
    record = {"id": 7, "request": {**request, "x": "you", "o": "easy", "clocks": []}, "summary": {**summary, **times}}
    with visiting(browser, address) as page:
        page.goto(address)
        page.evaluate("text => localStorage.setItem('noughts.saved.7', text)", json.dumps(record))
        page.goto("#view=games")
        press(page, "Continue Tic-tac-toe, You against Easy")
        page.wait_for_selector('.planes [data-cell="4"].taken')


def test_link_to_a_friend_game_says_that_there_is_no_server(address: str, browser: Browser) -> None:
    with visiting(browser, address) as page:
        page.goto("#friend=abc")
        page.wait_for_selector("text=This page has no server")


def test_page_works_without_a_network_after_the_first_visit(address: str, browser: Browser) -> None:
    with visiting(browser, address) as page:
        page.goto("#view=play")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        page.context.set_offline(True)
        page.reload()
        page.wait_for_selector(".cell.legal")
        cell(page, 4).click()
        wait_for_marks(page, 2)
        open_game(page, "7x6:4+gravity", (), "&view=analyse")
        page.wait_for_selector(".lines li")


def publish_new_version(site: Path, text: str) -> None:
    """Change the document of a site as a new build would."""
    index, worker = site / "index.html", site / "service_worker.js"
    old = hashlib.sha256(index.read_bytes()).hexdigest()[:16]
    index.write_text(index.read_text().replace("Play, analyse and learn", text))
    script = worker.read_text().replace(old, hashlib.sha256(index.read_bytes()).hexdigest()[:16])
    worker.write_text(re.sub(r'"version": "\w+"', '"version": "new"', script))


UPDATE = """async () => {
  const found = await navigator.serviceWorker.ready;
  await found.update();
  while (!found.waiting) await new Promise((resolve) => setTimeout(resolve, 20));
}"""


def reload_until(page: Page, selector: str) -> None:
    """Reload until an element is there.

    Chromium replaces a service worker only when its requests have ended, which may be after the next reload.
    """
    from playwright.sync_api import TimeoutError as TooLate

    for _ in range(RELOADS):
        page.reload()
        with suppress(TooLate):
            page.wait_for_selector(selector, state="attached", timeout=PATIENCE_SECONDS * 1000 / RELOADS)
            return
    raise AssertionError(f"{selector} is not there after {RELOADS} reloads")


def test_new_version_is_used_after_a_reload(browser: Browser, tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(SITE, site)
    with serving(site) as host, visiting(browser, host) as page:
        page.goto(f"{host}/#view=proof")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        page.reload()
        publish_new_version(site, "Try, analyse and learn")
        page.evaluate(UPDATE)
        assert page.locator("meta[content^=Play]").count() == 1
        reload_until(page, "meta[content^=Try]")


def test_manifest_makes_the_page_installable() -> None:
    manifest: dict[str, Any] = json.loads((SITE / "manifest.webmanifest").read_text())
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
    for icon in manifest["icons"]:
        assert (SITE / icon["src"]).exists()


@pytest.mark.parametrize("view", ["home", "analyse", "proof"])
def test_axe_finds_nothing(visitor: Page, view: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    visitor.goto(f"#view={view}")
    visitor.wait_for_selector(
        {"home": ".tile .miniature", "proof": ".proof-page", "analyse": ".lines li"}.get(view, ".planes")
    )
    found = axe.run(visitor, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    visitor.set_viewport_size({"width": 360, "height": 700})
    assert visitor.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visitor.set_viewport_size({"width": 1100, "height": 800})
