"""Players in this process: fast to ask, but without enforced limits."""

from __future__ import annotations

from time import perf_counter
from typing import ClassVar

from noughts.engine import Limit, SearchResult
from noughts.games import Position
from noughts.players.player import FailureReason, HostedPlayer, PlayerFailed
from noughts.players.python_bot import as_player, move_of

__all__ = ["InProcessPlayer"]

GRACE_SECONDS = 0.1
MAX_ERROR_CHARACTERS = 200


class InProcessPlayer(HostedPlayer):
    """Any class or instance with ``choose(position, limit)``, or any function, as an opened player.

    It gets a copy of the position, so it cannot change the board. A late answer is a failure, but only once it has
    come: a player that hangs here hangs its host. Threads, files and the network are open to it, so untrusted code
    belongs in a process of its own (``open_player`` with ``protocol="python"``).
    """

    protocol: ClassVar[str] = "in-process"

    def __init__(
        self,
        player: object,
        name: str | None = None,
        grace_seconds: float = GRACE_SECONDS,
        limit: Limit | None = None,
    ) -> None:
        self._player = as_player(player)
        self._grace_seconds = grace_seconds
        self._limit = limit
        self.name = name or _name_of(player)

    @property
    def latest(self) -> SearchResult | None:
        """The player's result so far, when it is an engine that is thinking."""
        return getattr(self._player, "latest", None)

    def stop(self) -> None:
        """Make an engine answer soon with the best move so far."""
        stop = getattr(self._player, "stop", None)
        if stop is not None:
            stop()

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return its move, which is legal; raises PlayerFailed."""
        if position.turn is None:
            raise ValueError("the game is over")
        limit = limit or self._limit
        began = perf_counter()
        try:
            answer = self._answer(position, limit)
        finally:
            self.last_seconds = perf_counter() - began
        allowed = None if limit is None else limit.deadline(position.turn)
        if allowed is not None and self.last_seconds > allowed + self._grace_seconds:
            raise PlayerFailed(f"no answer within {allowed:g} s", FailureReason.TIME)
        move = move_of(position, answer)
        if not position.is_legal(move):
            raise PlayerFailed(f"an illegal move: {move}", FailureReason.ILLEGAL)
        return move

    def _answer(self, position: Position, limit: Limit | None) -> object:
        try:
            return self._player.choose(position.copy(), _limit_of_move(position, limit))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise PlayerFailed(_describe(error), FailureReason.CRASH) from error


def _limit_of_move(position: Position, limit: Limit | None) -> Limit | None:
    """Return the limit with the share of the clock in ``seconds``: most players look at nothing else."""
    if limit is None or limit.clock is None:
        return limit
    return Limit(limit.thinking_seconds(position), limit.depth, limit.nodes, limit.clock)


def _describe(error: BaseException) -> str:
    """Describe an error in one line, even when its own ``__str__`` fails."""
    kind = type(error).__name__
    try:
        text = " ".join(str(error).split())[:MAX_ERROR_CHARACTERS]
    except Exception:
        return kind
    return f"{kind}: {text}" if text else kind


def _name_of(player: object) -> str:
    name = getattr(player, "name", None) or getattr(player, "__name__", None)
    return name if isinstance(name, str) else type(player).__name__
