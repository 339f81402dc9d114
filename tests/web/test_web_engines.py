"""The engines of the web server are processes: they can always be ended, and nothing else waits for them."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from noughts.ask import QUESTIONS, encode, read
from noughts.ask.analyse import AnalysisAnswer
from noughts.games import Side
from noughts.process.worker import WorkerProcess
from noughts.web.engine_process import MODULE, Ask, EngineProcess, EngineSettings, ProcessCounts
from noughts.web.errors import OutOfMemory, TookTooLong, WorkerLost
from noughts.web.workers import Task, WorkerPool
from processes import running_with
from waiting import wait_until, wait_until_async
from web_servers import TIMEOUT_SECONDS, open_socket, post, program, serving

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")
EASY_MOVE: dict[str, Any] = {"game": "3x3", "level": "easy"}


@contextmanager
def engine(
    counts: ProcessCounts | None = None, module: str = MODULE, **settings: Any
) -> Iterator[WorkerPool[EngineProcess]]:
    """A pool of one engine; it ends with the block."""
    pool = WorkerPool([EngineProcess(EngineSettings(**settings), counts or ProcessCounts(), module)])
    try:
        yield pool
    finally:
        pool.close()
        assert pool.join(TIMEOUT_SECONDS)


async def ask(
    pool: WorkerPool[EngineProcess],
    question: str = "move",
    seconds: float = 5.0,
    report: Callable[[str], object] = lambda _: None,
    before: Callable[[Task[EngineProcess]], object] = lambda _: None,
    after: Callable[[Task[EngineProcess]], object] = lambda _: None,
    **request: Any,
) -> Any:
    """Return the answer to a question; ``before`` and ``after`` are called in the thread of the engine."""

    def work(task: Task[EngineProcess]) -> str:
        before(task)
        answer = task.worker.ask(task, Ask(Ask.new_key(), question, json.dumps(request), seconds), report)
        after(task)
        return answer

    return json.loads(await asyncio.wait_for(pool.run("a", work, seconds=seconds), TIMEOUT_SECONDS))


def stop_process(pool: WorkerPool[EngineProcess]) -> int:
    """Stop the process of an engine, as if it hung in a computation; return its id."""
    (worker,) = pool.workers
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGSTOP)
    return worker.pid


def kill_process(pool: WorkerPool[EngineProcess]) -> None:
    """Kill the process of an engine, and wait until it has ended."""
    (worker,) = pool.workers
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    wait_until(lambda: not worker.is_started)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_engine_that_hangs_is_killed_and_replaced(caplog: pytest.LogCaptureFixture) -> None:
    counts = ProcessCounts()

    with engine(counts) as pool, pytest.MonkeyPatch.context() as patch:
        patch.setattr("noughts.web.engine_process.PREPARE_SECONDS", 0.2)
        assert (await ask(pool, **EASY_MOVE))["move"]
        hanging = stop_process(pool)
        with pytest.raises(TookTooLong):
            await ask(pool, seconds=0.1, **EASY_MOVE)
        assert (await ask(pool, **EASY_MOVE))["move"]
        assert not is_running(hanging)
    assert (counts.started, counts.ended) == (2, {"late": 1, "memory": 0, "crash": 0})
    assert "an engine did not stop in time and was killed: question move" in caplog.text


async def test_engine_that_hangs_after_its_client_left_is_killed() -> None:
    counts = ProcessCounts()

    with engine(counts) as pool:
        await ask(pool, **EASY_MOVE)
        stop_process(pool)
        left = asyncio.create_task(ask(pool, seconds=1000.0, **EASY_MOVE))
        await wait_until_async(lambda: pool.load().busy)
        left.cancel()
        assert (await ask(pool, **EASY_MOVE))["move"]
    assert counts.ended["late"] == 1


async def test_engine_that_crashes_is_replaced() -> None:
    counts = ProcessCounts()

    with engine(counts) as pool:
        with pytest.raises(WorkerLost):
            await ask(pool, "analyse", game="15x15:5+exact", moves=[0], report=lambda _: kill_process(pool))
        assert (await ask(pool, **EASY_MOVE))["move"]
    assert (counts.started, counts.ended) == (2, {"late": 0, "memory": 0, "crash": 1})


async def test_engine_that_dies_between_two_questions_is_replaced(caplog: pytest.LogCaptureFixture) -> None:
    counts = ProcessCounts()

    with engine(counts) as pool:
        await ask(pool, **EASY_MOVE)
        kill_process(pool)
        assert (await ask(pool, **EASY_MOVE))["move"]
    assert (counts.started, counts.ended) == (2, {"late": 0, "memory": 0, "crash": 1})
    assert "an engine crashed: between two questions" in caplog.text


async def test_question_whose_engine_dies_before_it_begins_is_asked_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = ProcessCounts()

    with engine(counts) as pool:
        await ask(pool, **EASY_MOVE)
        kill_process(pool)
        monkeypatch.setattr(WorkerProcess, "is_alive", True)  # as it seems until the system has ended it
        assert (await ask(pool, **EASY_MOVE))["move"]
    assert (counts.started, counts.ended) == (2, {"late": 0, "memory": 0, "crash": 1})


async def test_engine_killed_just_after_its_answer_is_replaced() -> None:
    counts = ProcessCounts()

    with engine(counts) as pool:
        assert (await ask(pool, after=lambda task: task.worker.kill(), **EASY_MOVE))["move"]
        assert (await ask(pool, **EASY_MOVE))["move"]
    assert (counts.started, counts.ended) == (2, {"late": 1, "memory": 0, "crash": 0})


async def test_engine_that_always_dies_before_it_begins_is_given_up() -> None:
    counts = ProcessCounts()

    with engine(counts, module="keyword") as pool, pytest.raises(WorkerLost):  # a module that does nothing
        await ask(pool, **EASY_MOVE)
    assert counts.ended["crash"] in (2, 3)  # the third one, if it has died before the second question


async def test_request_to_stop_while_the_engine_starts_is_not_lost() -> None:
    def stop(task: Task[EngineProcess]) -> None:
        task.is_stopped = True
        task.interrupt()

    with engine() as pool:
        answer = await ask(pool, "analyse", 600.0, before=stop, game="15x15:5+exact", moves=[0])
        assert answer["reason"] == "stopped"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the memory")
async def test_memory_of_an_engine_is_bounded() -> None:
    counts = ProcessCounts()

    with engine(counts, memory_mb=200) as pool:
        with pytest.raises(OutOfMemory):
            await ask(pool, "solve", game="7x7:5")
        assert (await ask(pool, **EASY_MOVE))["move"]
    assert counts.ended["memory"] == 1


async def test_process_that_cannot_be_started_is_reported() -> None:
    with engine() as pool:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "executable", "/nowhere/python")
            with pytest.raises(WorkerLost):
                await ask(pool, **EASY_MOVE)
        assert not pool.is_working()
        assert (await ask(pool, **EASY_MOVE))["move"]
        assert pool.is_working()


async def test_analysis_that_continues_in_another_process_never_becomes_shallower() -> None:
    request = {"game": "15x15:5", "moves": [112, 96], "seconds": 0.1}
    deep = AnalysisAnswer(game="15x15:5", position="", turn=Side.X, depth=99, nodes=1, moves=(), reason="limit")

    def work(task: Task[EngineProcess]) -> str:
        ask = Ask(Ask.new_key(), "analyse", json.dumps(request), 0.1, encode(deep))
        return task.worker.ask(task, ask, lambda _: None)

    with engine() as pool:
        assert json.loads(await asyncio.wait_for(pool.run("a", work, seconds=5.0), TIMEOUT_SECONDS))["depth"] == 99


async def test_question_with_a_limit_in_nodes_alone_ends_when_its_time_is_up() -> None:
    for name, seconds in {"analyse": 60, "solve": 60, "review": 30, "hint": 10, "judge": 10, "move": 10}.items():
        question = QUESTIONS[name]
        assert question.prepare_public(read(question.request, {"game": "4x4", "nodes": 1000})).seconds == seconds
    with engine() as pool:
        large: dict[str, Any] = {"game": "20x20:5", "moves": [190, 211]}
        assert (await ask(pool, "analyse", 0.1, **large, nodes=10_000_000))["reason"] == "stopped"
        assert (await ask(pool, "solve", 0.1, **large, nodes=100_000_000))["value"] is None


def test_easy_move_does_not_wait_for_engines_that_never_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EngineProcess, "grace_seconds", 3 * TIMEOUT_SECONDS)
    with serving(tmp_path / "store.sqlite3", workers=2) as address, ThreadPoolExecutor() as threads:
        think = {"game": "15x15:5+exact", "moves": [0], "seconds": 0.5}
        warm = [threads.submit(post, address, "/api/move", **think) for _ in range(2)]
        assert all(request.result(TIMEOUT_SECONDS)["move"] for request in warm)
        for process in children():
            if os.getpriority(os.PRIO_PROCESS, process):  # those for long questions have a lower priority
                os.kill(process, signal.SIGSTOP)
        monkeypatch.setattr("noughts.web.engine_process.PREPARE_SECONDS", 0.2)
        hostile = [
            threads.submit(httpx.post, f"{address}/api/move", json=think, timeout=TIMEOUT_SECONDS * 3) for _ in range(3)
        ]
        assert post(address, "/api/move", **EASY_MOVE)["move"]
        assert not any(request.done() for request in hostile)
        monkeypatch.setattr(EngineProcess, "grace_seconds", 0.2)
        statuses = sorted(request.result(4 * TIMEOUT_SECONDS).status_code for request in hostile)
        assert statuses[1:] == [503, 503]  # the third one may get an engine that was replaced


def children() -> list[int]:
    """The processes that this one has started."""
    found = []
    for thread in threading.enumerate():
        with suppress(FileNotFoundError):  # the thread has ended
            found += Path(f"/proc/self/task/{thread.native_id}/children").read_text().split()
    return list(map(int, found))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_analysis_whose_engine_crashes_ends_with_one_error(tmp_path: Path) -> None:
    with serving(tmp_path / "store.sqlite3") as address:
        async with open_socket(address, "/api/think") as talk:
            await talk.send(type="analyse", id=1, game="15x15:5+exact", moves=[0], seconds=60)
            await talk.receive("progress")
            for process in children():
                os.kill(process, signal.SIGKILL)
            assert (await talk.receive("error"))["error"] == str(WorkerLost())
            assert (await talk.ask("answer", "error", type="analyse", id=2, game="3x3", seconds=1))["type"] == "answer"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_server_ends_with_its_engines_in_the_middle_of_work_that_cannot_be_interrupted(
    tmp_path: Path, number: signal.Signals
) -> None:
    with program(tmp_path) as (server, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", address)
        long = threading.Thread(target=ask_in_vain, args=(address,))
        long.start()
        wait_until(lambda: len(running_with(str(tmp_path))) >= 2)
        server.send_signal(number)
        _, complaints = server.communicate(timeout=TIMEOUT_SECONDS)
        long.join(TIMEOUT_SECONDS)
        wait_until(lambda: not running_with(str(tmp_path)))
    assert "Traceback" not in complaints
    if number is signal.SIGINT:
        assert (server.returncode, complaints.splitlines()[-1]) == (130, "interrupted")


def ask_in_vain(address: str) -> None:
    try:
        httpx.post(f"{address}/api/move", json={"game": "31x31:15", "seconds": 10}, timeout=TIMEOUT_SECONDS * 3)
    except httpx.HTTPError as error:
        logging.getLogger(__name__).info("the server has ended: %s", error)
