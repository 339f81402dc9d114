"""Keeps one bot: starts it under limits, watches it, and ends it with everything it has started.

Run as a program of its own between host and bot, with nothing but the standard library, so that it starts in a few
milliseconds: ``python -I -S keeper.py CONTROL NAMESPACE MEMORY PROCESSES FILE COMMAND...`` (0 or 1, bytes, a number,
bytes; 0 means unlimited). The bot has the standard streams; CONTROL is a socket to the host. On it the keeper writes
lines:

==================  ==============================================================
``started PID``     the bot runs
``failed TEXT``     it could not be started
``over TEXT``       it took more than it may and was ended
``forbidden TEXT``  it attacked the processes that watch it and was ended
``ended STATUS``    its exit code, or minus the signal that ended it
==================  ==============================================================

When the host closes CONTROL, or dies, the bot is ended. The bot's parent is not the keeper but a second process, the
*init*. With NAMESPACE and a Linux that allows it, init is process 1 of a PID namespace: the bot can neither see nor
signal anything outside, signals to init do nothing, and the kernel ends everything inside when init ends. Elsewhere
init is an ordinary process; a bot that kills or stops it is found out by the keeper. Both adopt orphans (Linux), so
that a process which has left the bot's session is found and ended. The keeper leaves last.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from time import monotonic
from typing import NamedTuple, NoReturn

TICK_MS = 200
"""Between two looks at what the bot takes."""
LAST_SECONDS = 5.0
"""How long the keeper tries to end what cannot be ended."""
SPARE_PROCESSES = 1024
"""Beyond what runs already: where a swarm of processes stops that grows too fast to be counted."""
KILOBYTE = 1024
BLOCK = 512
"""The unit of ``st_blocks``."""
PAGE = os.sysconf("SC_PAGE_SIZE")
MEMORY_FILES = ("/memfd:", "/dev/shm/")
"""How the paths of files in memory begin."""
IS_LINUX = sys.platform == "linux"

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID = 0x20000, 0x8000000, 0x10000000, 0x20000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 2, 4, 8, 0x4000, 0x40000


class Limits(NamedTuple):
    """Bytes of memory, processes and threads, bytes of a file; 0 means unlimited."""

    memory: int
    processes: int
    file: int


# System calls


def _libc(name: str, *arguments: int | bytes | None) -> None:
    """Call a function of the C library; raises OSError."""
    import ctypes

    if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def become_reaper() -> None:
    """Adopt every process below this one that loses its parent (Linux)."""
    if IS_LINUX:
        with suppress(OSError):
            _libc("prctl", PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent(number: int) -> None:
    """Get a signal when the parent ends (Linux)."""
    if IS_LINUX:
        with suppress(OSError):
            _libc("prctl", PR_SET_PDEATHSIG, number, 0, 0, 0)


def enter_namespaces() -> None:
    """Put the children of this process into a PID namespace, with mounts and shared memory of its own.

    Raises OSError where the system does not allow it. A process without the right to do so gets it from a user
    namespace, in which its user stays the same.
    """
    apart = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC
    try:
        _libc("unshare", apart)
    except PermissionError:
        user, group = os.geteuid(), os.getegid()
        _libc("unshare", apart | CLONE_NEWUSER)
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{user} {user} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")


def mount_proc() -> None:
    """Let /proc show this PID namespace; raises OSError."""
    _libc("mount", None, b"/", None, MS_REC | MS_PRIVATE, None)
    _libc("mount", b"proc", b"/proc", b"proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, None)


def bound_shared_segments(memory: int) -> None:
    """Bound System V shared memory, which takes memory even while no process has it mapped."""
    if memory:
        with suppress(OSError):
            _write("/proc/sys/kernel/shmall", str(memory // PAGE))


def set_limits(limits: Limits, running: int) -> None:
    """Limit this process and those it starts; the user has ``running`` processes already."""
    _limit(resource.RLIMIT_CORE, 0)
    if limits.file:
        _limit(resource.RLIMIT_FSIZE, limits.file)
    if limits.memory:  # on Linux reserved memory does not count until it is used; runtimes reserve gigabytes
        _limit(resource.RLIMIT_DATA if IS_LINUX else resource.RLIMIT_AS, limits.memory)
    if limits.processes:
        _limit(resource.RLIMIT_NPROC, running + max(SPARE_PROCESSES, 8 * limits.processes))


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


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def tell(fd: int, line: str) -> None:
    """Write a line, if its reader is still there."""
    with suppress(OSError):
        os.write(fd, line.encode(errors="replace") + b"\n")


def leave_streams() -> None:
    """Let go of the bot's streams, so that their other ends see when the bot lets go."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


# Processes below this one


def descendants(pid: int | None = None) -> list[int]:
    """Return the processes below one, this one by default, where the system tells."""
    found, waiting = [], [os.getpid() if pid is None else pid]
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


def reap() -> bool:
    """Collect the children that have ended, ours or adopted; return whether any are left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def kill_all(family: Collection[int]) -> None:
    """Kill processes, all of them stopped first, so that none can start another meanwhile."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in family:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)


def is_stopped(child: int) -> bool:
    """Whether a child of this process was stopped by a signal; False where the system does not tell."""
    with suppress(OSError, AttributeError):
        return os.waitid(os.P_PID, child, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
    return False


def end_below(child: int | None = None) -> None:
    """Kill everything below this process, and wait until it is gone."""
    deadline = monotonic() + LAST_SECONDS
    while reap() and monotonic() < deadline:
        family = descendants() or ([child] if child else [])
        kill_all(family)
        select.select([], [], [], 0.002)


# The bot and its parent, init


def in_child(task: Callable[[], None]) -> int:
    """Do a task in a child process, which ends with it; return the child's number."""
    pid = os.fork()
    if pid:
        return pid
    try:
        task()
        os._exit(0)
    finally:
        os._exit(1)


class Init:
    """The bot's parent: starts it, reaps everything, and tells the keeper through ``report``.

    Its lines are ``init PID``, ``bare`` where there can be no namespace, and those for the host.
    """

    def __init__(self, words: list[str], limits: Limits, report: int) -> None:
        self.words = words
        self.limits = limits
        self.report = report
        self.running = _running()
        self.outer_proc = os.open("/proc", os.O_RDONLY) if IS_LINUX else None

    def run_in_namespace(self) -> None:
        """Run as process 1 of a new PID namespace; this process waits for it."""
        die_with_parent(signal.SIGKILL)
        try:
            enter_namespaces()
        except OSError:
            tell(self.report, "bare")
            return
        init = in_child(self._be_process_one)
        os.close(self.report)
        leave_streams()
        os.waitpid(init, 0)

    def _be_process_one(self) -> None:
        die_with_parent(signal.SIGKILL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a signal without a handler does nothing to process 1
        number = self._outer_number()
        try:
            mount_proc()
        except OSError:
            tell(self.report, "bare")
            return
        bound_shared_segments(self.limits.memory)
        tell(self.report, f"init {number}")
        self._run()

    def run_bare(self) -> None:
        """Run as an ordinary process."""
        become_reaper()
        signal.signal(signal.SIGTERM, lambda *_: end_below())
        die_with_parent(signal.SIGTERM)
        tell(self.report, f"init {os.getpid()}")
        self._run()

    def _run(self) -> None:
        bot, outer, why = self._start()
        leave_streams()
        if why:
            tell(self.report, f"failed {why}")
            return
        tell(self.report, f"started {outer}")
        while True:
            pid, status = os.waitpid(-1, 0)
            if pid == bot:
                tell(self.report, f"ended {os.waitstatus_to_exitcode(status)}")
                return

    def _start(self) -> tuple[int, str, str]:
        """Start the bot in a session of its own; return its number here, its number outside, and why it failed."""
        told, tells = os.pipe()
        pid = in_child(lambda: self._become_bot(tells))
        os.close(tells)
        with os.fdopen(told, "rb") as lines:
            outer, _, why = lines.read().decode(errors="replace").partition("\n")
        return pid, outer, why

    def _become_bot(self, tells: int) -> NoReturn:
        os.write(tells, f"{self._outer_number()}\n".encode())
        try:
            os.setsid()
            die_with_parent(signal.SIGKILL)
            set_limits(self.limits, self.running)
            for each in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM):
                signal.signal(each, signal.SIG_DFL)
            os.execvp(self.words[0], self.words)
        except OSError as error:
            os.write(tells, (error.strerror or str(error)).encode())
        except ValueError as error:
            os.write(tells, str(error).encode())
        os._exit(127)

    def _outer_number(self) -> int:
        """The number of this process as the host sees it."""
        if self.outer_proc is None:
            return os.getpid()
        return int(os.readlink("self", dir_fd=self.outer_proc))


# Watching


class Keeper:
    """Starts init and the bot, watches them, and ends them."""

    def __init__(self, control: int, limits: Limits) -> None:
        self.control = control
        self.limits = limits
        self.status: int | None = None
        """The bot's exit code, or minus the signal that ended it."""
        self._bot: int | None = None
        self._lines: list[str] = []

    def start(self, words: list[str], with_namespace: bool) -> bool:
        """Start init and the bot, and tell the host how that went; return whether the bot runs."""
        if not with_namespace or not self._launch(words, is_bare=False):
            self._launch(words, is_bare=True)
        return self._bot is not None

    def _launch(self, words: list[str], is_bare: bool) -> bool:
        """Return False when there can be no namespace, and nothing was started."""
        self._is_bare = is_bare
        self._report, writes = os.pipe()
        self._child = in_child(lambda: self._be_init(words, writes))
        os.close(writes)
        gone = "failed the process that watches it ended" if is_bare else "bare"
        while True:
            word, _, rest = (self._hear() or gone).partition(" ")
            if word == "init":
                self._init = int(rest)
            elif word == "bare":
                os.close(self._report)
                os.waitpid(self._child, 0)
                return False
            else:
                tell(self.control, f"{word} {rest}")
                self._bot = int(rest) if word == "started" else None
                return True

    def _be_init(self, words: list[str], writes: int) -> None:
        os.close(self.control)
        os.close(self._report)
        init = Init(words, self.limits, writes)
        init.run_bare() if self._is_bare else init.run_in_namespace()

    def _hear(self) -> str | None:
        """The next line of init, or None when it is gone."""
        while not self._lines:
            data = os.read(self._report, 1 << 16)
            if not data:
                return None
            self._lines = data.decode(errors="replace").splitlines()  # init writes whole lines
        return self._lines.pop(0)

    def watch(self) -> str | None:
        """Wait until the bot ends, the host leaves or the bot breaks a rule; return a line about the offence."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        poll.register(self._report, select.POLLIN)
        while True:
            ready = [fd for fd, _ in poll.poll(0 if self._lines else TICK_MS)]
            if self._lines or self._report in ready:
                return self._end_of_bot(self._hear())
            if self.control in ready:
                return None
            if is_stopped(self._child):
                return "forbidden stopped the process that watches it"
            if too_much := over(descendants(self._init), self.limits):
                return f"over {too_much}"

    def _end_of_bot(self, line: str | None) -> str | None:
        if line is not None:
            self.status = int(line.partition(" ")[2])
        elif self._is_bare:
            return "forbidden ended the process that watches it"
        return None

    def end_all(self) -> None:
        """End the bot and everything below it."""
        with suppress(ProcessLookupError, PermissionError):
            if self._bot is not None and self.status is None:
                os.killpg(self._bot, signal.SIGKILL)
        end_below(self._child)


def over(family: Collection[int], limits: Limits) -> str | None:
    """Say which limit the processes exceed, or return None."""
    tasks = 0
    for pid in family:
        with suppress(OSError):
            tasks += int(_read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[17])
    if limits.processes and tasks > limits.processes:
        return f"expected at most {limits.processes} processes and threads, got {tasks}"
    if limits.memory and most_memory(family) > limits.memory and (taken := memory_of(family)) > limits.memory:
        return f"expected at most {limits.memory >> 20} MB of memory, got {taken >> 20} MB"
    return None


# Memory: private, shared (mapped or in memory files) and swapped out, without the pages of files on a disk


def most_memory(family: Collection[int]) -> int:
    """Return a quick upper bound on the memory of processes: shared memory counts for each of them."""
    return sum(map(_resident, family)) + sum(memory_files(family).values())


def memory_of(family: Collection[int]) -> int:
    """Return the bytes of memory that processes take; shared memory counts once."""
    mapped: dict[tuple[int, int], int] = {}
    taken = sum(_proportional(pid) for pid in family)
    files = memory_files(family)
    for pid in family if files else ():
        for file, size in _mapped_files(pid):
            mapped[file] = mapped.get(file, 0) + size
    return taken + sum(max(0, size - mapped.get(file, 0)) for file, size in files.items())


def _resident(pid: int) -> int:
    fields = _fields(f"/proc/{pid}/status")
    return sum(fields.get(name, 0) for name in ("RssAnon", "RssShmem", "VmSwap"))


def _proportional(pid: int) -> int:
    """A process's share of the memory it maps; all of it where the system does not tell."""
    fields = _fields(f"/proc/{pid}/smaps_rollup")
    if "Pss_Shmem" not in fields:
        return _resident(pid)
    return sum(fields.get(name, 0) for name in ("Pss_Anon", "Pss_Shmem", "SwapPss"))


def _fields(path: str) -> dict[str, int]:
    """The lines of a file in /proc such as ``VmSwap:  12 kB``, in bytes; empty when it cannot be read."""
    found = {}
    with suppress(OSError):
        for line in _read(path).decode(errors="replace").splitlines():
            if line.endswith(" kB"):
                name, _, size = line.partition(":")
                found[name] = int(size[:-3]) * KILOBYTE
    return found


def memory_files(family: Collection[int]) -> dict[tuple[int, int], int]:
    """Return the size of each memory file that processes have open, by its device and inode."""
    found = {}
    for pid in family:
        folder = f"/proc/{pid}/fd"
        with suppress(OSError):
            for name in os.listdir(folder):
                with suppress(OSError):
                    if os.readlink(f"{folder}/{name}").startswith(MEMORY_FILES):
                        status = os.stat(f"{folder}/{name}")
                        found[status.st_dev, status.st_ino] = status.st_blocks * BLOCK
    return found


def _mapped_files(pid: int) -> list[tuple[tuple[int, int], int]]:
    """A process's share of each memory file that it maps."""
    found: list[tuple[tuple[int, int], int]] = []
    file: tuple[int, int] | None = None
    with suppress(OSError):
        for line in _read(f"/proc/{pid}/smaps").decode(errors="replace").splitlines():
            words = line.split(None, 5)
            if not words[0].endswith(":"):
                major, minor = (int(part, 16) for part in words[3].split(":"))
                is_memory = len(words) == 6 and words[5].startswith(MEMORY_FILES)
                file = (os.makedev(major, minor), int(words[4])) if is_memory else None
            elif file is not None and words[0] == "Pss:":
                found.append((file, int(words[1]) * KILOBYTE))
    return found


def main(arguments: list[str]) -> int:
    """Keep the bot until it or its host is gone."""
    control, with_namespace, *bounds = map(int, arguments[:5])
    os.set_inheritable(control, False)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    become_reaper()
    keeper = Keeper(control, Limits(*bounds))
    runs = keeper.start(arguments[5:], bool(with_namespace) and IS_LINUX)
    leave_streams()
    if runs and (offence := keeper.watch()):
        tell(control, offence)
    keeper.end_all()
    if runs:
        tell(control, f"ended {keeper.status if keeper.status is not None else -signal.SIGKILL}")
    return 0 if runs else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
