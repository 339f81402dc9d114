"""``noughts mcp``: the tools as a client of the official SDK sees them."""

from __future__ import annotations

import http.client
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult, TextContent

import noughts as no
from noughts.mcp.server import GameTools, make_server
from noughts.mcp.tables import Tables

COMMAND = str(Path(sys.executable).parent / "noughts")
SECONDS = 120
"""The limit of a conversation, on a busy machine."""
TOOLS = {"new_game", "legal_moves", "play", "analyse", "solve", "explain"}
FANO = {
    "name": "fano",
    "cells": 7,
    "lines": [[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6], [2, 3, 6], [2, 4, 5]],
}
INITIALISE = (
    b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", '
    b'"capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}\n'
)


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


def converse(script: Callable[[Talk], Awaitable[None]], server: Any = None) -> None:
    """Run a script with a client, by default over the standard input and output of a new process."""

    async def run() -> None:
        with anyio.fail_after(SECONDS):
            async with Client(server or StdioServerParameters(command=COMMAND, args=["mcp"])) as client:
                await script(Talk(client))

    anyio.run(run)


def converse_here(script: Callable[[Talk], Awaitable[None]]) -> None:
    """Run a script with a client of a server in this process."""
    converse(script, make_server())


# Over standard input and output


def test_every_tool_answers_with_text_and_structured_content() -> None:
    async def script(talk: Talk) -> None:
        tools = {tool.name: tool for tool in (await talk.client.list_tools()).tools}
        assert set(tools) == TOOLS
        assert all(tool.description and tool.output_schema for tool in tools.values())
        game = await talk.ask("new_game", game="3x3", position="xx1/oo1/3 x")
        key = game["game_id"]
        assert (game["turn"], game["legal_moves"]) == ("X", ["c3", "c2", "a1", "b1", "c1"])
        assert game["board"] in game["text"]
        assert game["board"] == str(no.Game("3x3").parse("xx1/oo1/3 x"))
        assert (await talk.ask("legal_moves", game_id=key))["position"] == "xx1/oo1/3 x"
        analysis = await talk.ask("analyse", game_id=key, lines=2)
        assert (len(analysis["lines"]), analysis["lines"][0]["move"]) == (2, "c3")
        assert (analysis["lines"][0]["worth"]["value"], analysis["lines"][0]["worth"]["plies"]) == ("win", 1)
        assert "c3: a proven win in at most 1 ply; c3" in analysis["text"]
        solution = await talk.ask("solve", game_id=key, seconds=5)
        assert (solution["value"], solution["move"]) == ("win", "c3")
        reasons = await talk.ask("explain", game_id=key)
        assert (reasons["best"], reasons["idea"]) == ("c3", "X can win at once.")
        assert "completes the row a3–c3 and wins" in reasons["text"]
        worse = await talk.ask("explain", game_id=key, move="a1")
        assert (worse["move"], worse["verdict"], worse["regret"], worse["regret_is_exact"]) == ("a1", "worse", 2, True)
        assert "a1 is a proven loss" in worse["text"]
        won = await talk.ask("play", game_id=key, move="c3")
        assert (won["over"], won["winner"], won["turn"], won["legal_moves"]) == (True, "X", None, [])
        assert won["result"] in won["text"]

    converse(script)


def test_whole_game_of_tic_tac_toe_against_an_opponent() -> None:
    async def script(talk: Talk) -> None:
        state = await talk.ask("new_game", game="tictactoe", opponent="Random", side="O", seed=5)
        key = state["game_id"]
        assert (state["opponent"], state["opponent_side"], state["turn"]) == ("random", "X", "O")
        assert state["moves"] == [state["reply"]]
        while not state["over"]:
            found = await talk.ask("analyse", game_id=key, lines=1)
            before = len(state["moves"])
            state = await talk.ask("play", game_id=key, move=found["lines"][0]["move"])
            assert len(state["moves"]) == before + (1 if state["reply"] is None else 2)
        assert state["winner"] != "X"
        assert "The game is over" in state["text"]
        replay = no.Game("3x3").start()
        replay.play_all(state["moves"])
        assert replay.text == state["position"]
        for tool in ("play", "analyse", "solve", "explain"):
            arguments = {"move": "a1"} if tool == "play" else {}
            assert "the game is over; new_game starts another" in await talk.error(tool, game_id=key, **arguments)

    converse(script)


def test_cancelled_work_does_not_keep_the_server_from_answering() -> None:
    async def script(talk: Talk) -> None:
        key = (await talk.ask("new_game", game="15x15:5"))["game_id"]
        for tool in ("analyse", "explain"):
            with anyio.move_on_after(0.5) as scope:
                await talk.call(tool, game_id=key, seconds=60)
            assert scope.cancelled_caught
        assert (await talk.ask("analyse", game_id=key, seconds=0.1, lines=1))["lines"]

    converse(script)


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
    assert done.stderr == "noughts: noughts mcp needs the MCP SDK: pip install 'noughts[mcp]'\n"


def test_clients_connect_by_http_on_this_machine() -> None:
    with subprocess.Popen(
        [COMMAND, "mcp", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")

        async def script(talk: Talk) -> None:
            first, second = [await talk.ask("new_game", game=game) for game in ("3x3", "connect4")]
            await talk.ask("play", game_id=first["game_id"], move="b2")
            assert (await talk.ask("play", game_id=second["game_id"], move="d"))["moves"] == ["d1"]

        converse(script, address)
        connection = http.client.HTTPConnection(address.split("/")[2], timeout=SECONDS)
        connection.request(
            "POST", "/mcp", body="{}", headers={"Host": "evil.example", "Content-Type": "application/json"}
        )
        assert connection.getresponse().status == 421
        connection.close()
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=SECONDS) == 130


# In this process

MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    ("new_game", {"game": "chess"}, "expected a game id, for example 3x3"),
    ("new_game", {"game": {"name": "x"}}, "expected the key 'cells' in a custom game"),
    ("new_game", {"game": {"name": "x" * 200_000}}, "expected a custom game of at most 100000 characters"),
    ("new_game", {"game": 7}, "expected a valid string for 'game', got 7"),
    ("new_game", {"gam": "connect4"}, "unknown argument 'gam'; new_game takes game, position, opponent, side, seed"),
    ("new_game", {"position": "x"}, "expected"),
    ("new_game", {"opponent": "stockfish"}, "expected random, beginner, easy"),
    ("new_game", {"opponent": "elo:99999"}, "expected random, beginner, easy"),
    ("new_game", {"opponent": "master:/etc/passwd"}, "expected random, beginner, easy"),
    ("new_game", {"opponent": "json:true"}, "expected random, beginner, easy"),
    ("new_game", {"opponent": "easy", "side": "Z"}, "expected 'X' or 'O' for 'side', got 'Z'"),
    ("new_game", {"seed": "lucky"}, "expected a valid integer"),
    ("play", {"move": "b2"}, "b2 is taken by X; legal moves: a3 b3 c3 a2 c2 a1 b1 c1"),
    ("play", {"move": "z9"}, "expected a square from a1 to c3, or 1 to 9, got 'z9'; legal moves: a3"),
    ("play", {"move": ""}, "expected a square from a1 to c3"),
    ("play", {"move": 5}, "expected a valid string for 'move', got 5"),
    ("play", {"move": ["b2"]}, "expected a valid string for 'move'"),
    ("play", {"move": "a" * 101}, "expected at most 100 letters for 'move'"),
    ("play", {}, "expected the field 'move'"),
    ("analyse", {"lines": 0}, "expected at least 1 for 'lines', got 0"),
    ("analyse", {"lines": 10**30}, "expected at most 20 for 'lines'"),
    ("analyse", {"seconds": 61}, "expected at most 60 for 'seconds', got 61"),
    ("analyse", {"seconds": 0}, "expected more than 0 for 'seconds', got 0"),
    ("solve", {"seconds": -1}, "expected more than 0 for 'seconds'"),
    ("solve", {"seconds": "soon"}, "expected a valid number"),
    ("explain", {"move": "b2"}, "b2 is taken by X; legal moves:"),
    ("legal_moves", {"game_id": "nope"}, "there is no game 'nope'"),
    ("legal_moves", {"game_id": None}, "expected a valid string for 'game_id'"),
    ("castle", {}, "Unknown tool: castle"),
]  # fmt: skip


def test_mistakes_are_errors_that_say_what_was_expected_and_change_nothing() -> None:
    async def script(talk: Talk) -> None:
        key = (await talk.ask("new_game", position="3/1x1/3 o"))["game_id"]
        for tool, arguments, message in MISTAKES:
            given = arguments if tool in ("new_game", "castle") else {"game_id": key} | arguments
            text = await talk.error(tool, **given)
            assert message in text, (tool, arguments)
            assert "\n" not in text
        assert (await talk.ask("legal_moves", game_id=key))["position"] == "3/1x1/3 o"

    converse_here(script)


def test_bug_is_logged_and_no_mistake_of_the_caller(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("a bug")

    async def script(talk: Talk) -> None:
        key = (await talk.ask("new_game"))["game_id"]
        assert await talk.error("analyse", game_id=key) == "internal error"
        assert (await talk.ask("legal_moves", game_id=key))["position"] == "3/3/3 x"

    monkeypatch.setattr("noughts.analysis.advice.Advisor.advise", fail)
    converse_here(script)
    assert "ValueError: a bug" in caplog.text


def test_several_games_are_played_at_a_time() -> None:
    async def script(talk: Talk) -> None:
        keys = [
            (await talk.ask("new_game", game=game))["game_id"] for game in ("3x3", FANO, "connect4", "ultimate", "3x3")
        ]
        assert len(set(keys)) == len(keys)
        for key, move in zip(keys, ("b2", "3", "d", "e5", "a1"), strict=True):
            await talk.ask("play", game_id=key, move=move)
        states = [await talk.ask("legal_moves", game_id=key) for key in keys]
        assert [state["moves"] for state in states] == [["b2"], ["3"], ["d1"], ["e5"], ["a1"]]
        assert states[1]["game"].startswith("custom game: 7 cells, 7 lines")

    converse_here(script)


def test_position_of_the_book_is_solved_at_once() -> None:
    async def script(talk: Talk) -> None:
        key = (await talk.ask("new_game", game="connect4"))["game_id"]
        found = await talk.ask("solve", game_id=key, seconds=0.05)
        assert (found["value"], found["move"], found["nodes"]) == ("win", "d1", 0)

    converse_here(script)


def test_position_that_cannot_be_solved_in_time_gets_bounds() -> None:
    async def script(talk: Talk) -> None:
        key = (await talk.ask("new_game", game="ultimate"))["game_id"]
        found = await talk.ask("solve", game_id=key, seconds=0.05)
        assert (found["value"], found["lower"], found["upper"], found["move"]) == (None, "loss", "win", None)
        assert "Not solved within the time" in found["text"]

    converse_here(script)


def test_estimates_are_said_to_be_estimates() -> None:
    async def script(talk: Talk) -> None:
        key = (await talk.ask("new_game", game="15x15:5", position=None))["game_id"]
        await talk.ask("play", game_id=key, move="h8")
        found = await talk.ask("explain", game_id=key, move="a1", seconds=0.4)
        assert found["worth"]["value"] is None
        assert (found["verdict"], found["regret_is_exact"]) == ("worse", False)
        assert "a1 is estimated at" in found["text"]

    converse_here(script)


def test_two_answers_to_one_position_are_not_both_played() -> None:
    async def script(talk: Talk) -> None:
        key = (await talk.ask("new_game", opponent="insane", seed=1))["game_id"]
        results = list[CallToolResult]()

        async def play() -> None:
            results.append(await talk.call("play", game_id=key, move="b2"))

        async with anyio.create_task_group() as group:
            group.start_soon(play)
            group.start_soon(play)
        assert sorted(bool(result.is_error) for result in results) == [False, True]
        assert len((await talk.ask("legal_moves", game_id=key))["moves"]) == 2

    converse_here(script)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize(("tool", "game"), [("analyse", "15x15:5"), ("solve", "5x5x5"), ("explain", "15x15:5")])
def test_cancelled_request_stops_its_work(tool: str, game: str, mode: Literal["legacy", "auto"]) -> None:
    tools = GameTools()

    async def run() -> None:
        with anyio.fail_after(SECONDS / 2):  # less than the work would take
            async with Client(make_server(tools), mode=mode) as client, anyio.create_task_group() as group:
                talk = Talk(client)
                key = (await talk.ask("new_game", game=game))["game_id"]

                async def work() -> None:
                    await talk.call(tool, game_id=key, seconds=60)

                group.start_soon(work)
                while not tools.jobs:
                    await anyio.sleep(0.01)
                group.cancel_scope.cancel()
            while tools.jobs:
                await anyio.sleep(0.01)

    anyio.run(run)


def test_game_that_was_not_used_for_longest_is_forgotten() -> None:
    tables, start = Tables(most=3), no.Game("3x3").start()
    first, second, third = (tables.add(start).id for _ in range(3))
    tables.find(first)
    fourth = tables.add(start).id
    assert len(tables) == 3
    assert [tables.find(key).id for key in (first, third, fourth)] == [first, third, fourth]
    with pytest.raises(ValueError, match="keeps the last 3 games"):
        tables.find(second)
