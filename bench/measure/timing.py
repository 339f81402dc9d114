"""Timing on a shared machine: processor time where one thread works, medians, and ratios measured side by side."""

from __future__ import annotations

import os
import platform
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

__all__ = ["best_seconds", "children_seconds", "cpu_seconds_of", "machine", "median_seconds", "seconds_of"]


def cpu_seconds_of(function: Callable[[], object]) -> float:
    """Return the processor time of one call in this process, which other work on the machine hardly changes."""
    start = process_time()
    function()
    return max(process_time() - start, 1e-7)


def seconds_of(function: Callable[[], object]) -> float:
    """Return the wall-clock time of one call."""
    start = perf_counter()
    function()
    return perf_counter() - start


def median_seconds(function: Callable[[], object], runs: int = 5) -> float:
    """Return the median processor time of several calls."""
    return statistics.median(cpu_seconds_of(function) for _ in range(runs))


def best_seconds(function: Callable[[], object], runs: int = 9) -> float:
    """Return the least processor time of several calls; disturbances such as cold caches only add to it."""
    return min(cpu_seconds_of(function) for _ in range(runs))


def children_seconds() -> float:
    """Return the processor time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def machine() -> dict[str, Any]:
    """Return a general description of the machine."""
    return {
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "compiler": _compiler(),
        "interpreter": sys.implementation.name,
    }


def _compiler() -> str:
    try:
        answer = subprocess.run(["c++", "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return answer.splitlines()[0]
