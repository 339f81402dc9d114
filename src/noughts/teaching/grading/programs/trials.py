"""Trials of a student's code, which may raise, exit or never end. Used in the process of the submission only."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["TrialFailed", "trial"]

TRIAL_SECONDS = 0.3
"""Processor time for a trial."""
TRIAL_RECURSION = 600
"""Frames in a trial: a wrong call that never ends is over sooner."""


class TrialFailed(Exception):
    """What was tried raised an exception, exited, or took too long."""


class _Stopped(BaseException):
    """A trial takes too long; not an Exception, so that a function which catches those is stopped too."""


@contextmanager
def trial() -> Iterator[None]:
    """Try code of a student; raises TrialFailed for an exception of it, and where it takes too long."""
    recursion = sys.getrecursionlimit()
    try:
        with _limited_time():
            sys.setrecursionlimit(min(recursion, TRIAL_RECURSION))
            yield
    except (Exception, SystemExit, _Stopped) as error:
        raise TrialFailed from error
    finally:
        sys.setrecursionlimit(recursion)


@contextmanager
def _limited_time() -> Iterator[None]:
    """Raise _Stopped after some processor time, where the system can do that."""
    if not hasattr(signal, "SIGVTALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise _Stopped

    old = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, TRIAL_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, old)
