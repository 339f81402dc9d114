"""Budgets of the page: bytes and requests of the first load, time to the first paint, to a mark, for a frame."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from noughts import web
from noughts.web.app import COMMENT_LINES, without_comments
from web_pages import Home, cell, open_game, visiting, wait_for_marks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FIRST_LOAD_BYTES = 150_000
FIRST_LOAD_REQUESTS = 80
ALL_VIEWS_BYTES = 300_000
ALL_VIEWS = {
    "analyse": ".lines li",
    "learn": ".course-list .miniature",
    "learn&door=think": ".comparison tr",
    "puzzles": ".score",
    "own": ".workshop-page",
    "games": ".games-page",
    "home": ".tile .miniature",
}
PAINT_MS = 1000.0
MARK_MS = 100.0
LONG_TASK_MS = 200.0
FRAME_MS = 8.0
"""Half of a frame at 60 a second: the other half is for the browser to draw."""
FRAMES = 60
VISITS = 10
"""One of these visits must be fast: a busy machine is late sometimes, a slow page always."""
STATIC = Path(web.__file__).parent / "static"


def least(home: Home, browser: Browser, bound: float, measure: Callable[[Page], float]) -> float:
    """The least of the measured times; measuring ends with the first below the bound."""
    times = [bound]
    while times[-1] >= bound and len(times) <= VISITS:
        with visiting(browser, home.address) as page:
            times.append(measure(page))
    return min(times)


def sizes_of(page: Page) -> list[float]:
    """The bytes of every file and answer that is loaded from now on, as transferred, with its headers."""
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    sizes: list[float] = []
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    return sizes


@pytest.mark.parametrize(("address", "shown"), [("/", ".tile .miniature"), ("/#view=play", ".cell.legal")])
def test_first_load_is_small(home: Home, browser: Browser, address: str, shown: str) -> None:
    with visiting(browser, home.address) as page:
        sizes = sizes_of(page)
        page.goto(home.address + address)
        page.wait_for_selector(shown)
        page.wait_for_load_state("networkidle")
        assert 20_000 < sum(sizes) < FIRST_LOAD_BYTES
        assert len(sizes) < FIRST_LOAD_REQUESTS


def test_all_views_together_are_small(home: Home, browser: Browser) -> None:
    with visiting(browser, home.address) as page:
        sizes = sizes_of(page)
        page.goto("#view=play")
        page.wait_for_selector(".cell.legal")
        for view, found in ALL_VIEWS.items():
            page.goto(f"#view={view}")
            page.wait_for_selector(found)
        assert sum(sizes) < ALL_VIEWS_BYTES


def test_page_paints_within_a_second(home: Home, browser: Browser) -> None:
    def measure(page: Page) -> float:
        page.goto("#view=play")
        page.wait_for_selector(".cell.legal")
        return float(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))

    assert least(home, browser, PAINT_MS, measure) < PAINT_MS


def test_mark_is_shown_within_a_tenth_of_a_second(home: Home, browser: Browser) -> None:
    def measure(page: Page) -> float:
        open_game(page, "15x15:5")
        cell(page, 112).wait_for()
        script = """() => new Promise((resolve) => {
            const at = performance.now();
            document.querySelector('.planes [data-cell="112"]').click();
            const look = () => document.querySelector('.planes [data-cell="112"] .mark')
                ? resolve(performance.now() - at) : requestAnimationFrame(look);
            look();
        })"""
        return float(page.evaluate(script))

    assert least(home, browser, MARK_MS, measure) < MARK_MS


def test_no_task_keeps_the_page_from_answering(home: Home, browser: Browser) -> None:
    def measure(page: Page) -> float:
        page.add_init_script(
            "window.longest = 0; new PerformanceObserver((list) => {"
            " for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);"
            "}).observe({ type: 'longtask', buffered: true });"
        )
        page.goto("#view=play")
        page.wait_for_selector(".cell.legal")
        cell(page, 4).click()
        wait_for_marks(page, 2)
        return float(page.evaluate("window.longest"))

    assert least(home, browser, LONG_TASK_MS, measure) < LONG_TASK_MS


def work_ms(page: Page, steps: Callable[[], None]) -> float:
    """The milliseconds that scripts, styles and layout take for some steps: of the processor, not of the clock."""
    metrics = page.context.new_cdp_session(page)
    metrics.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        found = {entry["name"]: entry["value"] for entry in metrics.send("Performance.getMetrics")["metrics"]}
        return float(1000 * sum(found[f"{part}Duration"] for part in ("Script", "RecalcStyle", "Layout")))

    before = spent()
    steps()
    return spent() - before


def next_frame(page: Page) -> None:
    page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")


@pytest.mark.parametrize("view", ["play", "analyse"])
def test_pointing_at_a_large_board_costs_half_a_frame(page: Page, view: str) -> None:
    open_game(page, "15x15:5", (112, 113, 97), f"&view={view}")
    boxes = [cell(page, at).bounding_box() for at in range(0, 225, 4)]

    def point() -> None:
        for frame in range(FRAMES):
            box = boxes[frame % len(boxes)]
            assert box is not None
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            next_frame(page)

    assert work_ms(page, point) / FRAMES < FRAME_MS


def test_turning_the_cube_costs_half_a_frame(page: Page) -> None:
    open_game(page, "4x4x4", (21, 0, 22, 42))
    box = page.locator(".scene").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    before = page.get_attribute(".scene", "data-turn")

    def turn() -> None:
        for frame in range(FRAMES):
            page.mouse.move(x + 2 * frame, y + frame % 20)
            next_frame(page)

    assert work_ms(page, turn) / FRAMES < FRAME_MS
    assert page.get_attribute(".scene", "data-turn") != before


def test_scripts_are_servedwithout_comments_and_with_the_same_lines() -> None:
    script = (
        b'/**\n * Doc\n */\nf(); // stays\n  // gone\n  /** @type {X} */ (g)("/** a */ // b");\n  /** gone */\nh();\n'
    )
    served = without_comments(script)
    assert served == b'\n\n\nf(); // stays\n\n  /** @type {X} */ (g)("/** a */ // b");\n\nh();\n'
    for path in (STATIC / "js").rglob("*.js"):
        source = path.read_bytes()
        assert without_comments(source).count(b"\n") == source.count(b"\n")
        assert COMMENT_LINES.sub(b"", source).count(b"`") % 2 == 0, path


def test_all_modules_of_the_first_view_are_fetched_at_once() -> None:
    named = re.findall(r'<link rel="modulepreload" href="(js/.+\.js)">', (STATIC / "index.html").read_text())
    needed: set[Path] = set()
    left = {STATIC / "js" / "main.js"}
    while left:
        module = left.pop()
        names = re.findall(r'^(?:import|\}) .*from "(.+)";', module.read_text(), re.M)
        found = {(module.parent / name).resolve() for name in names}
        left |= found - needed
        needed |= found
    assert needed <= {STATIC / name for name in named} <= set((STATIC / "js").rglob("*.js"))
