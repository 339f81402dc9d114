"""Trials of a student's code, which may raise, exit or never end. Used in the process of the submission only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from noughts.teaching.grading.runtime.time_limit import TooSlow, limited_time

__all__ = ["TrialFailed", "trial"]

TRIAL_SECONDS = 0.3
"""Processor time for a trial."""
TRIAL_RECURSION = 600
"""Frames in a trial: a wrong call that never ends is over sooner."""


class TrialFailed(Exception):
    """What was tried raised an exception, exited, or took too long."""


@contextmanager
def trial(seconds: float = TRIAL_SECONDS) -> Iterator[None]:
    """Try code of a student; raises TrialFailed for an exception of it, and where it takes too long."""
    recursion = sys.getrecursionlimit()
    try:
        with limited_time(seconds):
            sys.setrecursionlimit(min(recursion, TRIAL_RECURSION))
            yield
    except (Exception, SystemExit, TooSlow) as error:
        raise TrialFailed from error
    finally:
        sys.setrecursionlimit(recursion)
