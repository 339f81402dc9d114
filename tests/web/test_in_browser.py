"""The server's answers without a server, as a page in a browser's worker asks for them."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fastapi.testclient import TestClient
from noughts.web.local import Reply, Thinker, Thought, answer

from noughts.web.app import make_app
from noughts.web.limits import Settings

PATIENCE_SECONDS = 60.0
LINE = {"game": "3x3", "moves": ["b2", 0]}


def ask(method: str, path: str, body: object = None) -> tuple[int, Any]:
    status, text = answer(method, path, "" if body is None else json.dumps(body))
    return status, json.loads(text)


def think(thinker: Thinker, name: str, body: object, report: Callable[[str], object] = len) -> tuple[int, Any]:
    thought = thinker.ask(name, json.dumps(body), report)
    status, text = finish(thinker, thought)
    return status, json.loads(text)


@contextmanager
def interrupting(thinker: Thinker) -> Iterator[None]:
    """A thread in place of the core's calls to ``interrupt``."""
    done = threading.Event()

    def interrupt() -> None:
        while not done.wait(0.01):
            thinker.interrupt()

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join(PATIENCE_SECONDS)


def finish(thinker: Thinker, thought: Thought) -> Reply:
    """Call a thought until it replies."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    with interrupting(thinker):
        while (reply := thought.think()) is None:
            assert time.monotonic() < deadline
    return reply


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/catalogue", None),
        ("GET", "/api/puzzles", None),
        ("GET", "/api/puzzles/daily?date=2026-11-16", None),
        ("POST", "/api/game", {"game": "4x4x4+gravity"}),
        ("POST", "/api/position", LINE),
        ("POST", "/api/setup", {"game": "3x3", "cells": "X...O...."}),
        ("POST", "/api/export", LINE | {"tags": {"X": "Ann"}, "format": "sgf"}),
        ("POST", "/api/import", {"text": '[Game "3x3"]\n\n1. b2 *\n'}),
        ("POST", "/api/position", {"game": "nonsense"}),
        ("POST", "/api/position", LINE | {"moves": [4, 4]}),
        ("POST", "/api/position", LINE | {"moves": {}}),
        ("POST", "/api/position", {"moves": []}),
        ("POST", "/api/game", {"game": "3x3", "extra": 1}),
    ],
)
def test_answers_are_those_of_the_server(server: TestClient, method: str, path: str, body: object) -> None:
    response = server.request(method, path, json=body)
    assert ask(method, path, body) == (response.status_code, response.json())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with TestClient(
        make_app(Settings(store=tmp_path_factory.mktemp("web") / "store")), base_url="http://localhost"
    ) as it:
        yield it


def test_page_without_a_server_has_no_friends_and_checks_proofs() -> None:
    status, about = ask("GET", "/api/about")
    assert (status, about["has_friends"], about["checks_proofs"], about["is_local"]) == (200, False, True, False)
    assert [ask("POST", path, {})[0] for path in ("/api/friends", "/api/nowhere")] == [404, 404]


def test_date_must_be_one() -> None:
    assert ask("GET", "/api/puzzles/daily?date=x") == (
        422,
        {"error": "expected a date such as 2026-11-16, got 'x'"},
    )


def test_mistake_in_the_program_is_one_line_and_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("spam")

    monkeypatch.setattr("noughts.web.local._find", fail)
    assert ask("GET", "/api/about")[0] == 500
    assert "KeyError" in caplog.text


# Questions to the engine


def test_engine_moves_and_hints() -> None:
    thinker = Thinker()
    status, move = think(thinker, "move", {"game": "3x3", "moves": [0, 4, 1], "level": "master"})
    assert (status, move["move"]) == (200, 2)
    status, hint = think(thinker, "hint", {"game": "3x3", "moves": [0, 4, 1], "seconds": 0.2})
    assert (status, hint["move"]) == (200, 2)


def test_question_about_a_finished_game_is_refused() -> None:
    over = {"game": "3x3", "moves": [0, 3, 1, 4, 2]}
    assert think(Thinker(), "move", over) == (422, {"error": "the game is over"})


def test_analysis_has_turns_and_reports_that_never_become_shallower() -> None:
    thinker, reports = Thinker(), list[Any]()
    body = json.dumps({"game": "15x15:5", "moves": [112, 113], "seconds": 1.0})
    thought = thinker.ask("analyse", body, lambda text: reports.append(json.loads(text)))
    with interrupting(thinker):
        assert thought.think() is None
    last = json.loads(finish(thinker, thought).text)
    depths = [report["depth"] for report in (*reports, last)]
    assert depths == sorted(depths)
    assert (last["done"], last["reason"]) == (True, "time")
    assert len(reports) <= 1.0 / (1 / 15) + 2


def test_analysis_in_turns_proves_what_the_solver_needs_several_turns_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.web.local.TURN_SECONDS", 0.02)
    status, analysis = think(Thinker(), "analyse", {"game": "5x5:4", "seconds": 20.0, "lines": 1})
    assert (status, analysis["reason"], analysis["lines"][0]["worth"]["value"]) == (200, "proven", "draw")


def test_stopped_analysis_answers_with_what_it_has() -> None:
    thinker = Thinker()
    thought = thinker.ask("analyse", json.dumps({"game": "15x15:5", "seconds": 60}), len)
    with interrupting(thinker):
        assert thought.think() is None
    thought.stop()
    reply = json.loads(finish(thinker, thought).text)
    assert (reply["reason"], len(reply["lines"])) == ("stopped", 3)


def test_solve_continues_in_turns() -> None:
    status, solution = think(Thinker(), "solve", {"game": "4x4", "seconds": 20})
    assert (status, solution["value"]) == (200, "draw")


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("trace", LINE | {"moves": ["b2", 0, 1, 7], "replay": True}),
        ("compare", LINE | {"moves": [4, 0, 1, 7], "seconds": 0.5}),
        ("learn", {"game": "3x3", "playthroughs": 100}),
        ("review", {"game": "3x3", "moves": [4, 0, 1, 7, 2], "seconds": 0.5}),
        ("puzzle", {"game": "3x3", "moves": [0, 4, 8]}),
    ],
)
def test_other_questions_are_answered_in_one_turn(name: str, body: object) -> None:
    assert think(Thinker(), name, body)[0] == 200


# Saved games


def save(request: object, id: int = 1, old: object = None, now: str = "2026-11-17T10:00:00Z") -> tuple[int, Any]:
    return ask("POST", "/api/games/change", {"id": id, "request": request, "old": old, "now": now})


def test_saved_game_has_a_summary_and_can_be_shown() -> None:
    status, record = save({"game": "4x4x4", "moves": [0, 1], "x": "you", "o": "hard", "time_control": "5+3"})
    summary = record["summary"]
    assert (status, summary["title"], summary["plies"], summary["outcome"]) == (200, "Qubic", 2, None)
    status, shown = ask("POST", "/api/games/show", record)
    assert (status, shown["id"], shown["moves"], shown["tags"]["O"]) == (200, 1, [0, 1], "hard")
    assert shown["tags"]["Date"] == "2026.11.17"


def test_saved_game_is_changed_until_it_is_finished() -> None:
    _, record = save({"game": "3x3", "moves": [0, 3, 1, 4]})
    _, record = save({"game": "3x3", "moves": [0, 3, 1, 4, 2]}, old=record, now="2026-11-17T11:00:00Z")
    assert record["summary"]["started"] < record["summary"]["updated"]
    assert record["summary"]["outcome"]["winner"] == "X"
    assert save({"game": "3x3", "moves": [0, 3, 1, 4, 2]}, old=record, now="later") == (200, record)
    assert save({"game": "3x3", "moves": [0]}, old=record)[0] == 409
    assert save({"game": "4x4", "moves": [0]}, old=record)[0] == 409
