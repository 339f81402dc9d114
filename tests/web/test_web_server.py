"""The interface of the web server: the table of questions by REST and websocket, saved games, and the page."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest

from noughts import __version__
from noughts.analysis.puzzles import puzzle_of_day
from noughts.ask import QUESTIONS
from noughts.engine import LEVELS
from terminals import in_process
from web_servers import open_socket, post, refusal


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("game", {}, 422, "expected the field 'game'"),
        ("game", {"game": "3x3", "colour": 1}, 422, "unknown field 'colour'"),
        ("position", {"game": "3x3", "moves": ["b2", "b2"]}, 422, "move 2: b2 is taken by X"),
        ("move", {"game": "3x3", "seconds": 20}, 422, "expected at most 10 for 'seconds', got 20"),
        ("solve", {"game": "32x32:5"}, 422, "expected a board of at most 400 cells for solve, got 1024"),
        ("hint", {"game": "3x3", "moves": [4, 0, 2, 3, 6]}, 422, "the game is over"),
        ("games", {"game": "3x3", "key": "short"}, 422, "expected a text like"),
        ("games", {"game": "3x3", "result": {"reason": "resign"}}, 422, "expected a winner"),
        ("friends/nonsense/claim", {"invite": "x"}, 404, "there is no such friend game"),
        ("catalogue", {}, 405, "/api/catalogue does not support POST"),
    ],
)
def test_nonsense_gets_one_clear_line(server: str, path: str, body: Any, status: int, words: str) -> None:
    got, line = refusal(server, f"/api/{path}", **body)
    assert got == status
    assert words in line
    assert "\n" not in line


def test_request_that_is_not_a_json_object_gets_an_answer_that_says_what_to_send(server: str) -> None:
    for sent in ({"data": {"game": "3x3"}}, {"json": [1]}, {}):
        answer = httpx.post(f"{server}/api/game", **sent)
        assert answer.status_code == 422
        assert answer.json()["error"].startswith("expected a JSON object")


def test_broken_json_and_lone_surrogates_are_refused_in_one_line(server: str) -> None:
    for body in (b'{"game": ', b"\xff\xfe", b'{"game": "\\ud800"}', b"[" * 100_000, b"1" * 5000, b'{"game": NaN}'):
        answer = httpx.post(f"{server}/api/game", content=body, headers={"content-type": "application/json"})
        assert 400 <= answer.status_code < 500, body[:20]
        assert "\n" not in answer.json()["error"]


def test_question_without_a_body_is_asked_by_its_address(server: str) -> None:
    found = httpx.get(f"{server}/api/daily_puzzle", params={"date": "2026-11-16"})
    assert (found.status_code, found.json()["id"]) == (200, puzzle_of_day(date(2026, 11, 16)).id)
    for query, words in (
        ("", "expected the field 'date'"),
        ("?date=today", "expected a date such as 2026-11-16, got 'today'"),
        ("?date=2026-11-16&day=1", "unknown field 'day'"),
    ):
        refused = httpx.get(f"{server}/api/daily_puzzle{query}")
        assert (refused.status_code, refused.json()) == (422, {"error": words})


@pytest.mark.parametrize(("name", "fields"), [("position", {}), ("analyse", {"seconds": 0.3})])
def test_time_of_an_answer_stands_in_a_header(server: str, name: str, fields: dict[str, Any]) -> None:
    answer = httpx.post(f"{server}/api/{name}", json={"game": "9x9:5", **fields})
    assert answer.headers["content-type"] == "application/json"
    found = re.fullmatch(r"answer;dur=(\d+\.\d)", answer.headers["server-timing"])
    assert found is not None
    assert float(found[1]) >= 1000 * fields.get("seconds", 0)


def test_server_says_what_it_offers(server: str) -> None:
    about = httpx.get(f"{server}/api/about").json()
    assert (about["version"], about["api_version"]) == (__version__, 2)
    assert about["levels"] == list(LEVELS)
    assert {"text": "5+3", "seconds": 300, "increment": 3} in about["time_controls"]
    assert about["limits"].keys() == QUESTIONS.keys()
    assert about["limits"]["solve"] == {"seconds": 60, "nodes": 100_000_000, "cells": 400}
    assert (about["is_local"], about["has_friends"], about["checks_proofs"]) == (True, True, False)


def test_interface_is_described_with_every_question(server: str) -> None:
    described = httpx.get(f"{server}/openapi.json").json()
    schemas, paths = described["components"]["schemas"], described["paths"]
    for question in QUESTIONS.values():
        operation = paths[f"/api/{question.name}"]["get" if question.reads_query else "post"]
        assert operation["description"] == question.about
        assert question.answer.__name__ in schemas
        assert question.reads_query or question.request.__name__ in schemas
    (date,) = paths["/api/daily_puzzle"]["get"]["parameters"]
    assert (date["name"], date["in"], date["required"]) == ("date", "query", True)


def test_saved_games_are_listed_changed_and_deleted(server: str) -> None:
    number = post(server, "/api/games", game="3x3", moves=[4, 0], x="you", o="easy")["id"]
    address = f"{server}/api/games/{number}"
    changed = httpx.put(address, json={"game": "3x3", "moves": [4, 1, 2], "x": "you", "o": "easy"})
    assert changed.status_code == 200
    assert httpx.get(address).json()["cells"] == [4, 1, 2]
    ended = {"game": "3x3", "moves": [4, 1, 2, 3, 6], "x": "you", "o": "easy"}
    assert httpx.put(address, json=ended).status_code == 200
    listed = httpx.get(f"{server}/api/games", params={"game": "tictactoe"}).json()["games"]
    assert (listed[0]["id"], listed[0]["plies"], listed[0]["outcome"]["winner"]) == (number, 5, "X")
    assert httpx.get(f"{server}/api/games?unfinished=true").json()["games"] == []
    assert httpx.put(address, json={"game": "4x4", "moves": []}).status_code == 409
    assert httpx.put(address, json=ended).status_code == 200
    refused = httpx.put(address, json={"game": "3x3", "moves": [4, 1, 2]})
    assert refused.status_code == 409
    assert refused.json() == {"error": f"game {number} is finished and cannot be changed; save a new one"}
    assert httpx.get(address).json()["cells"] == [4, 1, 2, 3, 6]
    assert httpx.delete(address).status_code == 200
    assert httpx.get(address).status_code == 404
    assert httpx.delete(address).json() == {"error": f"there is no saved game {number}"}


def test_saved_games_keep_their_clocks(server: str) -> None:
    timed = {"game": "3x3", "x": "you", "o": "easy", "time_control": "5+3"}
    number = post(server, "/api/games", **timed, moves=[4, 0], clocks=[301.5, None])["id"]
    kept = f"{server}/api/games/{number}"
    assert httpx.put(kept, json={**timed, "moves": [4, 0, 8], "clocks": [301.5, None, 299.25]}).status_code == 200
    saved = httpx.get(kept).json()
    assert (saved["tags"]["TimeControl"], saved["clocks"]) == ("300+3", [301.5, None, 299.25])
    wrong = httpx.put(kept, json={**timed, "moves": [4, 0, 8], "clocks": [1]})
    assert (wrong.status_code, wrong.json()["error"]) == (422, "expected a clock for each of 3 moves, got 1")


async def test_live_analysis_streams_is_replaced_and_stopped(server: str) -> None:
    async with open_socket(server, "/api/think") as talk:
        await talk.send(type="analyse", id="a", game="5x5x5", seconds=30)
        assert (await talk.receive("progress"))["progress"]["reason"] is None
        await talk.send(type="analyse", id="b", game="5x5x5", moves=[0], lines=2, seconds=30)
        while (news := await talk.receive("progress"))["id"] != "b":
            pass
        assert len(news["progress"]["moves"]) == 2
        assert news["seconds"] > 0
        await talk.send(type="stop", id="b")
        last = await talk.receive("answer")
        assert (last["id"], last["answer"]["reason"]) == ("b", "stopped")
        assert last["seconds"] >= news["seconds"]


async def test_live_proof_reports_progress_and_is_stopped_with_the_bounds_so_far(server: str) -> None:
    async with open_socket(server, "/api/think") as talk:
        await talk.send(type="solve", id=1, game="8x8:5", seconds=30)
        progress = (await talk.receive("progress"))["progress"]
        assert progress["nodes"] > 0
        done = progress["done"]
        assert done is None or sorted(done) == [done[at] for at in (1, 0, 2)]
        began = time.perf_counter()
        await talk.send(type="stop", id=1)
        stopped = await talk.receive("answer")
        assert (stopped["id"], stopped["answer"]["value"]) == (1, None)
        assert time.perf_counter() - began < 20


async def test_question_without_partial_answers_is_stopped_without_an_answer(server: str) -> None:
    async with open_socket(server, "/api/think") as talk:
        await talk.send(type="review", id=1, game="qubic", moves=list(range(0, 40, 3)), seconds=30)
        await talk.receive("progress")
        await talk.send(type="stop", id=1)
        assert await talk.receive("answer", "stopped") == {"id": 1, "type": "stopped"}


async def test_live_review_reports_progress_and_errors_name_the_question(server: str) -> None:
    async with open_socket(server, "/api/think") as talk:
        await talk.send(type="review", id=7, game="4x4", moves=[0, 1, 2, 3, 4, 5], seconds=1)
        progress = await talk.receive("progress")
        assert (progress["id"], progress["progress"]["of"]) == (7, 7)
        assert len((await talk.receive("answer"))["answer"]["moves"]) == 6
        error = await talk.ask("error", type="analyse", id=8, game="3x3", moves=[4, 4])
        assert (error["id"], error["error"]) == (8, "move 2: b2 is taken by X")
        error = await talk.ask("error", type="dance", id=9)
        assert error["id"] == 9
        assert error["error"].startswith("expected 'catalogue', 'game', ")
        assert error["error"].endswith(" or 'stop' for 'type', got 'dance'")
        error = await talk.ask("error", type="position", game="3x3")
        assert (error["id"], error["error"]) == (None, "expected the field 'id'")


async def test_few_questions_are_open_at_a_time(server: str) -> None:
    async with open_socket(server, "/api/think") as talk:
        for id in range(8):
            await talk.send(type="solve", id=id, game="8x8:5", seconds=30)
        error = await talk.ask("error", type="solve", id=8, game="8x8:5")
        assert (error["id"], error["error"]) == (8, "at most 8 questions can be open; stop one first")


def test_page_is_served_compressed_and_only_when_it_has_changed(server: str) -> None:
    first = httpx.get(server)
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    assert first.headers["content-encoding"] == "gzip"
    again = httpx.get(server, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for path in ("/../app.py", "/..%2fapp.py", "/js/%00", "/app.py", "/nothing.js", "/js"):
        assert httpx.get(server + path).status_code == 404, path


async def test_huge_game_is_built_without_delaying_other_requests(server: str) -> None:
    async with httpx.AsyncClient(base_url=server, timeout=30) as client:
        await client.get("/api/about")
        huge = asyncio.create_task(client.post("/api/game", json={"game": "2x2x2x2x2x2x2x2"}))
        slowest, began = 0.0, time.perf_counter()
        while not huge.done():
            asked = time.perf_counter()
            assert (await client.get("/api/about")).status_code == 200
            slowest = max(slowest, time.perf_counter() - asked)
        assert (await huge).status_code == 200
        took = time.perf_counter() - began
    assert slowest < max(2.0, 0.8 * took)  # in the event loop it would have taken as long as the work


def test_port_that_is_taken_is_one_line(server: str, tmp_path: Path) -> None:
    port = server.rpartition(":")[2]
    done = in_process(tmp_path, "web", "--port", port, "--no-open")
    assert done.returncode == 2
    assert done.stderr == f"noughts: cannot listen on 127.0.0.1:{port}: address already in use\n"


def test_missing_packages_are_named_in_one_line() -> None:
    code = "import sys; sys.modules['fastapi'] = None; from noughts.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "web"], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "noughts: noughts web needs more packages: python -m pip install 'noughts[web]'\n"
