"""Settings of the server, and how much it grants to each client: request rates, connections, engine time."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.metadata import version
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import h11
from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from noughts.settings.kinds import Address
from noughts.settings.table import (
    WEB_ACCESS_LOG,
    WEB_HOST,
    WEB_LOBBY,
    WEB_LOG_ADDRESSES,
    WEB_LOG_FORMAT,
    WEB_LOG_LEVEL,
    WEB_MAX_GAMES,
    WEB_METRICS,
    WEB_PORT,
    WEB_WORKER_MEMORY,
    WEB_WORKERS,
)

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

__all__ = [
    "ANY_NAME",
    "EMOTE_RATE",
    "LOCAL_LIMITS",
    "NETWORK_LIMITS",
    "ClientLimits",
    "ConnectionCount",
    "OpenWebSocket",
    "Rate",
    "Settings",
    "TokenBucket",
    "TokenBuckets",
    "client_address",
    "is_loopback",
    "limited_connection",
]

ANY_NAME = "*"
"""Stands for every host name."""
MAX_CLIENTS = 10_000
"""Clients whose rates are remembered."""
IDLE_SECONDS = 10.0
"""Time in which the head of a request must have arrived."""
MAX_RECEIVED = 8
"""Messages of a websocket that wait to be handled while more are read."""
PROXY_CONNECTIONS = 10_000
"""Connections accepted from a proxy, which carries all clients."""


class Rate(NamedTuple):
    """Parameters of a token bucket."""

    capacity: float
    per_second: float

    def scaled_to(self, per_second: float) -> Rate:
        """Return another rate, with a capacity for the same time."""
        return Rate(self.capacity * per_second / self.per_second, per_second)


EMOTE_RATE = Rate(5, 0.5)
"""Messages of a player to the other one."""


@dataclass(frozen=True)
class ClientLimits:
    """Resources granted to one client."""

    files: Rate
    """Files of the page; opening it requests about thirty."""
    requests: Rate
    friend_games: Rate
    """Friend games created, joined or restarted."""
    open_challenges: int
    """Challenges that wait for an opponent at the same time."""
    saved_games: Rate
    messages: Rate
    """Messages on one websocket."""
    all_messages: Rate
    """Messages on all websockets of the client, including closed ones."""
    engine_seconds: Rate
    sockets: int
    connections: int
    """HTTP connections; a browser opens about six."""
    waiting: int
    """Jobs waiting for an engine."""
    reserved_workers: int = 0
    """Workers kept free for other clients."""
    max_games_per_visitor: int = 500
    max_visitor_games: int = 50_000
    """Games of all visitors together."""


LOCAL_LIMITS = ClientLimits(
    files=Rate(2000, 500),
    requests=Rate(2000, 500),
    friend_games=Rate(2000, 50),
    open_challenges=1000,
    saved_games=Rate(2000, 50),
    messages=Rate(100, 50),
    all_messages=Rate(10_000, 2000),
    engine_seconds=Rate(7200, 2),
    sockets=1000,
    connections=1000,
    waiting=16,
)
"""On loopback the only client is the user of this machine: these limits stop a runaway script."""

NETWORK_LIMITS = ClientLimits(
    files=Rate(2000, 200),
    requests=Rate(300, 40),
    friend_games=Rate(100, 0.5),
    open_challenges=40,
    saved_games=Rate(200, 0.2),
    messages=Rate(40, 10),
    all_messages=Rate(300, 100),
    engine_seconds=Rate(600, 1),
    sockets=128,
    connections=256,
    waiting=16,
    reserved_workers=1,
)
"""Enough for a classroom behind one address."""


@dataclass(frozen=True)
class Settings:
    """Settings of the server.

    ``names`` are the host names it answers to on a network, ``*`` for any; without one, its addresses and its own name.
    """

    host: str = WEB_HOST.default
    port: int = WEB_PORT.default
    names: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose X-Forwarded-For is trusted."""
    store: Path | None = None
    book: bool = True
    """Whether the engine uses its opening book."""
    workers: int = field(default_factory=WEB_WORKERS.factory)
    worker_memory: int = WEB_WORKER_MEMORY.default
    """Megabytes for each worker."""
    max_connections: int | None = None
    max_sockets: int | None = None
    max_requests: int | None = None
    max_messages: int | None = None
    """Limits for each client that are not those of ``LOCAL_LIMITS`` or ``NETWORK_LIMITS``; rates are per second."""
    max_games: int = WEB_MAX_GAMES.default
    lobby: bool = WEB_LOBBY.default
    """Whether visitors can see who waits for an opponent."""
    log_level: str = WEB_LOG_LEVEL.default
    log_format: str = WEB_LOG_FORMAT.default
    access_log: bool = WEB_ACCESS_LOG.default
    log_addresses: str = WEB_LOG_ADDRESSES.default
    metrics: Address | None = WEB_METRICS.default
    """Where ``/metrics`` is served."""
    client_limits: ClientLimits | None = None
    """Overrides the limits chosen by ``limits``."""

    @property
    def address(self) -> Address:
        """Where the page is served."""
        return Address(self.host, self.port)

    @property
    def is_local(self) -> bool:
        """Whether the server can be reached from this machine only."""
        return is_loopback(self.host) and not self.proxies

    @cached_property
    def limits(self) -> ClientLimits:
        """Resources granted to each client."""
        limits = self.client_limits or (LOCAL_LIMITS if self.is_local else NETWORK_LIMITS)
        chosen: dict[str, Any] = {"connections": self.max_connections, "sockets": self.max_sockets}
        for name, rate, most in (
            ("requests", limits.requests, self.max_requests),
            ("all_messages", limits.all_messages, self.max_messages),
        ):
            chosen[name] = None if most is None else rate.scaled_to(most)
        return replace(limits, **{name: limit for name, limit in chosen.items() if limit is not None})


def is_loopback(host: str) -> bool:
    """Return whether an address or a name can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class TokenBucket:
    """Token bucket: ``capacity`` tokens, refilled at ``per_second``."""

    __slots__ = ("_capacity", "_now", "_per_second", "_tokens", "_updated")

    def __init__(self, capacity: float, per_second: float, now: Callable[[], float] = time.monotonic) -> None:
        self._capacity, self._per_second, self._now = capacity, per_second, now
        self._tokens, self._updated = capacity, now()

    def take(self, tokens: float = 1.0) -> float:
        """Take tokens and return 0; if there are too few, take none and return the seconds until there are enough."""
        self._refill()
        if self._tokens >= tokens:
            self._tokens -= tokens
            return 0.0
        return (tokens - self._tokens) / self._per_second

    def spend(self, tokens: float) -> None:
        """Take tokens that have been used already; the balance may become negative."""
        self._refill()
        self._tokens -= tokens

    def _refill(self) -> None:
        now = self._now()
        self._tokens = min(self._capacity, self._tokens + (now - self._updated) * self._per_second)
        self._updated = now


class TokenBuckets:
    """A token bucket per client; the least recently used ones are dropped above ``max_clients``."""

    def __init__(self, rate: Rate, max_clients: int = MAX_CLIENTS) -> None:
        self._rate, self._max_clients = rate, max_clients
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def of(self, client: str) -> TokenBucket:
        """Return the bucket of a client."""
        bucket = self._buckets.pop(client, None) or TokenBucket(*self._rate)
        self._buckets[client] = bucket
        if len(self._buckets) > self._max_clients:
            self._buckets.popitem(last=False)
        return bucket


class ConnectionCount:
    """Open connections per client, at most ``maximum`` each."""

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._open: dict[str, int] = {}

    def acquire(self, client: str) -> bool:
        """Count one more connection, or return False if the client has too many."""
        count = self._open.get(client, 0)
        if count >= self._maximum:
            return False
        self._open[client] = count + 1
        return True

    def release(self, client: str) -> None:
        count = self._open.pop(client) - 1
        if count:
            self._open[client] = count


def client_address(scope: Scope) -> str:
    """Return the key under which a client is counted: its address, or the /64 prefix of an IPv6 address."""
    host = scope["client"][0] if scope.get("client") else "unknown"
    try:
        address = ip_address(host)
    except ValueError:
        return str(host)
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return f"{int(address) >> 64:x}::/64" if not address.is_loopback else "::1"
    return str(address)


UNDOCUMENTED = {
    H11Protocol: ("connection_made", "connection_lost", "handle_websocket_upgrade"),
    h11.Connection: ("their_state", "trailing_data"),
    WebSocketsSansIOProtocol: ("receive", "send", "send_receive_event_to_app"),
}
"""Undocumented parts of uvicorn and h11 that the connection limits depend on."""


def _check_versions() -> None:
    """Raise OSError if the installed uvicorn or h11 lacks something the connection limit depends on."""
    for owner, names in UNDOCUMENTED.items():
        for name in names:
            if not hasattr(owner, name):
                versions = f"uvicorn {version('uvicorn')} and h11 {version('h11')}"
                raise OSError(
                    f"cannot serve with {versions}: {owner.__name__} has no {name}; "
                    "install uvicorn 0.54 and h11 0.16, which are known to work"
                )


class OpenWebSocket(WebSocketsSansIOProtocol):
    """uvicorn's websocket protocol with two differences.

    It does not write to a connection that is lost already: asyncio would log each of these writes from the fifth on.
    It pauses reading when several messages wait, not after every message, which would take two system calls for each.
    """

    def send_receive_event_to_app(self) -> None:
        """Queue a message for the app."""
        self.read_paused = True
        super().send_receive_event_to_app()
        if self.queue.qsize() >= MAX_RECEIVED:
            self.transport.pause_reading()

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message; raises ClientDisconnected."""
        if self.transport.is_closing():
            raise ClientDisconnected
        await super().send(message)


def limited_connection(settings: Settings, on_refused: Callable[[], None]) -> type[H11Protocol]:
    """Return uvicorn's HTTP protocol with limits: connections per client, and time for the head of a request.

    ``on_refused`` is called for every connection above the limit.
    Websockets stop being counted here when they are opened; ``SecurityMiddleware`` counts them.
    """
    _check_versions()
    # Behind a proxy all connections come from one address, and the proxy limits its clients.
    count = ConnectionCount(PROXY_CONNECTIONS if settings.proxies else settings.limits.connections)

    class LimitedConnection(H11Protocol):
        _client: str | None = None
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            client = client_address({"client": self.client})
            is_full = self.limit_concurrency is not None and len(self.connections) > self.limit_concurrency
            if not is_full and count.acquire(client):
                self._client = client
                self._timer = self.loop.call_later(IDLE_SECONDS, self._close_if_idle, transport)
            else:
                on_refused()
                transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            self._release()
            super().connection_lost(exc)

        def handle_websocket_upgrade(self, event: h11.Request) -> None:
            self._release()
            super().handle_websocket_upgrade(event)

        def _release(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
            if self._client is not None:
                count.release(self._client)
                self._client = None

        def _close_if_idle(self, transport: asyncio.Transport) -> None:
            """Close a connection whose request head has been incomplete since the last check."""
            is_idle = self.conn.their_state is h11.IDLE and (self.cycle is None or bool(self.conn.trailing_data[0]))
            if is_idle:
                transport.close()
            else:
                self._timer = self.loop.call_later(IDLE_SECONDS, self._close_if_idle, transport)

    return LimitedConnection
