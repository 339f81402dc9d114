"""The protocol for beginners: one JSON object a line in, one out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from noughts.bots.failure import BotFailed
from noughts.games import Position

__all__ = ["parse_answer", "question"]


def question(position: Position, seconds: float | None, extra: Mapping[str, Any] | None = None) -> str:
    """Return the line that asks for a move: the game, the moves so far, the legal ones, the position, the time."""
    game = position.game
    asked: dict[str, Any] = {
        "game": game.to_data() if game.is_own else game.id,
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
    try:
        answer = json.loads(line)
        if "forbidden" in answer:
            raise BotFailed(str(answer["forbidden"])[:200], "forbidden")
        text = answer["move"]
        if isinstance(text, bool) or not isinstance(text, str | int):
            raise TypeError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BotFailed(f'expected an answer such as {{"move": "b2"}}, got {line[:60]!r}', "garbage") from None
    try:
        return position.parse_move(str(text))
    except ValueError as error:
        raise BotFailed(str(error), "illegal") from None
