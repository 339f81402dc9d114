"""Makes this process resemble one on Windows: modules, functions and signals that do not exist there are missing.

The standard library and the packages of others stay those of this system, so they are loaded first. What cannot be
simulated (paths, the console, the way processes start) is left to the types, which ``test_platforms.py`` checks.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pkgutil
import selectors
import signal
import stat
import sys
from importlib import import_module
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import noughts

MODULES = ["curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"]
FUNCTIONS = ["chown", "fchmod", "fork", "forkpty", "getegid", "geteuid", "getgid", "getloadavg", "getpgid", "getuid"]
FUNCTIONS += ["killpg", "mkfifo", "nice", "openpty", "sched_getaffinity", "setpriority", "setsid", "statvfs", "sysconf"]
FUNCTIONS += ["uname", "wait", "waitid"]
SIGNALS = ["SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGPIPE", "SIGSTOP", "SIGUSR1", "SIGXFSZ"]
SANDBOX = "noughts.process.supervisor"
"""The only module that needs another system."""


def import_everything() -> list[str]:
    """Import all our modules but the sandbox; return those that lack a package."""
    lacking = []
    for module in pkgutil.walk_packages(noughts.__path__, "noughts."):
        if module.name not in (SANDBOX, "noughts.__main__"):
            try:
                import_module(module.name)
            except ImportError:
                lacking.append(module.name)
    return lacking


class _Locking:
    """The part of ``msvcrt`` that we use."""

    LK_NBLCK = 2

    def locking(self, descriptor: int, mode: int, size: int) -> None:
        os.fstat(descriptor)


class _SocketSelector(selectors.SelectSelector):
    """Waits for sockets and for nothing else."""

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        descriptor = fileobj if isinstance(fileobj, int) else fileobj.fileno()
        if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            raise OSError("an operation was attempted on something that is not a socket")
        return super().register(fileobj, events, data)


def become_windows() -> None:
    """Remove everything that Windows does not have, and our modules, so that they are loaded again."""
    import_everything()
    multiprocessing.get_context("spawn").Process(target=print)  # loads what it needs
    import_module("multiprocessing.popen_spawn_posix")
    for name in [name for name in sys.modules if name.startswith("noughts.") and name != "noughts._core"]:
        del sys.modules[name]
    modules: dict[str, Any] = sys.modules
    modules |= dict.fromkeys(MODULES) | {"msvcrt": _Locking()}
    for name in FUNCTIONS:
        delattr(os, name)
    for name in (*SIGNALS, "alarm", "setitimer", "pause", "sigwait"):
        delattr(signal, name)
    patch.object(selectors, "DefaultSelector", _SocketSelector).start()
    patch.object(multiprocessing, "get_all_start_methods", lambda: ["spawn"]).start()
    sys.platform = "win32"


ONE_LINE = "running bots as programs needs Linux or macOS: this system has no process groups\n"
FRIENDS = "b2\na1\na3\nc1\nb1\nb3\nc3\na2\nc2\nquit\n"
WALK = [
    ("play 3x3 --o friend --clock 5+3", FRIENDS, "A draw."),
    ("play 3x3 --against easy --seed 1", "b2\na1\nquit\n", "The game is saved."),
    ("games", "", "unfinished"),
    ("hint 3x3 --nodes 100", "", "a draw"),
    ("analyse connect4 --nodes 1000", "", "d1"),
    ("solve 3x3 --proof proof.ngp", "", "proof written"),
    ("solve 3x3 -", "3/1x1/3 o\n3/3/3 x\n", "draw"),
    ("verify proof.ngp", "", "ok: 3x3"),
    ("tree 3x3 -o tree.svg --depth 2", "", ""),
    ("compare 3x3 --depth 2", "", "negascout"),
    ("grade search.py:minimax --task minimax --no-sandbox --allow-root", "", "6 of 6 properties hold"),
    ("arena run --bot random --bot easy --game 3x3 --rounds 2", "", "easy"),
    ("arena list", "", "3x3"),
    ("engine --protocol ugi", "ugi\ngo nodes 100\nquit\n", "bestmove"),
    ("doctor", "", "programs           missing"),
]
"""Commands that succeed, what is typed there, and a part of what they print."""
PROGRAMS = [
    "arena run --bot a=./bot --bot easy --game 3x3",
    "arena check ./bot",
    "play 3x3 --x ugi:engine",
]
"""Commands that need programs as players."""


class Result(NamedTuple):
    """What a command leaves."""

    code: int
    output: str
    errors: str


def run(words: str, typed: str = "") -> Result:
    """Run a noughts command in this process."""
    from noughts.cli import main

    typing, *printed = (TextIOWrapper(BytesIO(text), encoding="utf-8") for text in (typed.encode(), b"", b""))
    arguments = ["noughts", *words.split()]
    with patch.multiple(sys, argv=arguments, stdin=typing, stdout=printed[0], stderr=printed[1]):
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    written = []
    for stream in printed:
        stream.flush()
        stream.seek(0)
        written.append(stream.read())
    return Result(code, *written)


async def ask_the_web_app(store: Path) -> int:
    """Return the move of the engine in a game on the page."""
    import httpx

    from noughts.web.app import make_app
    from noughts.web.limits import Settings

    app = make_app(Settings(store=store))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app, client=("127.0.0.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            answer = await client.post("/api/move", json={"game": "3x3", "moves": ["a1"], "seconds": 0.1}, timeout=60)
    cell: int = answer.raise_for_status().json()["cell"]
    return cell


def check_help() -> None:
    """Check that every command shows its help."""
    from noughts.cli.main import COMMANDS

    for name in (*COMMANDS, "arena run", "classic ultimate", "games resume"):
        assert run(f"{name} --help").output.startswith(f"Usage: noughts {name} "), name


def main() -> None:
    """Use noughts in the current folder as on Windows; raises AssertionError, or the error of a command."""
    lacking = import_everything()
    become_windows()
    assert import_everything() == lacking
    check_help()
    Path("search.py").write_text("from noughts.textbook import minimax\n")
    for words, typed, expected in WALK:
        done = run(words, typed)
        assert (done.code, expected in done.output + done.errors) == (0, True), (words, done)
    for words in PROGRAMS:
        done = run(words)
        assert (done.code, done.output, done.errors.endswith(ONE_LINE), done.errors.count("\n")) == (2, "", True, 1), (
            done
        )
    assert asyncio.run(ask_the_web_app(Path("web.sqlite3"))) in range(1, 9)


if __name__ == "__main__":
    main()
