"""Waiting for something that another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

POLL_SECONDS = 0.01


def wait_until(holds: Callable[[], object], seconds: float = 60, what: str = "the condition") -> None:
    """Wait for a condition; fail the test if it does not hold in time."""
    if not holds_within(holds, seconds):
        pytest.fail(f"{what} did not hold within {seconds:g} s")


def holds_within(holds: Callable[[], object], seconds: float) -> bool:
    """Whether a condition holds now or within a time."""
    deadline = time.monotonic() + seconds
    while not (found := holds()) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    return bool(found)
