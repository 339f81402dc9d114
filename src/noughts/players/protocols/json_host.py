"""Host of bots that speak JSON lines."""

from __future__ import annotations

from typing import Any, ClassVar

from noughts.games import Position
from noughts.games.quoting import quote
from noughts.players import BotFailed, Deadline
from noughts.players.json_lines import parse_answer, question
from noughts.players.protocols.clock import Clock
from noughts.players.protocols.host import ProgramHost

__all__ = ["JsonHost"]


class JsonHost(ProgramHost):
    """Asks one question a line; see ``docs/protocols.md``."""

    protocol: ClassVar[str] = "json"
    greets: ClassVar[bool] = False

    def _ask(self, position: Position, clock: Clock, deadline: Deadline) -> int:
        if unasked := self._hush():
            raise BotFailed(f"expected one answer to a question, got another: {quote(unasked[0])}", "garbage")
        self._say(question(position, _seconds(position, clock), _extra(clock)).rstrip("\n"), deadline)
        return parse_answer(position, self._hear(deadline))


def _seconds(position: Position, clock: Clock) -> float | None:
    """What ``time_ms`` says: the time for the move, or of a clock a part that will do to the end."""
    return clock.seconds if clock.remaining is None else clock.share(position)


def _extra(clock: Clock) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if clock.remaining is not None:
        found["clock_ms"] = [round(seconds * 1000) for seconds in clock.remaining]
        found["increment_ms"] = [round(seconds * 1000) for seconds in clock.increment]
    bounds = {"nodes": clock.nodes, "depth": clock.depth}
    return found | {key: value for key, value in bounds.items() if value is not None}
