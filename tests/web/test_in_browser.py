"""The table of questions in the worker of a page without a server."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from noughts.web import in_browser
from noughts.web.in_browser import BrowserWorker, Reply, RunningQuestion, constant_answers

PATIENCE_SECONDS = 60.0


def ask(name: str, /, **request: Any) -> Any:
    """Return the answer to a question, which must have one."""
    reply = ask_for_reply(name, **request)
    assert not reply.error
    return json.loads(reply.text)


def ask_for_reply(name: str, /, **request: Any) -> Reply:
    worker = BrowserWorker()
    return finish(worker, worker.ask(name, json.dumps(request), len))


@contextmanager
def interrupting(worker: BrowserWorker) -> Iterator[None]:
    """A thread in place of the core's calls to ``interrupt``."""
    done = threading.Event()

    def interrupt() -> None:
        while not done.wait(0.01):
            worker.interrupt()

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join(PATIENCE_SECONDS)


def finish(worker: BrowserWorker, running: RunningQuestion) -> Reply:
    """Work on a question until it replies."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    with interrupting(worker):
        while (reply := running.work()) is None:
            assert time.monotonic() < deadline
    return reply


def test_constant_answers_are_those_of_the_table_and_of_a_page_without_a_server() -> None:
    texts = constant_answers()
    about = json.loads(texts.pop("about"))
    assert (about["has_friends"], about["checks_proofs"], about["is_local"]) == (False, True, False)
    assert texts == {name: ask_for_reply(name).text for name in ("catalogue", "puzzles")}


@pytest.mark.parametrize(
    ("name", "request_data", "error"),
    [
        ("daily_puzzle", {"date": "x"}, "expected a date such as 2026-11-16, got 'x'"),
        ("position", {"game": "3x3", "moves": [4, 4]}, "move 2: b2 is taken by X"),
        ("move", {"game": "3x3", "moves": [0, 3, 1, 4, 2]}, "the game is over"),
        ("move", {"game": "3x3", "seconds": 20}, "expected at most 10 for 'seconds', got 20"),
    ],
)
def test_wrong_request_is_refused_in_one_line(name: str, request_data: dict[str, Any], error: str) -> None:
    reply = ask_for_reply(name, **request_data)
    assert (reply.error, reply.text, reply.has_failed) == (error, "", False)


def test_mistake_in_the_program_is_one_line_and_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("spam")

    monkeypatch.setattr(in_browser, "read", fail)
    reply = ask_for_reply("position", game="3x3")
    assert (reply.has_failed, reply.error) == (True, "something went wrong on this page; reload it and try again")
    assert "KeyError" in caplog.text


def test_analysis_has_turns_and_reports_that_never_become_shallower() -> None:
    worker, reports = BrowserWorker(), list[Any]()
    body = json.dumps({"game": "15x15:5", "moves": [112, 113], "seconds": 0.4})
    running = worker.ask("analyse", body, lambda text: reports.append(json.loads(text)))
    reply = finish(worker, running)
    last = json.loads(reply.text)
    depths = [report["depth"] for report in (*reports, last)]
    assert depths == sorted(depths)
    assert last["reason"] == "limit"
    assert reply.seconds >= 0.4
    assert len(reports) <= 15 * reply.seconds + 2


def test_analysis_in_turns_proves_what_the_solver_needs_several_turns_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_browser, "TURN_SECONDS", 0.02)
    analysis = ask("analyse", game="5x5:4", seconds=20.0, lines=1)
    assert (analysis["reason"], analysis["moves"][0]["value"]) == ("proven", "draw")


def test_stopped_analysis_answers_with_the_best_moves_so_far() -> None:
    worker = BrowserWorker()
    running = worker.ask("analyse", json.dumps({"game": "15x15:5", "seconds": 60}), len)
    with interrupting(worker):
        assert running.work() is None
    running.stop()
    found = json.loads(finish(worker, running).text)
    assert (found["reason"], len(found["moves"])) == ("stopped", 3)


def test_proof_continues_in_turns() -> None:
    assert ask("solve", game="4x4", seconds=20)["value"] == "draw"


# Saved games


def save(request: object, id: int = 1, old: object = None, now: str = "2026-11-17T10:00:00Z") -> Any:
    return ask("change_game", id=id, request=request, old=old, now=now)


def test_saved_game_has_a_summary_and_can_be_shown() -> None:
    record = save({"game": "4x4x4", "moves": [0, 1], "x": "you", "o": "hard", "time_control": "5+3"})
    summary = record["summary"]
    assert (summary["title"], summary["plies"], summary["outcome"]) == ("Qubic", 2, None)
    shown = ask("show_game", **record)
    assert (shown["id"], shown["cells"], shown["tags"]["O"]) == (1, [0, 1], "hard")
    assert shown["tags"]["Date"] == "2026.11.17"


def test_saved_game_is_changed_until_it_is_finished() -> None:
    record = save({"game": "3x3", "moves": [0, 3, 1, 4]})
    record = save({"game": "3x3", "moves": [0, 3, 1, 4, 2]}, old=record, now="2026-11-17T11:00:00Z")
    assert record["summary"]["started"] < record["summary"]["updated"]
    assert record["summary"]["outcome"]["winner"] == "X"
    assert save({"game": "3x3", "moves": [0, 3, 1, 4, 2]}, old=record, now="later") == record
    for other, error in (("3x3", "game 1 is finished"), ("4x4", "game 1 has other rules")):
        change = {"id": 1, "request": {"game": other, "moves": [0]}, "old": record, "now": "later"}
        assert ask_for_reply("change_game", **change).error.startswith(error)
