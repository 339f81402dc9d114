"""Every question is bounded in time and memory, and the server stops cleanly at any moment."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

import noughts as no
from noughts.analysis.advice import Advisor
from noughts.analysis.reviews import LEAST_SECONDS, review
from noughts.engine import Engine, Limit, SearchResult
from noughts.games.cache import SizedCache, once_per_game
from noughts.limit import DEFAULT_LIMIT
from noughts.web import limits
from noughts.web.errors import ServerClosing, TookTooLong
from noughts.web.limits import Settings
from web_servers import TIMEOUT_SECONDS, ThreadTask, pool_of


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


async def test_work_that_never_ends_is_answered_nevertheless() -> None:
    release = threading.Event()

    with pool_of(1, grace_seconds=0.1) as pool:
        with pytest.raises(TookTooLong):
            await asyncio.wait_for(pool.run("a", lambda _: release.wait(TIMEOUT_SECONDS), seconds=0.1), TIMEOUT_SECONDS)
        release.set()


async def test_late_work_that_can_be_asked_to_stop_leaves_its_worker_free() -> None:
    def check_for_ever(task: ThreadTask) -> None:
        while True:
            task.check()
            time.sleep(0.005)

    with pool_of(1, grace_seconds=0.4) as pool:
        with pytest.raises(TookTooLong):
            await asyncio.wait_for(pool.run("a", check_for_ever, seconds=0.1), TIMEOUT_SECONDS)
        assert await asyncio.wait_for(pool.run("a", lambda _: "free", seconds=9), TIMEOUT_SECONDS) == "free"


async def test_closing_answers_what_cannot_be_interrupted() -> None:
    release, begun = threading.Event(), threading.Event()

    def work(_: ThreadTask) -> None:
        begun.set()
        release.wait(TIMEOUT_SECONDS)

    with pool_of(1) as pool:
        asked = asyncio.ensure_future(pool.run("a", work, seconds=TIMEOUT_SECONDS))
        await asyncio.to_thread(begun.wait, TIMEOUT_SECONDS)
        pool.close()
        with pytest.raises(ServerClosing):
            await asyncio.wait_for(asked, TIMEOUT_SECONDS)
        assert not pool.join(0)
        release.set()


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
