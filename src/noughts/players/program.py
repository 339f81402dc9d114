"""A bot's program: lines in, lines out, each with a deadline; limited, watched, and always ended.

Between host and bot stands a keeper (``keeper.py``), a small process that limits the bot and ends it with everything
it has started, also when the host itself is killed. The bot's streams are pipes to the host, so that a line costs no
detour.
"""

from __future__ import annotations

import os
import selectors
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic
from typing import IO, NamedTuple

from noughts.games.quoting import escape_control_characters, quote
from noughts.players.failure import BotFailed, NotStarted
from noughts.players.limits import MEGABYTE, Limits
from noughts.players.process_tree import kill_orphans, kill_tree

__all__ = ["Deadline", "Program", "split_command"]

KEEPER = Path(__file__).with_name("keeper.py")
CHUNK = 1 << 16
TAIL_BYTES = 8192
"""Of standard error, the last so many are kept."""
TAIL_LINES = 20
MARK = "NOUGHTS_BOT"
"""The variable that tells a bot, and everything it starts, from the rest of the system."""
KEEPER_SECONDS = 8.0
"""More than the keeper ever takes to end everything."""
LOOK_SECONDS = 0.05
"""Between two looks whether a keeper that is to leave was stopped."""
STOPPED_KEEPER = "stopped the process that watches it"
OFFENCES = {"over": "limit", "forbidden": "forbidden"}
"""What the keeper says of a bot that it had to end, and the reason for the forfeit."""
_KEEPERS: set[int] = set()
"""The keepers that this process has started."""


def split_command(command: str | Sequence[str]) -> list[str]:
    """Return the words of a command; raises ValueError when there are none."""
    try:
        words = shlex.split(command) if isinstance(command, str) else [str(word) for word in command]
    except ValueError as error:
        raise ValueError(f"expected a command, got {quote(str(command))}: {error}") from None
    if not words or any("\0" in word for word in words):
        raise ValueError("expected a command, such as python3 mybot.py")
    return words


class Deadline(NamedTuple):
    """A moment on the monotonic clock, and how long it was away when it was set."""

    at: float
    seconds: float

    @classmethod
    def within(cls, seconds: float, grace: float = 0.0) -> Deadline:
        """Return the moment so many seconds from now, and the grace; the grace is not told."""
        return cls(monotonic() + seconds + grace, seconds)

    @property
    def left(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self.at - monotonic())


class Program:
    """One run of a command, from ``start`` to ``close``. Not for several threads, but for ``kill``."""

    def __init__(
        self,
        command: str | Sequence[str],
        limits: Limits | None = None,
        sandbox: bool = False,
        folder: Path | None = None,
    ) -> None:
        self.words = split_command(command)
        self.limits = (limits or Limits()).checked()
        self.sandbox = sandbox
        self.folder = (folder or Path.cwd()).absolute()
        self.environment: dict[str, str] = {}
        """Variables to set for the program, besides those of this process."""
        self.pid: int | None = None
        self._mark = f"{os.getpid()}-{id(self):x}-{monotonic():.6f}"
        self._keeper: subprocess.Popen[bytes] | None = None
        self._forget()

    def _forget(self) -> None:
        self._ended: str | None = None
        self._offence: BotFailed | None = None
        self._out = bytearray()
        self._pending = bytearray()
        self._control_text = b""
        self._tail = b""
        self._volume = {"output": 0, "standard error": 0}
        self._is_silent = False

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not been closed."""
        return self._keeper is not None

    @property
    def stderr_tail(self) -> str:
        """The last lines it wrote to standard error, each made plain; they stay after ``close``."""
        lines = self._tail.decode(errors="replace").splitlines()[-TAIL_LINES:]
        return "\n".join(escape_control_characters(line.expandtabs(4)) for line in lines)

    def start(self) -> None:
        """Start the command; raises BotFailed when that fails, ValueError when there is no sandbox."""
        if self._keeper is not None:
            return
        words = self._outer_words()
        self._forget()
        with ExitStack() as opened:
            try:  # what can fail: no such folder, or no files or processes left for us
                self._selector = opened.enter_context(selectors.DefaultSelector())
                self._control, theirs = map(opened.enter_context, socket.socketpair())
                keeper = self._launch(words, theirs.fileno())
            except OSError as error:
                raise self._not_started(error.strerror or str(error)) from None
            opened.pop_all()
            theirs.close()
        self._connect(keeper)
        self._await_start()

    def _connect(self, keeper: subprocess.Popen[bytes]) -> None:
        assert keeper.stdin is not None
        assert keeper.stdout is not None
        assert keeper.stderr is not None
        self._keeper = keeper
        _KEEPERS.add(keeper.pid)
        self._stdin, self._stdout, self._stderr = keeper.stdin, keeper.stdout, keeper.stderr
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        self._control.setblocking(False)
        self._selector.register(self._control, selectors.EVENT_READ, self._read_control)
        self._selector.register(self._stdout, selectors.EVENT_READ, self._read_out)
        self._selector.register(self._stderr, selectors.EVENT_READ, self._read_err)

    def _not_started(self, why: str) -> NotStarted:
        return NotStarted(f"expected a program that can be started, got {self.words[0]}: {why}", "start")

    def _outer_words(self) -> list[str]:
        if not self.sandbox:
            return self.words
        from noughts.players.sandbox import sandboxed, why_no_sandbox

        if why := why_no_sandbox():
            raise ValueError(why)
        if not shutil.which(self.folder / self.words[0] if "/" in self.words[0] else self.words[0]):
            raise self._not_started("no such program")  # in there it would be bubblewrap that ends
        return sandboxed(self.words, self.folder)

    def _launch(self, words: list[str], control: int) -> subprocess.Popen[bytes]:
        limits = self.limits
        numbers = [limits.namespace and not self.sandbox, (limits.memory_mb or 0) * MEGABYTE]
        numbers += [limits.processes or 0, (limits.file_mb or 0) * MEGABYTE]
        return subprocess.Popen(
            [sys.executable, "-I", "-S", str(KEEPER), str(control), *(str(int(number)) for number in numbers), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            pass_fds=[control],
            start_new_session=True,
            cwd=self.folder,
            env=os.environ | self.environment | {MARK: self._mark},
        )

    def _await_start(self) -> None:
        deadline = Deadline.within(self.limits.start_seconds)
        while self.pid is None and self._ended is None and deadline.left:
            self._turn(deadline.left)
        if self.pid is None:
            why = self._ended or f"nothing within {deadline.seconds:g} s"
            self.close(0)
            raise self._not_started(why)

    def settle(self, seconds: float) -> None:
        """Give it some seconds to fail; raises BotFailed when it ends within them."""
        deadline = Deadline.within(seconds)
        while self._ended is None and deadline.left:
            self._turn(deadline.left)
        if self._ended is not None:
            raise self._ending()

    def send(self, text: str, deadline: Deadline) -> None:
        """Write lines to the program, reading meanwhile what it says; raises BotFailed."""
        self._check_keeper()
        self._volume = dict.fromkeys(self._volume, 0)
        self._pending += text.encode()
        self._write()
        if not self._pending:
            return
        self._selector.register(self._stdin, selectors.EVENT_WRITE, self._write)
        try:
            while self._pending:
                if self._ended is not None:
                    raise self._ending()
                self._wait(deadline)
        finally:
            self._selector.unregister(self._stdin)

    def read_line(self, deadline: Deadline) -> str:
        """Return its next line, without the end of line; raises BotFailed when none comes in time."""
        while (end := self._out.find(b"\n")) < 0:
            if len(self._out) > self.limits.line_bytes:
                raise BotFailed(f"an answer without end, over {self.limits.line_bytes} bytes on a line", "flood")
            if self._is_silent or self._ended is not None:
                raise self._ending()
            self._wait(deadline)
        if end > self.limits.line_bytes:
            raise BotFailed(f"an answer without end, over {self.limits.line_bytes} bytes on a line", "flood")
        line = self._out[:end].decode(errors="replace").rstrip("\r")
        del self._out[: end + 1]
        return line

    def unasked(self) -> str:
        """Take and return what it has written by now that nobody has read."""
        self._turn(0)
        text = self._out.decode(errors="replace")
        self._out.clear()
        return text

    def _check_keeper(self) -> None:
        """Raise BotFailed when the keeper was stopped: only the bot has a reason to do that."""
        if self._keeper is not None and _is_stopped(self._keeper):
            raise BotFailed(STOPPED_KEEPER, "forbidden")

    def _wait(self, deadline: Deadline) -> None:
        if not deadline.left:
            self._check_keeper()
            raise BotFailed(f"no answer within {deadline.seconds:g} s", "time")
        self._turn(deadline.left)
        for what, volume in self._volume.items():
            if volume > self.limits.output_bytes:
                raise BotFailed(f"over {self.limits.output_bytes} bytes of {what} for one move", "flood")

    def _turn(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            key.data()

    def _read(self, pipe: IO[bytes] | socket.socket, at_end: Callable[[], None]) -> bytes:
        """What a pipe holds; one that has come to its end is not looked at again."""
        try:
            data = os.read(pipe.fileno(), CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._selector.unregister(pipe)
            at_end()
        return data

    def _read_out(self) -> None:
        data = self._read(self._stdout, self._fall_silent)
        self._out += data
        self._volume["output"] += len(data)

    def _fall_silent(self) -> None:
        self._is_silent = True

    def _read_err(self) -> None:
        data = self._read(self._stderr, lambda: None)
        self._tail = (self._tail + data)[-TAIL_BYTES:]
        self._volume["standard error"] += len(data)

    def _write(self) -> None:
        try:
            written = os.write(self._stdin.fileno(), self._pending)
        except BlockingIOError:
            return
        except OSError:  # it reads no more; what it said before, or how it ended, decides
            written = len(self._pending)
        del self._pending[:written]

    def _read_control(self) -> None:
        data = self._read(self._control, self._lose_keeper)
        *lines, self._control_text = (self._control_text + data).split(b"\n")
        for line in lines:
            word, _, rest = line.decode(errors="replace").partition(" ")
            if word == "started":
                self.pid = int(rest)
            elif word in OFFENCES:
                self._offence = BotFailed(rest, OFFENCES[word])
            else:
                self._ended = rest if word == "failed" else _ending_of(int(rest))

    def _lose_keeper(self) -> None:
        self._ended = self._ended or "was left by its keeper"

    def _ending(self) -> BotFailed:
        """Why there is nothing more to read; whoever calls it has read all there was."""
        deadline = Deadline.within(1.0)
        while self._ended is None and deadline.left:
            self._turn(deadline.left)
        self._drain()
        if self._offence is not None:
            return self._offence
        if self._ended is None:
            return BotFailed("the program closed its output", "crash")
        return BotFailed(f"the program {self._ended}", "crash")

    def _drain(self) -> None:
        """Read what is left of standard error, as far as it counts."""
        for _ in range(2 * TAIL_BYTES // CHUNK + 16):
            ready = [key for key, _ in self._selector.select(0) if key.fileobj is self._stderr]
            if not ready:
                return
            self._read_err()

    def _keep_instead(self) -> None:
        """Do what a keeper that somebody killed can do no more: end the bot's group, and all that bear its mark."""
        with suppress(ProcessLookupError, PermissionError):
            if self.pid is not None:
                os.killpg(self.pid, signal.SIGKILL)
        for pid in _marked(self._mark):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        kill_orphans(_KEEPERS)

    def kill(self) -> None:
        """End it now, from any thread; whoever waits for its answer gets BotFailed."""
        if self._keeper is not None:
            with suppress(OSError):
                self._control.shutdown(socket.SHUT_RDWR)

    def close(self, quit_seconds: float | None = None) -> None:
        """Let it leave by itself, its input closed, for some seconds; then end it and whatever it has started."""
        keeper = self._keeper
        if keeper is None:
            return
        self._stdin.close()
        deadline = Deadline.within(self.limits.quit_seconds if quit_seconds is None else quit_seconds)
        while self._ended is None and deadline.left:
            self._turn(deadline.left)
        self._drain()
        self.kill()
        _await_end(keeper)
        _KEEPERS.discard(keeper.pid)
        if keeper.returncode < 0:
            self._keep_instead()
        self._drain()
        self._selector.close()
        for pipe in (self._stdout, self._stderr, self._control):
            pipe.close()
        self._keeper = self.pid = None


def _await_end(keeper: subprocess.Popen[bytes]) -> None:
    """Wait until the keeper has ended everything and itself; kill it when it cannot, or was stopped."""
    deadline = Deadline.within(KEEPER_SECONDS)
    while deadline.left and not _is_stopped(keeper):
        with suppress(subprocess.TimeoutExpired):
            keeper.wait(LOOK_SECONDS)
            return
    kill_tree(keeper.pid)
    keeper.kill()
    keeper.wait()


def _is_stopped(process: subprocess.Popen[bytes]) -> bool:
    from noughts.players.keeper import is_stopped  # not at the top: Windows lacks a module that it imports

    return is_stopped(process.pid)


def _marked(mark: str) -> list[int]:
    """The processes that were started with a mark in their environment, where the system tells."""
    wanted, found = f"{MARK}={mark}".encode(), []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if wanted in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


def _ending_of(status: int) -> str:
    if status >= 0:
        return f"ended with exit code {status}"
    with suppress(ValueError):
        return f"was ended by {signal.Signals(-status).name}"
    return f"was ended by signal {-status}"
