"""Bots in this very process: the fastest to ask, and the least one can enforce."""

from __future__ import annotations

from time import perf_counter
from typing import ClassVar

from noughts.engine import Limit
from noughts.games import Position
from noughts.players import BotFailed
from noughts.players.loading import as_bot, move_of
from noughts.players.protocols.clock import Clock
from noughts.players.protocols.host import HostedBot

__all__ = ["LocalBot"]


class LocalBot(HostedBot):
    """Any class or instance with ``choose(position, limit)``, or any function, with the face of a hosted bot.

    It gets a copy of the position, so it cannot change the board. A late answer is a failure, but only when it comes:
    a bot that hangs here hangs its host. Nothing keeps it from threads, files or the network: what is not trusted
    belongs in a process (``open_bot`` with ``protocol="python"``).
    """

    protocol: ClassVar[str] = "in-process"

    def __init__(self, bot: object, name: str | None = None, grace: float = 0.1) -> None:
        self._bot = as_bot(bot)
        self._grace = grace
        self.name = name or _name_of(bot)

    def choose(self, position: Position, clock: Clock | Limit | None = None) -> int:
        """Return its move, which is legal; raises BotFailed."""
        if position.turn is None:
            raise ValueError("expected a position to move in, but the game is over")
        if not isinstance(clock, Clock):
            clock = Clock.of(clock)
        began = perf_counter()
        answer = self._answer(position, clock)
        self.last_seconds = perf_counter() - began
        allowed = clock.allowed(position.turn)
        if allowed is not None and self.last_seconds > allowed + self._grace:
            raise BotFailed(f"no answer within {allowed:g} s", "time")
        move = move_of(position, answer)
        if not position.is_legal(move):
            raise BotFailed(f"an illegal move: {move}", "illegal")
        return move

    def _answer(self, position: Position, clock: Clock) -> object:
        try:
            return self._bot.choose(position.copy(), clock.limit(position))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise BotFailed(_what_went_wrong(error), "crash") from error


def _what_went_wrong(error: BaseException) -> str:
    """The error in a line; its own code may fail as well."""
    kind = type(error).__name__
    try:
        text = " ".join(str(error).split())[:200]
    except Exception:
        return kind
    return f"{kind}: {text}" if text else kind


def _name_of(bot: object) -> str:
    name = getattr(bot, "name", None) or getattr(bot, "__name__", None)
    return name if isinstance(name, str) else type(bot).__name__
