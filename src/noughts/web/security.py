"""Security middleware: checks of host and origin, limits on rate and size, and security headers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from socket import gethostname
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noughts.request_body import BodyRefused, read_body, replay
from noughts.web.errors import Reason, TooManyRequests, WebError
from noughts.web.limits import (
    ANY_NAME,
    ConnectionCount,
    Settings,
    TokenBuckets,
    client_address,
    is_loopback,
)
from noughts.web.metrics import Metrics
from noughts.web.responses import error_response

__all__ = ["FILE_HEADERS", "HEADERS", "HEALTH_PATH", "HostCheck", "SecurityMiddleware"]

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
FILE_HEADERS = ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")
"""The headers of scripts and style sheets: the others concern documents, and would be a fifth of the first load."""
FILE_TYPES = ("text/javascript", "text/css")
HEALTH_PATH = "/healthz"
DENIED_SECONDS = 2.0
"""Time for a client to take the refusal of its websocket."""

DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class SecurityMiddleware:
    """ASGI middleware around the whole app."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._settings, self._metrics = settings, metrics
        self._hosts = HostCheck.of_page(settings)
        self._files = TokenBuckets(settings.limits.files)
        self._requests = TokenBuckets(settings.limits.requests)
        self._sockets = ConnectionCount(settings.limits.sockets)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the app, or refuse it."""
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
            body = await _read_body(scope, receive)
        except WebError as error:
            self._metrics.refuse(error.reason)
            await error_response(error.status, error.message, error.retry_after)(scope, receive, sender)
        else:
            await self._app(scope, replay(body, receive), sender)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = client_address(scope)
        try:
            self._check(scope)
            if not self._sockets.acquire(client):
                raise TooManyRequests("too many connections", reason=Reason.SOCKETS)
        except WebError as error:
            self._metrics.refuse(error.reason)
            await _deny(scope, receive, send, error)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._sockets.release(client)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if scope["path"] != HEALTH_PATH:  # asked by address, and of interest to no other site
            self._hosts.check(headers)
        _check_origin(scope, headers)
        rates = self._files if _is_file(scope) else self._requests
        wait = rates.of(client_address(scope)).take()
        if wait:
            raise TooManyRequests("too many requests", wait, reason=Reason.REQUESTS)


class HostCheck:
    """Refuses foreign host names: another site may have pointed its name at this server (DNS rebinding).

    Another site cannot own an address, so addresses may be accepted.
    """

    def __init__(self, names: tuple[str, ...], accepts: Callable[[str], bool], about: str) -> None:
        self._names, self._accepts, self._about = names, accepts, about

    @classmethod
    def of_page(cls, settings: Settings) -> HostCheck:
        """On loopback, the names and addresses of loopback; on a network ``--name``, or this machine."""
        if settings.is_local:
            return cls((), is_loopback, "localhost and 127.0.0.1 only")
        if settings.names:
            return cls(settings.names, lambda _: False, f"{', '.join(settings.names)} only")
        own = _own_names()
        return cls(own, _is_address, f"its addresses and to {own[0]} only; its option --name adds names")

    @classmethod
    def of_metrics(cls, settings: Settings) -> HostCheck:
        """Addresses, the name of this machine, and ``--name``."""
        names = (*_own_names(), *settings.names)
        return cls(names, _is_address, f"its addresses and to {names[0]} only; its option --name adds names")

    def check(self, headers: Headers) -> None:
        """Raise WebError 403 unless the ``Host`` of a request is a name of this server."""
        name = _host_name(headers.get("host", ""))
        if not (ANY_NAME in self._names or name in self._names or self._accepts(name)):
            raise _forbidden(f"this server answers to {self._about}", Reason.HOST)


def _own_names() -> tuple[str, ...]:
    own = gethostname().lower()
    return own, own.partition(".")[0] + ".local", "localhost"


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _forbidden(message: str, reason: Reason) -> WebError:
    return WebError(403, message, reason=reason)


def _is_file(scope: Scope) -> bool:
    return scope["type"] == "http" and not scope["path"].startswith(("/api", "/openapi"))


def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _check_origin(scope: Scope, headers: Headers) -> None:
    """Refuse requests of other sites to the API and the websockets; they may link to the page."""
    if scope["type"] == "http" and not scope["path"].startswith("/api"):
        return
    origin, host = headers.get("origin"), headers.get("host", "")
    if origin is not None and not _is_same(origin, host):
        raise _forbidden("requests from another origin are not allowed", Reason.ORIGIN)
    if origin is None and headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise _forbidden("requests from another site are not allowed", Reason.ORIGIN)


def _is_same(origin: str, host: str) -> bool:
    """Return whether an origin is the requested host; a proxy may change the scheme, so the origin's is used."""
    scheme, _, authority = origin.partition("://")
    if scheme not in DEFAULT_PORTS or not authority:
        return False  # "null" among others
    return authority.lower().removesuffix(DEFAULT_PORTS[scheme]) == host.lower().removesuffix(DEFAULT_PORTS[scheme])


async def _read_body(scope: Scope, receive: Receive) -> list[Message]:
    """Return the messages of the whole request; raises WebError for one that is too slow or too large."""
    try:
        return await read_body(scope, receive)
    except BodyRefused as error:
        reason = Reason.SIZE if error.status == 413 else Reason.SLOW
        raise WebError(error.status, str(error), reason=reason) from None


def _with_headers(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            is_part = headers.get("content-type", "").startswith(FILE_TYPES)
            for name in FILE_HEADERS if is_part else HEADERS:
                headers.setdefault(name, HEADERS[name])
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sender


async def _deny(scope: Scope, receive: Receive, send: Send, error: WebError) -> None:
    """Refuse a websocket before it is opened, with an HTTP response if the server supports that."""
    await receive()
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008})
        return
    response = error_response(error.status, error.message, error.retry_after)
    start: dict[str, object] = {"status": response.status_code, "headers": response.raw_headers}
    await send({"type": "websocket.http.response.start", **start})
    await send({"type": "websocket.http.response.body", "body": bytes(response.body)})
    # uvicorn logs an error for an app that returns before the connection is lost, which is the second message.
    with suppress(TimeoutError):
        async with asyncio.timeout(DENIED_SECONDS):
            for _ in range(2):
                await receive()
