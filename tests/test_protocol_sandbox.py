"""Bots in bubblewrap: its protections, and the messages if it is missing."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from mocks import ATTACKS, EXPECTED, LIMITS, LONG_SECONDS, command, nothing_left
from noughts import Game, Limit
from noughts.players import HostedPlayer, PlayerFailed, open_player
from noughts.process.sandbox import sandbox_command, why_no_sandbox

WHY_NOT = why_no_sandbox()
needs_bubblewrap = pytest.mark.skipif(WHY_NOT is not None, reason=WHY_NOT or "")
PRISONER = """
import ctypes, json, os, socket, sys
def remount():
    MS_REMOUNT, MS_BIND = 32, 4096
    if ctypes.CDLL(None).mount(b"none", b"/", None, MS_REMOUNT | MS_BIND, None):
        raise OSError("it may not")
def attempt(action):
    try:
        action()
    except OSError:
        return False
    return True
def fill(folder):
    for name in "ab":
        with open(f"{folder}/{name}", "wb") as file:
            file.write(bytes(40 << 20))
tried = {
    "network": attempt(lambda: socket.create_connection(("127.0.0.1", int(sys.argv[1])), 2)),
    "beside": attempt(lambda: open(sys.argv[2] + "/cheat", "w")),
    "home": attempt(lambda: open(os.path.expanduser("~/noughts-cheat"), "w")),
    "scratch": attempt(lambda: open("/tmp/scratch", "w").close()),
    "mount": attempt(remount),
    "memory": any(attempt(lambda: fill(folder)) for folder in ("/tmp", "/run", "/dev/shm")),
    "devices": attempt(lambda: open("/dev/cheat", "w")),
    "strangers": len([name for name in os.listdir("/proc") if name.isdigit()]) > 5,
}
print(json.dumps(tried), file=sys.stderr, flush=True)
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["legal"][0]}), flush=True)
"""


def play(bot: HostedPlayer) -> None:
    position = Game("3x3").start()
    while not position.is_over:
        position.play(bot.choose(position, Limit(seconds=LONG_SECONDS)))


@needs_bubblewrap
def test_sandbox_keeps_away_network_files_and_strangers(tmp_path: Path) -> None:
    (tmp_path / "prisoner.py").write_text(PRISONER)
    with socket.create_server(("127.0.0.1", 0)) as server, nothing_left():
        words = [sys.executable, str(tmp_path / "prisoner.py"), str(server.getsockname()[1]), str(tmp_path)]
        with open_player(words, protocol="json", sandbox=True) as bot:
            position = Game("3x3").start()
            while not position.is_over:
                position.play(bot.choose(position, Limit(seconds=10)))
            tried = json.loads(bot.stderr_tail.splitlines()[0])
    assert {what for what, was_possible in tried.items() if was_possible} == {"scratch"}
    assert [path.name for path in tmp_path.iterdir()] == ["prisoner.py"]


@needs_bubblewrap
@pytest.mark.skipif(not os.access("/run", os.W_OK), reason="only root may listen there")
def test_services_outside_the_sandbox_cannot_be_asked() -> None:
    """A socket in the file system is not part of the network, and works on a read-only file system, too."""
    name = f"/run/noughts-test-{os.getpid()}"
    code = f"import socket; socket.socket(socket.AF_UNIX).connect({name!r})"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        try:
            server.listen()
            words = [sys.executable, "-c", code]
            assert subprocess.run(words, timeout=60, check=False).returncode == 0
            locked = sandbox_command(words, Path("/"))
            inside = subprocess.run(locked, capture_output=True, text=True, timeout=60, check=False)
        finally:
            os.remove(name)
    assert "No such file" in inside.stderr


@needs_bubblewrap
@pytest.mark.parametrize("name", ["no-such-program", "./bot", "/etc/passwd"])
def test_missing_program_fails_to_start_in_the_sandbox_too(name: str, tmp_path: Path) -> None:
    with nothing_left(), open_player(name, protocol="json", sandbox=True, folder=tmp_path) as bot:
        with pytest.raises(PlayerFailed, match=f"cannot start {name}") as caught:
            bot.choose(Game("3x3").start(), Limit(seconds=5))
        assert caught.value.reason == "start"


@needs_bubblewrap
@pytest.mark.parametrize("way", ["close-stdout", "crash-at-start", "hog-shared-memory", "hog-memory-files", "segfault"])
def test_failure_has_the_same_reason_in_the_sandbox(way: str) -> None:
    with nothing_left(), open_player(command(way), protocol="json", limits=LIMITS, sandbox=True) as bot:
        with pytest.raises(PlayerFailed) as caught:
            play(bot)
        assert caught.value.reason == EXPECTED[way], str(caught.value)


@needs_bubblewrap
@pytest.mark.parametrize("way", ATTACKS)
def test_bot_in_the_sandbox_cannot_reach_the_processes_that_watch_it(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOCK_FILE", "/tmp/lock")
    with nothing_left(), open_player(command(way), protocol="json", limits=LIMITS, sandbox=True) as bot:
        play(bot)


@needs_bubblewrap
def test_program_in_its_folder_plays_in_the_sandbox(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text('#!/bin/sh\nread -r line\necho \'{"move": "b2"}\'\nread -r line\n')
    (tmp_path / "bot").chmod(0o755)
    with nothing_left(), open_player("./bot", protocol="json", sandbox=True, folder=tmp_path) as bot:
        assert bot.choose(Game("3x3").start(), Limit(seconds=5)) == 4


@needs_bubblewrap
def test_python_bot_plays_in_the_sandbox(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def choose(position, limit):\n    return position.legal_moves[-1]\n")
    with nothing_left(), open_player(f"{tmp_path / 'bot.py'}:choose", sandbox=True) as bot:
        assert bot.choose(Game("3x3").start(), Limit(seconds=10)) == 8


def test_missing_bubblewrap_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    why_no_sandbox.cache_clear()
    try:
        with pytest.raises(ValueError, match=r"sandbox needs bubblewrap \(bwrap\), which is not installed"):
            open_player("true", protocol="json", sandbox=True)
    finally:
        why_no_sandbox.cache_clear()


def test_bubblewrap_that_does_not_work_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: no permission' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    why_no_sandbox.cache_clear()
    try:
        assert why_no_sandbox() == "sandbox does not work: bwrap: no permission"
    finally:
        why_no_sandbox.cache_clear()
