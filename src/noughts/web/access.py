"""Every request is measured: counted in the metrics, and if the settings say so written to the access log.

The log has templates of addresses, such as ``/api/friends/{friend}``, and no queries, headers or messages: keys of
visitors, tokens, invitations and the ids of friend games never reach it.
"""

from __future__ import annotations

import logging
import time
from ipaddress import ip_address, ip_network

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noughts.web.limits import Settings
from noughts.web.logs import ACCESS_LOGGER
from noughts.web.metrics import Metrics

__all__ = ["AccessMiddleware", "format_client", "route_template"]

UNROUTED = "-"
METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")
WEBSOCKET = "WEBSOCKET"
FILES = "/{path}"
NETWORK_BITS = {4: 24, 6: 48}
"""Length of the prefix that is logged of an address, by version."""


class AccessMiddleware:
    """ASGI middleware that counts, measures and logs requests and websockets."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._app, self._settings, self._metrics = app, settings, metrics
        self._logger = logging.getLogger(ACCESS_LOGGER)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the app, and measure its answer."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, status, size = time.perf_counter(), 500, 0

        async def measure(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, measure)
        finally:
            seconds = time.perf_counter() - started
            method = scope["method"] if scope["method"] in METHODS else "other"
            route = route_template(scope)
            self._metrics.count_request(method, route, status, seconds)
            is_file = route == FILES and status in (200, 304)  # a name of ours, not one that a client made up
            self._log(scope, method, scope["path"] if is_file else route, status, size, seconds)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, status, size, opened = time.perf_counter(), 403, 0, ""

        async def measure(message: Message) -> None:
            nonlocal status, size, opened
            if message["type"] == "websocket.accept":
                status, opened = 101, route_template(scope)
                self._metrics.open_socket(opened)
            elif message["type"] == "websocket.http.response.start":
                status = message["status"]
            size += len(message.get("text") or message.get("body") or b"")
            await send(message)

        try:
            await self._app(scope, receive, measure)
        finally:
            if opened:
                self._metrics.close_socket(opened)
            self._log(scope, WEBSOCKET, route_template(scope), status, size, time.perf_counter() - started)

    def _log(self, scope: Scope, method: str, route: str, status: int, size: int, seconds: float) -> None:
        if not self._settings.access_log:
            return
        client = format_client(scope, self._settings.log_addresses)
        milliseconds = round(seconds * 1000, 1)
        fields = {
            "client": client,
            "method": method,
            "route": route,
            "status": status,
            "bytes": size,
            "milliseconds": milliseconds,
        }
        self._logger.info(
            '%s "%s %s" %d %d B %.1f ms', client, method, route, status, size, milliseconds, extra={"fields": fields}
        )


def route_template(scope: Scope) -> str:
    """Return the path of a request with the names of its parameters instead of their values; ``-`` without a route."""
    if "endpoint" not in scope:
        return UNROUTED
    parts: list[str] = scope["path"].split("/")
    for name, value in scope.get("path_params", {}).items():
        text = str(value)
        if parts[1:] == text.split("/"):
            return f"/{{{name}}}"
        if text in parts:
            parts[len(parts) - 1 - parts[::-1].index(text)] = f"{{{name}}}"
    return "/".join(parts)


def format_client(scope: Scope, how: str) -> str:
    """Return the address of a client, in ``full``, its ``network`` alone, or ``-`` for ``none``."""
    host = scope["client"][0] if scope.get("client") else UNROUTED
    if how == "none":
        return UNROUTED
    try:
        address = ip_address(host)
    except ValueError:
        return UNROUTED
    if how == "full":
        return str(address)
    return str(ip_network((address, NETWORK_BITS[address.version]), strict=False))
