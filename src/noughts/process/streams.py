"""The standard streams of a child process whose answers must not be mixed with prints."""

from __future__ import annotations

import os
from typing import IO

__all__ = ["take_output", "take_streams"]


def take_output() -> IO[bytes]:
    """Return standard output as a stream for answers alone; prints go to standard error from now on."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def take_streams() -> tuple[int, int]:
    """Return private descriptors of standard input and output; programs and prints have neither from now on."""
    questions, answers = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return questions, answers
