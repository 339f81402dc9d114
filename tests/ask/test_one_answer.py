"""All interfaces give one answer: the JSON text of a request without a limit on time is the same through each.

To add an interface, write its function and name it in ``INTERFACES``.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client
from websockets.asyncio.client import connect

import translated_scenarios
from noughts.analysis.advice import Advisor
from noughts.ask import QUESTIONS, ask, encode, read
from noughts.ask.judge_lines import JudgeLines
from noughts.ask.requests import PlaythroughRequest
from noughts.games.formats import format_plays
from noughts.mcp.server import make_server
from noughts.mcp.tools import NAMES
from noughts.store import Store
from question_examples import EXAMPLES
from terminals import in_process
from web_servers import TIMEOUT_SECONDS, serving

Request = dict[str, Any]
Case = tuple[str, Request]
Interface = Callable[[Path, list[Case]], list[str | None]]
"""Takes an empty folder for data, and questions; returns the text of each answer, None if it has no such question."""

THINKING: list[Case] = [
    ("analyse", {"game": "4x4x4", "lines": 2, "nodes": 1000}),
    ("analyse", {"game": "15x15:5", "moves": ["h8", "i9"], "nodes": 5000}),
    ("analyse", {"game": "5x5:4", "moves": ["c3"], "every": True, "depth": 3}),
    ("hint", {"game": "3x3", "moves": ["b2", "b3"], "move": "c2", "nodes": 1000}),
    ("hint", {"game": "connect4", "moves": ["d", "d"], "nodes": 3000}),
    ("judge", {"game": "3x3", "moves": ["a1", "b1"], "move": "c3", "nodes": 1000}),
    ("judge", {"game": "connect4", "moves": ["d", "d", "d"], "move": "nonsense", "nodes": 3000}),
    ("move", {"game": "connect4", "moves": ["d"], "level": "easy", "seed": 3}),
    ("move", {"game": "15x15:5", "moves": ["h8", "i9"], "level": "master", "nodes": 2000}),
    ("review", {"game": "4x4:3", "moves": ["b2", "c3", "b3", "b4", "c2"], "nodes": 200}),
    ("solve", {"game": "5x4:4", "moves": ["c2"], "nodes": 2000, "book": False}),
    ("solve", {"game": "3x3", "moves": ["a1", "c3"], "nodes": 100_000, "book": False}),
]
"""Each about another position: a proven value is saved where there is a store, and known to the next question."""
TIMES = re.compile(r'"(seconds|nodes_per_second)":[^,}]+')
"""The times in the rows of a comparison, which measures them."""
LOOKUPS: list[Case] = [
    ("position", {"game": "ultimate", "moves": ["5.1", "1.9"], "board": True}),
    ("game", {"game": {"name": "fan", "cells": 5, "lines": [[0, 1, 2], [0, 3, 4]]}}),
    *[case for case in EXAMPLES.items() if case[0] not in {name for name, _ in THINKING}],
]
CASES = [*LOOKUPS, *THINKING]


@cache
def answers_of_table() -> list[str]:
    return [encode(ask(QUESTIONS[name], read(QUESTIONS[name].request, request))) for name, request in CASES]


def ask_rest(folder: Path, cases: list[Case]) -> list[str | None]:
    def answer(client: httpx.Client, name: str, request: Request) -> str:
        by_query = QUESTIONS[name].reads_query
        found = client.get(f"/api/{name}", params=request) if by_query else client.post(f"/api/{name}", json=request)
        assert found.status_code == 200, found.text
        return found.text

    with (
        serving(folder / "store.sqlite3") as address,
        httpx.Client(base_url=address, timeout=TIMEOUT_SECONDS) as client,
    ):
        return [answer(client, name, request) for name, request in cases]


def ask_websocket(folder: Path, cases: list[Case]) -> list[str | None]:
    async def talk(address: str) -> list[str | None]:
        found: list[str | None] = []
        async with connect(address.replace("http", "ws") + "/api/think", max_size=None) as socket:
            for name, request in cases:
                await socket.send(json.dumps({"type": name, "id": 1, **request}))
                text = ""
                while not text.startswith('{"id":1,"type":"answer"'):
                    text = str(await asyncio.wait_for(socket.recv(), TIMEOUT_SECONDS))
                    assert '"type":"error"' not in text, text
                found.append(answer_in_envelope(text))
        return found

    with serving(folder / "store.sqlite3") as address:
        return asyncio.run(talk(address))


def ask_browser_worker(_: Path, cases: list[Case]) -> list[str | None]:
    """The worker in Python; tests/site/test_site_answers.py compares it with the translated one."""
    asked = [{"name": name, "request": json.dumps(request)} for name, request in cases]
    replies = translated_scenarios.answers(asked)
    assert [error for _, error in replies if error] == []
    return [text for text, _ in replies]


def ask_judge_lines(folder: Path, cases: list[Case]) -> list[str | None]:
    with Store(folder / "store.sqlite3") as store:
        service = JudgeLines(lambda: Advisor(store=store), None)
        lines = [service.answer(json.dumps({"id": 1, "ask": name, **request})) for name, request in cases]
    assert [line for line in lines if '"error"' in line[:20]] == []
    return [answer_in_envelope(line) for line in lines]


def ask_mcp(_: Path, cases: list[Case]) -> list[str | None]:
    async def answer(client: Client, name: str, request: Request) -> str | None:
        if QUESTIONS[name].words is None:
            return None
        found: Any = await asyncio.wait_for(client.call_tool(NAMES.get(name, name), request), TIMEOUT_SECONDS)
        assert not found.is_error, found
        return json.dumps(found.structured_content, separators=(",", ":"))

    async def talk() -> list[str | None]:
        async with Client(make_server()) as client:
            return [await answer(client, name, request) for name, request in cases]

    return asyncio.run(talk())


def ask_command_line(folder: Path, cases: list[Case]) -> list[str | None]:
    def answer(name: str, request: Request) -> str | None:
        arguments = arguments_for(folder, name, request)
        if arguments is None:
            return None
        done = in_process(folder, name, *arguments, "--json")
        assert done.returncode == 0, done.stderr
        return done.stdout.removesuffix("\n")

    return [answer(name, request) for name, request in cases]


def arguments_for(folder: Path, name: str, request: Request) -> list[str] | None:
    """Return the arguments of the command with the name of a question; None if it has no such command or option."""
    if name not in ("analyse", "hint", "solve", "review") or {"move", "every"} & request.keys():
        return None
    options = [
        part for key in ("lines", "nodes", "depth") if key in request for part in (f"--{key}", str(request[key]))
    ]
    play = PlaythroughRequest(game=request["game"], moves=tuple(request.get("moves", ()))).find_playthrough({})
    if name != "review":
        return [request["game"], play.position().text, *options]
    file = folder / "play.ngn"
    file.write_text(format_plays([play], "ngn"))
    return [str(file), *options]


def answer_in_envelope(text: str) -> str:
    """Return the answer at the end of ``{"id":1,…,"answer":{…}}`` as it stands there."""
    return text.partition('"answer":')[2].removesuffix("}")


INTERFACES: list[Interface] = [
    ask_rest,
    ask_websocket,
    ask_browser_worker,
    ask_judge_lines,
    ask_mcp,
    ask_command_line,
]


@pytest.mark.parametrize("interface", INTERFACES, ids=lambda interface: interface.__name__.removeprefix("ask_"))
def test_all_interfaces_give_one_answer(interface: Interface, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_DATA", str(tmp_path))
    found = interface(tmp_path, CASES)
    given = [
        (case, _untimed(text), _untimed(right))
        for case, text, right in zip(CASES, found, answers_of_table(), strict=True)
    ]
    assert len(found) - found.count(None) >= 6
    assert [(case, text, right) for case, text, right in given if text not in (None, right)] == []


def _untimed(text: str | None) -> str | None:
    return None if text is None else TIMES.sub(r'"\1":0', text)


def test_every_question_is_asked() -> None:
    assert {name for name, _ in CASES} == QUESTIONS.keys()
