"""noughts as a bot of JSON lines. A mistake is answered with ``{"error": ...}``."""

from __future__ import annotations

import json

from noughts.engine import Limit
from noughts.games.quoting import quote
from noughts.players.json_lines import limit_of, position_of
from noughts.players.protocols.serving import Say
from noughts.players.protocols.thinker import Thinker

__all__ = ["JsonEngine"]

SECONDS = 1.0
"""For a question without a time."""
RESERVE = 0.01
"""Seconds on the way."""


class JsonEngine:
    """Answers questions; ``say`` writes an answer."""

    def __init__(self, say: Say, thinker: Thinker) -> None:
        self._say = say
        self._thinker = thinker

    def receive(self, line: str) -> bool:
        """Answer a question."""
        try:
            self._say(json.dumps({"move": self._answer(line)}))
        except (ValueError, RecursionError) as error:
            message = "expected JSON that is not so deep" if isinstance(error, RecursionError) else str(error)
            self._say(json.dumps({"error": message}))
        return True

    def end(self) -> None:
        """Nothing is under way between two lines."""

    def _answer(self, line: str) -> str:
        try:
            asked = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"expected a JSON object on one line, got {quote(line)}: {error.msg.lower()}") from None
        position = position_of(asked)
        if position.is_over:
            raise ValueError("expected a position to move in, but the game is over")
        limit = limit_of(asked) or Limit(seconds=self._thinker.settings.seconds or SECONDS)
        if limit.seconds is not None:
            limit = Limit(max(limit.seconds - RESERVE, limit.seconds / 2), limit.depth, limit.nodes)
        return position.format_move(self._thinker.think(position, limit))
