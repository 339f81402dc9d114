"""The protocol for beginners: one JSON object a line in, one out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from noughts.engine import Limit
from noughts.games import Game, Position
from noughts.games.quoting import quote
from noughts.players.failure import BotFailed
from noughts.players.loading import move_of

__all__ = ["GREETING", "check_greeting", "limit_of", "parse_answer", "position_of", "question"]

MOST_MS = 10**12
"""The most milliseconds for a move: some thirty years."""
GREETING = {"ready": True}
"""What a Python bot's process says when the bot is loaded."""


def question(position: Position, seconds: float | None, extra: Mapping[str, Any] | None = None) -> str:
    """Return the line that asks for a move: the game, the moves so far, the legal ones, the position, the time."""
    game = position.game
    asked: dict[str, Any] = {
        "game": game.to_data(),
        "position": position.text,
        "moves": [game.format_cell(move) for move in position.moves],
        "legal": [game.format_cell(move) for move in position.legal_moves],
    }
    if position.start_text is not None:
        asked["start"] = position.start_text
    if seconds is not None:
        asked["time_ms"] = round(seconds * 1000)
    return json.dumps(asked | dict(extra or {})) + "\n"


def parse_answer(position: Position, line: str) -> int:
    """Return the move of an answer, legal or not; raises BotFailed when there is none."""
    text = _object(line).get("move")
    if isinstance(text, bool) or not isinstance(text, str | int):
        raise BotFailed(f'expected an answer such as {{"move": "b2"}}, got {quote(line)}', "garbage")
    return move_of(position, text)


def check_greeting(line: str) -> None:
    """Raise BotFailed unless a line says that a Python bot is loaded."""
    if _object(line) != GREETING:
        raise BotFailed(f"expected a greeting, got {quote(line)}", "garbage")


def _object(line: str) -> dict[str, Any]:
    """The object on a line, empty when there is none; raises BotFailed when it tells of a forbidden deed."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(answer, dict):
        return {}
    if isinstance(deed := answer.get("forbidden"), str):
        raise BotFailed(deed[:200], "forbidden")
    return answer


def position_of(asked: Any) -> Position:
    """Return the position that a question describes, with its moves; raises ValueError.

    Without ``moves``, the ``position`` alone will do.
    """
    if not isinstance(asked, dict) or "game" not in asked:
        raise ValueError('expected an object with "game" and "moves"')
    game = Game.from_data(asked["game"])
    moves, start = asked.get("moves"), asked.get("start")
    if moves is None and isinstance(asked.get("position"), str):
        return game.parse(asked["position"])
    if not isinstance(moves, list | None) or not isinstance(start, str | None):
        raise ValueError('expected "moves" as a list and "start" as text')
    position = game.start() if start is None else game.parse(start)
    for move in moves or []:
        if isinstance(move, bool) or not isinstance(move, str | int):
            raise ValueError(f'expected "moves" as texts such as "b2", got {quote(json.dumps(move))}')
        position.play(move)
    return position


def limit_of(asked: Mapping[str, Any]) -> Limit | None:
    """Return the limit of a question, or None when it has none; raises ValueError."""
    milliseconds = asked.get("time_ms")
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, int | float | None):
        raise ValueError('expected "time_ms" as a number')
    if milliseconds is not None and not milliseconds <= MOST_MS:  # also refuses NaN
        raise ValueError(f'expected "time_ms" of at most {MOST_MS}')
    seconds = None if milliseconds is None else max(milliseconds, 1) / 1000
    bounds = (seconds, asked.get("depth"), asked.get("nodes"))
    try:
        return None if bounds == (None, None, None) else Limit(*bounds)
    except TypeError as error:
        raise ValueError(str(error)) from None
