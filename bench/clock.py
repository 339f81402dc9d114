"""Timing on a machine that others use too: medians of several runs, and ratios taken in one breath."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

__all__ = ["machine", "median_seconds", "seconds_of"]


def seconds_of(function: Callable[[], object]) -> float:
    """Return how long one call takes."""
    start = perf_counter()
    function()
    return perf_counter() - start


def median_seconds(function: Callable[[], object], runs: int = 5) -> float:
    """Return the median time of several calls."""
    return statistics.median(seconds_of(function) for _ in range(runs))


def machine() -> dict[str, Any]:
    """Return what the numbers were measured on, in general terms."""
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
