"""Calls in other processes: results and errors return, and a worker that dies is replaced."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from mocks import nothing_left
from noughts.process.tasks import LocalTasks, TaskError, open_tasks, report_progress, run_tasks


def double(number: int) -> int:
    print("a stray print is not an answer")
    return 2 * number


def fail(number: int) -> int:
    raise FileNotFoundError(2, "no such file", f"{number}.txt")


def die_once(mark: Path) -> str:
    """Kill the own process, but not a second time."""
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def die(number: int) -> None:
    os._exit(1)


def test_all_calls_are_made_and_their_results_return() -> None:
    with nothing_left():
        tasks = open_tasks("local:2", double)
        assert dict(run_tasks(tasks, ((number, (number,)) for number in range(20)))) == {n: 2 * n for n in range(20)}


def test_exception_of_the_function_is_raised_here() -> None:
    with nothing_left(), pytest.raises(FileNotFoundError) as caught:
        list(run_tasks(LocalTasks[int](fail, 1), [(7, (7,))]))
    assert caught.value.filename == "7.txt"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_call_of_a_killed_worker_is_made_again(tmp_path: Path) -> None:
    with nothing_left():
        calls = [(name, (tmp_path / name,)) for name in ("a", "b")]
        assert dict(run_tasks(LocalTasks[str](die_once, 2), calls)) == {"a": "done", "b": "done"}


def test_call_in_which_every_worker_dies_is_given_up() -> None:
    tasks = LocalTasks[int](die, 1, lambda number: f"task {number}")
    with nothing_left(), pytest.raises(TaskError, match="the worker died 3 times in task 5"):
        list(run_tasks(tasks, [(5, (5,))]))


class Counter:
    """Counts its calls, and reports each before it waits for a signal or returns."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, is_last: bool) -> int:
        self.calls += 1
        report_progress(self.calls)
        if is_last:
            signal.sigwait([signal.SIGTERM])
        return self.calls


def test_process_keeps_the_state_of_its_function_and_reports_progress() -> None:
    with nothing_left(), closing(LocalTasks[str](Counter(), 1)) as tasks:
        tasks.submit("first", False)
        while not (results := tasks.collect()):
            pass
        assert (results, tasks.progress) == ([("first", 1)], [])
        tasks.submit("second", True)
        while not tasks.progress:
            assert tasks.collect() == []
        assert tasks.progress == [2]


def test_calls_in_progress_end_when_the_tasks_are_closed() -> None:
    with nothing_left(), closing(LocalTasks[int](signal.sigwait, 1)) as tasks:
        tasks.submit(1, [signal.SIGTERM])
        assert tasks.free == 0


# A cluster


class FakeRay(ModuleType):
    """A cluster that makes a call when its result is asked for; the first ``deaths`` calls lose their workers."""

    exceptions = SimpleNamespace(RayError=OSError, RayTaskError=ArithmeticError)

    def __init__(self, deaths: int) -> None:
        super().__init__("ray")
        self.deaths = deaths

    def is_initialized(self) -> bool:
        return True

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def remote(self, **options: object) -> Callable[[Callable[..., object]], object]:
        return lambda function: SimpleNamespace(remote=lambda *arguments: partial(function, *arguments))

    def wait(self, refs: list[object], num_returns: int, timeout: float) -> tuple[list[object], list[object]]:
        return refs[:num_returns], refs[num_returns:]

    def get(self, ref: Callable[[], object]) -> object:
        if self.deaths:
            self.deaths -= 1
            raise OSError("a node\nwas switched off")
        return ref()


def test_tasks_of_a_cluster_are_submitted_again_when_their_workers_die(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", FakeRay(deaths=5))
    tasks = open_tasks("ray", double)
    assert tasks.free == 4
    assert dict(run_tasks(tasks, ((number, (number,)) for number in range(20)))) == {n: 2 * n for n in range(20)}


@pytest.mark.parametrize(
    ("function", "deaths", "message"),
    [
        (double, 10, "the worker died 10 times in 5: was switched off"),
        (partial(divmod, 1, 0), 0, "a worker of the cluster failed: "),
    ],
)
def test_failure_of_a_cluster_ends_the_tasks(
    function: Callable[..., object], deaths: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", FakeRay(deaths))
    with pytest.raises(TaskError, match=message):
        list(run_tasks(open_tasks("ray", function), [(5, (5,) if deaths else ())]))


@pytest.mark.parametrize("size", [0, 1025])
def test_number_of_processes_is_bounded(size: int) -> None:
    with pytest.raises(ValueError, match=f"expected 1 to 1024 processes, got {size}"):
        LocalTasks(double, size)
