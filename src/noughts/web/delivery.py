"""From a worker's thread to those who wait in the server's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

__all__ = ["Answer", "deliver", "tried"]


class Answer(NamedTuple):
    """What somebody waits for: a result, or the error in its place."""

    waiting: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None

    def settle(self) -> None:
        """Hand it over, unless nobody waits any more."""
        if self.waiting.done():
            return
        if self.error is not None:
            self.waiting.set_exception(self.error)
        else:
            self.waiting.set_result(self.result)


def deliver(loop: asyncio.AbstractEventLoop, answers: list[Answer]) -> None:
    """Settle answers in the loop's thread, all in one go."""

    def settle() -> None:
        for answer in answers:
            answer.settle()

    with suppress(RuntimeError):  # the loop is closed: the server has ended
        loop.call_soon_threadsafe(settle)


def tried(work: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    """Return what the work returns and None, or None and what it raises: threads must not die of either."""
    try:
        return work(), None
    except BaseException as error:
        return None, error
