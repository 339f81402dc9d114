"""Hostile and clumsy clients are refused, and other clients do not notice."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from socket import gethostname
from typing import Any

import httpx
import pytest
from starlette.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidStatus

from noughts.request_body import BODY_BYTES
from noughts.web.errors import Abandoned, WebError
from noughts.web.limits import (
    NETWORK_LIMITS,
    ClientLimits,
    ConnectionCount,
    Rate,
    Settings,
    TokenBucket,
    TokenBuckets,
    client_address,
    is_loopback,
)
from noughts.web.security import FILE_HEADERS, HEADERS, HostCheck
from waiting import wait_until_async
from web_servers import TIMEOUT_SECONDS, Pair, ThreadPool, ThreadTask, open_socket, pool_of, post, serving

STRICT = replace(NETWORK_LIMITS, requests=Rate(100, 50), sockets=8, connections=16)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("web") / "store.sqlite3", client_limits=STRICT) as address:
        yield address


@contextmanager
def bystander(address: str) -> Iterator[list[float]]:
    """A client at another address that keeps playing; yields the time until each of its moves was confirmed."""
    took: list[float] = []
    ends = threading.Event()

    async def play() -> None:
        pair = Pair(address, game="15x15:5")
        async with pair.join("X") as ann, pair.join("O") as bob:
            ply = 0
            while not ends.is_set():
                began = time.perf_counter()
                mover = (ann, bob)[ply % 2]
                await mover.send(type="move", ply=ply, move=ply)
                assert (await mover.receive_event("move"))["position"]["ply"] == ply + 1
                took.append(time.perf_counter() - began)
                await (bob, ann)[ply % 2].receive_event("move")
                ply = ply + 1
                if ply == 9:
                    return
                await asyncio.sleep(0.05)

    thread = threading.Thread(target=lambda: asyncio.run(play()))
    thread.start()
    try:
        yield took
    finally:
        thread.join(TIMEOUT_SECONDS * 2)
    assert len(took) == 9
    assert sorted(took)[len(took) // 2] < 1.0  # some milliseconds on an idle machine


def elsewhere(address: str, number: int = 2) -> httpx.Client:
    """A client at another address of this machine."""
    return httpx.Client(
        base_url=address, transport=httpx.HTTPTransport(local_address=f"127.0.0.{number}"), timeout=TIMEOUT_SECONDS
    )


def test_every_answer_carries_the_headers(server: str) -> None:
    for path in ("/", "/api/about", "/nothing", "/openapi.json"):
        answer = httpx.get(server + path)
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
    assert "unsafe" not in HEADERS["Content-Security-Policy"]
    for path in ("/js/main.js", "/css/base.css"):
        answer = httpx.get(server + path)
        assert {name for name in HEADERS if name in answer.headers} == set(FILE_HEADERS)
    assert "Content-Security-Policy" in httpx.get(f"{server}/icon.svg").headers
    assert httpx.get(f"{server}/api/about").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "[", "10.0.0.1"])
def test_other_host_names_are_refused_on_loopback(server: str, host: str) -> None:
    answer = httpx.get(f"{server}/api/about", headers={"host": host})
    assert answer.status_code in (400, 403)


def test_configured_host_names_are_accepted(server: str) -> None:
    for host in ("localhost", "LOCALHOST:8000", "127.0.0.1", "[::1]:8000"):
        assert httpx.get(f"{server}/api/about", headers={"host": host}).status_code == 200, host


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://[", "http://localhost"]
)
async def test_other_origins_are_refused_by_http_and_websocket_without_an_error_in_the_log(
    server: str, origin: str, caplog: pytest.LogCaptureFixture
) -> None:
    answer = httpx.post(f"{server}/api/game", json={"game": "3x3"}, headers={"origin": origin})
    assert answer.status_code == 403
    assert "origin" in answer.json()["error"]
    for path, options in (("/api/think", {"origin": origin}), ("/api/nowhere", {})):
        with pytest.raises(InvalidStatus) as refusal:
            async with open_socket(server, path, **options):
                pass
        assert refusal.value.response.status_code == 403
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_requests_of_the_page_itself_are_allowed(server: str) -> None:
    assert httpx.post(f"{server}/api/game", json={"game": "3x3"}, headers={"origin": server}).status_code == 200
    cross = httpx.get(f"{server}/api/about", headers={"sec-fetch-site": "cross-site"})
    assert cross.status_code == 403

    async with open_socket(server, "/api/think", origin=server):
        pass


def test_requests_that_are_too_large_are_refused_unread(server: str) -> None:
    declared = httpx.post(f"{server}/api/import", json={"text": "x" * BODY_BYTES})
    assert declared.status_code == 413
    assert declared.json() == {"error": "expected a request of at most 256 kB"}

    def drip() -> Iterator[bytes]:
        for _ in range(BODY_BYTES // 8192 + 10):
            yield b"x" * 8192

    with suppress(httpx.WriteError, httpx.RemoteProtocolError):
        assert httpx.post(f"{server}/api/import", content=drip()).status_code == 413


async def test_giant_frames_broken_json_and_bytes_do_no_harm(server: str) -> None:
    with bystander(server):
        pair = Pair(server)
        async with pair.join("X") as ann:
            with pytest.raises(ConnectionClosed):  # noqa: PT012 - the frame may go out before the refusal comes
                await ann.connection.send("x" * (BODY_BYTES + 1))
                await ann.connection.recv()
                await ann.connection.recv()
            assert ann.connection.close_code == 1009
        async with pair.join("X") as ann:
            for text in ("{", "[]", "null", '"move"', "[" * 100_000, '{"type": "move", "ply": "0", "move": 4}', "{}"):
                await ann.connection.send(text)
                assert (await ann.receive("refused"))["error"].startswith("expected")
            await ann.connection.send(b"\x00\xff")
            assert (await ann.receive("refused"))["error"].startswith("expected a text")
            await ann.send(type="move", ply=0, move=4)
            assert (await ann.receive_event("move"))["position"]["cells"] == [4]


async def test_forged_tokens_and_moves_out_of_turn_change_nothing(server: str) -> None:
    pair = Pair(server)
    for token in ("", "x" * 32, pair.tokens["X"][:-1], pair.tokens["X"] + "A", pair.invite, "\u0000", "ü"):
        async with open_socket(server, f"/api/friends/{pair.friend}/play") as eve:
            assert "not a token of a player" in (await eve.ask("refused", type="hello", token=token))["error"]
            await eve.connection.wait_closed()
            assert eve.connection.close_code == 4003
    async with pair.join("O") as bob:
        assert (await bob.ask("refused", type="move", ply=0, move=4))["error"] == "it is not your turn"
        assert (await bob.ask("refused", type="accept", what="draw"))["error"] == "there is no such offer"
    assert pair.state()["position"]["cells"] == []


async def test_socket_that_says_nothing_or_floods_is_cut(server: str) -> None:
    with bystander(server):
        pair = Pair(server)
        async with pair.join("X") as ann:
            with suppress(ConnectionClosed):
                for _ in range(400):
                    await ann.connection.send('{"type": "offer", "what": "draw"}')
            async with asyncio.timeout(TIMEOUT_SECONDS):
                with suppress(ConnectionClosed):
                    while True:  # a client that stops reading never sees the end of the connection
                        await ann.connection.recv()
            assert ann.connection.close_code == 1008


def test_flood_of_requests_is_slowed_down_for_its_address_only(server: str) -> None:
    with bystander(server), elsewhere(server) as client:
        answers = [client.get("/api/about") for _ in range(400)]
    refusals = [answer for answer in answers if answer.status_code == 429]
    assert len(refusals) > 20
    assert int(refusals[0].headers["retry-after"]) >= 1


async def test_sockets_of_one_address_are_limited(server: str, caplog: pytest.LogCaptureFixture) -> None:
    async with AsyncExitStack() as held:
        for _ in range(STRICT.sockets):
            await held.enter_async_context(open_socket(server, "/api/think", local_addr=("127.0.0.3", 0)))
        with pytest.raises(InvalidStatus) as refusal:
            await held.enter_async_context(open_socket(server, "/api/think", local_addr=("127.0.0.3", 0)))
    assert refusal.value.response.status_code == 429
    assert json.loads(refusal.value.response.body or b"")["error"].startswith("too many connections")
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_nothing_is_written_to_a_connection_that_is_lost(
    server: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """asyncio logs a warning for the fifth write to a lost connection and all that follow."""

    pair = Pair(server)
    async with pair.join("X") as ann:
        transport = ann.connection.transport
        for _ in range(3):
            async with pair.join("O") as bob:
                for _ in range(30):  # their answers are sent all at once, to a connection that was reset
                    await bob.send(type="babble")
                bob.connection.transport.abort()
        assert not transport.is_closing()
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []


def test_slow_sender_is_given_up(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.request_body.BODY_SECONDS", 0.3)
    host, _, port = server.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=TIMEOUT_SECONDS) as slow:
        slow.sendall(f"POST /api/game HTTP/1.1\r\nHost: {host}\r\nContent-Length: 10\r\n\r\n1".encode())
        assert b" 408 " in slow.recv(4096)


def test_connection_on_which_nothing_is_asked_is_closed(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.web.limits.IDLE_SECONDS", 0.7)
    host, _, port = server.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=TIMEOUT_SECONDS) as idle:
        idle.sendall(b"GET /api/about HT")
        assert idle.recv(4096) == b""
    with closing(HTTPConnection(host, int(port), timeout=TIMEOUT_SECONDS)) as connection:
        for _ in range(2):
            connection.request("GET", "/api/about")
            assert b"levels" in connection.getresponse().read()
        connection.sock.sendall(b"GET /api/about HT")
        assert connection.sock.recv(4096) == b""


def test_connections_of_one_address_are_limited(server: str) -> None:
    host, _, port = server.removeprefix("http://").partition(":")
    with ExitStack() as held:
        for _ in range(STRICT.connections):
            held.enter_context(
                socket.create_connection((host, int(port)), TIMEOUT_SECONDS, source_address=("127.0.0.5", 0))
            )
        refused = held.enter_context(
            socket.create_connection((host, int(port)), TIMEOUT_SECONDS, source_address=("127.0.0.5", 0))
        )
        with suppress(ConnectionResetError):
            assert refused.recv(1) == b""
        assert httpx.get(f"{server}/api/about").status_code == 200


async def test_one_visitor_does_not_starve_another_of_the_engine(server: str) -> None:
    """One client keeps as many long questions open as allowed; the move of another is answered nevertheless."""
    async with open_socket(server, "/api/think", local_addr=("127.0.0.4", 0)) as talk:
        for id in range(4):
            await talk.send(type="review", id=id, game="qubic", moves=list(range(0, 40, 3)), seconds=30)
        await talk.send(type="analyse", id="long", game="qubic", seconds=60)
        await talk.receive("progress")
        began = time.perf_counter()
        move = {"game": "3x3", "moves": [4, 0, 2, 3], "level": "master", "seconds": 0.2}
        answer = await asyncio.to_thread(post, server, "/api/move", **move)
        assert answer["position"]["winner"] == "X"
        assert time.perf_counter() - began < 25.0


async def test_analysis_that_makes_room_for_others_never_shows_less_than_before(tmp_path: Path) -> None:
    with serving(tmp_path / "store.sqlite3", workers=2) as address:
        async with AsyncExitStack() as stack:
            talks = [await stack.enter_async_context(open_socket(address, "/api/think")) for _ in range(3)]
            for talk in talks:
                await talk.send(type="analyse", id=1, game="5x5x5", lines=1, seconds=2.5)
            depths: list[int] = []
            news: dict[str, Any] = {"type": "progress"}
            while news["type"] == "progress":
                news = await talks[0].receive("progress", "answer")
                depths.append(news[news["type"]]["depth"])
            for talk in talks[1:]:
                await talk.receive("answer")
    assert depths == sorted(depths)
    assert news["answer"]["reason"] == "limit"


def test_each_visitor_on_a_network_has_their_own_saved_games(tmp_path: Path) -> None:
    with serving(tmp_path / "store.sqlite3", host="0.0.0.0") as address:
        mine, yours = {"X-Visitor": "a" * 20}, {"X-Visitor": "b" * 20}
        body = {"game": "3x3", "moves": [4]}
        assert httpx.post(f"{address}/api/games", json=body).status_code == 403
        number = httpx.post(f"{address}/api/games", json=body, headers=mine).json()["id"]
        listed = [httpx.get(f"{address}/api/games", headers=visitor).json()["games"] for visitor in (mine, yours)]
        assert [len(games) for games in listed] == [1, 0]
        for method in ("GET", "DELETE"):
            assert httpx.request(method, f"{address}/api/games/{number}", headers=yours).status_code == 404
        assert httpx.get(f"{address}/api/games/{number}", headers=mine).json()["cells"] == [4]
        assert httpx.get(f"{address}/api/games", headers={"X-Visitor": "short"}).status_code == 422


@pytest.mark.parametrize(
    ("names", "accepted", "refused"),
    [
        ((), ["127.0.0.1", "192.168.1.7:8000", "[fe80::1]:8000", "localhost", gethostname()], ["evil.example", ""]),
        (("games.example.org",), ["games.example.org:80"], ["127.0.0.1", gethostname(), "evil.example"]),
        (("*",), ["127.0.0.1", "evil.example"], []),
    ],
)
def test_server_on_a_network_answers_to_its_own_names(
    names: tuple[str, ...], accepted: list[str], refused: list[str]
) -> None:
    hosts = HostCheck.of_page(Settings(host="0.0.0.0", names=names))
    for host in accepted:
        hosts.check(Headers({"host": host}))
    for host in refused:
        with pytest.raises(WebError, match="this server answers to"):
            hosts.check(Headers({"host": host}))


# The parts by themselves


def test_token_bucket_gives_its_tokens_and_is_refilled() -> None:
    time = [0.0]
    bucket = TokenBucket(2, 0.5, now=lambda: time[0])
    assert [bucket.take(), bucket.take(), bucket.take()] == [0.0, 0.0, 2.0]
    time[0] = 2.0
    assert bucket.take() == 0.0
    bucket.spend(5)
    assert bucket.take(0.0) == 10.0


def test_memory_for_rates_is_bounded() -> None:
    buckets = TokenBuckets(Rate(1, 1), max_clients=10)
    for number in range(1000):
        buckets.of(str(number)).take()
    assert len(buckets) == 10
    count = ConnectionCount(2)
    assert [count.acquire("a"), count.acquire("a"), count.acquire("a")] == [True, True, False]
    count.release("a")
    assert count.acquire("a")


@pytest.mark.parametrize(
    ("host", "client"),
    [
        ("10.1.2.3", "10.1.2.3"),
        ("::ffff:10.1.2.3", "10.1.2.3"),
        ("2001:db8:1:2:3:4:5:6", "20010db800010002::/64"),
        ("2001:db8:1:2:ffff::", "20010db800010002::/64"),
        ("::1", "::1"),
    ],
)
def test_a_household_counts_as_one_client(host: str, client: str) -> None:
    assert client_address({"client": (host, 1)}) == client


def test_loopback_is_distinguished_from_networks() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.9.9.9", "localhost", "::1")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.1.1", "example.org", "localhost.example.org")))
    assert not Settings(proxies=("127.0.0.1",)).is_local
    assert Settings(host="0.0.0.0").limits == NETWORK_LIMITS
    assert isinstance(Settings().limits, ClientLimits)


def busy(task: ThreadTask) -> str:
    """Work that ends when asked to."""
    while task.should_continue:
        time.sleep(0.005)
    return "preempted" if task.was_preempted else "stopped"


async def test_clients_take_turns_regardless_of_the_length_of_their_queues() -> None:
    order: list[str] = []
    all_asked = threading.Event()

    async def ask(pool: ThreadPool, client: str) -> None:
        def work(_: ThreadTask) -> None:
            assert all_asked.wait(TIMEOUT_SECONDS)
            order.append(client)

        await pool.run(client, work)

    with pool_of(1, waiting=100) as pool:
        first = [asyncio.create_task(ask(pool, "greedy")) for _ in range(10)]
        await wait_until_async(lambda: pool.load().waiting == 9)
        second = [asyncio.create_task(ask(pool, "modest")) for _ in range(2)]
        await wait_until_async(lambda: pool.load().waiting == 11)
        all_asked.set()
        await asyncio.gather(*first, *second)
    assert order[1:5].count("modest") == 2


async def test_preemptible_work_makes_room_and_long_work_leaves_a_worker() -> None:
    long_began, analysis_began = threading.Event(), threading.Event()

    def work(task: ThreadTask, began: threading.Event) -> str:
        began.set()
        return busy(task)

    with pool_of(2, grace_seconds=2 * TIMEOUT_SECONDS, turn_seconds=0.2) as pool:
        long = [asyncio.create_task(pool.run("a", lambda task: work(task, long_began), is_long=True)) for _ in range(3)]
        analysis = asyncio.create_task(pool.run("b", lambda task: work(task, analysis_began), is_preemptible=True))
        for began_work in (long_began, analysis_began):
            assert await asyncio.to_thread(began_work.wait, TIMEOUT_SECONDS)
        began = time.perf_counter()
        assert await pool.run("c", lambda _: "quick") == "quick"
        assert time.perf_counter() - began < 20.0
        assert await analysis == "preempted"
        for task in long:
            task.cancel()
        await asyncio.gather(*long, return_exceptions=True)


async def test_work_of_a_client_that_disconnected_ends() -> None:
    started, ended = threading.Event(), threading.Event()

    def work(task: ThreadTask) -> None:
        started.set()
        try:
            while True:
                task.check()
                time.sleep(0.005)
        except Abandoned:
            ended.set()
            raise

    with pool_of(1, waiting=100) as pool:
        asked = asyncio.create_task(pool.run("a", work))
        assert await asyncio.to_thread(started.wait, TIMEOUT_SECONDS)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        assert await asyncio.to_thread(ended.wait, TIMEOUT_SECONDS)
        assert await pool.run("b", lambda _: "next") == "next"


@pytest.mark.slow
def test_no_operation_of_the_interface_answers_with_a_5xx(tmp_path: Path) -> None:
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, settings

    with serving(tmp_path / "store.sqlite3") as address:
        schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
        operations: list[Any] = [getattr(result, "ok")() for result in schema.get_all_operations()]  # noqa: B009
        assert len(operations) >= 15
        for operation in operations:

            @given(case=operation.as_strategy())
            @settings(max_examples=20, phases=[Phase.generate], suppress_health_check=list(HealthCheck), deadline=None)
            def check(case: Any) -> None:
                if isinstance(case.body, dict) and "seconds" in case.body:
                    case.body["seconds"] = 0.05
                answer = case.call(timeout=TIMEOUT_SECONDS)
                assert answer.status_code < 500, (case.body, answer.text)
                assert "error" in answer.json() or answer.status_code == 200, json.dumps(case.body)

            check()
