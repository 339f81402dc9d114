"""A limit on the processor time of one call, where the system has timers; used in the process of the submission."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["TooSlow", "limited_time"]


class TooSlow(BaseException):
    """A call takes too long; not an Exception, because programs catch those."""


@contextmanager
def limited_time(seconds: float) -> Iterator[None]:
    """Raise TooSlow in the context after some processor time; without timers, as on Windows, there is no limit.

    A limit may stand within another one, whose time stands still.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"no answer after {seconds:g} s of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    left, _ = signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        signal.setitimer(signal.ITIMER_VIRTUAL, left)
