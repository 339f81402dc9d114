"""``/healthz``: whether the server can serve, for supervisors; and ``/metrics`` on a port of its own."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from enum import StrEnum

from fastapi import FastAPI, Request
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from noughts.store import Store, StoreError
from noughts.web.context import Services
from noughts.web.errors import WebError
from noughts.web.limits import Settings
from noughts.web.responses import error_response
from noughts.web.security import HEALTH_PATH, HostCheck

__all__ = ["Health", "MetricsPort", "Problem", "add_health_route"]

METRICS_PATH = "/metrics"
STORE_SECONDS = 3.0
"""Time for the store to begin a transaction."""
FRESH_SECONDS = 1.0
"""Time for which a result holds, so that asking often costs nothing."""


class Problem(StrEnum):
    """Why the server cannot serve."""

    CLOSING = "shutting down"
    STORE = "the store does not work"
    WORKERS = "the workers do not work"


class Health:
    """The state of the server, checked when it is asked for."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._check: asyncio.Task[Problem | None] | None = None
        self._checked = 0.0

    async def problem(self) -> Problem | None:
        """Return the problem, or None; requests at the same time share one check of the store."""
        pools = self._services.pools.values()
        if any(pool.is_closed for pool in pools):
            return Problem.CLOSING
        if not all(pool.is_working() for pool in pools):
            return Problem.WORKERS
        now = time.monotonic()
        if self._check is None or (self._check.done() and now - self._checked > FRESH_SECONDS):
            self._check, self._checked = asyncio.create_task(self._check_store()), now
        return await asyncio.shield(self._check)

    async def _check_store(self) -> Problem | None:
        try:
            await asyncio.wait_for(self._services.store.run(_begin_transaction), STORE_SECONDS)
        except (StoreError, TimeoutError) as error:
            logging.getLogger(__name__).error("the store does not work: %s", error or "no answer")
            return Problem.STORE
        return None


def _begin_transaction(store: Store) -> None:
    """Take the lock for writing, which needs a file that can be written, and give it back."""
    with store.transaction():
        pass


def add_health_route(app: FastAPI) -> None:
    """Answer ``/healthz`` with 200, or 503 if the server cannot serve."""

    @app.api_route(HEALTH_PATH, methods=["GET", "HEAD"], include_in_schema=False)
    async def healthz(request: Request) -> Response:
        problem = await request.app.state.health.problem()
        if problem is None:
            return JSONResponse({"status": "ok"})
        return JSONResponse({"status": problem}, 503)


class MetricsPort:
    """ASGI middleware around the whole app: on the port of the metrics there is nothing but the metrics.

    Monitoring asks under an address, the name of this machine, or one of the names of the page.
    """

    def __init__(self, app: ASGIApp, port: int | None, settings: Settings) -> None:
        self._app, self._port = app, port
        self._hosts = HostCheck.of_metrics(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request on the port of the metrics; pass on all others."""
        server = scope.get("server")
        if self._port is None or server is None or server[1] != self._port:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._respond(scope)(scope, receive, send)

    def _respond(self, scope: Scope) -> Response:
        try:
            self._hosts.check(Headers(scope=scope))  # by a name of its own another site could read the metrics
        except WebError as error:
            return error_response(error.status, error.message)
        if scope["path"] != METRICS_PATH or scope["method"] not in ("GET", "HEAD"):
            return error_response(404, f"the metrics are at {METRICS_PATH}")
        content = generate_latest(_ServerMetrics(scope["app"].state.services))
        return Response(content, media_type=CONTENT_TYPE_PLAIN_0_0_4)


class _ServerMetrics(Collector):
    """All metrics: those that are counted, and the state of pools, processes, store and rooms."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def collect(self) -> Iterator[Metric]:
        services = self._services
        yield from services.metrics.collect()
        loads = {name: pool.load() for name, pool in services.pools.items()}
        for field, about in {"workers": "Workers.", "busy": "Busy workers.", "waiting": "Jobs that wait."}.items():
            gauge = GaugeMetricFamily(f"noughts_pool_{field}", about, labels=["pool"])
            for pool, load in loads.items():
                gauge.add_metric([pool], getattr(load, field))
            yield gauge
        started = services.processes.started
        yield CounterMetricFamily("noughts_processes_started", "Processes of engines started.", started)
        ended = CounterMetricFamily("noughts_processes_ended", "Processes of engines replaced.", labels=["reason"])
        for reason, number in services.processes.ended.items():
            ended.add_metric([reason], number)
        yield ended
        rooms = services.rooms
        yield GaugeMetricFamily("noughts_store_waiting", "Jobs that wait for the store.", services.store.waiting)
        yield GaugeMetricFamily("noughts_rooms", "Friend games in memory.", len(rooms))
        yield GaugeMetricFamily(
            "noughts_room_connections", "Players and spectators of friend games.", rooms.connections
        )
        yield GaugeMetricFamily("noughts_friend_games", "Friend games stored.", rooms.stored)
