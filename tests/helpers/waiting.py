"""Waiting for something that another thread or process does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

POLL_SECONDS = 0.01


def wait_until(holds: Callable[[], object], seconds: float = 60, what: str = "the condition") -> None:
    """Wait for a condition; fail the test if it does not hold in time."""
    if not holds_within(holds, seconds):
        pytest.fail(f"{what} did not hold within {seconds:g} s")


async def wait_until_async(holds: Callable[[], object], seconds: float = 60) -> None:
    """Wait for a condition without blocking the event loop; raises TimeoutError if it does not hold in time."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(POLL_SECONDS)


def holds_within(holds: Callable[[], object], seconds: float) -> bool:
    """Whether a condition holds now or within a time."""
    deadline = time.monotonic() + seconds
    while not (found := holds()) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    return bool(found)
