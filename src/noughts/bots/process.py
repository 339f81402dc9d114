"""A program of one's own as a bot: one JSON object a line in, one out, in any language."""

from __future__ import annotations

import json
import os
import selectors
import shlex
import signal
import subprocess
import time
from contextlib import suppress

from noughts.engine import Limit
from noughts.games import Position

__all__ = ["BotFailed", "ProcessBot"]

SECONDS = 10.0
"""How long a program may think when nobody says otherwise."""
GRACE = 0.5
"""Seconds beyond its limit before a program counts as hanging."""
LONGEST = 100_000
"""Bytes of an answer that never ends a line."""


class BotFailed(RuntimeError):
    """The program could not be started, ended, hung or answered with something else than a move."""


class ProcessBot:
    """Runs a command and asks it for moves.

    It gets ``{"game": ..., "position": ..., "moves": [...], "legal": [...], "time_ms": ...}`` on one line and answers
    ``{"move": "b2"}`` on one line. It runs from the first question to ``close``, in a process group of its own.
    """

    def __init__(self, command: str) -> None:
        self.command = command
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"expected a command, got {command[:40]!r}: {error}") from None
        if not self._words:
            raise ValueError("expected a command, such as bot:python3 mybot.py")
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return the program's move; raises BotFailed, or ValueError when the move cannot be read."""
        seconds = limit.seconds if limit is not None and limit.seconds is not None else SECONDS
        process = self._running()
        assert process.stdin is not None
        try:
            process.stdin.write(_question(position, seconds))
            process.stdin.flush()
        except OSError:
            raise BotFailed(self._how_it_ended()) from None
        return position.parse_move(_answer(self._read_line(process, seconds + GRACE)))

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
                )
            except OSError as error:
                raise BotFailed(f"expected a program that can be started, got {error}") from None
        return self._process

    def _read_line(self, process: subprocess.Popen[bytes], seconds: float) -> bytes:
        assert process.stdout is not None
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._rest:
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise BotFailed(f"no answer within {seconds:g} s")
                data = os.read(process.stdout.fileno(), 65536)
                if not data or len(self._rest) > LONGEST:
                    raise BotFailed(self._how_it_ended() if not data else "an answer without end")
                self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _how_it_ended(self) -> str:
        assert self._process is not None
        with suppress(subprocess.TimeoutExpired):
            return f"the program ended with exit code {self._process.wait(1)}"
        return "the program closed its output"

    def close(self) -> None:
        """End the program and whatever it has started."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()
            self._process.wait()
            self._process = None


def _question(position: Position, seconds: float) -> bytes:
    game = position.game
    question = {
        "game": game.to_data() if game.is_own else game.id,
        "position": position.text,
        "moves": [game.format_cell(move) for move in position.moves],
        "legal": [game.format_cell(move) for move in position.legal_moves],
        "time_ms": round(seconds * 1000),
    }
    return json.dumps(question).encode() + b"\n"


def _answer(line: bytes) -> str:
    try:
        return str(json.loads(line)["move"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BotFailed(f'expected an answer such as {{"move": "b2"}}, got {line[:60]!r}') from None
