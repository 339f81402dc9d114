"""``python -m noughts.players.python_child SPEC``: a Python bot in a process of its own, speaking JSON lines.

The bot's prints go to standard error, so that they are not mistaken for moves. What tournaments forbid (threads,
processes, sockets, writing files) ends the process, with ``{"forbidden": ...}`` as its last answer. Python raises audit
events for such calls, no matter which code makes them. Compiled extension modules raise none; their threads and
processes are counted instead.
"""

from __future__ import annotations

import _posixsubprocess
import _thread
import io
import json
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from noughts.games import Position
from noughts.players.player import Player
from noughts.players.protocols.json_protocol import GREETING, parse_limit, parse_position
from noughts.players.python_bot import LoadError, load_player, move_of
from noughts.process.failure import PlayerFailed
from noughts.process.streams import take_streams

__all__ = ["AuditHook"]

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
"""Prefixes of audit events, and the forbidden action each stands for."""
ALLOWED_WHILE_LOADING = "ctypes."
"""Allowed to modules that a bot imports: many look for libraries when they are imported."""
UNAUDITED = {
    "starting a thread": (
        *((_thread, name) for name in ("start_new_thread", "start_new", "start_joinable_thread")),
        *((threading, name) for name in ("_start_new_thread", "_start_joinable_thread")),
    ),
    "starting a program": ((_posixsubprocess, "fork_exec"),),
}
"""Functions without an audit event in some versions of Python, by the action they stand for."""
TASKS = "/proc/self/task"
WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
FORBIDDEN_EXIT_CODE = 3


class AuditHook:
    """Calls ``on_violation`` with the forbidden action; it must not return.

    Active as soon as it is made; it cannot be removed.
    """

    def __init__(self, on_violation: Callable[[str], object]) -> None:
        self._on_violation = on_violation
        self._is_loading = True
        self._baseline = _count_tasks()
        sys.addaudithook(self._make_hook())
        self._replace_unaudited()

    def _make_hook(self) -> Callable[[str, tuple[object, ...]], None]:
        """Return the hook; everything it uses is bound here, so that a bot cannot disarm it by changing names."""
        on_violation, is_write = self._on_violation, _is_write
        rules, allowed_while_loading = tuple(FORBIDDEN.items()), ALLOWED_WHILE_LOADING

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            if event == "open" and is_write(arguments):
                on_violation("writing a file")
            for prefix, action in rules:
                if event.startswith(prefix) and not (self._is_loading and prefix == allowed_while_loading):
                    on_violation(action)

        return hook

    def _replace_unaudited(self) -> None:
        """Replace functions that raise no audit event."""

        def replacement(action: str) -> Callable[..., NoReturn]:
            def refuse(*ignored: object, **named: object) -> NoReturn:
                self._on_violation(action)
                raise RuntimeError(f"{action} is forbidden")

            return refuse

        for action, functions in UNAUDITED.items():
            for module, name in functions:
                if hasattr(module, name):
                    setattr(module, name, replacement(action))

    def end_loading(self) -> None:
        """Withdraw the permissions for imports: the bot is loaded and about to be asked for moves."""
        self._is_loading = False
        self._baseline = _count_tasks()

    def check(self) -> None:
        """Look for new threads and processes that raised no audit event."""
        for action, number in _count_tasks().items():
            if number > self._baseline[action]:
                self._on_violation(action)


def _is_write(arguments: tuple[object, ...], write_flags: int = WRITE_FLAGS) -> bool:
    """Whether the arguments of an ``open`` event (path, mode, flags) allow more than reading."""
    mode, flags = (*arguments, None, None, None)[1:3]
    return bool(isinstance(flags, int) and flags & write_flags) or bool(
        isinstance(mode, str) and set(mode) & set("wax+")
    )


def _count_tasks() -> dict[str, int]:
    """Count this process's threads and child processes, by the action that creates them."""
    tasks: list[str] = []
    children = 0
    with suppress(OSError):
        tasks = os.listdir(TASKS)
    for task in tasks:
        with suppress(OSError), open(f"{TASKS}/{task}/children") as file:  # ended, or not shown by this system
            children += len(file.read().split())
    return {"starting a thread": len(tasks), "starting a process": children}


def _make_violation_handler(answers: int) -> Callable[[str], NoReturn]:
    """Return the function that ends the bot; everything it uses is bound here, out of the bot's reach."""
    write, leave = _write, os._exit

    def end_bot(action: str) -> NoReturn:
        write(answers, {"forbidden": f"{action} is forbidden"})
        leave(FORBIDDEN_EXIT_CODE)

    return end_bot


def _play(player: Player, hook: AuditHook, questions: int, answers: int) -> None:
    with os.fdopen(questions, encoding="utf-8") as lines:
        for line in lines:
            question = json.loads(line)
            position = parse_position(question)
            answer = player.choose(position.copy(), parse_limit(question))
            hook.check()
            _write(answers, {"move": _answer_text(position, answer)})


def _write(
    answers: int,
    answer: object,
    write: Callable[[int, bytes], int] = os.write,
    dumps: Callable[[object], str] = json.dumps,
) -> None:
    """Write an answer; the functions it needs were bound before the bot was loaded."""
    write(answers, dumps(answer).encode() + b"\n")


def _answer_text(position: Position, answer: object) -> str | None:
    """Return the answer for the host to judge: text unchanged, a cell by its name, None for anything else."""
    if isinstance(answer, str):
        return answer
    try:
        cell = move_of(position, answer)
    except PlayerFailed:
        return None
    return position.format_move(cell) if 0 <= cell < position.game.cells else f"cell {cell}"


def main(arguments: list[str]) -> int:
    """Load the bot and answer questions until the input ends."""
    questions, answers = take_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # a bot that is killed leaves what it printed
    sys.dont_write_bytecode = True
    hook = AuditHook(_make_violation_handler(answers))
    sys.path.insert(0, os.getcwd())  # now that the rules hold
    try:
        player = load_player(arguments[0])
    except LoadError as error:
        print(error, file=sys.stderr)
        return 2
    hook.end_loading()
    _write(answers, GREETING)
    _play(player, hook, questions, answers)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
