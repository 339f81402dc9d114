"""Serves pages that another part of noughts makes, with the checks, the limits and the headers of ``noughts web``."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from threading import Thread
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from noughts.settings.kinds import Address
from noughts.web.errors import Reason
from noughts.web.limits import ANY_NAME, NETWORK_LIMITS, Settings, is_loopback, limited_connection
from noughts.web.logs import library_level
from noughts.web.metrics import Metrics
from noughts.web.responses import error_response
from noughts.web.security import SecurityMiddleware

__all__ = ["Answer", "PageServer", "listen", "server_config"]

Answer = Callable[[str, Mapping[str, str]], tuple[bytes, Mapping[str, str]] | None]
"""Returns the body and the headers of a path with its parameters, or None if there is no such page."""

MAX_CONNECTIONS, MAX_CONNECTIONS_OF_A_CLIENT = 512, 64
"""The process that makes the pages needs open files for its own work, too."""


class PageServer:
    """Serves pages in the background, from now on until it is closed; raises OSError if the port is taken."""

    def __init__(self, answer: Answer, address: Address) -> None:
        limits = replace(NETWORK_LIMITS, connections=MAX_CONNECTIONS_OF_A_CLIENT)
        names = () if is_loopback(address.host) else (ANY_NAME,)
        settings, metrics = Settings(host=address.host, names=names, client_limits=limits), Metrics()
        app = SecurityMiddleware(Starlette(routes=[Route("/{path:path}", _endpoint(answer))]), settings, metrics)
        config = server_config(app, settings, metrics, limit_concurrency=MAX_CONNECTIONS, ws="none", lifespan="off")
        self._server = uvicorn.Server(config)
        self._listening = listen(address)
        self.port: int = self._listening.getsockname()[1]
        self._thread = Thread(target=self._server.run, args=([self._listening],), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._listening.close()


def _endpoint(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    async def respond(request: Request) -> Response:
        found = answer(request.url.path, request.query_params)
        return error_response(404, "not found") if found is None else Response(found[0], headers=found[1])

    return respond


def server_config(app: ASGIApp, settings: Settings, metrics: Metrics, **more: Any) -> uvicorn.Config:
    """Return uvicorn's settings, with limits on connections and without logs of its own."""
    return uvicorn.Config(
        app,
        http=limited_connection(settings, partial(metrics.refuse, Reason.CONNECTIONS)),
        log_config=None,
        log_level=library_level(settings.log_level),
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        timeout_graceful_shutdown=1,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=64 * 1024,
        **more,
    )


def listen(address: Address) -> socket.socket:
    """Return a socket that listens on an address; raises OSError."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    # With an explicit protocol asyncio turns Nagle's algorithm off; otherwise every answer is 40 ms late.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(1024)
    except BaseException:
        listening.close()
        raise
    listening.setblocking(False)
    return listening
