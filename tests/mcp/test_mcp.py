"""``noughts mcp``: the tools as a client of the official SDK sees them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult, TextContent

import noughts as no
from noughts.ask import QUESTIONS, ask, encode, read
from noughts.mcp.server import make_server
from noughts.mcp.sessions import OpenGames
from noughts.mcp.tools import NAMES, Tools
from question_examples import EXAMPLES
from waiting import wait_until_async

COMMAND = str(Path(sys.executable).parent / "noughts")
SECONDS = 120
"""The limit of a conversation, on a busy machine."""
TOOLS = {"new_game", "legal_moves", "play", *(NAMES.get(name, name) for name in QUESTIONS)}
FANO = {
    "name": "fano",
    "cells": 7,
    "lines": [[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6], [2, 3, 6], [2, 4, 5]],
}
INITIALISE = (
    b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", '
    b'"capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}\n'
)

pytestmark = pytest.mark.usefixtures("empty_data_folder")


class Talk:
    """A conversation with the server."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> CallToolResult:
        result = await self.client.call_tool(tool, arguments)
        assert isinstance(result, CallToolResult)
        return result

    async def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of an answer; its text is in ``text``."""
        result = await self.call(tool, **arguments)
        assert not result.is_error, text_of(result)
        return {**(result.structured_content or {}), "text": text_of(result)}

    async def error(self, tool: str, **arguments: Any) -> str:
        """The text of an error."""
        result = await self.call(tool, **arguments)
        assert result.is_error
        return text_of(result)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@asynccontextmanager
async def talking(server: Any = None) -> AsyncIterator[Talk]:
    """Talk to a server at an address or in a program, by default to one in this process."""
    with anyio.fail_after(SECONDS):
        async with Client(server or make_server()) as client:
            yield Talk(client)


# Over standard input and output


async def test_every_question_is_a_tool_that_answers_in_data_and_words() -> None:
    program = StdioServerParameters(command=COMMAND, args=["mcp"], env={**os.environ})
    async with talking(program) as talk:
        tools = {tool.name: tool for tool in (await talk.client.list_tools()).tools}
        assert tools.keys() == TOOLS
        assert all(tool.description and tool.output_schema for tool in tools.values())
        question = QUESTIONS["analyse"]
        result = await talk.call("analyse", **EXAMPLES["analyse"])
        answer = ask(question, read(question.request, EXAMPLES["analyse"]))
        assert (encode(result.structured_content), text_of(result)) == (encode(answer), question.words(answer))
        assert result.meta is not None
        assert 0 <= result.meta["seconds"] < SECONDS


async def test_game_is_played_to_its_end_against_an_opponent() -> None:
    async with talking() as talk:
        state = await talk.ask("new_game", game="tictactoe", opponent="Random", side="O", seed=5)
        key = state["game_id"]
        assert (state["opponent"], state["opponent_side"], state["turn"]) == ("random", "X", "O")
        assert (state["line"], state["reply"]["side"]) == ([state["reply"]["move"]], "X")
        assert state["board"] in state["text"]
        while not state["is_over"]:
            best = (await talk.ask("analyse", game_id=key, lines=1, nodes=1000))["moves"][0]["move"]
            state = await talk.ask("play", game_id=key, move=best)
            assert state["is_over"] or state["line"][-1] == state["reply"]["move"]
            shown = await talk.ask("legal_moves", game_id=key)
            assert state == shown | {"reply": state["reply"], "text": state["text"]}
        assert state["winner"] != "X"
        assert "The game is over" in state["text"]
        for tool in ("play", "analyse", "solve", "explain"):
            arguments = {"move": "a1"} if tool == "play" else {}
            assert await talk.error(tool, game_id=key, **arguments) == "the game is over"


def test_lines_that_are_not_messages_are_survived_and_the_end_of_input_ends_the_server() -> None:
    lines = b'nonsense\n\xff\n[1]\n{"jsonrpc": "2.0"}\n' + INITIALISE + b'{"jsonrpc": "2.0", "id": 2, "me'
    done = subprocess.run([COMMAND, "mcp"], input=lines, capture_output=True, timeout=SECONDS, check=False)
    assert done.returncode == 0
    assert b'"noughts"' in done.stdout
    assert b"Traceback" not in done.stderr


def test_interrupt_ends_the_server_at_once() -> None:
    with subprocess.Popen(
        [COMMAND, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write(INITIALISE)
        server.stdin.flush()
        assert b"noughts" in server.stdout.readline()
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=SECONDS) == 130
        assert server.stderr.read() == b"interrupted\n"


def test_missing_sdk_is_named_in_one_line() -> None:
    code = "import sys; sys.modules['mcp'] = None; from noughts.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "mcp"], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "noughts: noughts mcp needs the MCP SDK: python -m pip install 'noughts[mcp]'\n"


async def test_clients_connect_by_http_on_this_machine() -> None:
    with subprocess.Popen(
        [COMMAND, "mcp", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        async with talking(address) as talk:
            first, second = [await talk.ask("new_game", game=game) for game in ("3x3", "connect4")]
            await talk.ask("play", game_id=first["game_id"], move="b2")
            assert (await talk.ask("play", game_id=second["game_id"], move="d"))["line"] == ["d1"]
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=SECONDS) == 130


# In this process

MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    ("new_game", {"game": "chess"}, "expected a game id, for example 3x3"),
    ("new_game", {"game": {"name": "x"}}, "expected the key 'cells' in a custom game"),
    ("new_game", {"gam": "connect4"}, "unknown field 'gam'; did you mean 'game'?"),
    ("new_game", {"opponent": "master:/etc/passwd"}, "expected random, beginner, easy"),
    ("new_game", {"opponent": "easy", "side": "Z"}, "expected 'X' or 'O' for 'side', got 'Z'"),
    ("new_game", {"seed": "lucky"}, "expected a valid integer"),
    ("play", {"move": "b2"}, "b2 is taken by X; legal moves: a3 b3 c3 a2 c2 a1 b1 c1"),
    ("play", {"move": "z9"}, "expected a square from a1 to c3, or 1 to 9, got 'z9'; legal moves: a3"),
    ("play", {"move": ["b2"]}, "expected a valid string for 'move'"),
    ("play", {}, "expected the field 'move'"),
    ("analyse", {"seconds": 61}, "expected at most 60 for 'seconds', got 61"),
    ("analyse", {"game": "3x3"}, "expected 'game_id' or 'game', got both"),
    ("analyse", {"secnds": 5}, "unknown field 'secnds'; did you mean 'seconds'?"),
    ("explain", {"move": "b2"}, "b2 is taken by X; legal moves:"),
    ("legal_moves", {"game_id": "nope"}, "there is no game 'nope'"),
    ("solve", {"game_id": "nope"}, "there is no game 'nope'"),
    ("solve", {"game_id": None}, "expected a valid string for 'game_id'"),
    ("analyze", {}, "unknown tool 'analyze'; did you mean 'analyse'?"),
]  # fmt: skip


async def test_mistakes_are_errors_that_say_what_was_expected_and_change_nothing() -> None:
    async with talking() as talk:
        key = (await talk.ask("new_game", position="3/1x1/3 o"))["game_id"]
        for tool, arguments, message in MISTAKES:
            text = await talk.error(tool, **(arguments if tool == "new_game" else {"game_id": key} | arguments))
            assert text.startswith(message), (tool, arguments)
            assert "\n" not in text
        assert await talk.error("review", moves=["b2"]) == "expected the field 'game_id' or 'game'"
        assert (await talk.ask("legal_moves", game_id=key))["position"] == "3/1x1/3 o"


async def test_bug_is_logged_and_no_mistake_of_the_caller(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr("noughts.analysis.advice.Advisor.advise", fail)
    async with talking() as talk:
        key = (await talk.ask("new_game"))["game_id"]
        assert await talk.error("analyse", game_id=key) == "internal error"
        assert (await talk.ask("legal_moves", game_id=key))["position"] == "3/3/3 x"
    assert "ValueError: a bug" in caplog.text


async def test_several_games_are_played_at_a_time() -> None:
    async with talking() as talk:
        keys = [
            (await talk.ask("new_game", game=game))["game_id"] for game in ("3x3", FANO, "connect4", "ultimate", "3x3")
        ]
        assert len(set(keys)) == len(keys)
        for key, move in zip(keys, ("b2", "3", "d", "e5", "a1"), strict=True):
            await talk.ask("play", game_id=key, move=move)
        states = [await talk.ask("legal_moves", game_id=key) for key in keys]
        assert [state["line"] for state in states] == [["b2"], ["3"], ["d1"], ["e5"], ["a1"]]


async def test_game_in_progress_stands_for_its_position_in_every_question() -> None:
    async with talking() as talk:
        position = {"game": FANO, "start": "x5o x", "moves": ["1", "2"]}
        key = (await talk.ask("new_game", **position))["game_id"]
        for tool in ("analyse", "explain", "export", "judge", "move", "position", "puzzle", "review", "solve", "trace"):
            limit = {} if tool in ("export", "position", "puzzle") else {"nodes": 200}
            assert await talk.ask(tool, game_id=key, **limit) == await talk.ask(tool, **position, **limit)


@pytest.mark.parametrize(("tool", "game"), [("analyse", "15x15:5"), ("solve", "5x5x5"), ("review", "3x3")])
async def test_progress_is_reported_while_the_time_passes(tool: str, game: str) -> None:
    seen = list[tuple[float, float | None, str | None]]()

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async with talking() as talk:
        arguments = {"game": game, "seconds": 60, "moves": ["b2", "b3"] if tool == "review" else []}
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: talk.client.call_tool(tool, arguments, progress_callback=note))
            await wait_until_async(lambda: seen)
            group.cancel_scope.cancel()
        assert all(0 < progress < 60 <= (total or 0) and message for progress, total, message in seen)


async def test_tool_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.mcp.tools.MAX_SECONDS", 0.2)
    monkeypatch.setattr("noughts.mcp.tools.SPARE_SECONDS", 0.0)

    async with talking() as talk:
        assert (await talk.ask("analyse", game="15x15:5", depth=1000))["reason"] == "stopped"
        moves = ["h8", "a1", "h9", "a2"]
        assert await talk.error("review", game="15x15:5", moves=moves, depth=100) == "not finished within 0.2 s"
        assert await talk.error("compare", game="4x4", depth=16, seconds=0.2) == "not finished within 0.2 s"


async def test_textbook_programs_take_small_boards_only() -> None:
    async with talking() as talk:
        assert await talk.error("learn", game="4x4") == "expected a board of at most 9 cells for learn, got 16"


async def test_two_answers_to_one_position_are_not_both_played() -> None:
    async with talking() as talk:
        key = (await talk.ask("new_game", opponent="insane", seed=1))["game_id"]
        results = list[CallToolResult]()

        async def play() -> None:
            results.append(await talk.call("play", game_id=key, move="b2"))

        async with anyio.create_task_group() as group:
            group.start_soon(play)
            group.start_soon(play)
        assert sorted(bool(result.is_error) for result in results) == [False, True]
        assert (await talk.ask("legal_moves", game_id=key))["ply"] == 2


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize(
    ("tool", "game"),
    [("analyse", "15x15:5"), ("review", "15x15:5"), ("solve", "5x5x5")],
)
async def test_cancelled_request_stops_its_work(tool: str, game: str, mode: Literal["legacy", "auto"]) -> None:
    tools = Tools()
    with anyio.fail_after(SECONDS / 2):  # less than the work would take
        async with Client(make_server(tools), mode=mode) as client, anyio.create_task_group() as group:
            talk = Talk(client)
            key = (await talk.ask("new_game", game=game))["game_id"]

            async def work() -> None:
                await talk.call(tool, game_id=key, seconds=60)

            group.start_soon(work)
            await wait_until_async(lambda: tools.running)
            group.cancel_scope.cancel()
        await wait_until_async(lambda: not tools.running)


def test_game_that_was_not_used_for_longest_is_forgotten() -> None:
    games, start = OpenGames(most=3), no.Game("3x3").start()
    first, second, third = (games.add(start).id for _ in range(3))
    games.find(first)
    fourth = games.add(start).id
    assert len(games) == 3
    assert [games.find(key).id for key in (first, third, fourth)] == [first, third, fourth]
    with pytest.raises(ValueError, match="keeps the last 3 games"):
        games.find(second)
