"""The guard at the door: who may come in, how much they may bring, and the headers everything leaves with."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noughts.web.errors import Refused, TooMany, refusal
from noughts.web.limits import Buckets, Count, client_of
from noughts.web.settings import BODY_BYTES, Settings, is_loopback

__all__ = ["HEADERS", "Guard"]

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
}
PATIENCE = 10.0
"""Seconds a client has to send what it announced."""

DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class Guard:
    """ASGI middleware around the whole app."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._files = Buckets(settings.granted.files)
        self._requests = Buckets(settings.granted.requests)
        self._sockets = Count(settings.granted.sockets)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        sender = _with_headers(send)
        try:
            self._check(scope)
            body = await asyncio.wait_for(_body(scope, receive), PATIENCE)
        except TimeoutError:
            await refusal(408, f"expected the whole request within {PATIENCE:g} s")(scope, receive, sender)
        except Refused as error:
            await refusal(error.status, error.text, error.retry_after)(scope, receive, sender)
        else:
            await self._app(scope, _replay(body, receive), sender)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = client_of(scope)
        try:
            self._check(scope)
        except Refused as error:
            await _deny(scope, receive, send, error)
            return
        if not self._sockets.take(client):
            await _deny(scope, receive, send, TooMany("expected fewer connections at a time from one address"))
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._sockets.give_back(client)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        self._check_host(headers)
        _check_origin(scope, headers)
        rates = self._files if _is_file(scope) else self._requests
        wait = rates.of(client_of(scope)).take()
        if wait:
            raise TooMany("expected fewer requests a second from one address", wait)

    def _check_host(self, headers: Headers) -> None:
        """Against pages elsewhere whose name is made to point here."""
        name = _host_name(headers.get("host", ""))
        if self._settings.is_local:
            if not is_loopback(name):
                raise Refused(403, "expected this machine's own address as the host, such as localhost or 127.0.0.1")
        elif self._settings.names and name not in self._settings.names:
            raise Refused(403, f"expected a host of {', '.join(self._settings.names)}")


def _is_file(scope: Scope) -> bool:
    return scope["type"] == "http" and not scope["path"].startswith(("/api", "/openapi"))


def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _check_origin(scope: Scope, headers: Headers) -> None:
    """Pages from elsewhere may link here, but neither ask the interface nor open sockets."""
    if scope["type"] == "http" and not scope["path"].startswith("/api"):
        return
    origin, host = headers.get("origin"), headers.get("host", "")
    if origin is not None and not _is_same(origin, host):
        raise Refused(403, "expected a request from the page itself, got one from another origin")
    if origin is None and headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise Refused(403, "expected a request from the page itself, got one from another site")


def _is_same(origin: str, host: str) -> bool:
    """Whether an origin is the host that was asked; a proxy may have changed the scheme, so the origin's is taken."""
    scheme, _, place = origin.partition("://")
    if scheme not in DEFAULT_PORTS or not place:
        return False  # "null" among others
    return place.lower().removesuffix(DEFAULT_PORTS[scheme]) == host.lower().removesuffix(DEFAULT_PORTS[scheme])


async def _body(scope: Scope, receive: Receive) -> list[Message]:
    """Read the whole request, which is small; one that is not is refused before it is read."""
    length = Headers(scope=scope).get("content-length", "0")
    too_large = Refused(413, f"expected a request of at most {BODY_BYTES // 1024} kB")
    if not length.isascii() or not length.isdigit() or len(length) > 9 or int(length) > BODY_BYTES:
        raise too_large
    messages, size = [], 0
    while True:
        message = await receive()
        messages.append(message)
        size += len(message.get("body", b""))
        if size > BODY_BYTES:
            raise too_large
        if message["type"] != "http.request" or not message.get("more_body"):
            return messages


def _replay(messages: list[Message], receive: Receive) -> Receive:
    """What was read, then whatever comes next: the news that the client has gone."""
    waiting = iter(messages)

    async def replay() -> Message:
        return next(waiting, None) or await receive()

    return replay


def _with_headers(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sender


async def _deny(scope: Scope, receive: Receive, send: Send, error: Refused) -> None:
    """Refuse a websocket before it is opened, with a proper answer where the server can give one."""
    await receive()
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008})
        return
    response = refusal(error.status, error.text, error.retry_after)
    start: dict[str, Any] = {"status": response.status_code, "headers": response.raw_headers}
    await send({"type": "websocket.http.response.start", **start})
    await send({"type": "websocket.http.response.body", "body": bytes(response.body)})
