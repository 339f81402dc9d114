"""The live page of a cup: what is being played, the standings, and every playthrough, for browsers on the network.

The server only answers GET requests for three addresses, from data that the cup has published; it never touches
files, bots or the store.
"""

from __future__ import annotations

import hashlib
import json
import socket
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from time import monotonic
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

from noughts.arena.plan import Plan
from noughts.arena.report import VIEWER, page_html, replay_data, result_data, source, viewer_data, viewer_scripts
from noughts.arena.runner import Run
from noughts.arena.standings import Standing, Standings
from noughts.arena.tournaments import Result
from noughts.arena.worker import Progress
from noughts.teaching.cup.submissions import CupSubmission

__all__ = ["LivePage"]

PUBLISH_SECONDS = 0.3
"""Time between two updates of the boards and the standings."""
MAX_DRAWING_SHARE = 0.1
"""The standings of many playthroughs take a while; updates must not take more than this share of the time."""
MAX_PLAYS = 400
"""Playthroughs in one answer; the page asks for the rest."""
MAX_CONNECTIONS, MAX_CONNECTIONS_OF_A_CLIENT = 64, 8
"""Open connections. When there are too many, one that sends no request makes room for a client with fewer."""
HEAD_SECONDS = 3.0
"""Time for a client to send its request."""
REQUEST_SECONDS = 10.0
"""Time for a client to send its request and take the answer."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
MAIN = """<section aria-labelledby="now-title" id="now"><h2 id="now-title">Now playing</h2>
<div id="boards" class="boards"></div></section>
<section aria-labelledby="standings-title" id="ranking"><h2 id="standings-title">Standings</h2>
<div class="wide" tabindex="0" role="region" aria-label="the standings"><table id="standings"><thead><tr>
<th scope="col">#</th><th scope="col">player</th><th scope="col">score</th><th scope="col">played</th>
<th scope="col">won</th><th scope="col">drawn</th><th scope="col">lost</th><th scope="col">forfeits</th>
</tr></thead><tbody></tbody></table></div></section>
<details id="entries"><summary>Submissions</summary><ul id="submissions" class="submissions"></ul></details>
"""
FOOTER = "Made by noughts. This page follows the cup as it is played."
STATUS = """<div class="status"><p id="phase" role="status">waiting for the cup …</p>
<progress id="progress" max="1" value="0" aria-label="playthroughs played"></progress></div>
"""


class LivePage:
    """A watcher of a tournament that publishes it as a page. ``start`` it before the cup is checked."""

    def __init__(self, title: str, plan: Plan) -> None:
        self._plan = plan
        self._lock = Lock()
        self._plays: list[str] = []
        self._state: dict[str, Any] = {
            "phase": "checking",
            "bots": [],
            "standings": [],
            "boards": [],
            "submissions": [],
        }
        self._run_id = uuid4().hex
        self._standings = Standings(plan)
        self._published_at = self._publish_seconds = 0.0
        self._progress: Callable[[], list[Progress]] = list
        self._server: _Server | None = None
        self._html = self._make_html(title)

    def _make_html(self, title: str) -> bytes:
        data = viewer_data(self._plan, []) | {"bots": [], "latestFirst": True}
        self._scripts = viewer_scripts(data, source("teaching/cup/cup.js"))
        facts = " · ".join([self._plan.game.name, self._plan.format.replace("-", " "), self._plan.limits.text])
        return page_html(
            title, facts, STATUS + MAIN + VIEWER, self._scripts, source("teaching/cup/cup.css"), FOOTER
        ).encode()

    # Serving

    def start(self, host: str, port: int) -> str:
        """Serve the page in the background and return its address; raises OSError if the port is taken."""
        script = self._scripts.split("<script>")[1].split("</script>")[0]
        digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
        headers = HEADERS | {"Content-Security-Policy": f"{POLICY}; script-src 'sha256-{digest}'"}
        self._server = _Server((host, port), self, headers)
        Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://{_shown_host(host)}:{self.port}/"

    @property
    def port(self) -> int:
        """The port of the server."""
        assert self._server is not None
        return int(self._server.server_address[1])

    def close(self) -> None:
        """Stop serving."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def answer(self, target: str) -> tuple[bytes, str] | None:
        """Return the body and the type of an address, or None if there is no such address."""
        address = urlsplit(target)
        if address.path == "/":
            return self._html, "text/html; charset=utf-8"
        if address.path == "/state.json":
            return self._state_from(parse_qs(address.query)), "application/json"
        if address.path == "/favicon.ico":
            return b"", "image/x-icon"
        return None

    def _state_from(self, query: dict[str, list[str]]) -> bytes:
        """The state, and the playthroughs after those that the page already has."""
        known, run = query.get("after", ["0"])[0], query.get("run", [""])[0]
        after = int(known) if known.isascii() and known.isdigit() and len(known) < 10 and run == self._run_id else 0
        with self._lock:
            state = json.dumps(self._state | {"run": self._run_id, "after": after, "played": len(self._plays)})
            plays = self._plays[after : after + MAX_PLAYS]
        return f'{state[:-1]}, "plays": [{",".join(plays)}]}}'.encode()

    # Publishing

    def show_submissions(self, submissions: Sequence[CupSubmission]) -> None:
        """Publish which submissions are ready; why others are not is for their authors alone."""
        rows = [
            {"name": each.name, "state": "ready" if each.is_ready else "not ready" if each.is_checked else "waiting"}
            for each in submissions
        ]
        self._publish(submissions=rows)

    def follow(self, progress: Callable[[], list[Progress]]) -> None:
        """Show the playthroughs in progress, which ``progress`` returns."""
        self._progress = progress

    def begin(self, run: Run) -> None:
        """Publish the playthroughs that are already played."""
        self._plan = run.plan
        self._standings = Standings(run.plan, run.results.values())
        plays = [_play_text(run.plan, result) for result in sorted(run.results.values(), key=lambda each: each.ended)]
        with self._lock:
            self._run_id, self._plays = uuid4().hex, plays
        self._update(run, "playing")

    def on_result(self, run: Run, result: Result) -> None:
        self._standings.add(result)
        text = _play_text(run.plan, result)
        with self._lock:
            self._plays.append(text)

    def tick(self, run: Run) -> None:
        pause = max(PUBLISH_SECONDS, self._publish_seconds / MAX_DRAWING_SHARE)
        if monotonic() - self._published_at >= pause:
            self._update(run, "playing")

    def end(self, run: Run) -> None:
        self._progress = list
        is_over = len(run.results) >= run.total
        self._update(run, "finished" if is_over else "interrupted")

    def _update(self, run: Run, phase: str) -> None:
        began = monotonic()
        boards = [_board_data(run.plan, each) for each in self._progress()]
        rows = [_standing_data(rank, bot) for rank, bot in enumerate(self._standings.ranking, 1)]
        self._publish(
            phase=phase, bots=run.plan.names, boards=boards, standings=rows, done=len(run.results), total=run.total
        )
        self._published_at = monotonic()
        self._publish_seconds = self._published_at - began

    def _publish(self, **changes: Any) -> None:
        with self._lock:
            self._state = self._state | changes


def _play_text(plan: Plan, result: Result) -> str:
    """A playthrough as JSON, without the standard error of the bot: that is for its author alone."""
    data = result_data(plan, result)
    data.pop("e", None)
    return json.dumps(data, separators=(",", ":"))


def _board_data(plan: Plan, progress: Progress) -> dict[str, Any]:
    key = progress.task.key
    return {
        "x": progress.task.x,
        "o": progress.task.o,
        "n": f"{key.pairing + 1}.{key.pair + 1}.{key.leg + 1}",
        "m": " ".join(map(str, progress.moves)),
        **replay_data(plan.game, progress.start, progress.moves),
    }


def _standing_data(rank: int, bot: Standing) -> dict[str, Any]:
    record = {"played": bot.record.played, **vars(bot.record), "forfeits": sum(bot.failures.values())}
    return {"rank": rank, "bot": bot.number, "score": bot.score, **record}


def _shown_host(host: str) -> str:
    """The host for an address that other machines can open."""
    if host in ("0.0.0.0", "::", ""):
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only chooses the network interface
            return str(probe.getsockname()[0])
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


class _Connection:
    """An open connection."""

    def __init__(self, socket: socket.socket, client: str) -> None:
        self.socket, self.client = socket, client
        self.is_waiting = True
        """Whether its request has not arrived yet."""
        self._opened = monotonic()

    @property
    def age(self) -> float:
        """Seconds since it was opened."""
        return monotonic() - self._opened

    def close(self) -> None:
        """End the connection; its thread notices that."""
        with suppress(OSError):  # it has ended
            self.socket.shutdown(socket.SHUT_RDWR)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128  # with the default of 5, readers at the same moment wait for a second

    def __init__(self, address: tuple[str, int], page: LivePage, headers: dict[str, str]) -> None:
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        self.page = page
        self.headers = headers
        self.is_local = address[0] in LOOPBACK
        self._open: dict[socket.socket, _Connection] = {}
        self._lock = Lock()
        super().__init__(address, _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, or close the connection when too many are open."""
        connection = _Connection(request, str(client_address[0]))
        with self._lock:
            is_accepted = self._make_room_for(connection.client)
            if is_accepted:
                self._open[request] = connection
        if is_accepted:
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def _make_room_for(self, client: str) -> bool:
        """Return whether there is room for another connection, perhaps after closing one of a client with more."""
        counts = Counter(each.client for each in self._open.values())
        if counts[client] >= MAX_CONNECTIONS_OF_A_CLIENT:
            return False
        if len(self._open) < MAX_CONNECTIONS:
            return True
        idle = [each for each in self._open.values() if each.is_waiting and counts[each.client] > counts[client]]
        if not idle:
            return False
        victim = max(idle, key=lambda each: (counts[each.client], each.age))
        del self._open[victim.socket]
        victim.close()
        return True

    def service_actions(self) -> None:
        """Close connections on which no request arrives, and those that take too long; called twice a second."""
        with self._lock:
            for each in self._open.values():
                if each.age > (HEAD_SECONDS if each.is_waiting else REQUEST_SECONDS):
                    each.close()

    def note_request(self, request: socket.socket) -> None:
        """Note that the request of a connection has arrived."""
        with self._lock:
            if request in self._open:
                self._open[request].is_waiting = False

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                self._open.pop(request, None)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that have disconnected."""


class _Handler(BaseHTTPRequestHandler):
    timeout: ClassVar[float] = REQUEST_SECONDS
    server_version, sys_version = "noughts", ""

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def _answer(self) -> None:
        server = self.server
        assert isinstance(server, _Server)
        server.note_request(self.connection)
        found = server.page.answer(self.path) if self._is_for_us(server) else None
        status = HTTPStatus.OK if found else HTTPStatus.NOT_FOUND
        body, kind = found or (b"not found\n", "text/plain; charset=utf-8")
        self.send_response(status)
        for name, value in (server.headers | {"Content-Type": kind, "Content-Length": str(len(body))}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def _is_for_us(self, server: _Server) -> bool:
        """Whether the host is this machine, so that no other site can read a page that is not on the network."""
        if not server.is_local:
            return True
        host = urlsplit(f"//{self.headers.get('Host', '')}").hostname
        return host in LOOPBACK

    def log_message(self, format: str, *arguments: Any) -> None:
        """Keep standard error for the cup."""
