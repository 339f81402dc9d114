"""What an administrator sees of the server: its health, its metrics, and a log without secrets."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from socket import gethostname
from subprocess import PIPE
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from noughts.cli.web import _warn, command
from noughts.store import Store, StoreError
from noughts.web.access import format_client, route_template
from noughts.web.app import make_app
from noughts.web.context import Services
from noughts.web.errors import Reason
from noughts.web.limits import LOCAL_LIMITS, Rate, Settings
from noughts.web.logs import ACCESS_LOGGER, JsonFormatter, TextFormatter, configure_logging
from terminals import environment, in_process
from waiting import wait_until_async
from web_servers import TIMEOUT_SECONDS, open_socket, pool_of, serving_with_metrics

PAGE, METRICS = "http://127.0.0.1:8000", "http://127.0.0.1:9100"
SAMPLE = re.compile(r'[a-z_]+(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? ([0-9.e+-]+)')
VISITOR = "a-secret-of-a-browser-0123456789"


class Client:
    """A client of an app in this process."""

    def __init__(self, http: httpx.AsyncClient, services: Services) -> None:
        self._http, self.services = http, services

    async def get(self, path: str, at: str = PAGE, **headers: str) -> httpx.Response:
        return await self._http.get(at + path, headers=headers)

    async def post(self, path: str, **body: Any) -> httpx.Response:
        return await self._http.post(PAGE + path, json=body)

    async def metrics(self) -> dict[str, float]:
        """Return the metrics by name and labels; every line must be in Prometheus' format."""
        answer = await self.get("/metrics", METRICS)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        lines = answer.text.splitlines()
        assert [line for line in lines if not line.startswith("# ") and not SAMPLE.fullmatch(line)] == []
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines) if "#" not in name}


@asynccontextmanager
async def opened(store: Path, **settings: Any) -> AsyncIterator[Client]:
    app = make_app(Settings(store=store / "store.sqlite3", **settings), metrics_port=9100)
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 1234))
    async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport) as http:
        yield Client(http, app.state.services)


# --- health ----------------------------------------------------------------------------------------------------------


async def test_health_is_ok_and_asked_under_any_host_name(tmp_path: Path) -> None:
    async with opened(tmp_path, host="0.0.0.0", names=("games.example.org",)) as client:
        answer = await client.get("/healthz", host="10.0.0.7:8000")
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
        assert (await client.get("/", host="10.0.0.7:8000")).status_code == 403


async def test_health_fails_while_the_server_shuts_down(tmp_path: Path) -> None:
    async with opened(tmp_path) as client:
        client.services.engine_pool.close()
        answer = await client.get("/healthz")
        assert (answer.status_code, answer.json()) == (503, {"status": "shutting down"})


async def test_health_fails_while_the_store_does_not_work_and_recovers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(_: Store) -> None:
        raise StoreError("the disk is gone from /secret/place")

    monkeypatch.setattr("noughts.web.health.FRESH_SECONDS", 0.0)

    async with opened(tmp_path) as client:
        with monkeypatch.context() as broken:
            broken.setattr("noughts.web.health._begin_transaction", refuse)
            answer = await client.get("/healthz")
        assert (answer.status_code, answer.json()) == (503, {"status": "the store does not work"})
        assert "the disk is gone" in caplog.text
        assert (await client.get("/healthz")).status_code == 200


async def test_health_fails_if_the_store_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.web.health.STORE_SECONDS", 0.05)
    release = threading.Event()

    async with opened(tmp_path) as client:
        waiting = asyncio.create_task(client.services.store.run(lambda _: release.wait(TIMEOUT_SECONDS)))
        try:
            assert (await client.get("/healthz")).status_code == 503
        finally:
            release.set()
            await waiting


async def test_asking_for_health_often_asks_the_store_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Store] = []
    monkeypatch.setattr("noughts.web.health._begin_transaction", asked.append)
    monkeypatch.setattr("noughts.web.health.FRESH_SECONDS", 60.0)

    async with opened(tmp_path) as client:
        answers = await asyncio.gather(*(client.get("/healthz") for _ in range(20)))
        assert {answer.status_code for answer in answers} == {200}
    assert len(asked) == 1


async def test_pool_works_while_one_worker_is_left_and_fails_when_all_are_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    release = threading.Event()
    monkeypatch.setattr("noughts.web.workers.STUCK_SECONDS", -20.0)  # stuck ten seconds before the job is refused

    with pool_of(2) as pool:
        assert pool.is_working()
        jobs = []
        for busy, works in ((1, True), (2, False)):
            jobs.append(asyncio.create_task(pool.run(f"client {busy}", lambda _: release.wait(TIMEOUT_SECONDS))))
            await wait_until_async(lambda: pool.load().busy == len(jobs))
            assert pool.is_working() is works
        assert pool.load() == (2, 2, 0)
        release.set()
        await asyncio.gather(*jobs)
        await wait_until_async(lambda: not pool.load().busy)
        assert pool.is_working()
    assert not pool.is_working()


# --- metrics ---------------------------------------------------------------------------------------------------------


async def test_metrics_are_served_on_their_own_port_alone(tmp_path: Path) -> None:
    async with opened(tmp_path) as client:
        assert (await client.get("/metrics")).status_code == 404
        assert [(await client.get(path, METRICS)).status_code for path in ("/", "/api/about", "/healthz")] == [404] * 3
        await client.metrics()


async def test_metrics_are_not_shown_to_sites_that_point_their_name_here(tmp_path: Path) -> None:
    async with opened(tmp_path, host="0.0.0.0", names=("games.example.org",)) as client:
        hosts = ("127.0.0.1:9100", "10.0.0.7", "localhost", "games.example.org", gethostname(), "evil.example", "")
        answers = [await client.get("/metrics", METRICS, host=host) for host in hosts]
        assert [answer.status_code for answer in answers] == [200] * 5 + [403] * 2
        assert "noughts" not in answers[-2].text


async def test_requests_are_counted_by_route_and_status_and_measured(tmp_path: Path) -> None:
    async with opened(tmp_path) as client:
        await client.get("/js/main.js")
        for friend in ("aaaaaaaaaaaa", "bbbbbbbbbbbb", "%2e%2e"):
            await client.get(f"/api/friends/{friend}?token=x")
        await client.get("/nowhere/at/all")
        found = await client.metrics()
        total = "noughts_http_requests_total"
        assert found[total + '{method="GET",route="/{path}",status="200"}'] == 1
        assert found[total + '{method="GET",route="/{path}",status="404"}'] == 1
        assert found[total + '{method="GET",route="/api/friends/{friend}",status="404"}'] == 3
        seconds = "noughts_http_request_duration_seconds"
        assert found[seconds + '_count{route="/api/friends/{friend}"}'] == 3
        assert found[seconds + '_bucket{le="+Inf",route="/api/friends/{friend}"}'] == 3
        assert 0 < found[seconds + '_sum{route="/api/friends/{friend}"}'] < TIMEOUT_SECONDS


async def test_clients_cannot_make_up_routes_or_methods(tmp_path: Path) -> None:
    async with opened(tmp_path) as client:
        for number in range(5):
            await client._http.request(f"MADEUP{number}", f"{PAGE}/made-up-{number}")
            await client._http.request("GET", f"{PAGE}/api/friends/{number}/made-up")
            await client.get("/", host=f"evil-{number}.example")
        names = {name for name in await client.metrics() if name.startswith("noughts_http_requests_total")}
        assert names == {
            'noughts_http_requests_total{method="other",route="/{path}",status="405"}',
            'noughts_http_requests_total{method="GET",route="/{path}",status="404"}',
            'noughts_http_requests_total{method="GET",route="-",status="403"}',
        }


async def test_refusals_are_counted_by_reason(tmp_path: Path) -> None:
    few = replace(LOCAL_LIMITS, requests=Rate(6, 0.01), friend_games=Rate(1, 0.01), saved_games=Rate(0, 0.01))

    async with opened(tmp_path, client_limits=few) as client:
        await client.get("/", host="evil.example")
        await client.get("/api/about", origin="https://evil.example")
        for _ in range(2):
            await client.post("/api/friends", game="3x3")
        await client.post("/api/games", game="3x3", x="you", o="easy")
        await client.post("/api/position", game="3x3", start="x" * 300_000)
        client.services.fast_pool.close()
        await client.post("/api/position", game="3x3")
        await client.get("/api/friends/aaaaaaaaaaaa")
        for _ in range(3):
            await client.get("/api/about")
        found = await client.metrics()
        counted = {reason: found[f'noughts_refusals_total{{reason="{reason}"}}'] for reason in Reason}
        assert {reason: count for reason, count in counted.items() if count} == {
            Reason.HOST: 1,
            Reason.ORIGIN: 1,
            Reason.FRIEND_GAMES: 1,
            Reason.SAVED_GAMES: 1,
            Reason.SIZE: 1,
            Reason.CLOSING: 1,
            Reason.REQUESTS: 3,
        }


async def test_metrics_show_pools_rooms_and_the_process(tmp_path: Path) -> None:
    release = threading.Event()

    def occupy(_: object) -> bool:
        return release.wait(TIMEOUT_SECONDS)

    async with opened(tmp_path, workers=2) as client:
        await client.post("/api/friends", game="3x3")
        jobs = [asyncio.create_task(client.services.engine_pool.run("a", occupy)) for _ in range(5)]
        await wait_until_async(lambda: client.services.engine_pool.load().busy == 2)
        found = await client.metrics()
        release.set()
        await asyncio.gather(*jobs)
        pool = '{pool="engine"}'
        assert [found[f"noughts_pool_{name}{pool}"] for name in ("workers", "busy", "waiting")] == [2, 2, 3]
        assert found["noughts_friend_games"] == 1
        assert found["noughts_rooms"] == found["noughts_room_connections"] == found["noughts_store_waiting"] == 0
        assert found["process_cpu_seconds_total"] > 0
        if sys.platform == "linux":
            assert found["process_resident_memory_bytes"] > 1e7
            assert found["process_open_fds"] > 3


# --- the log ---------------------------------------------------------------------------------------------------------


async def test_log_has_no_tokens_invitations_keys_or_ids_even_when_it_says_all_it_can(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "noughts")
    chosen: dict[str, Any] = {"host": "0.0.0.0", "access_log": True, "log_level": "debug"}
    with serving_with_metrics(tmp_path / "store.sqlite3", **chosen) as (address, metrics):
        made = httpx.post(f"{address}/api/friends", json={"game": "3x3", "side": "X", "name": "Ann"}).json()
        httpx.post(f"{address}/api/friends/{made['friend']}/claim", json={"invite": made["invite"], "name": "Bob"})
        httpx.post(f"{address}/api/qr", json={"text": f"http://x/#invite={made['invite']}"})
        httpx.get(f"{address}/api/games?game=3x3&key={VISITOR}", headers={"X-Visitor": VISITOR})
        httpx.get(f"{address}/{made['token']}?invite={made['invite']}")
        friend, token = made["friend"], made["token"]
        async with open_socket(address, f"/api/friends/{friend}/play?token={token}") as socket:
            await socket.ask("welcome", type="hello", token=token)
            await socket.ask("state", type="move", ply=0, move="b2")
        counted = httpx.get(f"{metrics}/metrics").text
    lines = [form.format(record) for record in caplog.records for form in (TextFormatter(), JsonFormatter())]
    for secret in (made["token"], made["invite"], made["friend"], VISITOR):
        assert [line for line in lines if secret in line] == []
        assert secret not in counted
    logged = [json.loads(line) for line in lines if ACCESS_LOGGER in line]
    assert {(each["method"], each["route"], each["status"]) for each in logged} >= {
        ("POST", "/api/friends", 200),
        ("POST", "/api/friends/{friend}/claim", 200),
        ("GET", "/api/games", 200),
        ("GET", "/{path}", 404),
        ("WEBSOCKET", "/api/friends/{friend}/play", 101),
    }
    assert 'noughts_websockets_total{route="/api/friends/{friend}/play"} 1' in counted


async def test_access_log_is_silent_unless_asked_for(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, ACCESS_LOGGER)
    for access_log in (False, True):
        async with opened(tmp_path, access_log=access_log) as client:
            await client.get("/js/main.js?q=secret")
    (line,) = [TextFormatter().format(record) for record in caplog.records if record.name == ACCESS_LOGGER]
    assert re.fullmatch(r'[-0-9T:]+Z 127\.0\.0\.1 "GET /js/main\.js" 200 [0-9]+ B [0-9.]+ ms', line)


@pytest.mark.parametrize(
    ("address", "full", "network"),
    [
        ("203.0.113.77", "203.0.113.77", "203.0.113.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ("no address\n", "-", "-"),
    ],
)
def test_addresses_are_logged_as_the_settings_say(address: str, full: str, network: str) -> None:
    scope = {"client": (address, 1)}
    assert [format_client(scope, how) for how in ("full", "network", "none")] == [full, network, "-"]
    assert format_client({}, "full") == "-"


@pytest.mark.parametrize(
    ("path", "parameters", "template"),
    [
        ("/api/friends/pl/play", {"friend": "pl"}, "/api/friends/{friend}/play"),
        ("/api/games/3", {"id": 3}, "/api/games/{id}"),
        ("/js/main.js", {"path": "js/main.js"}, "/{path}"),
        ("/", {"path": ""}, "/{path}"),
        ("/api/about", {}, "/api/about"),
    ],
)
def test_route_is_a_template(path: str, parameters: dict[str, object], template: str) -> None:
    assert route_template({"path": path, "path_params": parameters, "endpoint": None}) == template
    assert route_template({"path": path}) == "-"


def record_of(message: str, error: bool = False) -> logging.LogRecord:
    try:
        raise ValueError("because")
    except ValueError:
        trace = sys.exc_info() if error else None
    return logging.LogRecord("noughts.web", logging.WARNING, __file__, 1, message, None, trace)


def test_log_lines_are_text_or_json_and_cannot_be_forged() -> None:
    text = TextFormatter().format(record_of("a\nb\x1b[2J"))
    assert text.endswith("Z warning: a\\nb\\x1b[2J")
    assert TextFormatter().format(record_of("a", error=True)).splitlines()[-1] == "ValueError: because"
    data = json.loads(JsonFormatter().format(record_of("a\nb", error=True)))
    assert (data["level"], data["logger"], data["message"]) == ("warning", "noughts.web", "a\nb")
    assert data["traceback"].endswith("ValueError: because")


@pytest.mark.parametrize(("level", "ours", "theirs"), [("debug", 10, 30), ("warning", 30, 30), ("error", 40, 40)])
def test_libraries_never_log_below_warnings(
    level: str, ours: int, theirs: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("", "noughts", ACCESS_LOGGER):
        caplog.set_level(logging.CRITICAL, name)  # at the end, the levels are what they were
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    configure_logging("text", level)
    assert logging.getLogger("noughts.web.app").getEffectiveLevel() == ours
    assert logging.getLogger("websockets").getEffectiveLevel() == theirs
    assert logging.getLogger(ACCESS_LOGGER).getEffectiveLevel() == logging.INFO


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        ({"host": "0.0.0.0", "names": ("a.example",), "proxies": ("10.0.0.1",)}, ["this machine", "each visitor"]),
        ({"host": "127.0.0.1", "proxies": ("127.0.0.1",), "names": ("a.example",)}, ["the proxy", "each visitor"]),
        ({"host": "0.0.0.0"}, ["this machine", "each visitor", "there is no encryption", "it answers to"]),
    ],
)
def test_a_warning_has_a_line_for_each_fact(
    options: dict[str, Any], lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    _warn(Settings(**options), None)
    found = capsys.readouterr().err.replace("\n  ", " ").splitlines()
    assert f"everyone who can reach {lines[0]} can play" in found[0]
    assert [line.startswith(start) for line, start in zip(found[1:], lines[1:], strict=True)] == [True] * (
        len(lines) - 1
    )
    assert not any(line.endswith(";") for line in found)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--metrics", "8000", "--port", "8000"], "expected a port for --metrics that is not that of the page"),
        (["--metrics", "a:b"], "expected a port, HOST:PORT or off, got 'a:b'"),
        (["--log-level", "loud"], "expected 'debug', 'info', 'warning', 'error' or 'critical', got 'loud'"),
        (["--proxy", "proxy.example"], "expected an address or a network such as 10.0.0.0/8"),
        (["--host", ""], "'--host': expected an address, got ''"),
        (["--name", "games.example.org"], "--name needs --host or --behind-proxy"),
        (["--behind-proxy", "--name", "games.example.org:443"], "expected a host name such as games.example.org"),
        (["--workers", "1"], "'--workers': expected a whole number from 2 to 64, got 1"),
    ],
)
def test_options_of_the_server_are_checked(options: list[str], message: str) -> None:
    done = CliRunner().invoke(command, ["--no-open", *options])
    assert done.exit_code == 2
    assert message in done.output


def test_port_of_the_metrics_that_is_taken_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = CliRunner().invoke(command, ["--no-open", "--port", "0", "--metrics", str(port)])
    assert done.exit_code == 1
    assert f"cannot listen on 127.0.0.1:{port}: address already in use" in done.output


def test_server_logs_lines_of_json_alone_and_serves_its_metrics_until_it_is_stopped(tmp_path: Path) -> None:
    words = "web --host 0.0.0.0 --port 0 --metrics 0 --log-format json --log-level info --access-log --json --no-open"
    start = [sys.executable, "-m", "noughts", *words.split()]
    with subprocess.Popen(start, env=environment(tmp_path), stdout=PIPE, stderr=PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            addresses = json.loads(process.stdout.readline())
            assert httpx.get(f"{addresses['address']}healthz").json() == {"status": "ok"}
            assert 'route="/healthz",status="200"} 1' in httpx.get(addresses["metrics"]).text
        finally:
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=TIMEOUT_SECONDS)
    lines = [json.loads(line) for line in errors.splitlines()]
    assert [line.get("message", line.get("route"))[:12] for line in lines] == [
        "listening on",
        "serving on 0",
        "/healthz",
        "stopped",
    ]


def test_health_is_asked_from_the_command_line(tmp_path: Path) -> None:
    with serving_with_metrics(tmp_path / "store.sqlite3", host="0.0.0.0") as addresses:
        page, metrics = (address.rpartition(":")[2] for address in addresses)
        asked = in_process(tmp_path, "web", "--health", "--host", "0.0.0.0", "--port", page, "--json")
        assert (asked.returncode, json.loads(asked.stdout)) == (0, {"status": "ok"})
        other = in_process(tmp_path, "web", "--health", "--port", metrics)
        assert (other.returncode, other.stdout) == (1, f"no answer of noughts from 127.0.0.1:{metrics}\n")
    stopped = in_process(tmp_path, "web", "--health", "--port", page)
    assert (stopped.returncode, stopped.stdout) == (1, f"no answer from 127.0.0.1:{page}: connection refused\n")
