"""What is made, kept and asked is bounded, whatever the client; and what fails on the way says so in one line."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from noughts.store import Store, StoreError
from noughts.web.friends import rooms
from web_servers import PATIENCE, Pair, post, serving, talking


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("web") / "store.sqlite3") as address:
        yield address


def test_friend_who_leaves_before_the_hello_is_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def knock(address: str) -> None:
        for _ in range(3):
            async with talking(address, "/api/friends/aaaaaaaaaaaa/play"):
                pass
        async with talking(address, "/api/friends/aaaaaaaaaaaa/play") as talk:
            talk.connection.transport.abort()

    with serving(tmp_path / "store.sqlite3") as address:
        asyncio.run(knock(address))
    assert capsys.readouterr().err == ""


def test_disk_that_fails_is_one_line_without_the_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "store.sqlite3"
    with serving(path) as address:
        pair = Pair(address)
        asyncio.run(_move_in_vain(pair, path))
        made = httpx.post(f"{address}/api/friends", json={"game": "3x3", "moves": ["a1"]})
        found = httpx.get(f"{address}/api/friends/{pair.friend}")
    for answer in (made, found):
        assert answer.status_code == 503
        assert "try again" in answer.json()["error"]
        assert str(tmp_path) not in answer.text
    assert "Traceback" not in capsys.readouterr().err


async def _move_in_vain(pair: Pair, path: Path) -> None:
    async with pair.sit("X") as ann:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("DROP TABLE friend_moves")
        await ann.say(type="move", ply=0, move=0)
        with pytest.raises(ConnectionClosed):
            await ann.hear_event("move")


def test_beat_goes_on_when_old_games_cannot_be_tidied_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> int:
        raise sqlite3.OperationalError("disk I/O error")

    async def listen(address: str) -> None:
        monkeypatch.setattr(rooms, "_tidy", fail)
        async with Pair(address).sit("X") as ann, asyncio.timeout(PATIENCE):
            for _ in range(3):
                while json.loads(await ann.connection.recv())["type"] != "beat":
                    pass

    monkeypatch.setattr(rooms, "BEAT", 0.05)
    monkeypatch.setattr(rooms, "TIDY_EVERY", 1)
    with serving(tmp_path / "store.sqlite3") as address:
        asyncio.run(listen(address))


def test_kept_game_is_changed_as_a_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise StoreError("disk full")

    with serving(tmp_path / "store.sqlite3") as address:
        number = post(address, "/api/games", game="3x3", moves=["a1", "b2"])["id"]
        monkeypatch.setattr(Store, "finish", fail)
        body = {"game": "3x3", "moves": ["a1", "c3"], "result": {"reason": "resign", "winner": "O"}}
        assert httpx.put(f"{address}/api/games/{number}", json=body).status_code == 503
        assert httpx.get(f"{address}/api/games/{number}").json()["names"] == ["a1", "b2"]
        assert httpx.post(f"{address}/api/games", json=body).status_code == 503
        assert len(httpx.get(f"{address}/api/games").json()["games"]) == 1
