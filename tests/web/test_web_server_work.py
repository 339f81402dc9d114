"""Every question is bounded in time and memory, and the server stops cleanly at any moment."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from noughts.web.refusals import ServerClosing, TookTooLong

import noughts as no
from noughts.analysis.advice import Advisor
from noughts.analysis.reviews import LEAST_SECONDS, review
from noughts.engine import Engine, Limit, SearchResult
from noughts.games.cache import SizedCache, once_per_game
from noughts.limit import DEFAULT_LIMIT
from noughts.web import limits
from noughts.web.limits import Settings
from web_servers import TIMEOUT_SECONDS, ThreadPool, ThreadTask, pool_of, post, refusal, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("web") / "store.sqlite3") as address:
        yield address


def test_position_that_cannot_be_read_does_not_freeze_the_server(server: str) -> None:
    status, text = refusal(server, "/api/position", game="3x3", start="9" * 40 + "!/3/3 x")
    assert (status, text[:22]) == (422, "expected rows of 3 cel")
    assert httpx.get(f"{server}/api/about", timeout=TIMEOUT_SECONDS).status_code == 200


@pytest.mark.parametrize(
    ("path", "game", "message"),
    [
        ("solve", "32x32:5", "expected a board of at most 400 cells to solve"),
        ("review", "33x33:5", "expected a board of at most 1024 cells for a review"),
        ("compare", "11x11:5", "expected a board of at most 100 cells for a textbook search"),
        ("trace", "11x11:5", "expected a board of at most 100 cells for a textbook search"),
        ("learn", "4x4:3", "expected a board of at most 9 cells for a learner"),
    ],
)
def test_question_about_a_huge_board_is_refused(server: str, path: str, game: str, message: str) -> None:
    status, text = refusal(server, f"/api/{path}", game=game)
    assert status == 422
    assert text.startswith(message)


def test_import_of_many_different_games_is_refused(server: str) -> None:
    def text(games: int) -> str:
        return "\n".join(f'[Game "{width}x3"]\n\n*\n' for width in range(3, 3 + games))

    assert len(post(server, "/api/import", text=text(10))["plays"]) == 10
    status, message = refusal(server, "/api/import", text=text(11))
    assert (status, message) == (422, "expected playthroughs of at most 10 different games in a file")
    sgf = "".join(f"(;GM[4]FF[4]SZ[{side}])" for side in range(3, 20))
    assert refusal(server, "/api/import", text=sgf)[0] == 422


class Dawdler(Engine):
    """Takes longer than allowed, and records the limits it was given."""

    def __init__(self) -> None:
        super().__init__(hash_mb=1)
        self.given: list[float] = []

    def analyse(
        self, position: no.Position, limit: Limit = DEFAULT_LIMIT, *_: object, **__: object
    ) -> list[SearchResult]:
        assert limit.seconds is not None
        self.given.append(limit.seconds)
        time.sleep(limit.seconds + 0.005)
        return super().analyse(position, Limit(nodes=1))


def test_review_shares_out_the_time_that_is_left() -> None:
    play = no.Playthrough(no.Game("10x10"), range(60))
    engine = Dawdler()
    review(play, Limit(seconds=0.3 / 61), advisor=Advisor(engine), seconds=0.3)
    assert engine.given[0] == pytest.approx(0.3 / 61, rel=0.5)
    assert engine.given[-1] == LEAST_SECONDS
    assert sum(engine.given) < 0.3


def test_work_that_never_ends_is_answered_nevertheless() -> None:
    release = threading.Event()

    async def ask(pool: ThreadPool) -> None:
        with pytest.raises(TookTooLong):
            await asyncio.wait_for(pool.run("a", lambda _: release.wait(TIMEOUT_SECONDS), seconds=0.1), TIMEOUT_SECONDS)

    with pool_of(1, grace_seconds=0.1) as pool:
        asyncio.run(ask(pool))
        release.set()


def test_late_work_that_can_be_asked_to_stop_leaves_its_worker_free() -> None:
    async def ask(pool: ThreadPool) -> None:
        with pytest.raises(TookTooLong):
            await asyncio.wait_for(pool.run("a", check_for_ever, seconds=0.1), TIMEOUT_SECONDS)
        assert await asyncio.wait_for(pool.run("a", lambda _: "free", seconds=9), TIMEOUT_SECONDS) == "free"

    def check_for_ever(task: ThreadTask) -> None:
        while True:
            task.check()
            time.sleep(0.005)

    with pool_of(1, grace_seconds=0.4) as pool:
        asyncio.run(ask(pool))


def test_closing_answers_what_cannot_be_interrupted() -> None:
    release, begun = threading.Event(), threading.Event()

    def work(_: ThreadTask) -> None:
        begun.set()
        release.wait(TIMEOUT_SECONDS)

    async def ask(pool: ThreadPool) -> None:
        asked = asyncio.ensure_future(pool.run("a", work, seconds=TIMEOUT_SECONDS))
        await asyncio.to_thread(begun.wait, TIMEOUT_SECONDS)
        pool.close()
        with pytest.raises(ServerClosing):
            await asyncio.wait_for(asked, TIMEOUT_SECONDS)

    with pool_of(1) as pool:
        asyncio.run(ask(pool))
        assert not pool.join(0)
        release.set()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_the_server_cleanly_during_work_that_cannot_be_interrupted(tmp_path: Path) -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "noughts", "web", "--port", "0", "--no-open"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"NOUGHTS_DATA": str(tmp_path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        assert program.stdout is not None
        address = program.stdout.readline().strip()
        asked = threading.Thread(target=_ask_for_a_long_move, args=(address,))
        asked.start()
        time.sleep(1.5)  # it thinks for seconds
        program.send_signal(signal.SIGINT)
        begun = time.monotonic()
        _, complaints = program.communicate(timeout=TIMEOUT_SECONDS * 3)
        took = time.monotonic() - begun
        asked.join(TIMEOUT_SECONDS)
    finally:
        program.kill()
        program.communicate(timeout=TIMEOUT_SECONDS)
    assert program.returncode == 130
    assert "Traceback" not in complaints
    assert complaints.splitlines()[-1] == "interrupted"
    assert took < TIMEOUT_SECONDS


def _ask_for_a_long_move(address: str) -> None:
    with suppress(httpx.HTTPError):
        httpx.post(f"{address}api/move", json={"game": "31x31:15", "seconds": 10}, timeout=TIMEOUT_SECONDS * 6)


def test_cache_is_bounded_by_the_size_of_what_it_holds() -> None:
    cache = SizedCache[int, str](most=100, size_of=len)
    for number in range(50):
        assert cache.get(number, lambda: "x" * 30) == "x" * 30
        assert cache.size <= 100
    assert cache.get(49, lambda: pytest.fail("it was held")) == "x" * 30
    assert cache.get(50, lambda: "y" * 101) == "y" * 101
    assert cache.size <= 100


def test_data_derived_from_a_game_is_computed_once_and_freed_with_it() -> None:
    calls = []

    @once_per_game
    def derived(game: no.Game) -> str:
        calls.append(game)
        return game.id

    game = no.Game("3x3")
    assert [derived(game), derived(game), derived(no.Game("3x3"))] == ["3x3"] * 3
    assert len(calls) == 2


def test_server_library_that_lacks_a_needed_method_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UNDOCUMENTED", {str: ("lower", "no_such_thing")})
    with pytest.raises(OSError, match="str has no no_such_thing; install uvicorn"):
        limits.limited_connection(Settings(), lambda: None)
