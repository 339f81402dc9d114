"""A bot's program: lines in and out, each with a deadline; limited, supervised, and always ended.

Between host and bot runs a supervisor (``supervisor.py``), a small process that limits the bot and ends it with
everything it has started, even when the host itself is killed. The bot's streams are pipes to the host: lines do not
pass through the supervisor.
"""

from __future__ import annotations

import os
import selectors
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic
from typing import IO

from noughts.games.quoting import escape_control_characters, escape_lines, quote
from noughts.process.environment import allowed_environment
from noughts.process.failure import FailureReason, NotStarted, PlayerFailed
from noughts.process.limits import MEGABYTE, Deadline, Limits
from noughts.process.sandbox import Confinement, Sandbox, confine, why_no_programs
from noughts.process.staging import Staging

__all__ = ["Program", "become_subreaper", "split_command"]

SUPERVISOR = Path(__file__).with_name("supervisor.py")
CHUNK_BYTES = 1 << 16
TAIL_BYTES = 8192
"""Size of the end of standard error that is kept."""
TAIL_LINES = 20
HEAD_BYTES = 8192
"""Size of the beginning of standard error that is kept."""
MARK_VARIABLE = "NOUGHTS_BOT"
"""Environment variable that marks a bot and everything it starts."""
SUPERVISOR_SECONDS = 8.0
"""More than the supervisor ever takes to end everything."""
POLL_SECONDS = 0.05
"""Interval for checking whether a supervisor that is about to exit was stopped."""
EXIT_REPORT_SECONDS = 3.0
"""Time for the supervisor to report how the bot ended."""
SUPERVISOR_STOPPED = "stopped the process that supervises it"
SIGNAL_EXIT_CODE = 128
"""Shells and bubblewrap add the number of a signal to it."""
_SUPERVISORS: set[int] = set()
"""Process ids of the supervisors that this process has started."""
_is_subreaper = False


def become_subreaper() -> None:
    """Adopt every process below this one that loses its parent (Linux), so that those of bots are found and ended.

    Only for a process that starts nothing but bots: any other child would be killed as well.
    """
    global _is_subreaper
    if sys.platform == "win32":
        return
    from noughts.process.supervisor import become_reaper

    become_reaper()
    _is_subreaper = True


def split_command(command: str | Sequence[str]) -> list[str]:
    """Return the words of a command; raises ValueError when there are none."""
    try:
        words = shlex.split(command) if isinstance(command, str) else [str(word) for word in command]
    except ValueError as error:
        raise ValueError(f"expected a command, got {quote(str(command))}: {str(error).lower()}") from None
    if not words or any("\0" in word for word in words):
        raise ValueError("expected a command, such as python3 mybot.py")
    return words


class Program:
    """One run of a command, from ``start`` to ``close``. Only ``kill`` may be called from another thread.

    ``environment`` is added to the variables that any program may know, and may be changed between runs.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        limits: Limits | None = None,
        sandbox: Sandbox | None = None,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        if why := why_no_programs():
            raise ValueError(why)
        self.words = split_command(command)
        self.limits = (limits or Limits()).check()
        self.sandbox = sandbox or Sandbox()
        self.environment = dict(environment or {})
        self.folder = (folder or Path.cwd()).absolute()
        self.pid: int | None = None
        self._staging = Staging()
        self._mark = f"{os.getpid()}-{id(self):x}-{monotonic():.6f}"
        self._supervisor: subprocess.Popen[bytes] | None = None
        self._reset()

    def _reset(self) -> None:
        self._ended: str | None = None
        self._was_signalled = False
        self._offence: PlayerFailed | None = None
        self._out = bytearray()
        self._pending = bytearray()
        self._control_text = b""
        self._head = self._tail = b""
        self._volume = {"output": 0, "standard error": 0}
        self._is_silent = False

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not been closed."""
        return self._supervisor is not None

    @property
    def stderr_tail(self) -> str:
        """The last lines it wrote to standard error, control characters escaped; kept after ``close``."""
        lines = self._tail.decode(errors="replace").splitlines()[-TAIL_LINES:]
        return "\n".join(escape_control_characters(line.expandtabs(4)) for line in lines)

    @property
    def stderr_head(self) -> str:
        """The beginning of what it wrote to standard error, control characters escaped; kept after ``close``."""
        return escape_lines(self._head.decode(errors="replace").expandtabs(4))

    @property
    def processor_seconds(self) -> float | None:
        """The processor time of all its processes so far; None where the system does not show it."""
        from noughts.process.supervisor import descendants, processor_seconds  # not at the top: Windows lacks modules

        return processor_seconds(descendants(self._supervisor.pid)) if self._supervisor is not None else None

    def start(self) -> None:
        """Start the command; raises NotStarted when that fails, ValueError when the sandbox is not available."""
        if self._supervisor is not None:
            return
        self.sandbox.check()
        self._reset()
        with ExitStack() as opened:
            try:  # fails without the folder, and when no descriptors or processes are left
                self._selector = opened.enter_context(selectors.DefaultSelector())
                self._control, theirs = map(opened.enter_context, socket.socketpair())
                processes = self.limits.processes
                with confine(self.sandbox, self.words, self.folder, self._staging, processes) as confinement:
                    supervisor = self._launch(confinement, theirs.fileno())
            except OSError as error:
                self._staging.close()
                raise self._not_started(error.strerror or str(error)) from None
            opened.pop_all()
            theirs.close()
        self._connect(supervisor)
        self._await_start()

    def _connect(self, supervisor: subprocess.Popen[bytes]) -> None:
        assert supervisor.stdin is not None
        assert supervisor.stdout is not None
        assert supervisor.stderr is not None
        self._supervisor = supervisor
        _SUPERVISORS.add(supervisor.pid)
        self._stdin, self._stdout, self._stderr = supervisor.stdin, supervisor.stdout, supervisor.stderr
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        self._control.setblocking(False)
        self._selector.register(self._control, selectors.EVENT_READ, self._read_control)
        self._selector.register(self._stdout, selectors.EVENT_READ, self._read_out)
        self._selector.register(self._stderr, selectors.EVENT_READ, self._read_err)

    def _not_started(self, why: str) -> NotStarted:
        return NotStarted(f"cannot start {self.words[0]}: {why[:1].lower()}{why[1:]}", FailureReason.START)

    def _launch(self, confinement: Confinement, control: int) -> subprocess.Popen[bytes]:
        limits = self.limits
        numbers = [limits.namespace and not self.sandbox.is_on, (limits.memory_mb or 0) * MEGABYTE]
        numbers += [limits.processes or 0, (limits.file_mb or 0) * MEGABYTE]
        return subprocess.Popen(
            [
                sys.executable,
                "-I",
                "-S",
                str(SUPERVISOR),
                str(control),
                *(str(int(number)) for number in numbers),
                *confinement.words,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            pass_fds=[control, *confinement.descriptors],
            start_new_session=True,
            cwd=confinement.folder,
            env=allowed_environment({**confinement.environment, **self.environment, MARK_VARIABLE: self._mark}),
        )

    def _await_start(self) -> None:
        deadline = Deadline.within(self.limits.start_seconds)
        while self.pid is None and self._ended is None and deadline.left:
            self._pump(deadline.left)
        if self.pid is None:
            why = self._ended or f"no reaction within {deadline.seconds:g} s"
            self.close(0)
            raise self._not_started(why)

    def settle(self, seconds: float) -> None:
        """Watch it for some seconds; raises PlayerFailed when it ends within them."""
        deadline = Deadline.within(seconds)
        while self._ended is None and deadline.left:
            self._pump(deadline.left)
        if self._ended is not None:
            raise self._end_failure()

    def send(self, text: str, deadline: Deadline) -> None:
        """Write lines to the program while reading its output; raises PlayerFailed."""
        self._check_supervisor()
        self._volume = dict.fromkeys(self._volume, 0)
        self._pending += text.encode()
        self._write()
        if not self._pending:
            return
        self._selector.register(self._stdin, selectors.EVENT_WRITE, self._write)
        try:
            while self._pending:
                if self._ended is not None:
                    raise self._end_failure()
                self._wait(deadline)
        finally:
            self._selector.unregister(self._stdin)

    def receive(self, deadline: Deadline) -> str:
        """Return its next line, without the end of line; raises PlayerFailed when none comes in time."""
        while (end := self._out.find(b"\n")) < 0:
            if len(self._out) > self.limits.line_bytes:
                raise self._too_long()
            if self._is_silent or self._ended is not None:
                raise self._end_failure()
            self._wait(deadline)
        if end > self.limits.line_bytes:
            raise self._too_long()
        line = self._out[:end].decode(errors="replace").rstrip("\r")
        del self._out[: end + 1]
        return line

    def _too_long(self) -> PlayerFailed:
        return PlayerFailed(f"an endless line of over {self.limits.line_bytes} bytes", FailureReason.FLOOD)

    def run(self, seconds: float) -> bytes:
        """Run it to its end, without input, and return its output; raises PlayerFailed unless its exit code is 0."""
        self.start()
        try:
            self._stdin.close()
            deadline = Deadline.within(seconds)
            while self._ended is None or not self._is_silent:
                self._wait(deadline)
            if self._ended != _describe_exit(0):
                raise self._end_failure()
            return bytes(self._out)
        finally:
            self.close(0)

    def take_output(self) -> str:
        """Take and return its unread output so far."""
        self._pump(0)
        text = self._out.decode(errors="replace")
        self._out.clear()
        return text

    def _check_supervisor(self) -> None:
        """Raise PlayerFailed when the supervisor was stopped: only the bot has a reason to do that."""
        if self._supervisor is not None and _is_stopped(self._supervisor):
            raise PlayerFailed(SUPERVISOR_STOPPED, FailureReason.FORBIDDEN)

    def _wait(self, deadline: Deadline) -> None:
        if not deadline.left:
            self._check_supervisor()
            raise PlayerFailed(f"no answer within {deadline.seconds:g} s", FailureReason.TIME)
        self._pump(deadline.left)
        for what, volume in self._volume.items():
            if volume > self.limits.output_bytes:
                raise PlayerFailed(f"over {self.limits.output_bytes} bytes of {what} for one move", FailureReason.FLOOD)

    def _pump(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            key.data()

    def _read(self, pipe: IO[bytes] | socket.socket, at_end: Callable[[], None]) -> bytes:
        """Read from a pipe; at its end, stop watching it and call ``at_end``."""
        try:
            data = os.read(pipe.fileno(), CHUNK_BYTES)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._selector.unregister(pipe)
            at_end()
        return data

    def _read_out(self) -> None:
        data = self._read(self._stdout, self._set_silent)
        self._out += data
        self._volume["output"] += len(data)

    def _set_silent(self) -> None:
        self._is_silent = True

    def _read_err(self) -> None:
        data = self._read(self._stderr, lambda: None)
        self._head += data[: HEAD_BYTES - len(self._head)]
        self._tail = (self._tail + data)[-TAIL_BYTES:]
        self._volume["standard error"] += len(data)

    def _write(self) -> None:
        try:
            written = os.write(self._stdin.fileno(), self._pending)
        except BlockingIOError:
            return
        except OSError:  # it no longer reads; its output so far, or how it ended, decides
            written = len(self._pending)
        del self._pending[:written]

    def _read_control(self) -> None:
        data = self._read(self._control, self._set_unsupervised)
        *lines, self._control_text = (self._control_text + data).split(b"\n")
        for line in lines:
            word, _, rest = line.decode(errors="replace").partition(" ")
            if word == "started":
                self.pid = int(rest)
            elif word == "over":
                limit, _, text = rest.partition(" ")
                self._offence = PlayerFailed(text, FailureReason.LIMIT, limit)
            elif word == "forbidden":
                self._offence = PlayerFailed(rest, FailureReason.FORBIDDEN)
            elif word == "failed":
                self._ended = rest
            else:
                status = self._signal_or_code(int(rest))
                self._ended, self._was_signalled = _describe_exit(status), status < 0

    def _signal_or_code(self, status: int) -> int:
        """Return minus the signal that ended the program, which bubblewrap reports as a high exit code."""
        is_signal = self.sandbox.is_on and status > SIGNAL_EXIT_CODE
        return SIGNAL_EXIT_CODE - status if is_signal else status

    def _set_unsupervised(self) -> None:
        self._ended = self._ended or "lost its supervisor"

    def _end_failure(self) -> PlayerFailed:
        """Return why the output ended, once all of it is read."""
        deadline = Deadline.within(EXIT_REPORT_SECONDS)
        while self._ended is None and deadline.left:
            self._pump(deadline.left)
        self._drain()
        if self._offence is not None:
            return self._offence
        if self._ended is None:
            return PlayerFailed("the program closed its output", FailureReason.CRASH)
        cause = "signal" if self._was_signalled else ""
        return PlayerFailed(f"the program {self._ended}", FailureReason.CRASH, cause)

    def _drain(self) -> None:
        """Read the rest of standard error, up to a bound."""
        for _ in range(2 * TAIL_BYTES // CHUNK_BYTES + 16):
            ready = [key for key, _ in self._selector.select(0) if key.fileobj is self._stderr]
            if not ready:
                return
            self._read_err()

    def _end_unsupervised(self) -> None:
        """End the bot's group and all processes with its mark, in place of a supervisor that was killed."""
        from noughts.process.supervisor import kill_tree  # not at the top: Windows lacks modules it imports

        with suppress(ProcessLookupError, PermissionError):
            if self.pid is not None:
                os.killpg(self.pid, signal.SIGKILL)
        for pid in _processes_with(self._mark):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if _is_subreaper:
            kill_tree(os.getpid(), _SUPERVISORS)

    def kill(self) -> None:
        """End it now, from any thread; a ``receive`` in progress raises PlayerFailed."""
        if self._supervisor is not None:
            with suppress(OSError):
                self._control.shutdown(socket.SHUT_RDWR)

    def close(self, quit_seconds: float | None = None) -> None:
        """Close its input, let it leave by itself for some seconds, then end it and everything it has started."""
        supervisor = self._supervisor
        if supervisor is None:
            return
        self._stdin.close()
        deadline = Deadline.within(self.limits.quit_seconds if quit_seconds is None else quit_seconds)
        while self._ended is None and deadline.left:
            self._pump(deadline.left)
        self._drain()
        self.kill()
        _await_end(supervisor)
        _SUPERVISORS.discard(supervisor.pid)
        if supervisor.returncode < 0:
            self._end_unsupervised()
        self._drain()
        self._selector.close()
        for pipe in (self._stdout, self._stderr, self._control):
            pipe.close()
        self._supervisor = self.pid = None
        self._staging.close()


def _await_end(supervisor: subprocess.Popen[bytes]) -> None:
    """Wait until the supervisor has ended everything and itself; kill it when it cannot, or was stopped."""
    from noughts.process.supervisor import kill_tree

    deadline = Deadline.within(SUPERVISOR_SECONDS)
    while deadline.left and not _is_stopped(supervisor):
        with suppress(subprocess.TimeoutExpired):
            supervisor.wait(POLL_SECONDS)
            return
    kill_tree(supervisor.pid)
    supervisor.kill()
    supervisor.wait()


def _is_stopped(process: subprocess.Popen[bytes]) -> bool:
    from noughts.process.supervisor import is_stopped

    return is_stopped(process.pid)


def _processes_with(mark: str) -> list[int]:
    """Return the processes that have a mark in their environment, where the system shows it."""
    wanted, found = f"{MARK_VARIABLE}={mark}".encode(), []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if wanted in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


def _describe_exit(status: int) -> str:
    if status >= 0:
        return f"ended with exit code {status}"
    with suppress(ValueError):
        return f"was ended by {signal.Signals(-status).name}"
    return f"was ended by signal {-status}"
