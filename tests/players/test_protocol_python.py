"""Bots written in Python: in this process, and in a child process that enforces the rules of tournaments."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mocks import nothing_left
from noughts import Game, Limit, Position
from noughts.players import InProcessPlayer, Limits, PlayerFailed, open_player
from noughts.players.python_bot import as_player, load_player
from paths import ROOT
from waiting import wait_until

FIRST = "def choose(position, limit):\n    return position.legal_moves[0]\n"
FORBIDDEN = {
    "import threading; threading.Thread(target=print).start()": "starting a thread",
    "import _thread; _thread.start_new_thread(print, ())": "starting a thread",
    "import subprocess; subprocess.run(['true'])": "starting a program",
    "import os; os.system('true')": "starting a program",
    "import os; os.fork()": "starting a process",
    "import os; os.execv('/bin/true', ['true'])": "starting a program",
    "import os; os.posix_spawn('/bin/true', ['true'], {})": "starting a program",
    "import os; os.kill(os.getpid(), 0)": "sending a signal",
    "import socket; socket.socket()": "using the network",
    "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9')": "using the network",
    "import _posixsubprocess; _posixsubprocess.fork_exec()": "starting a program",
    "import sqlite3; sqlite3.connect('cheat.db')": "opening a database",
    "open('cheat.txt', 'w')": "writing a file",
    "open('bot.py', 'r+')": "writing a file",
    "import os; os.open('cheat.txt', os.O_CREAT | os.O_WRONLY)": "writing a file",
    "import os; os.remove('bot.py')": "changing a file",
    "import ctypes; ctypes.CDLL(None).getpid()": "calling foreign code",
}


def bot_file(tmp_path: Path, source: str) -> str:
    (tmp_path / "bot.py").write_text(source)
    return f"{tmp_path / 'bot.py'}:choose"


def first_move(spec: object, protocol: str = "python", seconds: float = 5.0, folder: Path | None = None) -> int:
    with nothing_left(), open_player(spec, protocol=protocol, limits=Limits(grace_seconds=0.2), folder=folder) as bot:
        return bot.choose(Game("3x3").start(), Limit(seconds=seconds))


AUDITED = """
import sys
from noughts.players.python_child import AuditHook
class Violation(BaseException):
    pass
def refuse(action):
    raise Violation(action)
AuditHook(refuse).end_loading()
for action in sys.argv[1:]:
    try:
        exec(action)
        print("allowed")
    except Violation as violation:
        print(violation)
"""


def test_forbidden_actions_are_noticed(tmp_path: Path) -> None:
    """In one process, which a violation does not end; those below end it."""
    bot_file(tmp_path, FIRST)
    words = [sys.executable, "-c", AUDITED, *FORBIDDEN]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert dict(zip(FORBIDDEN, done.stdout.splitlines(), strict=True)) == FORBIDDEN
    assert [path.name for path in tmp_path.iterdir()] == ["bot.py"]


def test_forbidden_action_is_a_forfeit(tmp_path: Path) -> None:
    spec = bot_file(tmp_path, "def choose(position, limit):\n    open('cheat.txt', 'w')\n    return 0\n")
    with pytest.raises(PlayerFailed, match="writing a file is forbidden") as caught:
        first_move(spec, folder=tmp_path)
    assert caught.value.reason == "forbidden"


def test_forbidden_action_while_loading_is_a_forfeit(tmp_path: Path) -> None:
    spec = bot_file(tmp_path, f"import threading\nthreading.Thread(target=print).start()\n{FIRST}")
    with pytest.raises(PlayerFailed, match="starting a thread is forbidden"):
        first_move(spec)


def test_forbidden_action_cannot_be_caught_by_the_bot(tmp_path: Path) -> None:
    source = (
        "import os, sys\nos._exit = os.write = lambda *ignored: None\n"
        "def choose(position, limit):\n    try:\n        os.system('true')\n    except BaseException:\n        pass\n"
        "    return position.legal_moves[0]\n"
    )
    with pytest.raises(PlayerFailed) as caught:
        first_move(bot_file(tmp_path, source))
    assert caught.value.reason == "forbidden"


@pytest.mark.parametrize(
    ("disarm", "action"),
    [
        ("child.FORBIDDEN.clear()", "os.mkdir('cheat')"),
        ("child.ALLOWED_WHILE_LOADING = 'os.mkdir'", "os.mkdir('cheat')"),
        ("child._is_write = print", "open('cheat.txt', 'w')"),
    ],
)
def test_audit_hook_is_not_disarmed_by_changing_names(disarm: str, action: str, tmp_path: Path) -> None:
    spec = bot_file(tmp_path, f"import os\nimport __main__ as child\n{disarm}\n{action}\n{FIRST}")
    with pytest.raises(PlayerFailed, match="is forbidden"):
        first_move(spec, folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["bot.py"]


def test_ordinary_actions_of_a_bot_are_allowed(tmp_path: Path) -> None:
    """Imports, random numbers, the clock, reading files, the engine, and printing."""
    (tmp_path / "weights.txt").write_text("4")
    (tmp_path / "helper.py").write_text("def pick(moves):\n    return moves[0]\n")
    source = f"""
import math, random, time, threading, subprocess
import helper
import noughts
def choose(position, limit):
    import json, collections, heapq
    time.sleep(0.01)
    random.random()
    print("I like", position.text, limit)
    best = int(open({str(tmp_path / "weights.txt")!r}).read())
    noughts.Engine(hash_mb=1).search(position, noughts.Limit(nodes=100))
    position.play(helper.pick(position.legal_moves))
    return best
"""
    with open_player(bot_file(tmp_path, source), protocol="python") as bot:
        assert bot.choose(Game("3x3").start(), Limit(seconds=5)) == 4
        assert bot.stderr_tail == "I like 3/3/3 x 5 s"


@pytest.mark.parametrize(
    ("body", "reason", "message"),
    [
        ("return 99", "illegal", "cell 99"),
        ("return 'b9'", "illegal", "expected a square"),
        ("return None", "garbage", "expected an answer such as"),
        ("return 1 / 0", "crash", "exit code 1"),
        ("raise SystemExit(5)", "crash", "exit code 5"),
        ("while True: pass", "time", "no answer within 1 s"),
    ],
)
def test_failure_in_a_child_has_its_reason(body: str, reason: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(PlayerFailed, match=message) as caught:
        first_move(bot_file(tmp_path, f"def choose(position, limit):\n    {body}\n"), seconds=1)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "bot.py has no 'choose'"),
        ("choose = 5", "expected a function or an object"),
    ],
)
def test_file_without_a_bot_says_so_as_its_last_words(source: str, message: str, tmp_path: Path) -> None:
    with open_player(bot_file(tmp_path, source), protocol="python") as bot:
        with pytest.raises(PlayerFailed, match="exit code 2"):
            bot.choose(Game("3x3").start(), Limit(seconds=5))
        assert len(bot.stderr_tail.splitlines()) == 1
        assert re.search(message, bot.stderr_tail)


class Counting:
    def __init__(self) -> None:
        self.limits: list[Limit | None] = []

    def choose(self, position: Position, limit: Limit | None) -> int:
        self.limits.append(limit)
        position.play(4)
        return position.legal_moves[0]


def test_class_instance_and_function_are_bots() -> None:
    counting = Counting()
    position = Game("3x3").start()
    for thing in (Counting, counting, lambda place: 0, lambda place, limit: "a3"):
        assert open_player(thing).choose(position, Limit(nodes=7)) == 0
    assert counting.limits == [Limit(nodes=7)]
    assert position.text == "3/3/3 x"


class BadNumber:
    def __init__(self, number: object) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number // 1  # type: ignore[operator]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (9, "illegal"),
        (-1, "illegal"),
        (10**30, "illegal"),
        ("z9", "illegal"),
        (None, "garbage"),
        (True, "garbage"),
        (int, "garbage"),
        (BadNumber("text"), "garbage"),
        (BadNumber(0.5), "garbage"),
    ],
)
def test_wrong_answer_in_process_is_a_failure(answer: object, reason: str) -> None:
    with pytest.raises(PlayerFailed) as caught:
        InProcessPlayer(lambda place: answer).choose(Game("3x3").start())
    assert caught.value.reason == reason


def test_error_and_late_answer_in_process_are_failures() -> None:
    def lost(position: Position) -> int:
        raise KeyError("book")

    def late(position: Position) -> int:
        time.sleep(0.1)
        return 0

    with pytest.raises(PlayerFailed, match="KeyError: 'book'"):
        InProcessPlayer(lost).choose(Game("3x3").start())
    with pytest.raises(PlayerFailed, match=r"no answer within 0\.01 s"):
        InProcessPlayer(late, grace_seconds=0.01).choose(Game("3x3").start(), Limit(seconds=0.01))


def raising(error: BaseException) -> Callable[[Position], int]:
    def choose(position: Position) -> int:
        raise error

    return choose


class Strange(BaseException):
    def __str__(self) -> str:
        raise ValueError("even this goes wrong")


@pytest.mark.parametrize("error", [SystemExit(), Strange(), RecursionError("too\ndeep")], ids=repr)
def test_every_exception_of_a_bot_in_process_is_a_failure(error: BaseException) -> None:
    with pytest.raises(PlayerFailed, match=type(error).__name__) as caught:
        InProcessPlayer(raising(error)).choose(Game("3x3").start())
    assert caught.value.reason == "crash"


def test_interrupt_in_process_is_not_a_failure_of_the_bot() -> None:
    with pytest.raises(KeyboardInterrupt):
        InProcessPlayer(raising(KeyboardInterrupt())).choose(Game("3x3").start())


def test_bot_is_loaded_by_name(tmp_path: Path) -> None:
    spec = bot_file(tmp_path, FIRST)
    assert load_player(spec).choose(Game("3x3").start(), None) == 0
    assert load_player("noughts.players:RandomPlayer").choose(Game("3x3").start()) in range(9)
    for wrong in ("nowhere.py:choose", "no_such_module:bot", "noughts:nobody", "a b:c"):
        with pytest.raises(ValueError, match=r"expected|cannot|has no"):
            load_player(wrong)
    with pytest.raises(ValueError, match="expected a function or an object with choose"):
        as_player(5)


def test_threads_are_counted_where_the_system_does_not_list_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from noughts.players import python_child

    monkeypatch.setattr(python_child, "TASKS", str(tmp_path))
    for number in range(3):
        (tmp_path / str(number)).mkdir()
    assert python_child._count_tasks() == {"starting a thread": 3, "starting a process": 0}


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_threads_and_processes_of_compiled_code_are_counted() -> None:
    from threading import Event, Thread

    from noughts.players.python_child import TASKS, AuditHook

    caught: list[str] = []
    hook = AuditHook.__new__(AuditHook)  # without the hook, which could not be taken back
    hook._on_violation = caught.append
    hook.end_loading()
    hook.check()
    assert caught == []
    before = len(os.listdir(TASKS))
    done = Event()
    threads = [Thread(target=done.wait) for _ in range(20)]  # more than may have been left by other tests and end now
    for thread in threads:
        thread.start()
    hook.check()
    done.set()
    for thread in threads:
        thread.join(60)
    wait_until(lambda: len(os.listdir(TASKS)) <= before)  # a joined thread is listed a moment longer
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE):
        hook.check()
    assert caught == ["starting a thread", "starting a process"]


def test_documentation_names_only_existing_members() -> None:
    text = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")
    names = re.findall(r"`(position|game|limit)\.(\w+)", text)
    things = {"position": Game("3x3").start(), "game": Game("3x3"), "limit": Limit(seconds=1)}
    assert len(names) > 20
    for thing, name in names:
        assert hasattr(things[thing], name), f"{thing}.{name}"
