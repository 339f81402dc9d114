"""Programs that crash, hang, cheat or flood: each loses for its reason and leaves no process behind."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from mocks import (
    ATTACKS,
    EXPECTED,
    LIMITS,
    LONG_SECONDS,
    QUIET,
    SHORT_SECONDS,
    UNCONFINED,
    command,
    is_unlocked,
    nothing_left,
    seconds_for,
)
from noughts import Game, Limit
from noughts.games import Position
from noughts.players import FailureReason, HostedPlayer, Limits, PlayerFailed, open_player
from noughts.process.limits import Deadline
from noughts.process.program import Program
from paths import HELPERS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells what is left")
BARE = LIMITS._replace(namespace=False)
SUPERVISOR_SECONDS = 120.0
"""Twice as long as a busy machine needs; waiting for a supervisor that does not answer would take longer."""


def play(bot: HostedPlayer, id: str = "4x4", seconds: float = LONG_SECONDS) -> Position:
    position = Game(id).start()
    bot.new_game(position)
    while not position.is_over:
        position.play(bot.choose(position, Limit(seconds=seconds)))
    return position


def play_on(bot: HostedPlayer) -> None:
    """Play until an attack must have been detected."""
    deadline = time.monotonic() + LONG_SECONDS
    while time.monotonic() < deadline:
        play(bot)


@cache
def namespaces_work() -> bool:
    """Whether a bot gets a PID namespace here: then its parent is process 1."""
    words = [sys.executable, "-c", "import os; print(os.getppid())"]
    with closing(Program(words, LIMITS, UNCONFINED)) as program:
        program.start()
        return program.receive(Deadline.within(LONG_SECONDS)) == "1"


MESSAGES = {
    "crash-in-the-middle": "the program ended with exit code 1",
    "segfault": "SIGSEGV",
    "hang": "no answer within",
    "flood-a-line": "an endless line",
}


@pytest.mark.parametrize("way", EXPECTED)
def test_failure_has_its_reason_and_leaves_nothing(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_MOCK_FILE", str(tmp_path / "large"))
    began = time.monotonic()
    with nothing_left(), open_player(command(way), protocol="json", limits=LIMITS) as bot:
        with pytest.raises(PlayerFailed, match=MESSAGES.get(way, ".")) as caught:
            play(bot, seconds=seconds_for(way))
        assert caught.value.reason == EXPECTED[way], str(caught.value)
        assert "\n" not in str(caught.value)
        if way == "crash-in-the-middle":
            assert bot.stderr_tail.splitlines()[-1] == "RuntimeError: no idea what to do"
    assert time.monotonic() - began < SHORT_SECONDS + LONG_SECONDS


@pytest.mark.parametrize("way", ["hog-shared-memory", "hog-memory-files", "share-memory", "swarm"])
def test_limits_hold_without_namespaces_too(way: str) -> None:
    with nothing_left(), open_player(command(way), protocol="json", limits=BARE, sandbox=UNCONFINED) as bot:
        with pytest.raises(PlayerFailed) as caught:
            play(bot)
        assert caught.value.reason == "limit", str(caught.value)


@pytest.mark.parametrize("way", ATTACKS)
def test_bot_in_a_namespace_cannot_reach_the_processes_that_watch_it(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not namespaces_work():
        pytest.skip("no PID namespaces here")
    lock = tmp_path / "lock"
    monkeypatch.setenv("LC_MOCK_FILE", str(lock))
    with nothing_left(), open_player(command(way), protocol="json", limits=LIMITS, sandbox=UNCONFINED) as bot:
        assert play(bot).is_over
    assert is_unlocked(lock)


@pytest.mark.parametrize("way", [way for way in ATTACKS if way != "kill-both-supervisors"])
def test_bot_that_attacks_the_processes_that_watch_it_loses_and_leaves_nothing(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "lock"
    monkeypatch.setenv("LC_MOCK_FILE", str(lock))
    monkeypatch.setattr("noughts.process.program.SUPERVISOR_SECONDS", SUPERVISOR_SECONDS)
    began = time.monotonic()
    with nothing_left(), open_player(command(way), protocol="json", limits=BARE, sandbox=UNCONFINED) as bot:
        with pytest.raises(PlayerFailed) as caught:
            play_on(bot)
        # On a busy machine the attack may come before the start is reported.
        assert caught.value.reason in ("forbidden", "crash", "start"), str(caught.value)
    assert time.monotonic() - began < SUPERVISOR_SECONDS / 2, "a supervisor that was stopped is not waited for"
    assert is_unlocked(lock)


@pytest.mark.parametrize("way", ["kill-both-supervisors", "stop-both-supervisors"])
def test_subreaper_kills_orphans(way: str, tmp_path: Path) -> None:
    """Even when the bot has killed its supervisors. In a separate process: a subreaper kills every unknown child."""
    script = f"""
from mocks import UNCONFINED, command
from noughts import Game, Limit
from noughts.players import PlayerFailed, open_player
from noughts.process.program import become_subreaper
from test_protocol_failures import BARE
become_subreaper()
with open_player({command(way)!r}, protocol="json", limits=BARE, sandbox=UNCONFINED) as bot, open_player(
    {command("good")!r}, protocol="json", limits=BARE, sandbox=UNCONFINED
) as other:
    for who in (other, bot, bot, other):
        try:
            print("played", who.choose(Game("3x3").start(), Limit(seconds={LONG_SECONDS})))
        except PlayerFailed as failed:
            print(failed.reason)
"""
    lock = tmp_path / "lock"
    environment = os.environ | {
        "LC_MOCK_FILE": str(lock),
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), str(HELPERS)]),
    }
    words = [sys.executable, "-c", script]
    with nothing_left():
        told = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=120, check=True)
    lines = told.stdout.splitlines()
    assert (lines[0], lines[-1]) == ("played 0", "played 0")
    assert is_unlocked(lock)


@pytest.mark.parametrize("way", QUIET)
def test_bad_manners_are_not_failures_and_leave_nothing(way: str) -> None:
    with nothing_left(), open_player(command(way), protocol="json", limits=LIMITS) as bot:
        assert play(bot).is_over


FORGER = r"""
import sys
print("\033[2Jwon after all\r\x9b1A not", file=sys.stderr, flush=True)
sys.stdin.readline()
print(sys.argv[1], flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize(
    "answer", [r'{"forbidden": "\u001b[2J\nX won\ud800"}', r'{"move": "\u001b[2J\nX won\ud800"}', "\x1b[2J \u202e"]
)
def test_text_of_a_bot_cannot_pass_for_ours(answer: str) -> None:
    """Neither on a terminal nor in a file: control characters are escaped."""
    with open_player([sys.executable, "-c", FORGER, answer], protocol="json", limits=LIMITS) as bot:
        with pytest.raises(PlayerFailed) as caught:
            play(bot)
        assert str(caught.value).isprintable()
        assert bot.stderr_tail.splitlines() == ["\\x1b[2Jwon after all", "\\x9b1A not"]
        assert all(line.isprintable() for line in bot.exchange)


def test_name_of_a_bot_is_plain() -> None:
    code = 'print("id name \033[2J" + "x" * 9999 + "\\nugiok\\nreadyok", flush=True); input()'
    with open_player([sys.executable, "-c", code], protocol="ugi", limits=LIMITS) as bot:
        bot.start(Game("3x3"))
        assert bot.name.startswith("\\x1b[2Jxxx")
        assert len(bot.name) < 100


def test_flood_of_errors_keeps_its_end_only() -> None:
    with open_player(command("chatty-stderr"), protocol="json", limits=LIMITS) as bot:
        play(bot)
        assert set(bot.stderr_tail.splitlines()[1:]) == {"considering everything"}
        assert len(bot.stderr_tail) < 10_000


def test_output_before_any_question_does_not_count_as_an_answer() -> None:
    with nothing_left(), open_player(command("flood-before-asked"), protocol="json", limits=LIMITS) as bot:
        with pytest.raises(PlayerFailed) as caught:
            play(bot)
        assert caught.value.reason in ("flood", "garbage")


def test_missing_program_fails_to_start() -> None:
    for words in ("/nowhere/bot", "no-such-program --fast", str(Path(__file__))):
        with nothing_left(), open_player(words, protocol="json", limits=LIMITS) as bot:
            with pytest.raises(PlayerFailed, match=r"cannot start .*: (no such file|permission denied)") as caught:
                play(bot)
            assert caught.value.reason == "start"


def test_missing_folder_is_a_failure_to_start(tmp_path: Path) -> None:
    with nothing_left(), open_player("true", protocol="json", folder=tmp_path / "nowhere") as bot:
        with pytest.raises(PlayerFailed, match=r"cannot start true: no such file") as caught:
            play(bot)
        assert caught.value.reason == "start"


@pytest.mark.parametrize("left", [0, 1, 4, 7, 9, 12])
def test_host_with_few_files_left_to_open_fails_cleanly(left: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken = {int(name) for name in os.listdir("/proc/self/fd")}
    free = [number for number in range(soft) if number not in taken]
    with nothing_left(), open_player(command("good"), protocol="json", limits=LIMITS) as bot:
        resource.setrlimit(resource.RLIMIT_NOFILE, (free[left], hard))
        try:
            bot.start(Game("4x4"))
        except PlayerFailed as failed:
            reason = str(failed.reason)
        else:
            reason = "none"
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert reason == ("none" if left == 12 else "start")
        assert play(bot).is_over


def test_bot_can_be_started_again_after_a_failure() -> None:
    with nothing_left(), open_player(command("crash-in-the-middle"), protocol="json", limits=LIMITS) as bot:
        for _ in range(3):
            with pytest.raises(PlayerFailed, match="exit code 1"):
                play(bot)


def test_bot_can_be_killed_from_another_thread() -> None:
    with nothing_left(), open_player(command("hang"), protocol="json", limits=LIMITS) as bot:
        timer = threading.Timer(0.3, bot.kill)
        timer.start()
        began = time.monotonic()
        with pytest.raises(PlayerFailed):
            bot.choose(Game("3x3").start(), Limit(seconds=30))
        assert time.monotonic() - began < LONG_SECONDS
        timer.join(LONG_SECONDS)


@pytest.mark.parametrize("namespace", [True, False])
@pytest.mark.parametrize("way", ["daemonise", "hide-a-child"])
def test_host_that_is_killed_takes_its_bots_along(
    way: str, namespace: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "lock"
    lock.touch()
    monkeypatch.setenv("LC_MOCK_FILE", str(lock))
    script = f"""
from noughts import Game
from noughts.players import Limits, open_player
from noughts.process.sandbox import Sandbox
sandbox = Sandbox.off(allow_root=True)
bot = open_player({command(way)!r}, protocol="json", limits=Limits(namespace={namespace}), sandbox=sandbox)
bot.choose(Game("3x3").start())
print("plays", flush=True)
import time; time.sleep(60)
"""
    with nothing_left():
        host = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
        assert host.stdout is not None
        with host.stdout:
            assert host.stdout.readline() == b"plays\n"
            os.kill(host.pid, signal.SIGKILL)
            host.wait(LONG_SECONDS)
    assert is_unlocked(lock)


def test_many_bots_in_many_threads_leave_nothing() -> None:
    ways = ["good", "garbage", "crash-at-start", "daemonise", "leave", "illegal"] * 2
    found: dict[int, str] = {}

    def run(number: int) -> None:
        with open_player(command(ways[number]), protocol="json", limits=LIMITS) as bot:
            try:
                play(bot, "3x3")
                found[number] = "played"
            except PlayerFailed as failed:
                found[number] = failed.reason

    with nothing_left():
        threads = [threading.Thread(target=run, args=(number,)) for number in range(len(ways))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert [found[number] for number in range(len(ways))] == [EXPECTED.get(way, "played") for way in ways]


def test_reasons_are_fixed() -> None:
    with pytest.raises(ValueError, match="boredom"):
        PlayerFailed("something", "boredom")
    assert {PlayerFailed("", reason).termination for reason in FailureReason} == {"crash", "time", "illegal"}
    assert all(reason.description for reason in FailureReason)


def test_program_that_does_not_read_does_not_block_its_host() -> None:
    program = Program(command("deaf"), LIMITS)
    with nothing_left(), closing(program):
        program.start()
        with pytest.raises(PlayerFailed, match=r"no answer within 0\.2 s"):
            program.send("x" * 1_000_000, Deadline.within(0.2))


def test_limits_are_checked() -> None:
    with pytest.raises(ValueError, match="expected memory_mb above 0, got -1"):
        open_player("true", protocol="json", limits=Limits(memory_mb=-1))
