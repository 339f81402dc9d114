"""What is made, kept and asked is bounded, whatever the client; and what fails on the way says so in one line."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from web_servers import serving, talking


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
