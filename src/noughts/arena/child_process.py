"""The streams of a child process that runs bots and talks to its parent in lines of JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any

from noughts.process.reaping import become_subreaper
from noughts.process.streams import take_output

__all__ = ["take_streams"]


def take_streams() -> tuple[Callable[[], Any], Callable[[Any], None]]:
    """Return the functions that read and write a line; standard output becomes standard error for all others.

    When the input ends, because the parent is done or was killed, the process exits at once; the supervisors of its
    bots notice and end them.
    """
    become_subreaper()
    answers = take_output()
    lines: SimpleQueue[str] = SimpleQueue()
    Thread(target=_read_lines, args=(lines,), daemon=True).start()

    def write(data: Any) -> None:
        answers.write(json.dumps(data).encode() + b"\n")
        answers.flush()

    return lambda: json.loads(lines.get()), write


def _read_lines(lines: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)
