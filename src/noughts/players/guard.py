"""Finds out when a bot in this process does what a tournament forbids: threads, processes, sockets, writing files.

Python itself tells of such calls (its audit events), whoever makes them. Code that is not Python's, as in compiled
modules, is not seen there; its threads and processes are counted. It belongs in the process of one bot, and cannot be
taken back.
"""

from __future__ import annotations

import _posixsubprocess
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
    "sqlite3.": "opening a database",
}
"""What begins the name of an audit event, and what the bot did then."""
WHILE_LOADING = "ctypes."
"""What modules that a bot imports may do: many look for libraries when they are imported."""
UNHEARD = {
    "starting a thread": (
        *((_thread, name) for name in ("start_new_thread", "start_new", "start_joinable_thread")),
        *((threading, name) for name in ("_start_new_thread", "_start_joinable_thread")),
    ),
    "starting a program": ((_posixsubprocess, "fork_exec"),),
}
"""What Python does not tell of, in all its versions, and where it begins."""
TASKS = "/proc/self/task"
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Guard:
    """Calls ``caught`` with what the bot did; ``caught`` must not return. Guards from the moment it is made."""

    def __init__(self, caught: Callable[[str], object]) -> None:
        self._caught = caught
        self._is_loading = True
        self._before = _family()
        sys.addaudithook(self._ear())
        self._replace_unheard()

    def _ear(self) -> Callable[[str, tuple[object, ...]], None]:
        """What hears of every event; it holds all it needs, so that a bot cannot take it away by changing names."""
        caught, is_writing, rules, harmless = self._caught, _is_writing, tuple(FORBIDDEN.items()), WHILE_LOADING

        def hear(event: str, arguments: tuple[object, ...]) -> None:
            if event == "open" and is_writing(arguments):
                caught("writing a file")
            for prefix, deed in rules:
                if event.startswith(prefix) and not (self._is_loading and prefix == harmless):
                    caught(deed)

        return hear

    def _replace_unheard(self) -> None:
        """Put something else in the place of what Python does not tell of."""

        def instead(deed: str) -> Callable[..., NoReturn]:
            def start(*ignored: object, **named: object) -> NoReturn:
                self._caught(deed)
                raise RuntimeError(f"expected a bot that does without {deed}")

            return start

        for deed, places in UNHEARD.items():
            for module, name in places:
                if hasattr(module, name):
                    setattr(module, name, instead(deed))

    def loaded(self) -> None:
        """Be stricter from now on: the bot is loaded and will be asked for moves."""
        self._is_loading = False
        self._before = _family()

    def check(self) -> None:
        """Look for threads and processes that Python has not told of."""
        for deed, number in _family().items():
            if number > self._before[deed]:
                self._caught(deed)


def _is_writing(arguments: tuple[object, ...], writing: int = WRITING) -> bool:
    """Whether the arguments of an ``open`` event (path, mode, flags) mean more than to read."""
    mode, flags = (*arguments, None, None, None)[1:3]
    return bool(isinstance(flags, int) and flags & writing) or bool(isinstance(mode, str) and set(mode) & set("wax+"))


def _family() -> dict[str, int]:
    """How many threads this process has, and how many processes below it, by how a bot comes by them."""
    tasks: list[str] = []
    children = 0
    with suppress(OSError):
        tasks = os.listdir(TASKS)
    for task in tasks:
        with suppress(OSError), open(f"{TASKS}/{task}/children") as file:  # it has ended, or the system does not tell
            children += len(file.read().split())
    return {"starting a thread": len(tasks), "starting a process": children}
