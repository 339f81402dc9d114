"""On a system without POSIX signals, fork and their modules, noughts plays; missing features are reported in one line.

Windows is simulated: a fresh interpreter loses those modules and names before it imports noughts.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from noughts.cli.main import COMMANDS
from terminals import environment

WITHOUT_POSIX = """
import os, select, signal, subprocess, sys
for name in ("fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty"):
    sys.modules[name] = None
names = {
    signal: ("SIGALRM", "SIGCONT", "SIGHUP", "SIGKILL", "SIGSTOP", "SIGUSR1", "setitimer", "ITIMER_REAL", "alarm"),
    os: ("fork", "forkpty", "getpgid", "getuid", "killpg", "sched_getaffinity", "setpgid", "setsid"),
    select: ("poll",),
}
for module, missing in names.items():
    for name in missing:
        if hasattr(module, name):
            delattr(module, name)
from noughts.cli import main
"""
RUN = f"{WITHOUT_POSIX}\nmain()"
ALL_HELP = f"""{WITHOUT_POSIX}
for words in sys.argv[1:]:
    sys.argv = ["noughts", *words.split(), "--help"]
    try:
        main()
    except SystemExit as left:
        assert left.code == 0, words
"""


def run_without_posix(program: str, data: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        input=typed,
        capture_output=True,
        text=True,
        env=environment(data),
        timeout=120,
        check=False,
    )


def test_every_command_shows_its_help(tmp_path: Path) -> None:
    commands = [*COMMANDS, "arena run", "arena check", "classic ultimate", "games resume"]
    done = run_without_posix(ALL_HELP, tmp_path, *commands)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Usage: noughts ") == len(commands)


def test_a_game_with_clocks_is_played_to_its_end_and_saved(tmp_path: Path) -> None:
    typed = "b2\na1\na3\nc1\nb1\nb3\nc3\na2\nc2\nquit\n"
    done = run_without_posix(RUN, tmp_path, "play", "3x3", "--o", "friend", "--clock", "5+3", typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    assert "A draw." in done.stdout
    assert "draw" in run_without_posix(RUN, tmp_path, "games").stdout


ONE_LINE = "noughts: running bots as programs needs Linux or macOS: this system has no process groups\n"


@pytest.mark.parametrize(
    "words",
    [
        ("arena", "run", "--bot", "easy", "--bot", "random"),
        ("arena", "list"),
        ("play", "3x3", "--o", "bot:python3 mybot.py"),
        ("play", "3x3", "--x", "ugi:engine"),
    ],
    ids=lambda words: " ".join(words[:2]) + " " + words[-1],
)
def test_commands_that_need_other_programs_say_so_in_one_line(words: tuple[str, ...], tmp_path: Path) -> None:
    done = run_without_posix(RUN, tmp_path, *words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", ONE_LINE)


def test_doctor_says_what_is_missing(tmp_path: Path) -> None:
    done = run_without_posix(RUN, tmp_path, "doctor")
    assert done.returncode == 0, done.stdout
    assert "missing  programs" in done.stdout
    assert "time-outs are noticed only at the next line" in done.stdout


SOCKETS_ONLY = """
import select
def select_of_sockets(*_):
    raise OSError("an operation was attempted on something that is not a socket")
select.select = select_of_sockets
"""


@pytest.mark.parametrize(("words", "answers"), [(("-",), 2), ((), 1)])
def test_solve_reads_a_pipe_that_it_cannot_wait_for_only_where_it_is_asked_to(
    words: tuple[str, ...], answers: int, tmp_path: Path
) -> None:
    done = run_without_posix(SOCKETS_ONLY + RUN, tmp_path, "solve", "3x3", *words, typed="3/1x1/3 o\n3/3/3 x\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("draw") == answers
