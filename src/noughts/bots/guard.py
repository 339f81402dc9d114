"""Finds out when a bot in this process does what a tournament forbids: threads, processes, sockets, writing files.

Python itself tells of such calls (its audit events), whoever makes them. Code that is not Python's, as in compiled
modules, is not seen there; its threads are counted. It belongs in the process of one bot, and cannot be taken back.
"""

from __future__ import annotations

import _thread
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

__all__ = ["Guard"]

FORBIDDEN = {
    "_thread.": "starting a thread",
    "os.fork": "starting a process",
    "os.exec": "starting a program",
    "os.posix_spawn": "starting a program",
    "os.spawn": "starting a program",
    "os.startfile": "starting a program",
    "os.system": "starting a program",
    "pty.": "starting a program",
    "subprocess.": "starting a program",
    "os.kill": "sending a signal",
    "signal.pthread_kill": "sending a signal",
    "socket.": "using the network",
    "ctypes.": "calling foreign code",
    "os.chmod": "changing a file",
    "os.chown": "changing a file",
    "os.link": "changing a file",
    "os.mkdir": "changing a file",
    "os.remove": "changing a file",
    "os.rename": "changing a file",
    "os.rmdir": "changing a file",
    "os.symlink": "changing a file",
    "os.truncate": "changing a file",
    "shutil.": "changing a file",
}
"""What begins the name of an audit event, and what the bot did then."""
WHILE_LOADING = ("ctypes.",)
"""What modules that a bot imports may do: many look for libraries when they are imported."""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Guard:
    """Calls ``caught`` with what the bot did; ``caught`` must not return. Guards from the moment it is made."""

    def __init__(self, caught: Callable[[str], object]) -> None:
        self._caught = caught
        self._is_loading = True
        self._threads = 0
        sys.addaudithook(self._hear)
        self._replace_threads()

    def _replace_threads(self) -> None:
        """Catch threads where they are started: Python before 3.12 does not tell of them."""

        def start(*ignored: object, **named: object) -> NoReturn:
            self._caught("starting a thread")
            raise RuntimeError("expected a bot that starts no threads")

        for name in ("start_new_thread", "start_new", "start_joinable_thread"):
            if hasattr(_thread, name):
                setattr(_thread, name, start)
            if hasattr(threading, f"_{name}"):
                setattr(threading, f"_{name}", start)

    def loaded(self) -> None:
        """Be stricter from now on: the bot is loaded and will be asked for moves."""
        self._is_loading = False
        self._threads = _threads()

    def check(self) -> None:
        """Look for threads that Python has not told of."""
        if _threads() > self._threads:
            self._caught("starting a thread")

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            if _is_writing(arguments):
                self._caught("writing a file")
            return
        for prefix, deed in FORBIDDEN.items():
            if event.startswith(prefix) and not (self._is_loading and prefix in WHILE_LOADING):
                self._caught(deed)


def _is_writing(arguments: tuple[object, ...]) -> bool:
    """Whether the arguments of an ``open`` event (path, mode, flags) mean more than to read."""
    mode, flags = (*arguments, None, None, None)[1:3]
    return bool(isinstance(flags, int) and flags & WRITING) or bool(isinstance(mode, str) and set(mode) & set("wax+"))


def _threads() -> int:
    with suppress(OSError):
        return len(os.listdir("/proc/self/task"))
    return 0
