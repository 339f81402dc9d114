"""Supervises one bot: starts it under limits, watches it, and ends it with everything it has started.

Runs as a process of its own between host and bot. It uses only the standard library, so that it starts in a few
milliseconds: ``python -I -S supervisor.py CONTROL NAMESPACE MEMORY PROCESSES FILE COMMAND...`` (a file descriptor, 0 or
1, bytes, a number, bytes; 0 means unlimited). The bot has the standard streams; CONTROL is a socket to the host. On it
the supervisor writes lines:

==================  ======================================================================================
``started PID``     the bot is running
``failed TEXT``     it could not be started
``over WHAT TEXT``  it exceeded the limit on ``memory``, ``processes`` or ``files`` (one word) and was ended
``forbidden TEXT``  it attacked the processes that supervise it and was ended
``ended STATUS``    its exit code, or minus the signal that ended it
==================  ======================================================================================

When the host closes CONTROL, or dies, the bot is ended. The bot's parent is not the supervisor but a second process,
the *init*. With NAMESPACE, on a Linux that allows it, init is process 1 of a PID namespace: the bot can neither see nor
signal anything outside, signals to init have no effect, and the kernel ends everything inside when init ends. Elsewhere
init is an ordinary process; the supervisor detects a bot that kills or stops it. Both adopt orphans (Linux), so that a
process which has left the bot's session is found and ended. The supervisor exits last.
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
"""Interval between two measurements of the bot's resources."""
KILL_SECONDS = 5.0
"""Time after which to give up on processes that survive SIGKILL."""
KILL_POLL_SECONDS = 0.002
SPARE_PROCESSES = 2048
"""Processes beyond those already running, as a hard limit: stops a swarm that grows too fast to be counted."""
OPEN_FILES = 1024
"""Files, pipes and sockets that a process may have open: bounds memory of the kernel, too."""
SCRATCH_FOLDERS = ("tmp", "dev/shm")
SCRATCH_FILES = 10_000
"""Files in the scratch folders of the sandbox: an empty file uses memory of the kernel, too."""
KILOBYTE = 1024
BLOCK_BYTES = 512
"""The unit of ``st_blocks``."""
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
MEMORY_FILES = ("/memfd:", "/dev/shm/")
"""Prefixes of the paths of files in memory."""
UNCOUNTED = ("VmPTE", "HugetlbPages")
"""Memory of a process that is not resident memory: page tables and huge pages."""
SOCKET_SETTING = "/proc/sys/net/core/wmem_default"
"""Bytes that a socket holds for its reader, unless a program changes that; the sandbox does not let it."""
DATAGRAMS = 11
"""Messages of other sockets that a socket for datagrams holds."""
DATAGRAM = b"0002"
IS_LINUX = sys.platform == "linux"

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID = 0x20000, 0x8000000, 0x10000000, 0x20000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 2, 4, 8, 0x4000, 0x40000


class Bounds(NamedTuple):
    """Bytes of memory, processes and threads, bytes of a file; 0 means unlimited."""

    memory: int
    processes: int
    file: int


BecomeBot = Callable[[int], object]
"""Turns this process into the bot; called with a descriptor that must be closed when that has succeeded."""

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
    """Receive a signal when the parent ends (Linux)."""
    if IS_LINUX:
        with suppress(OSError):
            _libc("prctl", PR_SET_PDEATHSIG, number, 0, 0, 0)


def enter_namespaces() -> None:
    """Put the children of this process into a new PID namespace, with separate mounts and shared memory.

    Raises OSError where the system does not allow it. An unprivileged process gets the right from a user namespace,
    in which its user stays the same.
    """
    flags = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC
    try:
        _libc("unshare", flags)
    except PermissionError:
        user, group = os.geteuid(), os.getegid()
        _libc("unshare", flags | CLONE_NEWUSER)
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{user} {user} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")


def mount_proc() -> None:
    """Let /proc show this PID namespace; raises OSError."""
    _libc("mount", None, b"/", None, MS_REC | MS_PRIVATE, None)
    _libc("mount", b"proc", b"/proc", b"proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, None)


def bound_shared_segments(memory: int) -> None:
    """Limit System V shared memory, which uses memory even while no process has it mapped."""
    if memory:
        with suppress(OSError):
            _write("/proc/sys/kernel/shmall", str(memory // PAGE_BYTES))


def set_limits(limits: Bounds, running: int) -> None:
    """Limit this process and those it starts; ``running`` processes of the user exist already."""
    _set_limit(resource.RLIMIT_CORE, 0)
    _set_limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    if limits.file:
        _set_limit(resource.RLIMIT_FSIZE, limits.file)
    if limits.memory:  # on Linux, reserved but unused memory does not count: runtimes reserve gigabytes
        _set_limit(resource.RLIMIT_DATA if IS_LINUX else resource.RLIMIT_AS, limits.memory)
    if limits.processes:
        _set_limit(resource.RLIMIT_NPROC, running + max(SPARE_PROCESSES, 16 * limits.processes))


def _set_limit(kind: int, most: int) -> None:
    _, hard = resource.getrlimit(kind)
    bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(kind, (bound, bound))


def _count_processes() -> int:
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


def write_message(fd: int, message: str) -> None:
    """Write a message on a line, if its reader still exists."""
    with suppress(OSError):
        os.write(fd, message.encode(errors="replace") + b"\n")


def release_streams() -> None:
    """Close our copies of the bot's streams, so that the host sees when the bot closes its own."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


# Processes below this one


def descendants(pid: int | None = None) -> list[int]:
    """Return all processes below one, by default this one, where the system shows them."""
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
    """Collect ended children, our own and adopted ones; return whether any are left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def kill_all(pids: Collection[int]) -> None:
    """Stop all the processes, so that none can start another meanwhile, then kill them."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in pids:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)


def is_stopped(child: int) -> bool:
    """Whether a child of this process was stopped by a signal; False where the system does not show it."""
    with suppress(OSError, AttributeError):
        return os.waitid(os.P_PID, child, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
    return False


def kill_descendants(child: int | None = None) -> None:
    """Kill everything below this process, and wait until it is gone."""
    deadline = monotonic() + KILL_SECONDS
    while reap() and monotonic() < deadline:
        kill_all(descendants() or ([child] if child else []))
        select.select([], [], [], KILL_POLL_SECONDS)


def kill_tree(root: int, spared: Collection[int] = ()) -> None:
    """Kill every process below ``root`` except those in ``spared`` and below them."""

    def scan() -> list[int]:
        kept = {each for pid in spared for each in (pid, *descendants(pid))}
        return [pid for pid in descendants(root) if pid not in kept and not _has_ended(pid)]

    deadline = monotonic() + KILL_SECONDS
    # A process that changes its parent during a scan may be missed.
    while monotonic() < deadline and (found := scan() or scan()):
        kill_all(found)
        select.select([], [], [], KILL_POLL_SECONDS)


def _has_ended(pid: int) -> bool:
    """Whether a process is gone or a zombie; reaps an adopted zombie."""
    with suppress(OSError):  # not our child, or gone
        os.waitpid(pid, os.WNOHANG)
    try:
        return _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except OSError:
        return True


# The bot and its parent, init


def in_child(task: Callable[[], None]) -> int:
    """Run a task in a child process, which exits after it; return the child's process id."""
    pid = os.fork()
    if pid:
        return pid
    try:
        task()
        os._exit(0)
    finally:
        os._exit(1)


class Init:
    """The bot's parent: starts it, reaps its orphans, and reports to the supervisor on the descriptor ``report``.

    Its lines are ``init PID``, ``bare`` where namespaces are not available, and those for the host.
    """

    def __init__(self, become_bot: BecomeBot, limits: Bounds, report: int) -> None:
        self.become_bot = become_bot
        self.limits = limits
        self.report = report
        self.running = _count_processes()
        self.outer_proc = os.open("/proc", os.O_RDONLY) if IS_LINUX else None

    def run_in_namespace(self) -> None:
        """Run as process 1 of a new PID namespace; this process waits for it."""
        die_with_parent(signal.SIGKILL)
        try:
            enter_namespaces()
        except OSError:
            write_message(self.report, "bare")
            return
        init = in_child(self._be_process_one)
        os.close(self.report)
        release_streams()
        os.waitpid(init, 0)

    def _be_process_one(self) -> None:
        die_with_parent(signal.SIGKILL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a signal without a handler does nothing to process 1
        outer_pid = self._outer_pid()
        try:
            mount_proc()
        except OSError:
            write_message(self.report, "bare")
            return
        bound_shared_segments(self.limits.memory)
        write_message(self.report, f"init {outer_pid}")
        self._run()

    def run_bare(self) -> None:
        """Run as an ordinary process."""
        become_reaper()
        signal.signal(signal.SIGTERM, lambda *_: kill_descendants())
        die_with_parent(signal.SIGTERM)
        write_message(self.report, f"init {os.getpid()}")
        self._run()

    def _run(self) -> None:
        bot, outer_pid, error = self._start()
        release_streams()
        if error:
            write_message(self.report, f"failed {error}")
            return
        write_message(self.report, f"started {outer_pid}")
        while True:
            pid, status = os.waitpid(-1, 0)
            if pid == bot:
                write_message(self.report, f"ended {os.waitstatus_to_exitcode(status)}")
                return

    def _start(self) -> tuple[int, str, str]:
        """Start the bot in a new session; return its process id here and outside, and the error if it failed."""
        reader, writer = os.pipe()
        pid = in_child(lambda: self._become_bot(writer))
        os.close(writer)
        with os.fdopen(reader, "rb") as lines:
            outer_pid, _, error = lines.read().decode(errors="replace").partition("\n")
        return pid, outer_pid, error

    def _become_bot(self, writer: int) -> NoReturn:
        os.write(writer, f"{self._outer_pid()}\n".encode())
        try:
            os.setsid()
            die_with_parent(signal.SIGKILL)
            set_limits(self.limits, self.running)
            for each in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM):
                signal.signal(each, signal.SIG_DFL)
            os.close(self.report)
            self.become_bot(writer)
        except OSError as error:
            os.write(writer, (error.strerror or str(error)).encode())
        except ValueError as error:
            os.write(writer, str(error).encode())
        os._exit(127)

    def _outer_pid(self) -> int:
        """Return the id of this process as the host sees it."""
        if self.outer_proc is None:
            return os.getpid()
        return int(os.readlink("self", dir_fd=self.outer_proc))


# Supervision


class Supervisor:
    """Starts init and the bot, watches them, and ends them."""

    def __init__(self, control: int, limits: Bounds) -> None:
        self.control = control
        self.limits = limits
        self.status: int | None = None
        """The bot's exit code, or minus the signal that ended it."""
        self._bot: int | None = None
        self._lines: list[str] = []

    def start(self, become_bot: BecomeBot, with_namespace: bool) -> bool:
        """Start init and the bot, and report the result to the host; return whether the bot is running."""
        if not with_namespace or not self._launch(become_bot, is_bare=False):
            self._launch(become_bot, is_bare=True)
        return self._bot is not None

    def _launch(self, become_bot: BecomeBot, is_bare: bool) -> bool:
        """Return False when namespaces are not available and nothing was started."""
        self._is_bare = is_bare
        self._report, writer = os.pipe()
        self._child = in_child(lambda: self._be_init(become_bot, writer))
        os.close(writer)
        at_end = "failed the process that supervises it ended" if is_bare else "bare"
        while True:
            word, _, rest = (self._read_report() or at_end).partition(" ")
            if word == "init":
                self._init = int(rest)
            elif word == "bare":
                os.close(self._report)
                os.waitpid(self._child, 0)
                return False
            else:
                write_message(self.control, f"{word} {rest}")
                self._bot = int(rest) if word == "started" else None
                return True

    def _be_init(self, become_bot: BecomeBot, writer: int) -> None:
        os.close(self.control)
        os.close(self._report)
        init = Init(become_bot, self.limits, writer)
        init.run_bare() if self._is_bare else init.run_in_namespace()

    def _read_report(self) -> str | None:
        """Return init's next line, or None when init has ended."""
        while not self._lines:
            data = os.read(self._report, 1 << 16)
            if not data:
                return None
            self._lines = data.decode(errors="replace").splitlines()  # init writes whole lines
        return self._lines.pop(0)

    def watch(self) -> str | None:
        """Wait until the bot ends, the host leaves or the bot breaks a rule; return a report of the offence."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        poll.register(self._report, select.POLLIN)
        while True:
            ready = [fd for fd, _ in poll.poll(0 if self._lines else TICK_MS)]
            if self._lines or self._report in ready:
                return self._end_of_bot(self._read_report())
            if self.control in ready:
                return None
            if is_stopped(self._child):
                return "forbidden stopped the process that supervises it"
            if excess := find_excess(descendants(self._init), self.limits):
                return f"over {excess}"

    def _end_of_bot(self, line: str | None) -> str | None:
        if line is not None:
            self.status = int(line.partition(" ")[2])
        elif self._is_bare:
            return "forbidden ended the process that supervises it"
        return None

    def end_all(self) -> None:
        """End the bot and everything below it."""
        with suppress(ProcessLookupError, PermissionError):
            if self._bot is not None and self.status is None:
                os.killpg(self._bot, signal.SIGKILL)
        kill_descendants(self._child)


def find_excess(pids: Collection[int], limits: Bounds) -> str | None:
    """Return which limit the processes exceed, as one word and a text, or None."""
    tasks = 0
    for pid in pids:
        with suppress(OSError):
            tasks += int(_read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[17])
    if limits.processes and tasks > limits.processes:
        return f"processes {tasks} processes and threads, more than the {limits.processes} allowed"
    if limits.memory and max_memory(pids) > limits.memory and (used := memory_of(pids)) > limits.memory:
        return f"memory {used >> 20} MB of memory, more than the {limits.memory >> 20} MB allowed"
    if (files := scratch_files(pids)) > SCRATCH_FILES:
        return f"files {files} files in its scratch folders, more than the {SCRATCH_FILES} allowed"
    return None


def processor_seconds(pids: Collection[int]) -> float | None:
    """Return the processor time of processes and of their ended children; None where the system does not show it."""
    found = []
    for pid in pids:
        with suppress(OSError):
            fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
            found.append(sum(map(int, fields[11:15])))  # in user and system mode, its own and that of its children
    return sum(found) / os.sysconf("SC_CLK_TCK") if found else None


def scratch_files(pids: Collection[int]) -> int:
    """Return the number of files in the scratch folders of the sandbox; 0 without a sandbox."""
    for pid in pids:
        with suppress(OSError):
            places = [f"/proc/{pid}/root/{folder}" for folder in SCRATCH_FOLDERS]
            if os.stat(f"/proc/{pid}/root").st_dev != os.stat("/").st_dev:
                used = [os.statvfs(place) for place in places]
                return sum(each.f_files - each.f_ffree for each in used)
    return 0


# Memory: private, shared (mapped or in memory files), swapped out, page tables and data in the sockets of the sandbox,
# without the pages of files on disk


def max_memory(pids: Collection[int]) -> int:
    """Return a quick upper bound on the memory of processes: shared memory counts for each of them."""
    return sum(map(_resident, pids)) + sum(memory_files(pids).values()) + socket_memory(pids)


def memory_of(pids: Collection[int]) -> int:
    """Return the bytes of memory that processes use; shared memory counts once."""
    mapped: dict[tuple[int, int], int] = {}
    used = sum(_proportional(pid) for pid in pids)
    files = memory_files(pids)
    for pid in pids if files else ():
        for file, size in _mapped_files(pid):
            mapped[file] = mapped.get(file, 0) + size
    return used + sum(max(0, size - mapped.get(file, 0)) for file, size in files.items()) + socket_memory(pids)


def socket_memory(pids: Collection[int]) -> int:
    """Return the bytes that the Unix sockets of the sandbox may hold; 0 without a sandbox.

    All of its network namespace count: one that was sent to another socket is no process's descriptor.
    """
    for pid in pids:
        with suppress(OSError):
            if os.readlink(f"/proc/{pid}/ns/net") != os.readlink("/proc/self/ns/net"):
                rows = [line.split() for line in _read(f"/proc/{pid}/net/unix").split(b"\n")[1:]]
                kinds = [row[4] for row in rows if len(row) > 4]
                return int(_read(SOCKET_SETTING)) * (len(kinds) + (DATAGRAMS - 1) * kinds.count(DATAGRAM))
    return 0


def _resident(pid: int) -> int:
    fields = _fields(f"/proc/{pid}/status")
    return sum(fields.get(name, 0) for name in ("RssAnon", "RssShmem", "VmSwap", *UNCOUNTED))


def _proportional(pid: int) -> int:
    """Return a process's share of the memory it maps; all of it where the system does not show shares."""
    fields = _fields(f"/proc/{pid}/smaps_rollup")
    if "Pss_Shmem" not in fields:
        return _resident(pid)
    fields |= _fields(f"/proc/{pid}/status")
    return sum(fields.get(name, 0) for name in ("Pss_Anon", "Pss_Shmem", "SwapPss", *UNCOUNTED))


def _fields(path: str) -> dict[str, int]:
    """Return the lines of a file in /proc such as ``VmSwap:  12 kB``, in bytes; empty when it cannot be read.

    Lines end with a newline only: the bot chooses its name, which may have other characters that end a line.
    """
    found = {}
    with suppress(OSError):
        for line in _read(path).split(b"\n"):
            name, _, size = line.partition(b":")
            if size.endswith(b" kB") and name != b"Name":
                found[name.decode()] = int(size[:-3]) * KILOBYTE
    return found


def memory_files(pids: Collection[int]) -> dict[tuple[int, int], int]:
    """Return the size of each memory file that processes have open, by its device and inode."""
    found = {}
    for pid in pids:
        folder = f"/proc/{pid}/fd"
        with suppress(OSError):
            for name in os.listdir(folder):
                with suppress(OSError):
                    if os.readlink(f"{folder}/{name}").startswith(MEMORY_FILES):
                        status = os.stat(f"{folder}/{name}")
                        found[status.st_dev, status.st_ino] = status.st_blocks * BLOCK_BYTES
    return found


def _mapped_files(pid: int) -> list[tuple[tuple[int, int], int]]:
    """Return a process's share of each memory file that it maps."""
    found: list[tuple[tuple[int, int], int]] = []
    file: tuple[int, int] | None = None
    with suppress(OSError):
        for line in _read(f"/proc/{pid}/smaps").split(b"\n"):  # a newline in the name of a file is escaped
            words = line.split(None, 5)
            if len(words) > 4 and not words[0].endswith(b":"):
                major, minor = (int(part, 16) for part in words[3].split(b":"))
                is_memory = len(words) == 6 and words[5].startswith(tuple(map(str.encode, MEMORY_FILES)))
                file = (os.makedev(major, minor), int(words[4])) if is_memory else None
            elif file is not None and words and words[0] == b"Pss:":
                found.append((file, int(words[1]) * KILOBYTE))
    return found


def main(arguments: list[str]) -> int:
    """Supervise a program until it or its host is gone."""
    control, with_namespace, *bounds = map(int, arguments[:5])
    words = arguments[5:]
    return supervise(control, bool(with_namespace), Bounds(*bounds), lambda _: os.execvp(words[0], words))


def supervise(control: int, with_namespace: bool, limits: Bounds, become_bot: BecomeBot) -> int:
    """Supervise the bot until it or its host is gone."""
    os.set_inheritable(control, False)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    become_reaper()
    supervisor = Supervisor(control, limits)
    is_running = supervisor.start(become_bot, with_namespace and IS_LINUX)
    release_streams()
    if is_running and (offence := supervisor.watch()):
        write_message(control, offence)
    supervisor.end_all()
    if is_running:
        write_message(control, f"ended {supervisor.status if supervisor.status is not None else -signal.SIGKILL}")
    return 0 if is_running else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
