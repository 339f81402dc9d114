"""Searches cope with threads, forks, signals and the end of the process. Each test runs a program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs POSIX processes")

REPEATS = 3 if os.environ.get("NOUGHTS_SLOW") else 1
IMPORTS = "import os, sys, threading, time\nimport noughts as no\nfrom noughts import _core\n"
SECONDS = 60
"""Limit for a program that takes about one second on an idle machine."""


def run(program: str, seconds: float = SECONDS) -> subprocess.CompletedProcess[str]:
    # Since Python 3.12, to fork while threads run gives this warning; the tests show that the core survives it.
    words = [sys.executable, "-W", "ignore:This process:DeprecationWarning", "-c", IMPORTS + textwrap.dedent(program)]
    return subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False)


def assert_quiet(done: subprocess.CompletedProcess[str]) -> None:
    assert (done.returncode, done.stderr) == (0, ""), f"{done.returncode}: {done.stdout}{done.stderr}"


GOMOKU = "no.Game('15x15:5').start()"
LONG_CALLS = {
    "search": f"no.Engine(hash_mb=1).analyse({GOMOKU}, no.Limit(seconds=600))",
    "search with two threads": f"no.Engine(threads=2, hash_mb=1).analyse({GOMOKU}, no.Limit(seconds=600))",
    "search that reports": f"no.Engine(hash_mb=1).analyse({GOMOKU}, no.Limit(seconds=600), progress=id)",
    "solve": f"no.solve({GOMOKU}, no.Limit(seconds=600), memory_mb=16)",
    "solve to the end": "no.solve(no.Game('connect4').start(), no.Limit(seconds=600), memory_mb=16)",
    "plain search": f"_core.fixed_depth_best_moves({GOMOKU}, 32, None)",
    "perft": f"{GOMOKU}.perft(40)",
    "symmetries": "[_core.Symmetry(no.Game('2x2x2x2x2x2x2x2')._core, []) for _ in range(1000)]",
    "playthroughs": "_core._time_playthroughs(no.Game('3x3').start(), [[0, 1, 2]], 2**31 - 1)",
}
MANY_CALLS = f"[no.Engine(hash_mb=1).search({GOMOKU}, no.Limit(nodes=50)) for _ in iter(int, 1)]"


@pytest.mark.parametrize("call", [*LONG_CALLS.values(), MANY_CALLS], ids=[*LONG_CALLS, "one search after another"])
def test_python_ends_while_a_daemon_thread_is_in_the_core(call: str) -> None:
    program = f"""
        thread = threading.Thread(target=lambda: {call}, daemon=True)
        thread.start()
        time.sleep(0.2)
        print("ends", flush=True)
    """
    for _ in range(REPEATS):
        done = run(program)
        assert_quiet(done)
        assert done.stdout == "ends\n"


def test_handlers_at_exit_can_still_search_and_join_a_searching_thread() -> None:
    program = """
        import atexit
        def finish():
            engine.stop()
            thread.join(20)
            print("joined", not thread.is_alive(), no.Engine(hash_mb=1).search(position, no.Limit(depth=2)).depth)
        position, engine, started = no.Game("15x15:5").start(), no.Engine(hash_mb=1), threading.Event()
        def analyse():
            engine.analyse(position, no.Limit(seconds=600), progress=lambda found: started.set())
        thread = threading.Thread(target=analyse, daemon=True)
        thread.start()
        started.wait(30)
    """
    before = "import atexit\natexit.register(lambda: finish())\n"  # registered first, so called after the core's own
    source = before + IMPORTS + textwrap.dedent(program)
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=SECONDS, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "joined True 2\n", "")


FORKING = """
    def in_child(work):
        child = os.fork()
        if child == 0:
            try:
                work()
                os._exit(0)
            except BaseException as error:
                print(type(error).__name__, error, flush=True)
                os._exit(3)
        for _ in range(2500):
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
        os.kill(child, 9)
        os.waitpid(child, 0)
        return "hangs"

    position = no.Game("ultimate").start()
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_child_forked_during_a_search_can_search_with_the_same_engine_and_with_its_own(threads: int) -> None:
    program = f"""
        {FORKING}
        engine = no.Engine(threads={threads}, hash_mb=1)
        started = threading.Event()
        def analyse():
            engine.analyse(position, no.Limit(seconds=600), progress=lambda found: started.set())
        thread = threading.Thread(target=analyse)
        thread.start()
        started.wait(30)
        for _ in range({REPEATS}):
            print(in_child(lambda: engine.search(position, no.Limit(depth=3))))
            print(in_child(lambda: engine.clear()))
            print(in_child(lambda: no.Engine(threads=2, hash_mb=1).search(position, no.Limit(depth=3))))
        engine.stop()
        thread.join()
        print(engine.search(position, no.Limit(depth=3)).depth)
    """.replace(FORKING, textwrap.indent(textwrap.dedent(FORKING), " " * 8).lstrip())
    done = run(program)
    assert_quiet(done)
    assert done.stdout.split() == [*["0"] * 3 * REPEATS, "3"]


@pytest.mark.parametrize("threads", [1, 2])
def test_callback_of_a_search_can_fork(threads: int) -> None:
    program = f"""
        parent, children = os.getpid(), []
        def fork_once(result):
            if os.getpid() == parent and not children:
                children.append(os.fork())
        engine = no.Engine(threads={threads}, hash_mb=1)
        found = engine.search(no.Game("ultimate").start(), no.Limit(depth=4), progress=fork_once)
        engine.search(no.Game("ultimate").start(), no.Limit(depth=3))
        if os.getpid() != parent:
            os._exit(0 if found.depth == 4 else 4)
        print(os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]))
    """
    for _ in range(REPEATS):
        done = run(program)
        assert_quiet(done)
        assert done.stdout == "0\n"


def test_child_forked_during_a_solve_is_told_to_make_a_new_solver() -> None:
    program = f"""
        {FORKING}
        from noughts.proof.solver import Solver
        solver, started = Solver(no.Game("gomoku").start(), memory_mb=16), threading.Event()
        arguments = (no.Limit(seconds=600), lambda found: started.set())
        thread = threading.Thread(target=solver.solve, args=arguments)
        thread.start()
        started.wait(30)
        print(in_child(lambda: solver.solve(no.Limit(nodes=10))))
        print(in_child(lambda: no.solve(no.Game("4x3:3").start())))
        solver.stop()
        thread.join()
    """.replace(FORKING, textwrap.indent(textwrap.dedent(FORKING), " " * 8).lstrip())
    done = run(program)
    assert_quiet(done)
    told = "RuntimeError this solver was running when the process was forked; make a new Solver here"
    assert done.stdout.splitlines() == [told, "3", "0"]


def test_child_of_a_searching_parent_exits_without_waiting_for_it() -> None:
    program = """
        engine, searching = no.Engine(hash_mb=1), threading.Event()
        arguments = (no.Game("15x15:5").start(), no.Limit(seconds=600), 1, lambda found: searching.set())
        thread = threading.Thread(target=engine.analyse, args=arguments)
        thread.start()
        searching.wait(30)
        started = time.monotonic()
        child = os.fork()
        if child == 0:
            sys.exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(code, time.monotonic() - started < 4.5)
        engine.stop()
    """
    done = run(program)
    assert_quiet(done)
    assert done.stdout == "0 True\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a limit on address space")
def test_engine_whose_threads_cannot_be_started_says_so_and_searches_later() -> None:
    program = """
        import resource
        if _core.SANITIZED:
            print("OSError cannot start 256 threads: as expected\\n2")
            sys.exit()
        position, small = no.Game("3x3").start(), no.Engine(hash_mb=1, book=False)
        engine = no.Engine(threads=256, hash_mb=1, book=False)
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        before = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (used + (400 << 20), before[1]))
        for _ in range(3):
            try:
                engine.search(position, no.Limit(depth=3))
            except OSError as error:
                print(type(error).__name__, error)
        print(small.search(position, no.Limit(depth=2)).depth)
    """
    done = run(program)
    assert_quiet(done)
    *errors, last = done.stdout.splitlines()
    assert errors
    assert all(line.startswith("OSError cannot start 256 threads: ") for line in errors)
    assert last == "2"


def interrupted_after(call: str) -> tuple[float, int]:
    """Return how many seconds after Ctrl-C a call ended, and with what code."""
    program = f"""
import signal, sys, threading
import noughts as no
from noughts import _core
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    sys.exit(42)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        code = process.wait(SECONDS)
        return time.monotonic() - sent, code


@pytest.mark.parametrize("name", LONG_CALLS)
def test_ctrl_c_ends_every_long_call(name: str) -> None:
    seconds, code = interrupted_after(LONG_CALLS[name])
    assert code == 42
    assert seconds < 5  # on an idle machine 0.1; a call that does not answer takes minutes
