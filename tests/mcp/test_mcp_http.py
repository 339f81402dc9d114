"""``noughts mcp --port`` against clients that mean harm: pages of other sites, and programs on this machine."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
import uvicorn

from noughts.mcp import server as mcp_server
from noughts.request_body import BODY_BYTES

SECONDS = 60.0
"""Time that a test waits for anything before it fails."""
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
INITIALISE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server in a thread."""
    listening = mcp_server.listen(0)
    config = uvicorn.Config(mcp_server.make_http_app(), log_config=None, ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}{mcp_server.PATH}"
    server.should_exit = True
    thread.join(SECONDS)
    assert not thread.is_alive()


def ask(address: str, body: Any = INITIALISE, method: str = "POST", **headers: str) -> httpx.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return httpx.request(method, address, content=content, headers=HEADERS | headers, timeout=SECONDS)


def connect(host: str) -> socket.socket:
    name, _, port = host.partition(":")
    return socket.create_connection((name, int(port)), SECONDS)


def is_alive(address: str) -> bool:
    return ask(address).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Host": ""}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Content-Type": "text/plain"}, 400),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 400),
        ({"Content-Type": "multipart/form-data; boundary=x"}, 400),
        ({"Mcp-Session-Id": "made-up"}, 404),
        ({"Mcp-Session-Id": "a" * 10_000}, 404),
    ],
)
def test_pages_of_other_sites_and_made_up_sessions_are_refused(
    address: str, headers: dict[str, str], status: int
) -> None:
    assert ask(address, **headers).status_code == status


def test_page_of_another_site_gets_no_permission_to_ask(address: str) -> None:
    answer = ask(address, b"", "OPTIONS", Origin="https://evil.example", **{"Access-Control-Request-Method": "POST"})
    assert answer.status_code == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a":' * 20_000,
        b"[]",
        b"null",
        b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}',
        json.dumps([INITIALISE] * 200).encode(),
        json.dumps({**INITIALISE, "method": "x" * 100_000}).encode(),
        json.dumps({**INITIALISE, "params": {"protocolVersion": "\ud800"}}).encode(),
    ],
)
def test_bodies_that_are_no_messages_are_refused_and_survived(
    address: str, body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    assert 400 <= ask(address, body).status_code < 500
    assert is_alive(address)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "HEAD", "TRACE"])
def test_other_methods_need_a_session_or_are_refused(address: str, method: str) -> None:
    assert 400 <= ask(address, b"", method).status_code < 500


def test_large_requests_are_refused_before_they_are_read(address: str) -> None:
    host = address.split("/")[2]
    head = f"POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    most = BODY_BYTES
    for rest in (f"Content-Length: {most + 1}\r\n\r\n", f"Transfer-Encoding: chunked\r\n\r\n{most + 1:x}\r\n"):
        with connect(host) as large:
            large.sendall(head.encode() + rest.encode())
            if "chunked" in rest:
                large.sendall(b" " * (most + 1))  # and no end
            assert large.recv(12) == b"HTTP/1.1 413"


def test_slow_requests_are_given_up(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.request_body.BODY_SECONDS", 0.3)
    host = address.split("/")[2]
    head = f"POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{"
    slow = [connect(host) for _ in range(10)]
    for connection in slow:
        connection.sendall(head.encode())
    assert {connection.recv(12) for connection in slow} == {b"HTTP/1.1 408"}
    for connection in slow:
        connection.close()


def test_client_that_leaves_in_the_middle_of_its_request_is_no_error(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    host = address.split("/")[2]
    for _ in range(5):
        with connect(host) as leaving:
            leaving.sendall(f"POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000\r\n\r\n{{".encode())
    assert is_alive(address)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_many_clients_at_once_are_served_and_their_sessions_are_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mcp_server, "MAX_SESSIONS", 10)

    async def ask_many() -> list[int]:
        app = mcp_server.make_http_app()
        inner: Any = app
        client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:1", headers=HEADERS, timeout=SECONDS
        )
        async with inner._app.router.lifespan_context(inner._app), client:
            answers = await asyncio.gather(*(client.post("/mcp", json=INITIALISE) for _ in range(20)))
            return sorted(answer.status_code for answer in answers)

    statuses = asyncio.run(asyncio.wait_for(ask_many(), SECONDS))
    assert statuses[:10] == [200] * 10
    assert all(status in (429, 503) for status in statuses[10:])


def test_parallel_calls_of_many_clients_are_all_answered(address: str) -> None:
    def play(_: int) -> str:
        with httpx.Client(headers=HEADERS, timeout=SECONDS) as client:
            session = client.post(address, json=INITIALISE).headers["mcp-session-id"]
            client.headers["mcp-session-id"] = session
            client.post(address, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
            call = {"name": "new_game", "arguments": {"game": "3x3", "opponent": "easy"}}
            return client.post(address, json={"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}).text

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(play, range(16)))
    assert all('"game_id"' in answer for answer in answers)
