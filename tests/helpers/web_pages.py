"""The page in a real browser: a server process, a browser, a connection that can be cut, and helpers that play."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import httpx
import pytest

from noughts.games import Game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request, Route

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The first is Chromium without the parts for windows, which needs half the processor time."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PATIENCE_SECONDS = 60.0
"""Time that a test waits for anything before it fails."""
SERVE = "from noughts.cli import main; main()"


class Home:
    """A server process that can be killed and started again at the same address."""

    def __init__(self, folder: Path, *options: str) -> None:
        self._folder, self._options = folder, options
        with socket.create_server(("127.0.0.1", 0)) as taken:
            self.port = int(taken.getsockname()[1])
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start, and wait until it serves."""
        command = [sys.executable, "-c", SERVE, "web", "--no-open", "--port", str(self.port), *self._options]
        environment = os.environ | {"NOUGHTS_DATA": str(self._folder)}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        self._process = process
        assert process.stdout is not None
        assert process.stdout.readline().startswith("http://127.0.0.1:")

    def forget_games(self) -> None:
        """Delete all saved games."""
        with httpx.Client(base_url=self.address, timeout=PATIENCE_SECONDS) as client:
            while games := client.get("/api/games").json()["games"]:
                for game in games:
                    client.delete(f"/api/games/{game['id']}").raise_for_status()

    @property
    def is_running(self) -> bool:
        """Whether the process has been started and not ended."""
        return self._process is not None and self._process.poll() is None

    def kill(self, how: int = signal.SIGKILL) -> None:
        """Kill it, or stop it cleanly if asked to."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(PATIENCE_SECONDS)
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def at_home(folder: Path, *options: str) -> Iterator[Home]:
    """A server that runs while the block does."""
    home = Home(folder, *options)
    home.start()
    try:
        yield home
    finally:
        home.kill(signal.SIGINT)


@contextmanager
def browsing() -> Iterator[Browser]:
    """The system's Chromium, without a window; tests that need it are skipped if it is not installed."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def visiting(browser: Browser, address: str, allowing: tuple[str, ...] = (), **options: Any) -> Iterator[Page]:
    """A page in its own context, whose addresses are relative to the server's.

    At the end it must not have logged errors or sent requests to other servers.

    Errors on the console that contain one of ``allowing`` are expected: browsers log a lost connection. Nothing moves
    by itself, so that no test waits for the end of a motion; tests of motion ask for it with ``reduced_motion``.
    """
    defaults = {"base_url": f"{address}/", "reduced_motion": "reduce"}
    context: BrowserContext = browser.new_context(**defaults | options)
    context.add_init_script(LONG_NOTES)
    context.add_init_script(SHORT_REVIEWS)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_SECONDS * 1000)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))

    def on_message(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            wrong.append(f"console: {message.text}")

    def elsewhere(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            wrong.append(f"asked {request.url}")

    page.on("console", on_message)
    page.on("request", elsewhere)
    yield page
    context.close()
    assert [line for line in wrong if not any(text in line for text in allowing)] == []


LONG_NOTES = """try {
  localStorage["noughts.prefs"] ??= JSON.stringify({ noteSeconds: 60 });
} catch {}"""
"""What can be undone for some seconds can be undone on a busy machine, too."""
SHORT_REVIEWS = """const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  send.call(this, text.replace('"type":"review"', '"seconds":2,"type":"review"'));
};"""
"""A review takes two seconds, not eight."""

COUNT_SHIFTS = """window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""
"""Adds up how much what is on the screen has been moved, also in answer to the person."""


def open_search(page: Page) -> None:
    """Show how the computer thinks, with the choices of positions and searches."""
    page.goto("#view=learn&door=think")
    unfold_search(page)


def unfold_search(page: Page) -> None:
    fold = page.locator(".tuning")
    if fold.get_attribute("open") is None:
        fold.locator("> summary").click()


def to_step(page: Page, key: Literal["Home", "End"]) -> None:
    """Show the first or the last step of a search."""
    page.get_by_role("slider", name="Step", exact=True).press(key)


def show_notes_for(page: Page, seconds: float) -> None:
    """Let notes disappear, and what was done become final, after this time."""
    page.evaluate(
        "seconds => import('/js/shell/app.js').then(({ prefer }) => prefer({ noteSeconds: seconds }))", seconds
    )


class Line:
    """A connection between browser and server that can be cut, or lose the data of one direction."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._ends: list[socket.socket] = []
        self._is_cut = False
        self.loses: str | None = None
        """``"up"`` or ``"down"`` while data to the server, or from it, is lost."""
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def cut(self) -> None:
        """Cut all connections and refuse new ones."""
        self._is_cut = True
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self.loses = None

    def mend(self) -> None:
        """Accept connections again."""
        self._is_cut = False

    def close(self) -> None:
        """End everything."""
        self.cut()
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for thread in self._threads:
            thread.join(PATIENCE_SECONDS)
        for end in self._ends:
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                if self._is_cut:
                    near.close()
                    continue
                try:
                    far = socket.create_connection(("127.0.0.1", self._to))
                except OSError:
                    near.close()
                    continue
                self._ends += [near, far]
                for way, source, sink in (("up", near, far), ("down", far, near)):
                    thread = threading.Thread(target=self._carry, args=(way, source, sink), daemon=True)
                    thread.start()
                    self._threads.append(thread)

    def _carry(self, way: str, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if self.loses != way:
                    sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)


@contextmanager
def breakable(home: Home) -> Iterator[Line]:
    """A line to a server that can be cut."""
    line = Line(home.port)
    try:
        yield line
    finally:
        line.close()


class Held:
    """Requests to a path that wait until they are released."""

    def __init__(self, page: Page, path: str) -> None:
        self._page = page
        self._routes: list[Route] = []
        self._is_open = False
        page.route(path, self._hold)

    def _hold(self, route: Route) -> None:
        if self._is_open:
            route.continue_()
        else:
            self._routes.append(route)

    def wait_for_request(self) -> None:
        """Wait until there is a request."""
        wait_until(self._page, lambda: self._routes)

    def release(self) -> None:
        """Let all requests pass, also those that follow."""
        self._is_open = True
        for route in self._routes:
            route.continue_()

    def deliver(self) -> None:
        """Let all requests pass, and wait until the page has read the answers."""
        self._is_open = True
        for route in self._routes:
            with self._page.expect_response(route.request.url):
                route.continue_()
        wait_for_drawing(self._page)


# --- input ----------------------------------------------------------------------------------------------------------


def cell(page: Page, move: int) -> Locator:
    """The cell of the grid."""
    return page.locator(f'.planes [data-cell="{move}"]')


def wait_for_mark(page: Page, move: int, side: str) -> None:
    """Wait until a cell holds a confirmed mark."""
    found = f'.planes [data-cell="{move}"].taken:not(.pending) .mark.{side.lower()}'
    eventually(page, "found => document.querySelector(found)", found)


def wait_for_marks(page: Page, many: int) -> None:
    """Wait until there are this many confirmed marks on the board."""
    eventually(page, "many => document.querySelectorAll('.planes .taken:not(.pending)').length === many", many)


def wait_until_saved(page: Page) -> None:
    """Wait until the server has everything that the page saves."""
    page.evaluate("import('/js/play/saving.js').then(({ allSaved }) => allSaved())")


def saved_games(page: Page, game: str) -> list[dict[str, Any]]:
    """The saved games of a kind, the latest first, once everything is saved."""
    wait_until_saved(page)
    found = page.evaluate("game => fetch(`/api/games?game=${game}`).then((answer) => answer.json())", game)
    games: list[dict[str, Any]] = found["games"]
    return games


def click(page: Page, selector: str) -> None:
    """Click the middle of an element with the mouse, even if another element covers it."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


WAY_INTO_THE_CUBE = """async ([shape, place]) => {
  const space = await import("/js/board/space.js");
  const node = document.querySelector(".scene");
  const box = node.getBoundingClientRect();
  const view = {turn: +node.dataset.turn, tilt: +node.dataset.tilt, zoom: +node.dataset.zoom};
  const camera = space.camera(shape, view, node.clientWidth, node.clientHeight);
  const z = space.heightOf(shape, place.level);
  const along = count => Array.from({length: 5 * count}, (_, at) => (at + 0.5) / 5 - count / 2);
  const free = along(shape.columns).flatMap(x => along(shape.rows).map(y => space.project(camera, [x, y, z])))
    .find(dot => space.placeAt(camera, dot, null)?.level === place.level);
  const goal = space.project(camera, space.middleOf(shape, place, space.liftsOf(shape, place.level)));
  return [free, goal].map(([x, y]) => [box.left + x, box.top + y]);
}"""


def way_into_cube(page: Page, game: Game, move: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """A point where the level of a cell is not covered, and the middle of the cell once its level is lifted."""
    column, row, level = (int(at) for at in game.coordinates[move])
    columns, rows, levels = game.dimensions or (0, 0, 0)
    shape = {"columns": columns, "rows": rows, "levels": levels}
    free, goal = page.evaluate(WAY_INTO_THE_CUBE, [shape, {"column": column, "row": row, "level": level}])
    return (free[0], free[1]), (goal[0], goal[1])


def point_in_cube(page: Page, game: Game, move: int) -> None:
    """Move the mouse to a cell of the cube, by a part of its level that is not covered."""
    free, goal = way_into_cube(page, game, move)
    page.mouse.move(0, 0)
    page.mouse.move(*free)
    page.mouse.move(*goal, steps=3)


def open_game(page: Page, game: str, moves: tuple[int, ...] = (), more: str = "") -> None:
    """Open a game for two at this screen; ``more`` adds settings."""
    page.goto("about:blank")
    played = f"&moves={'.'.join(map(str, moves))}" if moves else ""
    page.goto(f"#game={game.replace('+', '%2B')}{played}{more}")
    page.wait_for_selector(".board")
    if moves:
        page.wait_for_selector(f'.planes [data-cell="{moves[-1]}"].last', state="attached")


def change_game(page: Page, game: str) -> None:
    """Open another game for two in a page that has been loaded, which costs a tenth of loading it again."""
    page.evaluate("hash => { location.hash = hash }", f"game={game.replace('+', '%2B')}")
    eventually(page, "location.hash === '#view=play' && document.querySelector('.board')")


PERSON = {"kind": "person", "name": "you"}
SIDES = [{"kind": "person", "name": side} for side in "XO"]
"""Two people at one screen."""


def engine(level: str = "easy") -> dict[str, str]:
    """A level as a player."""
    return {"kind": "engine", "name": level, "level": level}


def resume_game(page: Page, x: dict[str, str], o: dict[str, str], **fields: object) -> None:
    """Open the page in a browser that remembers a playthrough between these players."""
    current = {"game": "3x3", "moves": [], "id": "remembered", "tab": "", "players": {"X": x, "O": o}} | fields
    page.goto("icon.svg")
    page.evaluate("text => localStorage.setItem('noughts.current', text)", json.dumps(current))
    page.goto("#view=play")
    page.wait_for_selector(".planes")


def choose_game(page: Page, game: str) -> None:
    """Choose a game by its id in the dialog for a new game."""
    press(page, "Choose another game")
    page.fill(".typed input", game)
    press(page, "Choose")
    page.wait_for_selector(".chosen-game")


def status(page: Page) -> str:
    """The status line of the game."""
    return page.inner_text(".status")


def says(page: Page, text: str) -> None:
    """Wait until a text has been announced to screen readers."""
    eventually(page, "text => document.getElementById('says').textContent.includes(text)", text)


def command(page: Page, text: str) -> None:
    """Type a move or a command into the text box."""
    open_sheet_for(page, page.locator("#entry"))
    page.fill("#entry", text)
    page.press("#entry", "Enter")


def press(page: Page, text: str) -> None:
    """Press the button of this name; on a small screen it may be in the sheet, which is opened then."""
    found = page.get_by_role("button", name=text, exact=True)
    open_sheet_for(page, found)
    found.click()


def open_sheet_for(page: Page, wanted: Locator) -> None:
    """On a small screen, open the sheet if it holds what is wanted."""
    more = page.get_by_role("button", name="More", exact=True)
    wanted.or_(more).first.wait_for()
    if not wanted.is_visible() and more.is_visible():
        more.click()


def whole_game(id: str, seed: int = 2) -> list[int]:
    """A random game in which a side completes a line if it can."""
    chance, position = random.Random(seed), Game(id).start()
    while position.turn is not None:
        threats = [move for move in position.threats(position.turn) if position.is_legal(move)]
        position.play(chance.choice(threats or position.legal_moves))
    return list(position.moves)


def keys_to(game: Game, start: int, to: int) -> list[str]:
    """The keys that lead from a cell to another: levels first, then rows and columns."""
    (x, y, *level), (far_x, far_y, *far_level) = game.coordinates[start], game.coordinates[to]
    keys: list[str] = []
    for here, there, back, on in (
        *((a, b, "PageUp", "PageDown") for a, b in zip(level, far_level, strict=True)),
        (x, far_x, "ArrowLeft", "ArrowRight"),
        (y, far_y, "ArrowUp", "ArrowDown"),
    ):
        steps = int(there - here)
        keys += [on if steps > 0 else back] * abs(steps)
    return keys


def eventually(page: Page, holds: str, argument: object = None) -> None:
    """Wait until an expression or function is true in the page; Playwright's own wait violates the page's policy."""
    script = f"value => Boolean(({holds})(value))" if "=>" in holds else f"Boolean({holds})"
    wait_until(page, lambda: page.evaluate(script, argument), f"{holds} ({argument})")


def wait_until(page: Page, holds: Callable[[], object], what: str = "the condition") -> None:
    """Wait until a condition holds; the page's requests are handled meanwhile."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < end, f"{what} still does not hold"
        page.wait_for_timeout(15)


def wait_for_drawing(page: Page) -> None:
    """Wait until the page has read the answers that it got, and has drawn itself."""
    page.evaluate("() => new Promise(done => setTimeout(() => requestAnimationFrame(done), 50))")
