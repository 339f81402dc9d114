"""Bots in bubblewrap: its protections, and the messages if it is missing."""

from __future__ import annotations

import ast
import os
import pwd
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import venv
from contextlib import suppress
from pathlib import Path
from venv import EnvBuilder

import pytest

import noughts
from mocks import LIMITS, LONG_SECONDS, UNCONFINED, command, nothing_left
from noughts import Game, Limit, _core
from noughts.players import HostedPlayer, PlayerFailed, open_player
from noughts.process import seccomp
from noughts.process.program import Program
from noughts.process.sandbox import STRANGERS, Sandbox, why_no_sandbox
from noughts.process.visible_files import _parts_of, is_shared

WHY_NOT = why_no_sandbox()
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives up rights")
needs_bubblewrap = pytest.mark.skipif(WHY_NOT is not None, reason=WHY_NOT or "")


def play(bot: HostedPlayer) -> None:
    position = Game("3x3").start()
    while not position.is_over:
        position.play(bot.choose(position, Limit(seconds=LONG_SECONDS)))


def run_inside(code: str, folder: Path, sandbox: Sandbox = STRANGERS, *words: str) -> str:
    """Run a Python program in the sandbox and return its output."""
    return Program([sys.executable, "-c", code, *words], LIMITS, sandbox, folder).run(LONG_SECONDS).decode()


PROMISES = {
    "no file of the kernel can be written": "os.open('/proc/sys/kernel/core_pattern', os.O_WRONLY)",
    "no setting of memory can be written": "os.open('/proc/sys/vm/overcommit_memory', os.O_WRONLY)",
    "no limit of files can be written": "os.open('/proc/sys/fs/file-max', os.O_WRONLY)",
    "its own folder cannot be written": "os.open('cheat', os.O_WRONLY | os.O_CREAT)",
    "the root folder cannot be written": "os.open('/cheat', os.O_WRONLY | os.O_CREAT)",
    "devices cannot be made": "os.open('/dev/cheat', os.O_WRONLY | os.O_CREAT)",
    "passwords cannot be read": "open('/etc/shadow')",
    "users cannot be read": "open('/etc/passwd')",
    "other homes are not there": "os.listdir('/home')",
    "services of the host are not there": "os.listdir('/run')",
    "variable data of the host is not there": "os.listdir('/var')",
    "hardware is not there": "os.listdir('/sys')",
    "the network is closed": "socket.create_connection(('127.0.0.1', PORT), 2)",
    "the abstract sockets of the host are not there": "socket.socket(socket.AF_UNIX).connect(ABSTRACT)",
    "the sockets of virtual machines are closed": "socket.socket(40, socket.SOCK_STREAM)",
    "no address of the network can be had": "socket.create_server(('127.0.0.1', 0))",
    "netlink is closed": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "raw packets are closed": "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "the kernel's encryption is closed": "socket.socket(38, socket.SOCK_SEQPACKET)",
    "nothing can be mounted": "call('mount', b'none', b'/tmp', b'tmpfs', 0, None)",
    "nothing can be unmounted": "call('umount2', b'/tmp', 2)",
    "no namespace can be created": "call('unshare', 0x10000000)",
    "no process can be traced": "call('ptrace', 16, 1, 0, 0)",
    "no key ring can be read": "call('syscall', 250, 0, -3, 0)",
    "no BPF program can be loaded": "call('syscall', 321, 0, 0, 0)",
    "no io_uring can be made": "call('syscall', 425, 8, 0)",
    "no performance counter can be opened": "call('syscall', 298, 0, 0, -1, -1, 0)",
    "no page fault can be handled": "call('syscall', 323, 0)",
    "no secret memory can be had": "call('syscall', 447, 0)",
    "no System V memory can be had": "call('shmget', 0, 1 << 20, 0o1600)",
    "no semaphores can be had": "call('semget', 0, 1, 0o1600)",
    "no queue of the kernel can be had": "call('syscall', 240, b'x', 66, 0o600, None)",
    "no memory file can be hidden": "os.memfd_create('hoard')",
    "no page can be hidden in a pipe": "call('syscall', 278, 1, 0, 0, 0)",
    "no buffer of a socket can grow": "assert_in(True, [buffer_bytes() > 1 << 20])",
    "no more than 1024 files can be open": "[open('/dev/null') for _ in range(2000)]",
    "no message queue can be had": "call('msgget', 0, 0o1600)",
    "no other user can be chosen": "os.setuid(0)",
    "no group can be chosen": "os.setgroups([0])",
    "no process outside can be signalled": "os.kill(PARENT, 0)",
    "the environment of process 1 has no secret": "assert_in(b'hunter2', open('/proc/1/environ', 'rb').read())",
    "its own environment has no secret": "assert_in('hunter2', str(os.environ))",
    "no descriptor of the host is open": "assert_in(True, [int(name) > 3 for name in os.listdir('/proc/self/fd')])",
    "it is not root": "assert_in(0, [os.getuid(), os.geteuid(), os.getgid(), *os.getgroups()])",
    "it has no capability": "assert_in(False, [int(line.split()[1], 16) == 0 for line in capabilities()])",
    "no program gives it rights": "assert_in('NoNewPrivs:\\t0', open('/proc/self/status').read())",
    "it sees no other process": "assert_in(True, [sum(name.isdigit() for name in os.listdir('/proc')) > 5])",
}
"""What a program in the sandbox cannot do, and an attempt to do it. Never run outside: as root they would succeed."""
ATTEMPT = """
import ctypes, os, socket, sys
PORT, PARENT, ABSTRACT = int(sys.argv[1]), int(sys.argv[2]), "\\0" + sys.argv[3]
library = ctypes.CDLL(None, use_errno=True)
def call(name, *arguments):
    if getattr(library, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)
def assert_in(part, whole):
    if part not in whole:
        raise OSError("not there")
def capabilities():
    lines = open("/proc/self/status").read().splitlines()
    return [line for line in lines if line.startswith(("CapInh", "CapPrm", "CapEff", "CapAmb"))]
def buffer_bytes():
    a, b = socket.socketpair()
    a.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 << 20)
    return a.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
for line in ATTEMPTS:
    try:
        eval(line)
        print("possible")
    except OSError as error:
        print("refused", error)
"""


@needs_bubblewrap
def test_every_promise_of_the_sandbox_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET", "hunter2")
    code = ATTEMPT.replace("ATTEMPTS", repr([*PROMISES.values(), "os.open('/tmp/scratch', os.O_CREAT)"]))
    name = f"noughts-test-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("\0" + name)
        abstract.listen()
        words = [str(server.getsockname()[1]), str(os.getpid()), name]
        inside = run_inside(code, tmp_path, STRANGERS, *words)
    *kept, control = zip([*PROMISES, "control"], inside.splitlines(), strict=True)
    assert [promise for promise, line in kept if line == "possible"] == []
    assert control[1] == "possible"


@needs_bubblewrap
def test_program_may_use_its_folder_its_python_threads_and_scratch(tmp_path: Path) -> None:
    (tmp_path / "weights.txt").write_text("4")
    code = """
import os, subprocess, tempfile, threading
import noughts
thread = threading.Thread(target=print, args=("thread",)); thread.start(); thread.join()
print(open("weights.txt").read(), os.path.expanduser("~"), tempfile.mkstemp()[1].startswith("/tmp/"))
print(subprocess.run(["cat", "weights.txt"], capture_output=True, text=True).stdout)
"""
    assert run_inside(code, tmp_path) == "thread\n4 /tmp True\n4\n"


@needs_bubblewrap
def test_scratch_folders_hold_a_bounded_amount(tmp_path: Path) -> None:
    code = """
for folder in ("/tmp", "/dev/shm"):
    try:
        for number in range(40):
            open(f"{folder}/{number}", "wb").write(bytes(3 << 20))
        print("endless")
    except OSError as error:
        print(error.strerror)
"""
    assert run_inside(code, tmp_path) == "No space left on device\n" * 2


@needs_bubblewrap
def test_socket_that_a_strangers_command_names_is_out_of_reach(tmp_path: Path) -> None:
    """A socket in the file system is not part of the network, and works on a read-only file system, too."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as outside, socket.socket(socket.AF_UNIX) as server:
        name = f"{outside}/s"
        server.bind(name)
        server.listen()
        code = f"import socket\ntry:\n  socket.socket(socket.AF_UNIX).connect({name!r}); print('escaped')"
        code += "\nexcept OSError as error: print(error.strerror)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
        assert done.stdout == "escaped\n"
        for sandbox in (STRANGERS, Sandbox()):
            assert run_inside(code, tmp_path, sandbox, name) == "No such file or directory\n"


@needs_bubblewrap
def test_organiser_makes_files_readable_and_a_strangers_command_does_not(tmp_path: Path) -> None:
    folder, neighbour = tmp_path / "mine", tmp_path / "neighbour"
    folder.mkdir()
    neighbour.mkdir()
    (neighbour / "key").write_text("secret")
    code = f"import os; print(os.path.exists({str(neighbour / 'key')!r}))"
    assert run_inside(code, folder, STRANGERS, str(neighbour / "key")) == "False\n"
    assert run_inside(code, folder, Sandbox(), str(neighbour / "key")) == "True\n"
    readable = Sandbox(readable=(str(neighbour),), trusts_command=False)
    assert run_inside(code, folder, readable) == "True\n"


SHOW = "import os, sys; print(*sorted(os.listdir(sys.argv[-1])) if os.path.isdir(sys.argv[-1]) else ['nothing'])"


def listing(place: Path, folder: Path, *words: str) -> str:
    """Return the files that a program of yours sees in a folder."""
    (folder / "show.py").write_text(SHOW)
    program = Program([sys.executable, "show.py", *words, str(place)], LIMITS, Sandbox(), folder)
    return program.run(LONG_SECONDS).decode().rstrip()


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """The folder of a bot, and another one with a key, a script and a list."""
    folder, other = tmp_path / "bot", tmp_path / "other"
    folder.mkdir()
    other.mkdir()
    for name in ("key", "script.py", "list"):
        (other / name).write_text("")
    return folder, other


@needs_bubblewrap
def test_command_shows_the_folder_of_a_script_but_no_neighbour_of_another_file(folders: tuple[Path, Path]) -> None:
    folder, other = folders
    assert listing(other, folder) == "nothing"
    assert listing(other, folder, f"{other}/list") == "list"
    assert listing(other, folder, f"{other}/script.py") == "key list script.py"


@needs_bubblewrap
def test_link_in_the_folder_of_a_bot_shows_nothing_even_if_the_command_names_it(folders: tuple[Path, Path]) -> None:
    folder, other = folders
    (folder / "weights").symlink_to(other / "key")
    (folder / "model.py").symlink_to(other / "script.py")
    (folder / "data").symlink_to(other)
    assert listing(other, folder, "weights", "model.py", "data/key", "data/script.py") == "nothing"


@needs_bubblewrap
def test_link_to_a_program_outside_is_refused(folders: tuple[Path, Path]) -> None:
    folder, other = folders
    (other / "tool").write_text("#!/bin/sh\n")
    (other / "tool").chmod(0o755)
    (folder / "bot").symlink_to(other / "tool")
    with pytest.raises(PlayerFailed, match="tool lies outside its sandbox; --readable makes more files visible"):
        Program("./bot", LIMITS, Sandbox(), folder).start()


@needs_bubblewrap
@pytest.mark.parametrize("command", ["./python3 bot.py", "python3 bot.py", "sh bot.py"])
def test_program_of_a_bot_never_runs_outside(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither to find out about a Python, nor because the search path has the current folder."""
    proof = tmp_path / "escaped"
    folder = tmp_path / "bot"
    folder.mkdir()
    for name in ("python3", "sh", "bwrap", "setpriv", "prlimit"):
        (folder / name).write_text(f"#!/bin/sh\necho >> {proof}\n")
        (folder / name).chmod(0o755)
    (folder / "bot.py").write_text("")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", f".::{os.environ['PATH']}")
    why_no_sandbox.cache_clear()
    with suppress(PlayerFailed):
        Program(command, LIMITS, Sandbox(), folder).run(LONG_SECONDS)
    assert not proof.exists()


@needs_bubblewrap
def test_strangers_command_is_the_first_that_the_sandbox_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Version managers put scripts before the programs of the system, which find nothing in the sandbox."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "echo").write_text("#!/bin/sh\n")
    (tmp_path / "bin" / "echo").chmod(0o755)
    (tmp_path / "own").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert Program("echo hello", LIMITS, STRANGERS, tmp_path / "own").run(LONG_SECONDS) == b"hello\n"
    assert Program("echo hello", LIMITS, Sandbox(), tmp_path / "own").run(LONG_SECONDS) == b""


@needs_bubblewrap
def test_virtual_environment_beside_a_bot_works(tmp_path: Path) -> None:
    venv.create(tmp_path / "own" / ".venv", symlinks=True)
    (tmp_path / "own" / "bot.py").write_text("import sys; print(sys.prefix)")
    program = Program(".venv/bin/python bot.py", LIMITS, Sandbox(), tmp_path / "own")
    assert program.run(LONG_SECONDS).decode() == f"{tmp_path / 'own' / '.venv'}\n"


@needs_bubblewrap
def test_folder_or_file_with_an_odd_name_is_no_option(tmp_path: Path) -> None:
    folder = tmp_path / "--bind / : $(id) \n x"
    (folder / "--reuid=0").mkdir(parents=True)
    bot = folder / "--reuid=0" / "-c 'b\n:o\"t"
    bot.write_text('#!/bin/sh\ntest "$(id -u)" -ne 0 && echo "$1"\n')
    bot.chmod(0o755)
    for sandbox in (STRANGERS, Sandbox()):
        program = Program([str(bot.relative_to(folder)), "--x\ny"], LIMITS, sandbox, folder)
        assert program.run(LONG_SECONDS) == b"--x\ny\n"


@needs_bubblewrap
def test_home_of_another_user_is_too_much_to_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/nowhere")
    assert is_shared(Path("/home/ann"))
    assert is_shared(Path(pwd.getpwuid(0).pw_dir))
    assert not is_shared(Path("/home/ann/bots"))


def test_python_installed_in_a_home_shows_no_more_than_its_programs_and_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bin", "lib", "Documents"):
        (tmp_path / name).mkdir()
    assert _parts_of(tmp_path) == [tmp_path]
    monkeypatch.setenv("HOME", str(tmp_path))
    assert _parts_of(tmp_path) == [tmp_path / "bin", tmp_path / "lib"]


@needs_bubblewrap
def test_module_beside_a_python_player_takes_no_place_of_ours(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import own\ndef choose(position, limit):\n    return own.MOVE\n")
    (tmp_path / "own.py").write_text("MOVE = 8\n")
    for name in ("noughts", "json", "io"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('in place of ours')\n")
    for spec in (f"{tmp_path / 'mine.py'}:choose", "mine:choose"):
        with open_player(spec, folder=tmp_path) as bot:
            assert bot.choose(Game("3x3").start(), Limit(seconds=10)) == 8


@as_root
def test_programs_of_root_run_as_different_users(tmp_path: Path) -> None:
    ids = {Program(["id", "-u"], LIMITS, each, tmp_path).run(LONG_SECONDS) for each in (STRANGERS, Sandbox.off()) * 2}
    assert len(ids) == 4


@needs_bubblewrap
def test_kernel_bounds_the_processes_of_each_program_by_themselves(tmp_path: Path) -> None:
    """So that a swarm is stopped before it is counted, and leaves other programs theirs."""
    code = "import resource; print(*resource.getrlimit(resource.RLIMIT_NPROC))"
    assert run_inside(code, tmp_path) == f"{4 * 40} {4 * 40}\n"
    assert LIMITS.processes == 40


@needs_bubblewrap
def test_command_of_a_program_in_a_shared_folder_shows_only_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "bot.py").write_text("import os, sys; print(os.listdir(os.path.dirname(sys.argv[0])))")
    (tmp_path / "diary.txt").write_text("secret")
    program = Program([sys.executable, str(tmp_path / "bot.py")], LIMITS, Sandbox(), tmp_path)
    assert program.run(LONG_SECONDS) == b"['bot.py']\n"


@needs_bubblewrap
def test_programs_run_from_a_checkout_below_a_closed_folder(tmp_path: Path) -> None:
    """noughts and its Python lie where only their owner may go; a player in Python uses both."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    EnvBuilder().create(closed / "venv")
    (packages,) = (closed / "venv" / "lib").glob("python3*/site-packages")
    shutil.copytree(Path(noughts.__file__).parent, packages / "noughts", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(str(_core.__file__), packages / "noughts")
    bot = tmp_path / "bot.py"
    bot.write_text("import noughts\ndef choose(position, limit):\n    return position.legal_moves[-1]\n")
    code = f"""
import noughts
from noughts.players import open_player
with open_player({f"{bot}:choose"!r}) as player:
    print(noughts.__file__, player.choose(noughts.Game("3x3").start(), noughts.Limit(seconds={LONG_SECONDS})))
"""
    words = [str(closed / "venv" / "bin" / "python"), "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == (f"{packages}/noughts/__init__.py 8\n", "")


@needs_bubblewrap
@as_root
@pytest.mark.parametrize("closed", ["the folder", "its parent", "the file"])
def test_root_runs_programs_of_folders_that_are_closed_to_others(closed: str, tmp_path: Path) -> None:
    folder = tmp_path / "parent" / "folder"
    folder.mkdir(parents=True)
    (folder / "bot.py").write_text("import os; print(os.getuid() > 1000, open('bot.py').read()[:6])")
    for path, mode in ((folder.parent, 0o755), (folder, 0o755), (folder / "bot.py", 0o644)):
        path.chmod(mode)
    {"the folder": folder, "its parent": folder.parent, "the file": folder / "bot.py"}[closed].chmod(0o700)
    for sandbox in (STRANGERS, Sandbox()):
        program = Program([sys.executable, "bot.py"], LIMITS, sandbox, folder)
        assert program.run(LONG_SECONDS) == b"True import\n"


@as_root
def test_root_gives_up_its_rights_without_a_sandbox_too(tmp_path: Path) -> None:
    script = '#!/bin/sh\ntest $(id -u) -gt 1000 && echo user\ncat "$1"\ncat /etc/shadow 2>/dev/null || echo closed\n'
    (tmp_path / "bot.sh").write_text(script)
    (tmp_path / "bot.sh").chmod(0o700)
    (tmp_path / "data").write_text("mine\n")
    for program in ("./bot.sh", str(tmp_path / "bot.sh")):
        found = Program([program, str(tmp_path / "data")], LIMITS, Sandbox.off(), tmp_path).run(LONG_SECONDS)
        assert found == b"user\nmine\nclosed\n"
    found = Program(["id", "-u"], LIMITS, Sandbox.off(allow_root=True), tmp_path).run(LONG_SECONDS)
    assert found == b"0\n"


@as_root
def test_program_that_nobody_may_run_needs_a_permission_to_run_as_root(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o700)
    (tmp_path / "closed" / "bot").write_text("#!/bin/sh\n")
    (tmp_path / "closed" / "bot").chmod(0o755)
    program = Program([str(tmp_path / "closed" / "bot")], LIMITS, Sandbox.off(), Path("/"))
    with pytest.raises(PlayerFailed, match=r"may not run .*; --allow-root lets them run as root"):
        program.start()


def test_missing_tool_to_give_up_rights_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.process.sandbox.is_root", lambda: True)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ValueError, match=r"no util-linux \(setpriv\); --allow-root lets them run as root"):
        open_player("true", protocol="json", sandbox=Sandbox.off())


def test_environment_is_an_allow_list_without_a_sandbox_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET", "hunter2")
    code = "import os; print(sorted(os.environ))"
    program = Program([sys.executable, "-c", code], LIMITS, UNCONFINED, environment={"NOUGHTS_SEED": "7"})
    names = ast.literal_eval(program.run(LONG_SECONDS).decode())
    assert "MY_SECRET" not in names
    assert {"PATH", "NOUGHTS_SEED"} <= set(names)


def test_filter_knows_the_numbers_of_the_system_calls() -> None:
    """They are compared with the kernel's own header, where it is installed."""
    headers = {0: "/usr/include/x86_64-linux-gnu/asm/unistd_64.h", 1: "/usr/include/asm-generic/unistd.h"}
    others = {"clone": seccomp.CLONE, "clone3": seccomp.CLONE3, "ioctl": seccomp.IOCTL, "socket": seccomp.SOCKET}
    for column, header in headers.items():
        if not Path(header).exists():
            continue
        known = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", Path(header).read_text()))
        for name, numbers in {**seccomp.REFUSED, **others}.items():
            if numbers[column] is not None and name in known:
                assert numbers[column] == int(known[name]), (name, header)


def test_filter_is_made_for_each_known_machine_and_no_other() -> None:
    assert {len(program) % 8 for name in seccomp.MACHINES if (program := seccomp.filter_program(name))} == {0}
    assert seccomp.filter_program("vax") is None


@needs_bubblewrap
@pytest.mark.parametrize("name", ["no-such-program", "./bot", "/etc/passwd"])
def test_missing_program_fails_to_start_in_the_sandbox_too(name: str, tmp_path: Path) -> None:
    with nothing_left(), open_player(name, protocol="json", folder=tmp_path) as bot:
        with pytest.raises(PlayerFailed, match=f"cannot start {name}") as caught:
            bot.choose(Game("3x3").start(), Limit(seconds=5))
        assert caught.value.reason == "start"


@needs_bubblewrap
@pytest.mark.parametrize("way", ["kill-both-supervisors", "stop-both-supervisors"])
def test_bot_in_the_sandbox_cannot_reach_the_processes_that_watch_it(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_MOCK_FILE", "/tmp/lock")
    with nothing_left(), open_player(command(way), protocol="json", limits=LIMITS) as bot:
        play(bot)


@needs_bubblewrap
def test_program_in_its_folder_plays_in_the_sandbox(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text('#!/bin/sh\nread -r line\necho \'{"move": "b2"}\'\nread -r line\n')
    (tmp_path / "bot").chmod(0o755)
    with nothing_left(), open_player("./bot", protocol="json", folder=tmp_path) as bot:
        assert bot.choose(Game("3x3").start(), Limit(seconds=5)) == 4


def test_missing_bubblewrap_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    why_no_sandbox.cache_clear()
    try:
        with pytest.raises(ValueError, match=r"the sandbox needs bubblewrap \(bwrap\), which is not installed"):
            open_player("true", protocol="json")
    finally:
        why_no_sandbox.cache_clear()


def test_bubblewrap_that_does_not_work_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: no permission' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    why_no_sandbox.cache_clear()
    try:
        assert why_no_sandbox() == "the sandbox does not work: bwrap: no permission"
    finally:
        why_no_sandbox.cache_clear()
