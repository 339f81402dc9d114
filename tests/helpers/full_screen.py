"""Driving the full-screen game without a terminal, and comparing its screen with stored ones."""

from __future__ import annotations

import asyncio
import inspect
import os
import time
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from textual.pilot import Pilot

from noughts import Game, Side
from noughts.analysis.advice import Advice
from noughts.analysis.reviews import Review, review
from noughts.cli.full.app import FullApp
from noughts.cli.full.board import DIRECTIONS, Board
from noughts.cli.terminal.advisor import SessionAdvisor
from noughts.cli.terminal.session import Session
from noughts.cli.terminal.setup import Setup
from noughts.engine import Limit, SearchResult
from noughts.games import Playthrough, Position
from noughts.match import Clock, Match, Recorder, TimeControl
from noughts.players import HostedPlayer
from paths import TESTS
from plays import position_after

SNAPSHOTS = TESTS / "cli" / "snapshots"
SMALL, LARGE = (80, 24), (120, 40)
SECONDS = 60
"""For anything to happen on a busy machine."""
FANO = [[0, 3, 1], [1, 4, 2], [2, 5, 0], [0, 6, 4], [1, 6, 5], [2, 6, 3], [3, 4, 5]]
TRIANGLE = [(0, -2), (-1.732, 1), (1.732, 1), (-0.866, -0.5), (0, 1), (0.866, -0.5), (0, 0)]

Script = Callable[[Pilot[Any]], Awaitable[object]]


class QuickAdvisor(SessionAdvisor):
    """Gives the same advice at once: the first legal moves."""

    def advise(self, position: Position) -> list[Advice]:
        moves = position.legal_moves[:3]
        return [Advice.of_result(_result(move, 40 - 30 * at, moves), scale=50) for at, move in enumerate(moves)]

    def analyse(self, position: Position, progress: Callable[[list[Advice]], object]) -> None:
        progress(self.advise(position))

    def review(self, play: Playthrough) -> Review:
        return review(play, Limit(depth=2))


def _result(move: int, score: int, moves: list[int]) -> SearchResult:
    line = [move, *(other for other in moves if other != move)]
    return SearchResult(move, score, None, None, 9, 123_456, line, 0.5)


def fano() -> Game:
    """A custom game: the seven lines of the Fano plane, laid out as a triangle."""
    return Game.from_lines("fano", 7, FANO, layout=TRIANGLE)


def full_app(
    game: Game | str = "3x3",
    moves: str = "",
    *,
    names: tuple[str, str] = ("you", "friend"),
    engine: HostedPlayer | None = None,
    clock: str | None = None,
    now: Callable[[], float] = time.monotonic,
    recorder: Recorder | None = None,
    advisor: SessionAdvisor | None = None,
    **more: Any,
) -> FullApp:
    """An app with a game after some moves; ``engine`` plays O instead of the player of that name."""
    position = position_after(game, *moves.split())
    control = TimeControl.parse(clock) if clock else None
    setup = Setup(position, dict(zip(Side, names, strict=True)), control, seed=1)
    match = Match(position, setup.names, clock=None if control is None else Clock(control, now=now), now=now)
    engines = setup.open_engines(match) if engine is None else {Side.O: engine}
    return FullApp(Session(match, engines, recorder, advisor or QuickAdvisor()), setup, **more)


def drive(app: FullApp, script: Script, size: tuple[int, int] = SMALL) -> None:
    """Run an app on a screen of a size, and a script that uses it."""

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(pilot)

    asyncio.run(asyncio.wait_for(run(), SECONDS))


def on_screen(
    game: Game | str = "3x3", moves: str = "", *, size: tuple[int, int] = SMALL, **more: Any
) -> Callable[[Callable[..., Awaitable[None]]], Callable[..., None]]:
    """Return a decorator for a test that uses an app by its ``pilot``; the arguments are those of ``full_app``."""

    def decorate(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
        @wraps(test)
        def run(**fixtures: Any) -> None:
            drive(full_app(game, moves, **more), lambda pilot: test(pilot, **fixtures), size)

        _, *fixtures = inspect.signature(test).parameters.values()
        run.__signature__ = inspect.Signature(fixtures)  # type: ignore[attr-defined]
        return run

    return decorate


async def until(pilot: Pilot[Any], condition: Callable[[], object]) -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, screen_text(pilot.app)
        await pilot.pause(0.02)


def screen_text(app: Any) -> str:
    """The screen as text, without spaces at the ends of lines."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips) + "\n"


async def walk_to(pilot: Pilot[Any], cell: int) -> None:
    """Move the cursor to a cell with the arrow keys, on the shortest way."""
    board = pilot.app.query_one(Board)
    await pilot.press(*_way(board, cell))
    assert board.cursor == cell


def _way(board: Board, cell: int) -> list[str]:
    ways: dict[int, list[str]] = {board.cursor: []}
    queue = [board.cursor]
    for here in queue:
        for key in DIRECTIONS:
            there = board.neighbour(here, key)
            if there is not None and there not in ways:
                ways[there] = [*ways[here], key]
                queue.append(there)
    return ways[cell]


async def click_cell(pilot: Pilot[Any], cell: int) -> None:
    """Click on a cell of the board."""
    board = pilot.app.query_one(Board)
    await pilot.click(Board, offset=board.offset_of(cell))


async def check_snapshot(pilot: Pilot[Any], name: str) -> None:
    """Wait until the screen equals the stored one; with ``UPDATE_SNAPSHOTS`` set, store this one instead."""
    path = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        await pilot.pause(1)
        path.parent.mkdir(exist_ok=True)
        path.write_text(screen_text(pilot.app), encoding="utf-8")
    stored = path.read_text(encoding="utf-8")
    deadline = time.monotonic() + SECONDS / 4
    while screen_text(pilot.app) != stored and time.monotonic() < deadline:
        await pilot.pause(0.02)
    assert screen_text(pilot.app) == stored
