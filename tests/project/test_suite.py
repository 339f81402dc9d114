"""The suite itself: it runs the same in the background, ends a test that hangs, and leaves nothing running."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from paths import HELPERS, ROOT, TESTS
from processes import command_of

SECONDS = 120
"""For a whole run of pytest on a busy machine."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells what is left")


def run(
    folder: Path, source: str, *options: str, ignoring: str = "", runner: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a test file under our settings, in a shell that ignores some signals."""
    for path in (TESTS / "conftest.py", HELPERS / "processes.py"):
        shutil.copy(path, folder)
    (folder / "test_it.py").write_text(source)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "xdist", "--rootdir", str(folder)]
    command += ["-c", str(ROOT / "pyproject.toml"), *options, "test_it.py"]
    shell = ["bash", "-c", f'trap "" {ignoring}; exec "$@"', "bash"] if ignoring else []
    shell += [str(runner)] if runner else []
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    return subprocess.run(
        [*shell, *command], cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )


DISPOSITIONS = """\
import signal
import subprocess
import sys

HANDLERS = "import signal; print(*map(signal.getsignal, (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)))"


def check():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    said = subprocess.run([sys.executable, "-c", HANDLERS], capture_output=True, text=True, timeout=60).stdout
    assert "default_int_handler" in said
    assert "SIG_IGN" not in said


def test_first():
    check()
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def test_after_one_that_changed_them():
    check()
"""


@pytest.mark.parametrize("workers", ["0", "1"])
def test_ignored_signals_are_not_inherited_by_tests_and_what_they_start(tmp_path: Path, workers: str) -> None:
    done = run(tmp_path, DISPOSITIONS, "-n", workers, ignoring="INT HUP TERM")
    assert (done.returncode, "2 passed" in done.stdout) == (0, True), done.stdout


HANGING = """\
import subprocess


def test_that_waits_for_ever():
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.read()


def test_that_follows():
    pass
"""


def test_hanging_test_fails_under_its_name_and_the_next_one_runs(tmp_path: Path) -> None:
    done = run(tmp_path, HANGING, "-o", "test_seconds=2")
    assert done.returncode == 1
    assert "Failed: test_it.py::test_that_waits_for_ever took longer than 2 s" in done.stdout
    assert "1 failed, 1 passed" in done.stdout


STUCK = """\
import ctypes


def test_that_never_comes_back_to_python():
    ctypes.PyDLL(None).sleep(600)


def test_that_follows():
    pass
"""


def test_test_that_cannot_be_stopped_ends_its_process_with_a_traceback(tmp_path: Path) -> None:
    done = run(tmp_path, STUCK, "-n", "1", "-o", "test_seconds=2", "-o", "test_grace=1")
    assert done.returncode == 1
    assert "in test_that_never_comes_back_to_python" in done.stderr
    assert "crashed while running 'test_it.py::test_that_never_comes_back_to_python'" in done.stdout
    assert "1 failed, 1 passed" in done.stdout


LEAVING = """\
import os
import subprocess


def test_that_leaves_a_process():
    inner = "sleep 60 >/dev/null 2>&1 & echo $! >left"
    subprocess.run(["setsid", "sh", "-c", inner], check=True, timeout=60)
    assert os.path.exists("left")
"""


def test_process_left_running_fails_the_run_and_is_ended(tmp_path: Path) -> None:
    done = run(tmp_path, LEAVING, "-n", "1", "-o", "test_grace=1")
    left = (tmp_path / "left").read_text().strip()
    assert "1 passed" in done.stdout
    assert f"{left} sleep 60, started by test_it.py::test_that_leaves_a_process (call)" in done.stdout
    assert done.returncode == 1
    assert command_of(int(left)) == ""


MARKED = """\
import subprocess

import pytest


def start():
    subprocess.run(["true"], check=True, timeout=60)


class Starter:
    def start(self):
        return start()


@pytest.fixture
def started():
    start()


def test_that_uses_a_function():
    start()


def test_that_uses_a_class():
    Starter().start()


def test_that_uses_a_fixture(started):
    pass


@pytest.mark.slow
def test_that_is_slow():
    pass


def test_that_is_plain():
    pass
"""


def test_tests_are_marked_by_the_code_they_use(tmp_path: Path) -> None:
    done = run(tmp_path, MARKED, "--collect-only", "-m", "not processes and not slow")
    assert "test_it.py::test_that_is_plain\n\n1/5 tests collected (4 deselected)" in done.stdout


RUN_TESTS = ROOT / "tools" / "run-tests"
UNSTEADY = """\
from pathlib import Path


def test_that_fails_the_first_time():
    is_second = Path("second").exists()
    Path("second").touch()
    assert is_second


def test_that_passes():
    pass
"""


def test_settings_of_the_suite_apply() -> None:
    words = [
        str(RUN_TESTS),
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-o",
        "testpaths=tests/page/test_javascript.py",
    ]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr


def test_test_that_fails_beside_others_and_passes_alone_passes_the_run(tmp_path: Path) -> None:
    done = run(tmp_path, UNSTEADY, "-n", "1", runner=RUN_TESTS)
    assert done.returncode == 0, done.stdout
    assert "1 failed, 1 passed" in done.stdout
    assert done.stdout.endswith(
        "passed alone: test_it.py::test_that_fails_the_first_time (1 recorded)\n2 passed, 0 failed, 1 repeated\n"
    )


def test_test_that_was_repeated_in_three_runs_is_to_be_repaired(tmp_path: Path) -> None:
    name = "test_it.py::test_that_fails_the_first_time"
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "flaky.json").write_text(json.dumps({name: 2}))
    done = run(tmp_path, UNSTEADY, runner=RUN_TESTS)
    assert f"\nREPAIR THIS TEST, it was repeated in 3 runs: {name}\n" in done.stdout
    assert json.loads((tmp_path / "build" / "flaky.json").read_text()) == {name: 3}


def test_test_that_fails_twice_fails_the_run(tmp_path: Path) -> None:
    done = run(tmp_path, f"{UNSTEADY}\n\ndef test_that_fails():\n    assert False\n", runner=RUN_TESTS)
    assert done.returncode == 1
    assert "passed alone: test_it.py::test_that_fails_the_first_time (1 recorded)\n" in done.stdout
    assert done.stdout.endswith("2 passed, 1 failed, 2 repeated\n")
    assert "failed twice: test_it.py::test_that_fails\n" in done.stdout


@pytest.mark.parametrize(
    ("source", "options", "status"),
    [
        pytest.param("import os\n\n\ndef test_that_crashes():\n    os._exit(1)\n", ("-n", "1"), 1, id="crash"),
        pytest.param("assert False\n", (), 2, id="collection"),
        pytest.param("assert False\n", ("-n", "1"), 1, id="collection by a worker"),
        pytest.param("def test_that_is_interrupted():\n    raise KeyboardInterrupt\n", (), 2, id="interrupted"),
        pytest.param(
            "import pytest\n\n\n@pytest.mark.parametrize('n', range(6))\ndef test(n):\n    assert False\n",
            (),
            1,
            id="many",
        ),
    ],
)
def test_other_failures_are_not_repeated(tmp_path: Path, source: str, options: tuple[str, ...], status: int) -> None:
    done = run(tmp_path, source, *options, runner=RUN_TESTS)
    assert done.returncode == status, done.stdout
    assert "alone" not in done.stdout


def is_endless(call: ast.Call) -> bool:
    """Whether a call seems to wait for another thread or process without a limit."""
    name = ast.unparse(call.func)
    if any(word.arg in ("timeout", None) for word in call.keywords):
        return False
    if name in ("subprocess.run", "subprocess.check_output", "subprocess.check_call"):
        return True
    return name.rpartition(".")[2] in ("communicate", "join", "wait", "result") and not call.args


def endless_waits(source: str) -> list[int]:
    """The lines of a module's waits without a limit."""
    found = filter(is_endless, (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)))
    return [call.lineno for call in found]


def test_waits_without_a_limit_are_seen() -> None:
    source = "process.wait()\nthread.join(5)\nsubprocess.run([])\n', '.join(words)\nrun.communicate(timeout=3)"
    assert endless_waits(source) == [1, 3]


def test_every_wait_in_the_tests_has_a_limit() -> None:
    paths = [*TESTS.glob("*.py"), *TESTS.glob("*/*.py")]
    found = {path.name: endless_waits(path.read_text(encoding="utf-8")) for path in paths}
    assert {name: lines for name, lines in found.items() if lines} == {}
