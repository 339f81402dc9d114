"""Metrics for Prometheus: counters of requests and refusals, durations, and the state of pools, rooms and process."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, Metric, disable_created_metrics
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from noughts import __version__
from noughts.web.errors import Reason

__all__ = ["Metrics"]

BOUNDS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the buckets of durations: from a file to a long analysis."""

disable_created_metrics()  # type: ignore[no-untyped-call]  # a time for each label would double the metrics


class Metrics(Collector):
    """What the server counts, in a registry of its own for each app."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        Info("noughts", "Version.", registry=registry).info({"version": __version__})
        self._requests = Counter(
            "noughts_http_requests",
            "Requests by method, route and status.",
            ("method", "route", "status"),
            registry=registry,
        )
        self._durations = Histogram(
            "noughts_http_request_duration_seconds",
            "Time from a request to the end of its answer.",
            ("route",),
            buckets=BOUNDS_SECONDS,
            registry=registry,
        )
        self._sockets = Counter("noughts_websockets", "Websockets opened.", ("route",), registry=registry)
        # Not in the registry, which takes this name for that of the counter without its suffix _total.
        self._open_sockets = Gauge("noughts_websockets", "Open websockets.", ("route",), registry=None)
        self._refusals = Counter("noughts_refusals", "Refused requests.", ("reason",), registry=registry)
        for reason in Reason:
            self._refusals.labels(reason)
        ProcessCollector(registry=registry)

    def collect(self) -> Iterator[Metric]:
        yield from self._registry.collect()
        yield from self._open_sockets.collect()

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answered request; ``route`` is a template, so that there are few of them."""
        self._requests.labels(method, route, status).inc()
        self._durations.labels(route).observe(seconds)

    def open_socket(self, route: str) -> None:
        """Count a websocket that was opened."""
        self._sockets.labels(route).inc()
        self._open_sockets.labels(route).inc()

    def close_socket(self, route: str) -> None:
        """Count a websocket that was closed."""
        self._open_sockets.labels(route).dec()

    def refuse(self, reason: Reason | None) -> None:
        """Count a refusal; None is an answer for other reasons, such as a page that does not exist."""
        if reason is not None:
            self._refusals.labels(reason).inc()
            logging.getLogger(__name__).debug("refused a request: %s", reason)
