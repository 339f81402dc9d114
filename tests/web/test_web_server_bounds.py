"""Games created and saved, and questions, are limited for every client; failures are reported in one line."""

from __future__ import annotations

import asyncio
import gc
import json
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from noughts.ask.question import Job
from noughts.games import Game, Side
from noughts.store import Store, StoreError
from noughts.store.web_games import FriendGames
from noughts.web import rooms
from noughts.web.errors import TooManyRequests
from noughts.web.friend_messages import clean_name
from noughts.web.jobs import run_in_turns
from noughts.web.limits import LOCAL_LIMITS, NETWORK_LIMITS, Rate, Settings
from noughts.web.rooms import Rooms
from noughts.web.saved_games import IdAnswer
from noughts.web.workers import StoreThread
from waiting import wait_until_async
from web_servers import TIMEOUT_SECONDS, Pair, ThreadTask, open_socket, pool_of, post, refusal, serving


def custom_game(lines: int) -> dict[str, object]:
    return {"name": "y", "cells": lines + 2, "lines": [[cell, cell + 1, cell + 2] for cell in range(lines)]}


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Ann \n Lee ", "Ann Lee"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("A\u200bn\u200dn\ufeff", "Ann"),
        ("\u202eAnn\u2066", "Ann"),
        ("\u0301Ann", "Ann"),
        ("Z" + "\u0348" * 30 + "o", "Z\u0348\u0348o"),
        ("\u3164\u2800", ""),
        ("สมชื่อ", "สมชื่อ"),
        ("안나 👩🏽", "안나 👩🏽"),
    ],
)
def test_names_are_shown_without_characters_that_cannot_be_seen(server: str, typed: str, shown: str) -> None:
    assert clean_name(typed) == shown
    number = post(server, "/api/games", game="3x3", moves=["a1"], x=typed)["id"]
    assert httpx.get(f"{server}/api/games/{number}").json()["x"] == shown


async def test_friend_who_leaves_before_the_hello_is_not_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path / "store.sqlite3") as address:
        for _ in range(3):
            async with open_socket(address, "/api/friends/aaaaaaaaaaaa/play"):
                pass
        async with open_socket(address, "/api/friends/aaaaaaaaaaaa/play") as talk:
            talk.connection.transport.abort()
    assert capsys.readouterr().err == ""


async def test_disk_that_fails_is_one_line_without_the_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "store.sqlite3"
    with serving(path) as address:
        pair = Pair(address)
        async with pair.join("X") as ann:
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("DROP TABLE friend_moves")
            await ann.send(type="move", ply=0, move=0)
            with pytest.raises(ConnectionClosed):
                await ann.receive_event("move")
        made = httpx.post(f"{address}/api/friends", json={"game": "3x3", "moves": ["a1"]})
        found = httpx.get(f"{address}/api/friends/{pair.friend}")
    for answer in (made, found):
        assert answer.status_code == 503
        assert "try again" in answer.json()["error"]
        assert str(tmp_path) not in answer.text
    assert "Traceback" not in capsys.readouterr().err


async def test_flag_that_cannot_be_saved_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("disk full")

    with serving(tmp_path / "store.sqlite3") as address:
        pair = Pair(address, time_control="0.1s")
        monkeypatch.setattr(rooms, "_saving", lambda *_: fail)
        with pytest.raises(ConnectionClosed):  # perhaps before the second player was welcomed
            async with pair.join("X") as ann, pair.join("O"):
                await ann.receive_event("time")
    gc.collect()
    assert "the end of a friend game on time was not saved: disk full" in caplog.text
    assert "never retrieved" not in caplog.text


async def test_heartbeat_continues_when_old_games_cannot_be_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> int:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(rooms, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(rooms, "HEARTBEATS_PER_HOUR", 1)
    with serving(tmp_path / "store.sqlite3") as address:
        monkeypatch.setattr(rooms, "_delete_old_games", fail)
        async with Pair(address).join("X") as ann, asyncio.timeout(TIMEOUT_SECONDS):
            for _ in range(3):
                while json.loads(await ann.connection.recv())["type"] != "heartbeat":
                    pass


def test_saved_game_is_changed_as_a_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise StoreError("disk full")

    with serving(tmp_path / "store.sqlite3") as address:
        number = post(address, "/api/games", game="3x3", moves=["a1", "b2"])["id"]
        monkeypatch.setattr(Store, "finish", fail)
        body = {"game": "3x3", "moves": ["a1", "c3"], "result": {"reason": "resign", "winner": "O"}}
        assert httpx.put(f"{address}/api/games/{number}", json=body).status_code == 503
        assert httpx.get(f"{address}/api/games/{number}").json()["line"] == ["a1", "b2"]
        assert httpx.post(f"{address}/api/games", json=body).status_code == 503
        assert len(httpx.get(f"{address}/api/games").json()["games"]) == 1


def test_game_saved_again_with_its_key_is_the_same_game(server: str) -> None:
    body = {"game": "3x3", "moves": ["a1"], "key": "k" * 24}
    number = post(server, "/api/games", **body)["id"]
    assert post(server, "/api/games", **body)["id"] == number
    ended = body | {"moves": ["a1", "b2"], "result": {"reason": "resign", "winner": "O"}}
    assert post(server, "/api/games", **ended)["id"] == post(server, "/api/games", **ended)["id"] == number
    assert httpx.get(f"{server}/api/games/{number}").json()["line"] == ["a1", "b2"]
    assert refusal(server, "/api/games", **body)[0] == 409
    assert post(server, "/api/games", **body | {"key": "l" * 24})["id"] != number
    assert httpx.delete(f"{server}/api/games/{number}").status_code == 200
    assert post(server, "/api/games", **body)["id"] not in (number, None)


def test_visitors_have_keys_of_their_own_and_save_small_games_only(tmp_path: Path) -> None:
    with serving(tmp_path / "store.sqlite3", host="0.0.0.0") as address:

        def save(visitor: str, **body: object) -> httpx.Response:
            return httpx.post(f"{address}/api/games", json=body, headers={"X-Visitor": visitor * 20})

        ann, bob = (save(visitor, game="3x3", moves=["a1"], key="k" * 24).json()["id"] for visitor in "ab")
        assert ann != bob
        large = save("a", game=custom_game(4000))
        assert large.status_code == 422
        assert large.json()["error"].startswith("expected a custom game of at most 32768 bytes")
    with serving(tmp_path / "local.sqlite3") as address:
        assert post(address, "/api/games", game=custom_game(4000))["id"] == 1


def test_page_opened_by_a_classroom_does_not_use_up_its_requests(tmp_path: Path) -> None:
    few = replace(NETWORK_LIMITS, requests=Rate(2, 0.01))
    with serving(tmp_path / "store.sqlite3", client_limits=few) as address, httpx.Client(base_url=address) as client:
        assert {client.get("/").status_code for _ in range(40)} == {200}
        assert [client.get("/api/about").status_code for _ in range(3)] == [200, 200, 429]
        assert client.get("/openapi.json").status_code == 429


@pytest.mark.parametrize(
    "few", [{"client_limits": replace(LOCAL_LIMITS, friend_games=Rate(2, 0.01))}, {"max_games": 1}]
)
async def test_rematches_count_as_games_made(tmp_path: Path, few: dict[str, Any]) -> None:
    with serving(tmp_path / "store.sqlite3", **few) as address:
        pair = Pair(address)
        async with pair.join("X") as ann, pair.join("O") as bob:
            pair.resign("X")
            await bob.receive_event("resign")
            await ann.send(type="offer", what="rematch")
            await bob.receive_event("offer")
            refused = await bob.ask("refused", type="accept", what="rematch")
            assert "too many friend games" in refused["error"]
            assert (await bob.ask("refused", type="move", ply=0, move=0))["error"] == "the game is over"


def test_game_that_was_never_joined_makes_room_for_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    with serving(path, max_games=2) as address:
        idle = post(address, "/api/friends", game="3x3")["friend"]
        played = Pair(address)
        assert refusal(address, "/api/friends", game="3x3")[0] == 429
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("UPDATE friend_games SET idle_hours = 2")
            connection.execute("UPDATE friend_games SET invite = NULL WHERE id = ?", (played.friend,))
            connection.commit()
        post(address, "/api/friends", game="3x3")
        assert httpx.get(f"{address}/api/friends/{idle}").status_code == 404
        assert played.state()["position"]["ply"] == 0


async def test_games_created_at_once_when_there_are_many_are_all_counted(tmp_path: Path) -> None:
    store = StoreThread(tmp_path / "store.sqlite3")
    try:
        rooms = Rooms(store, max_games=3)
        await rooms.open()
        position = Game("3x3").start()
        made = await asyncio.gather(
            *(rooms.create(position, Side.X, "", None) for _ in range(12)), return_exceptions=True
        )
        assert [isinstance(game, TooManyRequests) for game in made].count(False) == 3
        assert rooms.stored == await store.run(lambda store: FriendGames(store).count()) == 3
        await store.write(lambda store: store.connection.execute("UPDATE friend_games SET idle_hours = 2"))
        again = await asyncio.gather(
            *(rooms.create(position, Side.X, "", None) for _ in range(12)), return_exceptions=True
        )
        assert [isinstance(game, TooManyRequests) for game in again].count(False) == 3
        assert rooms.stored == await store.run(lambda store: FriendGames(store).count()) == 3
        await rooms.close()
    finally:
        store.close()


async def test_game_that_cannot_be_stored_is_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise StoreError("the disk is full")

    async def create(rooms: Rooms) -> None:
        await rooms.create(Game("3x3").start(), Side.X, "", None)

    store = StoreThread(tmp_path / "store.sqlite3")
    try:
        rooms = Rooms(store, max_games=1)
        with monkeypatch.context() as broken:
            broken.setattr(FriendGames, "add", refuse)
            with pytest.raises(StoreError):
                await create(rooms)
        await create(rooms)
    finally:
        store.close()


def test_limits_are_settings() -> None:
    chosen = Settings(host="0.0.0.0", max_connections=1, max_sockets=2, max_requests=80, max_messages=50).limits
    expected = replace(NETWORK_LIMITS, connections=1, sockets=2, requests=Rate(600, 80), all_messages=Rate(150, 50))
    assert chosen == expected
    assert Settings(host="0.0.0.0", max_sockets=2).limits.connections == NETWORK_LIMITS.connections


def test_games_of_all_visitors_together_are_bounded(tmp_path: Path) -> None:
    path, few = tmp_path / "store.sqlite3", replace(NETWORK_LIMITS, max_visitor_games=3, saved_games=Rate(6, 0.01))
    with serving(path, host="0.0.0.0", client_limits=few) as address:
        kept = [
            httpx.post(f"{address}/api/games", json={"game": "3x3"}, headers={"X-Visitor": f"{'a' * 20}{number}"})
            for number in range(7)
        ]
    assert [answer.status_code for answer in kept] == [200] * 6 + [429]
    with Store(path) as store:
        assert store.connection.execute("SELECT count(*) FROM playthroughs").fetchone()[0] == 3
        assert store.list() == []
        assert store.player_records() == []


async def test_many_sockets_do_not_make_more_messages(tmp_path: Path) -> None:
    few, errors = replace(LOCAL_LIMITS, all_messages=Rate(10, 0.01)), []
    with serving(tmp_path / "store.sqlite3", client_limits=few) as address:
        for _ in range(3):
            async with open_socket(address, "/api/think") as talk:
                errors += [(await talk.ask("error", type="babble"))["error"] for _ in range(4)]
    assert ["too many messages" in error for error in errors] == [False] * 10 + [True] * 2


async def test_one_client_never_holds_all_workers_on_a_network() -> None:
    def busy(task: ThreadTask) -> None:
        while task.should_continue:
            time.sleep(0.005)

    with pool_of(2, reserved=NETWORK_LIMITS.reserved_workers) as pool:
        greedy = [asyncio.create_task(pool.run("a", busy)) for _ in range(3)]
        await wait_until_async(lambda: pool.load().busy == 1 and pool.load().waiting == 2)
        assert await asyncio.wait_for(pool.run("b", lambda _: "quick"), TIMEOUT_SECONDS) == "quick"
        for task in greedy:
            task.cancel()
        await asyncio.gather(*greedy, return_exceptions=True)


async def test_analysis_stopped_while_it_makes_room_is_not_resumed() -> None:
    turns: list[ThreadTask] = []

    def work(task: ThreadTask, seconds: float, so_far: str | None) -> str:
        assert (so_far is None) == (not turns)
        turns.append(task)
        task.was_preempted = True
        while len(turns) > 1 and not task.is_stopped:
            time.sleep(0.005)
        return f"turn {len(turns)}"

    queued: list[ThreadTask] = []
    job = Job(lambda *_: IdAnswer(id=1), seconds=TIMEOUT_SECONDS, is_resumable=True)
    with pool_of(1) as pool:
        running = asyncio.create_task(run_in_turns(pool, "a", job, work, on_queued=queued.append))
        await wait_until_async(lambda: len(turns) == 2)
        queued[1].stop()
        assert await asyncio.wait_for(running, TIMEOUT_SECONDS) == "turn 2"


@pytest.mark.parametrize(
    ("host", "proxy"),
    [("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("0.0.0.0", "127.0.0.0/8"), ("0.0.0.0", "10.0.0.0/8")],
)
def test_clients_behind_a_trusted_proxy_are_distinguished_and_cannot_fake_their_address(
    tmp_path: Path, host: str, proxy: str
) -> None:
    few = replace(NETWORK_LIMITS, requests=Rate(2, 0.01))
    with serving(tmp_path / "store.sqlite3", host=host, proxies=(proxy,), client_limits=few) as address:
        there = address.replace("127.0.0.1", "[::1]") if host == "::1" else address

        def ask(forwarded: str) -> int:
            return httpx.get(f"{there}/api/about", headers={"X-Forwarded-For": forwarded}).status_code

        assert [ask("192.0.2.1") for _ in range(3)] == [200, 200, 429]
        assert ask("192.0.2.99, 192.0.2.1") == 429
        assert ask("192.0.2.2") == (429 if proxy == "10.0.0.0/8" else 200)


def test_custom_game_with_a_friend_is_small_enough_to_be_sent_with_every_move(server: str) -> None:
    post(server, "/api/friends", game=custom_game(500))
    status, line = refusal(server, "/api/friends", game=custom_game(4000))
    assert status == 422
    assert line.startswith("expected a custom game of at most 32768 bytes")
