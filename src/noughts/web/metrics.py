"""Metrics for Prometheus: counters of requests and refusals, durations, and the state of pools, rooms and process."""

from __future__ import annotations

import logging
import os
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from noughts import __version__
from noughts.web.errors import Reason

__all__ = ["CONTENT_TYPE", "Histogram", "Metrics", "Sample", "format_metric", "process_metrics"]

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the buckets of durations: from a file to a long analysis."""
STARTED = time.time()


class Sample(NamedTuple):
    """A value with its labels; ``suffix`` follows the name of the metric."""

    labels: Mapping[str, str]
    value: float
    suffix: str = ""


class Histogram:
    """Counts of durations by upper bounds, and their sum."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS_SECONDS) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        """Count a duration."""
        self._counts[bisect_left(BOUNDS_SECONDS, seconds)] += 1
        self._sum += seconds

    def samples(self, labels: Mapping[str, str]) -> Iterator[Sample]:
        """Yield the cumulative counts, the sum and the number of durations."""
        total = 0
        for bound, count in zip((*map(_format_number, BOUNDS_SECONDS), "+Inf"), self._counts, strict=True):
            total += count
            yield Sample({**labels, "le": bound}, total, "_bucket")
        yield Sample(labels, self._sum, "_sum")
        yield Sample(labels, total, "_count")


class Metrics:
    """What the server counts. Used in the event loop only."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._durations: dict[str, Histogram] = {}
        self._sockets: Counter[str] = Counter()
        self._open_sockets: Counter[str] = Counter()
        self._refusals: Counter[str] = Counter(dict.fromkeys(map(str, Reason), 0))

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answered request; ``route`` is a template, so that there are few of them."""
        self._requests[method, route, status] += 1
        self._durations.setdefault(route, Histogram()).observe(seconds)

    def open_socket(self, route: str) -> None:
        """Count a websocket that was opened."""
        self._sockets[route] += 1
        self._open_sockets[route] += 1

    def close_socket(self, route: str) -> None:
        """Count a websocket that was closed."""
        self._open_sockets[route] -= 1

    def refuse(self, reason: Reason | None) -> None:
        """Count a refusal; None is an answer for other reasons, such as a page that does not exist."""
        if reason is not None:
            self._refusals[reason] += 1
            logging.getLogger(__name__).debug("refused a request: %s", reason)

    def format(self) -> Iterator[str]:
        """Yield the lines of all counters."""
        yield from format_metric("noughts_info", "gauge", "Version.", [Sample({"version": __version__}, 1)])
        yield from format_metric(
            "noughts_http_requests_total",
            "counter",
            "Requests by method, route and status.",
            (
                Sample({"method": method, "route": route, "status": str(status)}, number)
                for (method, route, status), number in sorted(self._requests.items())
            ),
        )
        yield from format_metric(
            "noughts_http_request_duration_seconds",
            "histogram",
            "Time from a request to the end of its answer.",
            (
                sample
                for route, histogram in sorted(self._durations.items())
                for sample in histogram.samples({"route": route})
            ),
        )
        yield from _format_counts("noughts_websockets_total", "counter", "Websockets opened.", "route", self._sockets)
        yield from _format_counts("noughts_websockets", "gauge", "Open websockets.", "route", self._open_sockets)
        yield from _format_counts("noughts_refusals_total", "counter", "Refused requests.", "reason", self._refusals)


def _format_counts(name: str, kind: str, about: str, label: str, counts: Mapping[str, int]) -> Iterator[str]:
    return format_metric(name, kind, about, (Sample({label: key}, number) for key, number in sorted(counts.items())))


def format_metric(name: str, kind: str, about: str, samples: Iterable[Sample]) -> Iterator[str]:
    """Yield the lines of one metric in Prometheus' text format."""
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"
    for sample in samples:
        yield f"{name}{sample.suffix}{_format_labels(sample.labels)} {_format_number(sample.value)}"


def _format_labels(labels: Mapping[str, str]) -> str:
    pairs = ",".join(f'{key}="{_escape(text)}"' for key, text in labels.items())
    return f"{{{pairs}}}" if pairs else ""


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _format_number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))


def process_metrics() -> Iterator[str]:
    """Yield the lines about this process, with the names that all Prometheus clients use; memory on Linux only."""
    values = {
        "process_cpu_seconds_total": ("counter", "Processor time.", time.process_time()),
        "process_start_time_seconds": ("gauge", "Start of the process, in Unix time.", STARTED),
    }
    with suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        memory = pages * os.sysconf("SC_PAGE_SIZE")
        values["process_resident_memory_bytes"] = ("gauge", "Resident memory.", memory)
        values["process_open_fds"] = ("gauge", "Open file descriptors.", len(os.listdir("/proc/self/fd")))
    for name, (kind, about, value) in values.items():
        yield from format_metric(name, kind, about, [Sample({}, value)])
