"""Bots that fail in different ways: ``python mock.py WAY``. They speak JSON lines; good ones play the first move."""

from __future__ import annotations

import fcntl
import json
import mmap
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

MAP_NORESERVE = 0x4000


def questions() -> Iterator[dict[str, list[str]]]:
    for line in sys.stdin:
        yield json.loads(line)


def answer(move: object) -> None:
    print(json.dumps({"move": move}), flush=True)


def play(until: int = 10_000) -> None:
    """Answer a number of questions with the first legal move."""
    if until:
        for number, question in enumerate(questions(), 1):
            answer(question["legal"][0])
            if number == until:
                return


def next_question() -> dict[str, list[str]]:
    return next(questions(), {"legal": []})


def forever(data: bytes, fd: int = 1) -> None:
    while True:
        os.write(fd, data)


def in_child(task: Callable[[], object], session: bool = False) -> None:
    if os.fork() == 0:
        if session:
            os.setsid()
        task()
        os._exit(0)


def crash_at_start() -> None:
    print("cannot find my opening book", file=sys.stderr)
    sys.exit(3)


def crash_in_the_middle() -> None:
    play(2)
    next_question()
    raise RuntimeError("no idea what to do")


def segfault() -> None:
    play(1)
    next_question()
    os.kill(os.getpid(), signal.SIGSEGV)


def segfault_at_once() -> None:
    next_question()
    os.kill(os.getpid(), signal.SIGSEGV)


def complain() -> None:
    """Fail at a question because of a bug in the bot."""
    question = next_question()
    answer(question.text("b2"))  # type: ignore[attr-defined]


def leave() -> None:
    play(1)
    next_question()


def hang() -> None:
    next_question()
    time.sleep(600)


def spin() -> None:
    next_question()
    while True:
        pass


def slow() -> None:
    question = next_question()
    time.sleep(1.5)
    answer(question["legal"][0])
    time.sleep(600)


def deaf() -> None:
    time.sleep(600)


def illegal() -> None:
    play(1)
    for question in questions():
        answer(question["moves"][0])


ANSWERS = {
    "nowhere": b'{"move": "z99"}',
    "number-for-a-move": b'{"move": [1, 2]}',
    "garbage": b"I think the centre is nice",
    "binary": bytes(range(256)) * 4,
    "nested": b'{"move": ' + b"[" * 30_000,
    "huge-number": b'{"move": ' + b"9" * 30_000 + b"}",
    "half-a-character": b'{"move": "\\ud800"}',
}
"""Answers to the first question that are not legal moves."""


def answer_once(line: bytes) -> None:
    next_question()
    os.write(1, line + b"\n")
    time.sleep(600)


def flood_a_line() -> None:
    next_question()
    forever(b"x" * 65536)


def flood_lines() -> None:
    next_question()
    print("thinking", flush=True)
    forever(b"still thinking\n" * 1000)


def flood_before_asked() -> None:
    forever(b"hello\n" * 10_000)


def flood_stderr() -> None:
    next_question()
    forever(b"debug " * 10_000 + b"\n", fd=2)


def chatty_stderr() -> None:
    for question in questions():
        os.write(2, b"considering everything\n" * 20_000)
        answer(question["legal"][0])


def close_stdout() -> None:
    next_question()
    os.close(1)
    time.sleep(600)


def fork_children() -> None:
    for _ in range(5):
        in_child(lambda: time.sleep(600))
    play()


def daemonise() -> None:
    in_child(lambda: in_child(lambda: time.sleep(600), session=True), session=True)
    play()


def leave_to_a_child() -> None:
    """End, with a child that keeps the output open."""
    next_question()
    in_child(lambda: time.sleep(600), session=True)
    sys.exit(0)


def attack(number: int, generations: int) -> None:
    """Leave a child without the mark in its environment, send a signal to the nearest ancestors, then play."""
    lock = os.open(os.environ["LC_MOCK_FILE"], os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)  # held until the last process that has the file open is gone
    os.set_inheritable(lock, True)
    sleep = [sys.executable, "-S", "-E", "-c", "import time; time.sleep(600)"]
    reads, writes = os.pipe()
    in_child(lambda: os.execve(sys.executable, sleep, {}), session=True)
    os.close(writes)
    os.read(reads, 1)  # until the child has become another program, which closes its end
    for pid in ancestors(generations):
        with suppress(PermissionError):  # of a process of root, in the sandbox
            os.kill(pid, number)
    play()
    time.sleep(600)


def ancestors(generations: int) -> list[int]:
    """The processes above, the highest first; in a PID namespace there is only one."""
    found = [os.getppid()]
    while len(found) < generations:
        with open(f"/proc/{found[0]}/stat") as file:
            parent = int(file.read().rpartition(")")[2].split()[1])
        if parent == 0:
            break
        found.insert(0, parent)
    return found


ATTACKS = {
    "hide-a-child": (0, 1),
    "kill-the-parent": (signal.SIGKILL, 1),
    "kill-both-supervisors": (signal.SIGKILL, 2),
    "stop-the-parent": (signal.SIGSTOP, 1),
    "stop-both-supervisors": (signal.SIGSTOP, 2),
}
"""The signal of each attack, and how many ancestors it is sent to; signal 0 does no harm."""


def ignore_signals() -> None:
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    play()
    time.sleep(600)


def twice() -> None:
    for question in questions():
        line = json.dumps({"move": question["legal"][0]}) + "\n"
        os.write(1, (line + line).encode())


def hog_memory() -> None:
    next_question()
    hoard = []
    while True:
        hoard.append(bytearray(1 << 24))


def share_memory() -> None:
    """Allocate in several processes more memory than one process may."""
    next_question()

    def hold() -> None:
        hoard = bytearray(os.urandom(1 << 10) * (30 << 10))
        time.sleep(600 + len(hoard))

    for _ in range(8):
        in_child(hold)
    time.sleep(600)


def hog_shared_memory() -> None:
    """Allocate shared memory."""
    next_question()
    hoard = mmap.mmap(-1, 400 << 20)
    for at in range(0, len(hoard), mmap.PAGESIZE):
        hoard[at] = 1
    time.sleep(600)


def memory_file(name: str) -> int:
    """Open a new file in memory; in the sandbox it lies in a folder of limited size."""
    try:
        return os.memfd_create(name)
    except OSError:
        return os.open("/dev/shm", os.O_RDWR | os.O_TMPFILE)


def hog_memory_files() -> None:
    """Allocate memory that no process maps."""
    next_question()
    files = [memory_file("hoard") for _ in range(120)]
    for file in files:
        if os.write(file, bytes(3 << 20)) < 3 << 20:
            raise OSError("no memory is left")
    time.sleep(600)


def share_fairly() -> None:
    """Map the same memory in several processes: it counts once. So does a memory file that is mapped."""
    files = [memory_file("common") for _ in range(10)]
    for file in files:
        os.write(file, bytes(3 << 20))
    hoard = [mmap.mmap(-1, 60 << 20), *(mmap.mmap(file, 3 << 20) for file in files)]
    for each in hoard:
        each.write(b"x" * len(each))

    def hold() -> None:
        time.sleep(600 + sum(map(sum, (each[:: mmap.PAGESIZE] for each in hoard))))

    for _ in range(4):
        in_child(hold)
    time.sleep(1)
    play()


def fill_page_tables() -> None:
    """Read a byte here and there of much memory that is not there: the tables of the kernel are."""
    next_question()
    hoard = mmap.mmap(-1, 400 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE, mmap.PROT_READ)
    hoard.madvise(mmap.MADV_NOHUGEPAGE)
    for at in range(0, len(hoard), 2 << 20):
        hoard[at]
    time.sleep(600)


def fill(sender: socket.socket) -> None:
    """Send until nothing fits."""
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
    sender.setblocking(False)
    with suppress(BlockingIOError):
        while True:
            sender.send(bytes(1 << 16))


def fill_sockets() -> None:
    """Leave data in sockets, where it is memory of the kernel."""
    next_question()
    hoard = []
    for _ in range(500):
        hoard.append(socket.socketpair())
        fill(hoard[-1][0])
    time.sleep(600)


def leave_connections() -> None:
    """Leave data in connections that are never accepted."""
    next_question()
    server = socket.socket(socket.AF_UNIX)
    server.bind("\0noughts")
    server.listen(4096)
    for _ in range(2000):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect("\0noughts")
            fill(client)
    time.sleep(600)


def make_files() -> None:
    """Make empty files, each of which is memory of the kernel."""
    next_question()
    for number in range(60_000):
        os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))
    time.sleep(600)


def many_threads() -> None:
    next_question()
    threading.stack_size(1 << 16)
    while True:
        with suppress(RuntimeError):  # no more threads for now
            threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
        time.sleep(0.001)


def zombies() -> None:
    """Leave children that have ended."""
    next_question()
    while True:
        with suppress(BlockingIOError):  # no more processes for now
            in_child(lambda: None)
        time.sleep(0.001)


def odd_name() -> None:
    """Take a name that looks like lines of a file in /proc."""
    for name in (b"\x0cA: x kB", b"a) R 1 (b", b"\x85\nVmRSS: 1 kB"):
        with open("/proc/self/comm", "wb") as file:
            file.write(name)
        time.sleep(0.3)
    play()


def stop_itself() -> None:
    next_question()
    os.kill(os.getpid(), signal.SIGSTOP)


def trickle() -> None:
    """Write a byte now and then, and never a whole line."""
    next_question()
    while True:
        os.write(1, b"x")
        time.sleep(0.05)


def swarm() -> None:
    next_question()
    while True:
        with suppress(BlockingIOError):  # no more processes for now
            in_child(lambda: time.sleep(600))
        time.sleep(0.001)


def fill_disk() -> None:
    next_question()
    with open(os.environ["LC_MOCK_FILE"], "wb") as file:
        while True:
            file.write(b"x" * (1 << 20))


def good() -> None:
    play()


def main(way: str) -> None:
    if way in ANSWERS:
        answer_once(ANSWERS[way])
    elif way in ATTACKS:
        attack(*ATTACKS[way])
    else:
        globals()[way.replace("-", "_")]()


if __name__ == "__main__":
    main(sys.argv[1])
