"""JSON lines, the protocol for beginners: one object on a line asks, one object on a line answers."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from noughts.engine import Limit
from noughts.games import Game, Position
from noughts.games.quoting import quote
from noughts.json_types import JsonObject
from noughts.limit import DEFAULT_SECONDS
from noughts.players.protocols.background_search import BackgroundSearch, Say
from noughts.players.protocols.host import ProgramHost
from noughts.players.python_bot import move_of
from noughts.process.failure import FailureReason, PlayerFailed
from noughts.process.limits import Deadline

__all__ = [
    "GREETING",
    "JsonEngine",
    "JsonHost",
    "PythonHost",
    "check_greeting",
    "format_question",
    "parse_answer",
    "parse_limit",
    "parse_position",
]

MAX_MS = 10**12
"""Longest time for a move: about thirty years."""
GREETING = {"ready": True}
"""Written by a Python bot's process when the bot is loaded."""
MAX_VIOLATION_CHARACTERS = 200


# Questions and answers


def format_question(position: Position, limit: Limit | None) -> str:
    """Return the line that asks for a move, without its end: the game, the position, the moves, the time."""
    game = position.game
    question: dict[str, object] = {
        "game": game.to_data(),
        "position": position.text,
        "moves": [game.format_cell(move) for move in position.moves],
        "legal": [game.format_cell(move) for move in position.legal_moves],
    }
    if position.start_text is not None:
        question["start"] = position.start_text
    return json.dumps(question | _limit_data(position, limit))


def _limit_data(position: Position, limit: Limit | None) -> dict[str, object]:
    if limit is None:
        return {}
    seconds = limit.thinking_seconds(position)
    data: dict[str, object] = {} if seconds is None else {"time_ms": round(seconds * 1000)}
    if limit.clock is not None:
        data["clock_ms"] = [round(seconds * 1000) for seconds in limit.clock.left]
        data["increment_ms"] = [round(seconds * 1000) for seconds in limit.clock.increment]
    bounds = {"nodes": limit.nodes, "depth": limit.depth}
    return data | {key: value for key, value in bounds.items() if value is not None}


def parse_position(question: object) -> Position:
    """Return the position that a question describes, with its moves; raises ValueError.

    Without ``moves``, the ``position`` alone is enough; with both, the moves must lead to it.
    """
    if not isinstance(question, dict) or "game" not in question:
        raise ValueError('expected an object with "game" and "moves"')
    data = question["game"]
    game = Game.shared(data) if isinstance(data, str | dict) else Game.from_data(data)
    moves, start, text = question.get("moves"), question.get("start"), question.get("position")
    if not isinstance(text, str | None):
        raise ValueError(f'expected "position" as text, got {quote(text)}')
    if moves is None and text is not None:
        return game.parse(text)
    if not isinstance(moves, list | None) or not isinstance(start, str | None):
        raise ValueError('expected "moves" as a list and "start" as text')
    position = game.start_from(start)
    for move in moves or []:
        if isinstance(move, bool) or not isinstance(move, str | int):
            raise ValueError(f'expected "moves" as texts such as "b2", got {quote(move)}')
    position.play_all(moves or [])
    if text is not None and position != game.parse(text):
        raise ValueError(f'the moves lead to {quote(position.text)}, not to "position"; they begin at "start"')
    return position


def parse_limit(question: Mapping[str, Any]) -> Limit | None:
    """Return the limit of a question, or None when it has none; raises ValueError."""
    milliseconds = question.get("time_ms")
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, int | float | None):
        raise ValueError('expected "time_ms" as a number')
    if milliseconds is not None and not milliseconds <= MAX_MS:  # also refuses NaN
        raise ValueError(f'expected "time_ms" of at most {MAX_MS}')
    seconds = None if milliseconds is None else max(milliseconds, 1) / 1000
    bounds = (seconds, question.get("depth"), question.get("nodes"))
    try:
        return None if bounds == (None, None, None) else Limit(*bounds)
    except TypeError as error:
        raise ValueError(str(error)) from None


def parse_answer(position: Position, line: str) -> int:
    """Return the move of an answer, legal or not; raises PlayerFailed when there is none."""
    text = _parse_object(line).get("move")
    if isinstance(text, bool) or not isinstance(text, str | int):
        raise PlayerFailed(f'expected an answer such as {{"move": "b2"}}, got {quote(line)}', FailureReason.GARBAGE)
    return move_of(position, text)


def check_greeting(line: str) -> None:
    """Raise PlayerFailed unless the line is a Python bot's greeting."""
    if _parse_object(line) != GREETING:
        raise PlayerFailed(f"expected a greeting, got {quote(line)}", FailureReason.GARBAGE)


def _parse_object(line: str) -> JsonObject:
    """Return the object on a line, empty when there is none; raises PlayerFailed when it reports a violation."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(answer, dict):
        return {}
    if isinstance(violation := answer.get("forbidden"), str):
        raise PlayerFailed(violation[:MAX_VIOLATION_CHARACTERS], FailureReason.FORBIDDEN)
    return answer


# Host


class JsonHost(ProgramHost):
    """Host of programs that speak JSON lines; see ``docs/protocols.md``."""

    protocol: ClassVar[str] = "json"
    greets: ClassVar[bool] = False

    def _ask(self, position: Position, limit: Limit | None, deadline: Deadline) -> int:
        if unasked := self._take_unasked():
            raise PlayerFailed(
                f"expected one answer to a question, got another: {quote(unasked[0])}", FailureReason.GARBAGE
            )
        self._send(format_question(position, limit), deadline)
        return parse_answer(position, self._receive(deadline))


class PythonHost(JsonHost):
    """Host of a bot given by ``module:name`` or ``file.py:name``, in a child process that enforces the rules."""

    protocol: ClassVar[str] = "python"
    greets: ClassVar[bool] = True

    def _greet(self, deadline: Deadline) -> None:
        check_greeting(self._receive(deadline))

    def _describe_start_failure(self, failed: PlayerFailed) -> str:
        return f"could not be loaded: {failed}"

    def _words(self, command: str | Sequence[str]) -> str | Sequence[str]:
        (spec,) = [command] if isinstance(command, str) else command
        # -P: no file of the bot takes the place of a module before the rules hold.
        return [sys.executable, "-P", "-m", "noughts.players.python_child", spec]


# Engine


class JsonEngine:
    """noughts as a JSON-lines bot; ``say`` writes an answer. A mistake is answered with ``{"error": ...}``."""

    def __init__(self, say: Say, search: BackgroundSearch) -> None:
        self._say = say
        self._search = search

    def receive(self, line: str) -> bool:
        """Answer a line of JSON: print the move for a position, or the reason why there is none."""
        try:
            self._say(json.dumps({"move": self._answer(line)}))
        except RecursionError:
            self._say(json.dumps({"error": "expected JSON with less nesting"}))
        except ValueError as error:
            self._say(json.dumps({"error": str(error)}))
        return True

    def _answer(self, line: str) -> str:
        try:
            question = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"expected a JSON object on one line, got {quote(line)}: {error.msg.lower()}") from None
        position = parse_position(question).require_unfinished()
        limit = parse_limit(question) or Limit(seconds=self._search.settings.seconds or DEFAULT_SECONDS)
        return position.format_move(self._search.think(position, limit))
