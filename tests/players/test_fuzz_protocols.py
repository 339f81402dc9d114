"""Every protocol, as engine and as host: any input leads to an answer, an error or a forfeit, never to a crash.

Engines get whole sessions; their search is replaced by the first legal move, so that only the protocol is tested. Hosts
get the output of a program that was not run.
"""

from __future__ import annotations

import io
import json
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from fuzzing import REPETITION_BYTES, check_linear, fuzz
from noughts import Game, Position
from noughts.engine import Limit, SearchResult
from noughts.players import PlayerFailed
from noughts.players.protocols.background_search import BackgroundSearch, Done, Progress, SearchSettings
from noughts.players.protocols.host import ProgramHost
from noughts.players.protocols.serve import serve
from noughts.players.registry import host_class
from noughts.process.limits import Deadline
from noughts.process.sandbox import Sandbox

SESSIONS = {
    "ugi": [
        "ugi\nisready\nuginewgame\nposition startpos moves b2 a1\ngo depth 2\nquery gameover\nquery result\nquit\n",
        "ugi\nsetoption name Game value 4x4x4\nposition startpos\ngo p1time 1000 p2time 900 p1inc 10 p2inc 10\nstop\n",
        "setoption name Game value ultimate:3+count\nposition startpos moves e5\ngo nodes 100\nd\n",
        "setoption name MultiPV value 3\nsetoption name Threads value 2\nsetoption name Hash value 16\ngo movetime 9\n",
        'setoption name Game value {"name": "own", "cells": 4, "lines": [[0, 1], [2, 3]]}\ngo infinite\nstop\nquit\n',
        "setoption name Level value easy\nposition fen xo1/1x1/o2 x moves c3\ngo mate 3\nquery p1turn\n",
    ],
    "uci": [
        "uci\nsetoption name UCI_Variant value cfour\nucinewgame\nposition startpos moves P@d1 P@d2\ngo wtime 9\n",
        "uci\nsetoption name UCI_Variant value tictactoe\nposition fen 3/1P1/3[PPPPpppp] b - - 0 1\ngo winc 1\n",
        "uci\ndebug on\nregister later\nposition startpos moves b2\ngo depth 1\nponderhit\nstop\nquit\n",
    ],
    "gomocup": [
        "START 15\nINFO timeout_turn 100\nINFO max_memory 83886080\nINFO rule 1\nBEGIN\nTURN 7,7\nTAKEBACK 7,7\nEND\n",
        "RECTSTART 12,6\nINFO timeout_match 1000\nINFO time_left 900\nBOARD\n1,1,1\n2,2,2\nDONE\nRESTART\nABOUT\n",
        "INFO rule 4\nSTART 20\nINFO thread_num 2\nINFO max_depth 3\nINFO max_node 10\nINFO folder /x\nTURN 0,0\nEND\n",
    ],
    "codingame": ["-1 -1\n3\n4 4\n0 0\n8 8\n", "4 4\n2\n3 3\n5 5\n0 0\n1\n1 1\n"],
    "json": [
        '{"game": "3x3", "moves": ["b2", 0], "time_ms": 50, "depth": 3, "nodes": 9}\n{"game": "3x3", "moves": []}\n',
        '{"game": "3x3", "position": "xo1/1x1/o2 x", "start": "xo1/1x1/o2 x", "legal": ["c3"]}\n',
        '{"game": {"name": "own", "cells": 4, "lines": [[0, 1], [2, 3]]}, "moves": ["1"], "clock_ms": [1, 2]}\n',
    ],
}
"""Sessions of hosts, by protocol."""

REPLIES = {
    "ugi": [
        "id name mine\noption name Game type string default 3x3\noption name Hash type spin\nugiok\nreadyok\nreadyok\n"
        "info depth 1 pv b2\nbestmove b2 ponder a1\n"
    ],
    "uci": [
        "id name mine\noption name UCI_Variant type combo var tictactoe var cfour\nuciok\nreadyok\nreadyok\n"
        "info string hello\nbestmove P@b2\n"
    ],
    "gomocup": ['name="mine", version="1"\nOK\nMESSAGE thinking\nDEBUG x\n7,7\n', 'name = "x"\nOK\nSUGGEST 1,1\n0,0\n'],
    "codingame": ["4 4\n", "  0 8 hello\n"],
    "json": ['{"move": "b2"}\n', '{"move": 4, "why": [1, {"x": null}]}\n'],
    "python": ['{"ready": true}\n{"move": "b2"}\n', '{"ready": true}\n{"move": 4}\n'],
}
"""Output of programs from the greeting to the first move, by protocol."""

GAMES = {"gomocup": "15x15:5", "codingame": "ultimate:3+count"}


class InstantSearch(BackgroundSearch):
    """Returns the first legal move, without tables."""

    def get_ready(self) -> None:
        pass

    def begin(self, position: Position, limit: Limit | None, lines: int, progress: Progress, done: Done) -> None:
        found = self._search(position, limit or Limit(seconds=1), lines, progress)
        progress(found[0])
        done(found)

    def _search(self, position: Position, limit: Limit, lines: int, progress: Progress) -> list[SearchResult]:
        move = position.legal_moves[0]
        return [SearchResult(move, 0, None, None, 1, 1, [move], pv_text=position.format_move(move))]


@contextmanager
def no_searching() -> Iterator[None]:
    with patch("noughts.players.protocols.serve.BackgroundSearch", InstantSearch):
        yield


def engine(protocol: str | None) -> Callable[[str], None]:
    """Return a reader of host sessions; answers and complaints must be printable lines."""

    def read(session: str) -> None:
        out, complaints = io.StringIO(), list[str]()
        serve(io.StringIO(session), out, complaints.append, SearchSettings(hash_mb=1, seconds=0.01), protocol)
        for line in [*out.getvalue().splitlines(), *complaints]:
            assert line.isprintable(), line
            assert len(line) < 100_000, len(line)

    return read


class Recording:
    """A program that was not run: it has a given output and ignores its input."""

    sandbox = Sandbox()
    pid = None
    stderr_tail = ""

    def __init__(self, output: str) -> None:
        self._lines = deque(output.split("\n"))
        self.is_running = False

    def start(self) -> None:
        self.is_running = True

    def send(self, text: str, deadline: Deadline) -> None:
        pass

    def receive(self, deadline: Deadline) -> str:
        if len(self._lines) < 2:
            raise PlayerFailed("the program ended with exit code 0", "crash")
        return self._lines.popleft()

    def take_output(self) -> str:
        return ""

    def close(self, quit_seconds: float | None = None) -> None:
        self.is_running = False


def host(protocol: str) -> Callable[[str], None]:
    """Return a reader of a program's output: its move is legal, or it has failed."""
    game = Game(GAMES.get(protocol, "3x3"))

    def read(output: str) -> None:
        bot: ProgramHost = host_class(protocol)("mock.py:mock")
        bot.program = Recording(output)  # type: ignore[assignment]
        position = game.start()
        bot.new_game(position)
        assert position.is_legal(bot.choose(position, Limit(seconds=1)))
        assert all(line.isprintable() for line in [bot.name, *bot.exchange])

    return read


@pytest.mark.parametrize("protocol", SESSIONS)
def test_engine_answers_any_session(protocol: str) -> None:
    with no_searching():
        fuzz(f"{protocol} engine", engine(protocol), SESSIONS[protocol], quick=120)


def test_engine_that_guesses_the_protocol_answers_any_session() -> None:
    with no_searching():
        fuzz("any engine", engine(None), [each for sessions in SESSIONS.values() for each in sessions], quick=120)


@pytest.mark.parametrize("protocol", SESSIONS)
def test_engine_reads_long_lines_in_linear_time(protocol: str) -> None:
    lines = [line for session in SESSIONS[protocol] for line in session.splitlines()]
    with no_searching():
        check_linear(f"{protocol} engine", engine(protocol), lines[:2])


@pytest.mark.parametrize("protocol", REPLIES)
def test_host_takes_a_move_from_any_output_or_says_how_the_bot_failed(protocol: str) -> None:
    fuzz(f"{protocol} host", host(protocol), REPLIES[protocol], quick=120, allowed=PlayerFailed)


@pytest.mark.parametrize("protocol", REPLIES)
def test_host_reads_long_answers_in_linear_time(protocol: str) -> None:
    texts = [REPLIES[protocol][0].rstrip("\n")]  # a third of the length: empty lines are lines as well
    check_linear(f"{protocol} host", host(protocol), texts, size=REPETITION_BYTES // 3, allowed=PlayerFailed)


@pytest.mark.parametrize("game", ["3x3x3x3", "ultimate:3"])
def test_move_of_a_hundred_kilobytes_does_not_stall_the_host(game: str) -> None:
    position = Game(game).start()

    def read(text: str) -> None:
        bot = host_class("json")("mock")
        bot.program = Recording(json.dumps({"move": text}) + "\n")  # type: ignore[assignment]
        bot.choose(position, Limit(seconds=1))

    check_linear(f"moves in {game}", read, ["1x", "a1"], allowed=PlayerFailed)


@pytest.mark.parametrize("depth", [*range(300, 1100, 50), 50_000])
@pytest.mark.parametrize("answer", ['{{"forbidden": {}}}', '{{"move": {}}}', "{}"])
def test_deep_answers_are_a_forfeit(depth: int, answer: str) -> None:
    with pytest.raises(PlayerFailed):
        host("json")(answer.format("[" * depth + "]" * depth) + "\n")
