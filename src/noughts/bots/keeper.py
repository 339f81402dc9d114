"""Keeps one bot: starts it under limits, watches it, and ends it with everything it has started.

Run as a program of its own between host and bot, with nothing but the standard library, so that it starts in a few
milliseconds: ``python -I -S keeper.py CONTROL MEMORY PROCESSES FILE COMMAND...`` (bytes, a number, bytes; 0 is no
limit). The bot has the standard streams; CONTROL is a socket to the host. On it the keeper writes lines:

==================  ==============================================================
``started PID``     the bot runs
``failed TEXT``     it could not be started
``over TEXT``       it took more than it may and was ended
``ended STATUS``    its exit code, or minus the signal that ended it
==================  ==============================================================

When the host closes CONTROL, or dies, the bot is ended. The keeper is the reaper of all orphans below it, so even a
process that has left the bot's session is found and ended; the keeper leaves last.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
from contextlib import suppress
from time import monotonic
from typing import NoReturn

TICK_MS = 200
"""Between two looks at what the bot takes."""
LAST_SECONDS = 5.0
"""How long the keeper tries to end what cannot be ended."""
SPARE_PROCESSES = 1024
"""Beyond what runs already: where a swarm of processes stops that grows too fast to be counted."""
PR_SET_CHILD_SUBREAPER = 36
PAGE = os.sysconf("SC_PAGE_SIZE")


def become_reaper() -> None:
    """Adopt whatever loses its parent below this process (Linux)."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def set_limits(memory: int, processes: int, file: int) -> None:
    """Limit this process and those it starts."""
    _limit(resource.RLIMIT_CORE, 0)
    if file:
        _limit(resource.RLIMIT_FSIZE, file)
    if memory:  # on Linux what is reserved but never used does not count, which runtimes do by the gigabyte
        _limit(resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS, memory)
    if processes:
        _limit(resource.RLIMIT_NPROC, _running() + max(SPARE_PROCESSES, 8 * processes))


def _limit(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(what, (bound, bound))


def _running() -> int:
    try:
        return sum(name.isdigit() for name in os.listdir("/proc"))
    except OSError:
        return SPARE_PROCESSES


def start(words: list[str], limits: tuple[int, int, int]) -> tuple[int, str]:
    """Start the bot in a session of its own; return its number and, when it could not be started, why."""
    told, tells = os.pipe()
    pid = os.fork()
    if pid == 0:
        _become(words, limits, tells)
    os.close(tells)
    with os.fdopen(told, "rb") as why:
        return pid, why.read().decode(errors="replace")


def _become(words: list[str], limits: tuple[int, int, int], tells: int) -> NoReturn:
    try:
        os.setsid()
        set_limits(*limits)
        for each in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            signal.signal(each, signal.SIG_DFL)
        os.execvp(words[0], words)
    except OSError as error:
        os.write(tells, (error.strerror or str(error)).encode())
    except ValueError as error:
        os.write(tells, str(error).encode())
    os._exit(127)


class Keeper:
    """The bot's number, and how it ended."""

    def __init__(self, bot: int) -> None:
        self.bot = bot
        self.status: int | None = None
        self.has_children = True

    def reap(self) -> None:
        """Collect whoever has ended, ours or adopted."""
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                if pid == self.bot:
                    self.status = os.waitstatus_to_exitcode(status)
        except ChildProcessError:
            self.has_children = False

    def watch(self, control: int, memory: int, processes: int) -> str | None:
        """Wait until the bot ends, the host leaves or the bot takes too much; return what it took too much of."""
        with suppress(OSError, AttributeError):
            ended = os.pidfd_open(self.bot)
            return self._watch([control, ended], memory, processes)
        return self._watch([control], memory, processes)

    def _watch(self, signs: list[int], memory: int, processes: int) -> str | None:
        poll = select.poll()
        for sign in signs:
            poll.register(sign, select.POLLIN)
        while True:
            ready = [fd for fd, _ in poll.poll(TICK_MS)]
            self.reap()
            if signs[0] in ready or self.status is not None:
                return None
            if too_much := over(memory, processes):
                return too_much

    def end_all(self) -> None:
        """End the bot and everything below it: first stopped, so that none runs away, then killed."""
        deadline = monotonic() + LAST_SECONDS
        while self.has_children and monotonic() < deadline:
            family = descendants()
            for each in (signal.SIGSTOP, signal.SIGKILL):
                for pid in family:
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, each)
            with suppress(ProcessLookupError, PermissionError):
                if self.status is None:
                    os.killpg(self.bot, signal.SIGKILL)
            self.reap()
            if self.has_children:
                select.select([], [], [], 0.002)


def over(memory: int, processes: int) -> str | None:
    """Say what the processes below this one take too much of, or None."""
    tasks = pages = 0
    for pid in descendants():
        with suppress(OSError):
            tasks += int(_read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[17])
            _, resident, shared, *_ = map(int, _read(f"/proc/{pid}/statm").split())
            pages += resident - shared
    if processes and tasks > processes:
        return f"expected at most {processes} processes and threads, got {tasks}"
    if memory and pages * PAGE > memory:
        return f"expected at most {memory >> 20} MB of memory, got {pages * PAGE >> 20} MB"
    return None


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def descendants() -> list[int]:
    """Return the processes below this one, where the system tells."""
    found, waiting = [], [os.getpid()]
    while waiting:
        for task in _tasks(waiting.pop()):
            with suppress(OSError):
                children = [int(word) for word in _read(f"{task}/children").split()]
                found += children
                waiting += children
    return found


def _tasks(pid: int) -> list[str]:
    try:
        return [f"/proc/{pid}/task/{name}" for name in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return []


def tell(control: int, line: str) -> None:
    """Write a line to the host, if it is still there."""
    with suppress(OSError):
        os.write(control, line.encode() + b"\n")


def leave_streams() -> None:
    """Let go of the bot's streams, so that their other ends see when the bot lets go."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def main(arguments: list[str]) -> int:
    """Keep the bot until it or its host is gone."""
    control, memory, processes, file = map(int, arguments[:4])
    os.set_inheritable(control, False)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    become_reaper()
    bot, why = start(arguments[4:], (memory, processes, file))
    leave_streams()
    keeper = Keeper(bot)
    if why:
        os.waitpid(bot, 0)
        tell(control, f"failed {why}")
        return 1
    tell(control, f"started {bot}")
    if too_much := keeper.watch(control, memory, processes):
        tell(control, f"over {too_much}")
    keeper.end_all()
    tell(control, f"ended {keeper.status if keeper.status is not None else -signal.SIGKILL}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
